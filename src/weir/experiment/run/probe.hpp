#pragma once

#include <functional>
#include <memory>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/offered.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

/// What a run is asked to carry, its flows among it.
Offered offered_by(const Configuration& configuration, const Simulation& simulation,
                   const std::function<double()>& mean_hops);

/// Simulates the beginning of a run, and of each stretch of time that it does not reach and in
/// which other traffic is on; the second half of what is simulated of a stretch stands for what is
/// not. A run that is over within the limits is counted exactly.
Probe probe_simulation(const Configuration& configuration,
                       const std::shared_ptr<const Network>& network,
                       const std::function<double()>& mean_hops, const ProbeLimits& limits);

}  // namespace weir::experiment
