#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/metrics/batch_means.hpp"
#include "weir/metrics/mser.hpp"
#include "weir/metrics/traffic_slices.hpp"

namespace weir::metrics {

/// Metrics that are steady-state means of traffic, for which a run can give a confidence interval.
[[nodiscard]] std::span<const std::string_view> estimated_metrics();
[[nodiscard]] bool is_estimated(std::string_view metric);

/// Batch means of one of these metrics over the slices from `first` on, in the metric's unit.
/// Latencies need 1000 packets or messages: of fewer the verdict is `too_short`. `capacity`: of all
/// links into hosts, for the efficiency. An unknown metric is a programmer's mistake
/// (std::logic_error).
[[nodiscard]] BatchMeans estimate_mean(std::string_view metric, const SliceSequence& sequence,
                                       std::size_t first, Rate capacity, double confidence);

/// Where the start-up of a group of traffic ends: the latest of what MSER-5 (tolerance 0.1) says of
/// its throughput, latency and network latency. `first` counts slices, and is at most half of them.
/// A group that delivered nothing has none.
[[nodiscard]] Truncation find_warm_up(const SliceSequence& sequence);

}  // namespace weir::metrics
