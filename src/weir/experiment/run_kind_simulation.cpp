#include <algorithm>
#include <vector>

#include "weir/experiment/run_kind.hpp"
#include "weir/experiment/simulation.hpp"

namespace weir::experiment {
namespace {

constexpr std::size_t kSampledSources = 16;
constexpr int kSampledMessages = 500;
constexpr int kCountedMessages = 1'000'000;

double packets_of(const fabric::MessageRequest& message, const fabric::FabricSettings& settings) {
  const std::int64_t packets = (message.size.count - 1) / settings.mtu.count + 1;
  return static_cast<double>(packets);
}

/// Packets that one source offers up to `end`, extrapolated from its first messages; a saturated
/// one fills its link. Without an end, sources end of themselves: all of their messages are
/// counted.
double offered(fabric::MessageSource& source, const fabric::FabricSettings& settings, Rate link,
               Time end) {
  double packets = 0;
  Time first;
  Time last;
  Time clock;
  const int most = end == Time::max() ? kCountedMessages : kSampledMessages;
  for (int i = 0; i < most; ++i) {
    const auto message = source.next(clock);
    if (!message || message->at >= end) return packets;
    if (i == 0) first = message->at;
    last = message->at;
    const double these = packets_of(*message, settings);
    packets += these;
    clock = message->at;
    if (!source.closed_loop()) continue;
    const auto wire =
        Bytes(message->size.count + settings.header.count * static_cast<std::int64_t>(these));
    clock += serialization_time(wire, link);
  }
  const double seen = to_seconds(last - first);
  const double all = to_seconds(end - first);
  return seen > 0 && end != Time::max() ? packets * std::max(1.0, all / seen) : packets;
}

double all_packets(const Configuration& configuration, const topology::Graph& graph) {
  const fabric::FabricSettings& settings = configuration.fabric;
  traffic::Traffic traffic = make_traffic(configuration, graph);
  const Time end = configuration.duration.value_or(Time::max());
  std::vector<std::vector<traffic::HostSource*>> by_class(traffic.classes.size());
  for (traffic::HostSource& one : traffic.sources) {
    by_class[one.source->traffic_class].push_back(&one);
  }
  double packets = 0;
  for (const auto& sources : by_class) {
    if (sources.empty()) continue;
    const std::size_t step = std::max<std::size_t>(1, sources.size() / kSampledSources);
    double sum = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < sources.size(); i += step, ++asked) {
      const Rate link = graph.port(graph.host_port(sources[i]->host)).link.rate;
      sum += offered(*sources[i]->source, settings, link, end);
    }
    packets += sum / static_cast<double>(asked) * static_cast<double>(sources.size());
  }
  return packets;
}

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

KindNeeds needs(const Configuration& configuration, const std::shared_ptr<const Network>& network,
                const std::function<double()>& mean_hops) {
  const Simulation simulation(configuration, network);
  const double packets = all_packets(configuration, *network->graph) +
                         static_cast<double>(simulation.workload_packets()) +
                         simulation.flow_packets();
  return {packets * (mean_hops() + 1), memory_of(configuration, simulation), simulation.notes()};
}

std::optional<metrics::RunResult> run(const Configuration& configuration,
                                      const std::shared_ptr<const Network>& network,
                                      const GoOn& go_on, RunKind::Clock::time_point start) {
  Simulation simulation(configuration, network);
  while (simulation.advance()) {
    const fabric::Fabric& fabric = simulation.fabric();
    if (!go_on({fabric.now(), simulation.end(), fabric.counters().packet_hops})) {
      return std::nullopt;
    }
  }
  return simulation.finish(seconds_since(start));
}

const Registration<RunKind> registration(
    run_kind_registry(), {"simulation", "packets are simulated one by one", "this program", {}},
    RunKind{true, run, needs});

}  // namespace
}  // namespace weir::experiment
