#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// What the messages and flows of hosts were called in the network that a checkpoint was made of,
/// and are called in this one, which may be divided otherwise. Numbers belong to the part that a
/// host is in; there, messages and flows begin with those of the part's hosts, in their order.
class StateNames {
 public:
  /// Of one host, as they were called: ascending.
  struct Host {
    std::vector<std::uint32_t> messages;
    std::vector<std::uint32_t> flows;
  };

  /// `part_of`: per host, in this network.
  StateNames(std::vector<Host> hosts, const std::vector<std::uint16_t>& part_of)
      : hosts_(std::move(hosts)), first_(hosts_.size()) {
    std::vector<First> next;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      if (part_of[h] >= next.size()) next.resize(part_of[h] + std::size_t{1});
      First& part = next[part_of[h]];
      first_[h] = part;
      part.message += static_cast<std::uint32_t>(hosts_[h].messages.size());
      part.flow += static_cast<std::uint32_t>(hosts_[h].flows.size());
    }
  }

  [[nodiscard]] const Host& host(std::uint32_t host) const { return hosts_[host]; }
  /// Of the message, or flow, that began at `host` and had this number there.
  [[nodiscard]] std::uint32_t message(std::uint32_t host, std::uint32_t number) const {
    return first_[host].message + place(hosts_[host].messages, number);
  }
  [[nodiscard]] std::uint32_t flow(std::uint32_t host, std::uint32_t number) const {
    return first_[host].flow + place(hosts_[host].flows, number);
  }

 private:
  struct First {
    std::uint32_t message = 0;
    std::uint32_t flow = 0;
  };
  static std::uint32_t place(const std::vector<std::uint32_t>& numbers, std::uint32_t number) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
    if (found == numbers.end() || *found != number)
      throw std::logic_error("a checkpoint speaks of a message or flow that it does not have");
    return static_cast<std::uint32_t>(found - numbers.begin());
  }

  std::vector<Host> hosts_;
  std::vector<First> first_;
};

}  // namespace weir::fabric
