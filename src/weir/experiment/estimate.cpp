#include "weir/experiment/estimate.hpp"

#include <algorithm>
#include <map>

#include "weir/experiment/simulation.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment {
namespace {

constexpr std::size_t kSampledSources = 16;
constexpr int kSampledMessages = 500;
/// Of a packet-hop on a usual machine, with everything that belongs to it.
constexpr double kSecondsPerHop = 0.35e-6;

double packets_of(const fabric::MessageRequest& message, const fabric::FabricSettings& settings) {
  return static_cast<double>((message.size.count - 1) / settings.mtu.count + 1);
}

/// Packets that one source offers up to `end`, extrapolated from its first messages; a saturated
/// one fills its link.
double offered(fabric::MessageSource& source, const fabric::FabricSettings& settings, Rate link,
               Time end) {
  double packets = 0;
  Time first;
  Time last;
  Time clock;
  for (int i = 0; i < kSampledMessages; ++i) {
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
  traffic::Traffic traffic = traffic::make_sources(
      configuration.traffic, {graph, settings.seed, settings.mtu, settings.header});
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
  const double packets = static_cast<double>(simulation.fabric().graph().port_count()) *
                         static_cast<double>(buffers / settings.mtu.count);
  return static_cast<double>(simulation.fabric().memory()) + packets * sizeof(fabric::Packet);
}

}  // namespace

Estimate estimate(const std::vector<Variant>& variants) {
  Estimate out;
  NetworkCache networks;
  std::map<const Network*, double> mean_hops;
  std::vector<std::shared_ptr<const Network>> kept;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Configuration configuration = resolve(variants[i].table);
    const auto network = networks.get(configuration);
    const topology::Graph& graph = *network->graph;
    if (mean_hops.find(network.get()) == mean_hops.end()) {
      mean_hops[network.get()] = topology::statistics(graph, 20'000'000).mean_hops;
      kept.push_back(network);
    }
    const Simulation simulation(configuration, network);
    out.memory = std::max(out.memory, memory_of(configuration, simulation));
    out.packet_hops += all_packets(configuration, graph) * (mean_hops[network.get()] + 1);
    if (i > 0) continue;
    out.first = configuration;
    out.network = network;
  }
  out.networks = mean_hops.size();
  out.seconds = out.packet_hops * kSecondsPerHop;
  return out;
}

}  // namespace weir::experiment
