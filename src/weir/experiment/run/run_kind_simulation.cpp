#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/checkpoints.hpp"
#include "weir/experiment/run/probe.hpp"
#include "weir/experiment/run/simulate.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {
namespace {

/// Of a full network: what it holds before the first packet, and packets in all buffers.
double memory_of(const Configuration& configuration, const Simulation& simulation) {
  const fabric::FabricSettings& settings = configuration.fabric;
  const std::int64_t buffers = settings.architecture == fabric::Architecture::cioq
                                   ? settings.ingress_buffer.count + settings.egress_buffer.count
                                   : settings.ingress_buffer.count;
  const std::int64_t in_a_buffer = buffers / settings.mtu.count;
  const double packets = static_cast<double>(simulation.fabric().graph().port_count()) *
                         static_cast<double>(in_a_buffer);
  return static_cast<double>(simulation.fabric().memory()) + packets * sizeof(fabric::Packet);
}

KindNeeds needs_of_simulation(const Configuration& configuration,
                              const std::shared_ptr<const Network>& network,
                              const std::function<double()>& mean_hops) {
  const Simulation simulation(configuration, network);
  const Offered offered = offered_by(configuration, simulation, mean_hops);
  return {offered.packet_hops(), memory_of(configuration, simulation), simulation.notes(),
          simulation.no_checkpoints()};
}

std::optional<metrics::RunResult> run_simulation(const Configuration& configuration,
                                                 const std::shared_ptr<const Network>& network,
                                                 const GoOn& go_on,
                                                 RunKind::Clock::time_point start) {
  Checkpoints checkpoints(configuration);
  try {
    auto result = simulate(configuration, network, checkpoints, go_on, start);
    if (result) checkpoints.end(*result);
    return result;
  } catch (const RunError&) {
    checkpoints.forget();  // it would fail again from there
    throw;
  }
}

const Registration<RunKind> kSimulationKind(
    run_kind_registry(),
    {"simulation", "packets are simulated one by one", "weir2026, docs/architecture.md", {}},
    RunKind{.run = run_simulation,
            .needs = needs_of_simulation,
            .probe = probe_simulation,
            .works_in_ranks = true});

}  // namespace
}  // namespace weir::experiment
