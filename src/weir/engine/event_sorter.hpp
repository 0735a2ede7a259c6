#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/engine/event.hpp"

namespace weir::engine {

/// Sorts events into their total order in linear time for what simulations bring: evenly spread
/// times, few instants with many events each, or both. Distributes by the highest bits in which the
/// events differ, so that few are left in one place, and ends with an insertion sort.
class EventSorter {
 public:
  using Run = std::span<const Event>;

  /// Writes the events of all runs to `out`, `count` in all, in order. Their times differ in no
  /// other bits than `time_bits`.
  void sort(std::span<const Run> runs, Event* out, std::size_t count, std::uint64_t time_bits);
  [[nodiscard]] std::size_t memory() const { return scratch_.capacity() * sizeof(Event); }

 private:
  struct Digit;
  void distribute(std::span<const Run> runs, Event* out, Digit digit);
  void refine(Event* events, std::size_t count);

  std::vector<Event> scratch_;
};

}  // namespace weir::engine
