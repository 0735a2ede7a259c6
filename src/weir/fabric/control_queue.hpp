#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

/// Who sends a control message to a port; in one instant they are heard in this order.
enum class ControlSender : std::uint8_t {
  own,         ///< the port's own node
  upstream,    ///< the node that feeds the port
  downstream,  ///< the node that the port's link leads to, where it is another one
};

/// Control messages on their way, numbered in the order in which they were sent. The number is the
/// payload of their events. Messages of one instant to one port come in an order that depends on
/// their senders alone: by sender, then as that one sent them. Memory grows with the span between
/// the oldest and the newest message, and is kept.
class ControlQueue {
 public:
  std::uint32_t add(ControlSender sender, const ControlMessage& message) {
    if (newest_ - oldest_ == slots_.size()) grow();
    slot(newest_) = {message, sender, true};
    return newest_++;
  }
  /// Puts the numbers of messages that arrive at one port in one instant into their order.
  void sort(std::vector<std::uint32_t>& numbers) const {
    std::sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(sender(a), a - oldest_) < std::pair(sender(b), b - oldest_);
    });
  }
  /// Who has sent one, and how many were sent since the oldest that is on its way.
  [[nodiscard]] ControlSender sender_of(std::uint32_t number) const { return sender(number); }
  [[nodiscard]] std::uint32_t age_of(std::uint32_t number) const { return number - oldest_; }
  ControlMessage take(std::uint32_t number) {
    Slot& taken = slot(number);
    taken.in_use = false;
    const ControlMessage message = taken.message;
    while (oldest_ != newest_ && !slot(oldest_).in_use) ++oldest_;
    return message;
  }
  void prefetch(std::uint32_t number) const {
    weir::prefetch(&slots_[number & (slots_.size() - 1)]);
  }
  /// One that is on its way.
  [[nodiscard]] ControlMessage& peek(std::uint32_t number) { return slot(number).message; }
  [[nodiscard]] const ControlMessage& peek(std::uint32_t number) const {
    return slots_[number & (slots_.size() - 1)].message;
  }
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    ControlMessage message;
    ControlSender sender = ControlSender::own;
    bool in_use = false;
  };
  [[nodiscard]] ControlSender sender(std::uint32_t number) const {
    return slots_[number & (slots_.size() - 1)].sender;
  }
  Slot& slot(std::uint32_t number) { return slots_[number & (slots_.size() - 1)]; }
  void grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    for (std::uint32_t n = oldest_; n != newest_; ++n) larger[n & (larger.size() - 1)] = slot(n);
    slots_.swap(larger);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::uint32_t oldest_ = 0;
  std::uint32_t newest_ = 0;
};

}  // namespace weir::fabric
