#pragma once

#include <cstdint>
#include <vector>

#include "weir/analysis/level_queue.hpp"

namespace weir::analysis {

/// What a threshold of T packets means.
enum class ThresholdMode : std::uint8_t {
  above,       ///< the next level starts at T + 1
  at_or_above  ///< it starts at T
};

/// Entry Threshold (ET): a virtual lane that borrows another one when it holds more than
/// `threshold` packets. The service rate becomes that of two lanes, the capacity twice that of one.
/// Source: yan2012, section 5.2 (equations 5.1 to 5.22, solved exactly).
struct EntryThresholdQueue {
  double arrival_rate = 0;
  double arrival_scv = 1;
  double service_scv = 1;
  double own_rate = 0;         ///< of one lane
  double borrowed_rate = 0;    ///< of both
  std::int64_t capacity = 0;   ///< of one lane, packets
  std::int64_t threshold = 0;  ///< 0 to capacity; 0: the second lane is there from the first packet
  ThresholdMode mode = ThresholdMode::above;
  Boundary boundary = Boundary::exact;

  /// The queue it is. Throws InputError for a threshold outside 0 to capacity (1 to capacity with
  /// at_or_above), and as LevelQueue::check().
  [[nodiscard]] LevelQueue levels() const;
  [[nodiscard]] QueueMeasures solve() const { return levels().solve(boundary); }
};

/// Arrival Job Threshold (AJT): each time the newest lane holds more than its threshold, one more
/// shared lane is borrowed. With k lanes the rate is rates[k - 1] and the capacity k times that of
/// one. `thresholds` are per lane: level k ends at the sum of the first k of them.
/// Source: yan2012, section 5.3 (equations 5.24 to 5.45, solved exactly).
struct ArrivalJobThresholdQueue {
  double arrival_rate = 0;
  double arrival_scv = 1;
  double service_scv = 1;
  std::vector<double> rates;             ///< with 1, 2, ... lanes
  std::int64_t capacity = 0;             ///< of one lane
  std::vector<std::int64_t> thresholds;  ///< one less than rates, each 0 (1) to capacity
  ThresholdMode mode = ThresholdMode::above;
  Boundary boundary = Boundary::exact;

  /// As EntryThresholdQueue::levels(); also for numbers of rates and thresholds that do not fit.
  [[nodiscard]] LevelQueue levels() const;
  [[nodiscard]] QueueMeasures solve() const { return levels().solve(boundary); }
};

}  // namespace weir::analysis
