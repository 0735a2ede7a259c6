#pragma once

#include <memory>
#include <vector>

#include "weir/metrics/monitor.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir::metrics {

/// What watches a run with these settings, in the order of results.
[[nodiscard]] std::vector<std::unique_ptr<Monitor>> make_monitors(const topology::Graph& graph,
                                                                  const RecorderSettings& settings);

}  // namespace weir::metrics
