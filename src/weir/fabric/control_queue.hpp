#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

/// Control messages on their way, numbered in the order in which they were sent. The number is the
/// payload of their events, so that messages that arrive in one instant keep their order. Memory
/// grows with the span between the oldest and the newest message, and is kept.
class ControlQueue {
 public:
  std::uint32_t add(const ControlMessage& message) {
    if (newest_ - oldest_ == slots_.size()) grow();
    slot(newest_) = {message, true};
    return newest_++;
  }
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
    bool in_use = false;
  };
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
