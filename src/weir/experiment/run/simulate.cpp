#include "weir/experiment/run/simulate.hpp"

#include "weir/experiment/run/pace.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

std::optional<metrics::RunResult> simulate(const Configuration& configuration,
                                           const std::shared_ptr<const Network>& network,
                                           Checkpoints& checkpoints, const GoOn& go_on,
                                           RunKind::Clock::time_point start) {
  Ranks* const ranks = configuration.ranks;
  const std::unique_ptr<Simulation> simulation = checkpoints.begin(configuration, network);
  Pace pace(simulation->step());
  // The first of several processes decides for all of them how long a step is, and when to end.
  while (simulation->advance(of_first(ranks, pace.step()))) {
    const fabric::Fabric& fabric = simulation->fabric();
    const bool goes_on = go_on({fabric.now(), simulation->end(), fabric.counters().packet_hops});
    if (!of_first(ranks, goes_on)) {
      checkpoints.keep(*simulation);
      return std::nullopt;
    }
    checkpoints.keep_if_due(*simulation);
    pace.took();
  }
  return simulation->finish(checkpoints.earlier().wall_seconds + seconds_since(start));
}

}  // namespace weir::experiment
