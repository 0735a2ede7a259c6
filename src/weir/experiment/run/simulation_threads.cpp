#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

void Simulation::refuse_threads(const Configuration& configuration) const {
  if (flows_.control()) {
    throw InputError("protocol.model",
                     "needs experiment.threads = 1: what its agents know of each other's messages "
                     "belongs to the whole network");
  }
  if (network_->flow_tables && !flows_.is_empty()) {
    throw InputError("flow_routing.set_up",
                     "\"packets\" with flows of their own names needs experiment.threads = 1: for "
                     "which of them a path is set up is known at the other end of it");
  }
  if (configuration.metrics->waiting) {
    throw configuration.metrics.error(
        &MetricsKeys::waiting,
        "needs experiment.threads = 1: whether hot packets fill the memory behind a link is known "
        "at its far end, which may be in another part of the network");
  }
}

void Simulation::refuse_ranks(const SimulationAdditions& additions) {
  if (additions.observer != nullptr) {
    throw InputError("observers of a program watch runs of one process, not of several together");
  }
}

}  // namespace weir::experiment
