#pragma once

#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/topology/cable_delays.hpp"

namespace weir::experiment {

/// What the seed decides about cables, from [link] (all but the seed). Puts the model of lengths
/// with its defaults into `resolved`. Throws InputError.
topology::CableDelays read_cables(const Checked<LinkKeys>& link, ConfigTable& resolved);

/// Why packets of different sources will meet in the same instants throughout a run; empty where
/// nothing in the configuration says so.
std::string tie_note(const Configuration& configuration, const topology::Graph& graph);

/// What a user should know before a run: which delays were drawn, and whether packets of different
/// sources will meet in the same instants all the time.
std::vector<std::string> network_notes(const Configuration& configuration,
                                       const topology::Graph& graph);

/// Delays of cables, where they are drawn.
void add_cable_delays(metrics::RunResult& result, const Configuration& configuration,
                      const topology::Graph& graph);

/// How often outputs of switches had to decide between what came in one instant, with a note when
/// that is so often that it may decide the result.
void add_ties(metrics::RunResult& result, const fabric::Fabric& fabric);

}  // namespace weir::experiment
