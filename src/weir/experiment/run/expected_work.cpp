#include "weir/experiment/run/expected_work.hpp"

#include <algorithm>
#include <cmath>

#include "weir/routing/trace.hpp"

namespace weir::experiment {

namespace {

/// Messages of a source that are looked at.
constexpr int kMessages = 8;

/// Packets a second from one host to another.
struct Demand {
  HostId source;
  HostId destination;
  double packets = 0;
  double bytes = 0;
};

double bytes_per_second(const topology::Graph& graph, PortId port) {
  return port.valid() ? static_cast<double>(graph.port(port).link.rate.count) / 8 : 0;
}

/// Of the first messages of one source, as if it went on like that.
void add_demands(const topology::Graph& graph, const fabric::FabricSettings& settings,
                 traffic::HostSource& one, std::vector<Demand>& demands) {
  const std::size_t first = demands.size();
  double bytes = 0;
  Time begin;
  Time end;
  for (int i = 0; i < kMessages; ++i) {
    const auto message = one.source->next(end);
    if (!message) break;
    if (i == 0) begin = message->at;
    end = std::max(end, message->at);
    const auto size = static_cast<double>(message->size.count);
    const double packets = std::ceil(size / static_cast<double>(settings.mtu.count));
    if (message->destination != one.host)
      demands.push_back({one.host, message->destination, packets, size});
    bytes += size;
  }
  // Open loops have a rate of their own, closed ones that of the link.
  const double most = bytes_per_second(graph, graph.host_port(one.host));
  const double seconds = static_cast<double>((end - begin).count) * 1e-12;
  const double rate = seconds > 0 ? std::min(most, bytes / seconds) : most;
  for (std::size_t i = first; i < demands.size(); ++i) {
    demands[i].packets *= rate / bytes;
    demands[i].bytes *= rate / bytes;
  }
}

}  // namespace

std::vector<double> expected_packets(traffic::Traffic traffic, const Network& network,
                                     const fabric::FabricSettings& settings) {
  const topology::Graph& graph = *network.graph;
  std::vector<Demand> demands;
  for (traffic::HostSource& one : traffic.sources) add_demands(graph, settings, one, demands);
  if (demands.empty()) return {};
  std::vector<double> into(graph.host_count(), 0);
  for (const Demand& demand : demands) into[demand.destination.index()] += demand.bytes;
  std::vector<double> of_ports(graph.port_count(), 0);
  routing::Route route;
  for (const Demand& demand : demands) {
    routing::follow(graph, *network.routing, demand.source, demand.destination, route);
    if (route.end != routing::RouteEnd::delivered) return {};
    const double wanted = into[demand.destination.index()];
    const double most = bytes_per_second(graph, route.channels.back().port);
    const double share = wanted > most ? most / wanted : 1;
    for (const routing::Channel& channel : route.channels)
      of_ports[channel.port.index()] += demand.packets * share;
  }
  return of_ports;
}

}  // namespace weir::experiment
