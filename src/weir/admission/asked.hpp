#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "weir/fabric/hooks/admission.hpp"

namespace weir {
class StateArchive;
}

namespace weir::admission {

/// Names a connection in any process and however the network is divided.
struct ConnectionKey {
  std::uint32_t source = 0;   ///< host
  std::uint32_t place = 0;    ///< among the connections of that host
  std::uint32_t request = 0;  ///< made from this place, counted from 1; 0: no connection
  auto operator<=>(const ConnectionKey&) const = default;
};

/// What a source has asked for.
struct Asked {
  fabric::ConnectionRequest request;
  std::vector<std::uint32_t> links;  ///< sending ports, from the source's on
  std::uint16_t vl = 0;

  void checkpoint(StateArchive& state);
};

/// What the sources of all parts of a network have asked for, where the mechanism's instances in a
/// process look up connections from other parts. An entry stays as it is while a message about it
/// is on its way before its source has the answer.
class AskedByAll {
 public:
  void put(const ConnectionKey& key, const Asked& asked) {
    const std::lock_guard lock(mutex_);
    of_[{key.source, key.place}] = asked;
  }
  [[nodiscard]] Asked of(const ConnectionKey& key) const {
    const std::lock_guard lock(mutex_);
    return of_.at({key.source, key.place});
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Asked> of_;  ///< by host and place there
};

}  // namespace weir::admission
