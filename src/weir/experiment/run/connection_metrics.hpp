#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/topology/graph.hpp"

namespace weir::experiment {

/// What became of the flows of a simulation.
struct FlowOutcome {
  std::vector<double>
      delivered;  ///< over the line rate, in the measuring window; empty: there was none
  std::vector<double> assigned;              ///< over the line rate; empty: no rates
  std::vector<std::optional<Time>> ended{};  ///< all of it is there
};

/// Adds rates and ends of the connections between hosts that have several, each by itself: sums of
/// its flows, and the end of the last. Nothing beyond kMostConnections.
inline constexpr std::size_t kMostConnections = 64;
void add_connections(metrics::RunResult& out, const topology::Graph& graph,
                     const ConnectionList& connections, const FlowOutcome& flows);

}  // namespace weir::experiment
