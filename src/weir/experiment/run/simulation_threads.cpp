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

void Simulation::refuse_ranks(const Configuration& configuration,
                              const SimulationAdditions& additions) const {
  const auto refuse = [](const char* key, const char* what) {
    throw InputError(key, std::string(what) +
                              " in one process alone: all parts of the network have to know of it "
                              "in one instant; experiment.threads divides it among threads");
  };
  if (additions.observer != nullptr) {
    throw InputError("observers of a program watch runs of one process, not of several together");
  }
  if (!flows_.is_empty()) refuse("flow", "flows of their own names work");
  if (reservations_.is_needed()) refuse("admission.model", "connections come and go");
}

}  // namespace weir::experiment
