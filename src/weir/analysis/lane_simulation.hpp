#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/analysis/level_queue.hpp"
#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {

/// The VLs of one port that lend each other lanes: every VL has its own GE arrivals and its own GE
/// server, and works at the rate of as many lanes as it holds. With k lanes it has room for k times
/// `capacity` packets; what it holds beyond that when lanes go, it keeps.
/// Source: yan2012, sections 5.2, 5.3 and 5.2.4.
struct LaneSharing {
  std::vector<double> arrival_rates;  ///< of each VL; 0: silent
  std::vector<bool> may_lend;         ///< of each VL
  double arrival_scv = 1;
  double service_scv = 1;
  std::vector<double> rates;             ///< with 1, 2, ... lanes
  std::int64_t capacity = 0;             ///< of one lane, packets
  std::vector<std::int64_t> thresholds;  ///< per lane, one fewer than rates

  /// Throws InputError.
  void check() const;
  /// The first VL with a free lane at hand whenever it wants one.
  [[nodiscard]] LevelQueue without_others() const;
};

/// Measures of the first VL, as simulate(LevelQueue): it is that one when all others are silent and
/// enough of them may lend. `level_probability` is of lanes held, `lane_wait` the share of time in
/// which it waits for a lane. Nothing: plan.go_on said no.
[[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(const LaneSharing& sharing,
                                                                    const SimulationPlan& plan);

}  // namespace weir::analysis
