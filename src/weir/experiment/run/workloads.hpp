#pragma once

#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/workload/players.hpp"

namespace weir::experiment {

/// Schedules and placements of all its workloads, whose traffic classes follow those of
/// [[traffic]]. Throws InputError where entries do not fit the graph.
std::vector<workload::Workload> make_workloads(const Configuration& configuration,
                                               const topology::Graph& graph);

/// Their classes as metrics know them.
std::vector<traffic::TrafficClass> workload_classes(const Configuration& configuration,
                                                    const std::vector<workload::Workload>& made);

/// execution_time and what belongs to it, for each workload and for all.
void add_workloads(metrics::RunResult& out, const workload::Players& players);

}  // namespace weir::experiment
