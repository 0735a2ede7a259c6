#include "weir/reaction/network_constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "weir/routing/trace.hpp"
#include "weir/topology/cable_delays.hpp"

namespace weir::reaction {

namespace {

/// Routes that are followed at most to find the longest.
constexpr std::size_t kMostRoutes = 300'000;

std::uint32_t longest_route(const topology::Graph& graph, const routing::RoutingFunction& routing) {
  const std::size_t hosts = graph.host_count();
  const std::size_t destinations = std::clamp<std::size_t>(kMostRoutes / hosts, 1, hosts);
  std::size_t longest = 1;
  for (std::size_t i = 0; i < destinations; ++i) {
    const HostId destination(i * hosts / destinations);
    for (std::size_t source = 0; source < hosts; ++source) {
      if (source == destination.index()) continue;
      const routing::Route route = routing::trace(graph, routing, HostId(source), destination);
      if (route.end == routing::RouteEnd::delivered) longest = std::max(longest, route.switches());
    }
  }
  return static_cast<std::uint32_t>(longest);
}

/// Most hosts that send into one switch.
std::uint32_t hosts_of_a_switch(const topology::Graph& graph) {
  std::vector<std::uint32_t> hosts(graph.node_count(), 0);
  std::uint32_t most = 1;
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const NodeId next = graph.port(graph.port(graph.host_port(HostId(h))).to).node;
    most = std::max(most, ++hosts[next.index()]);
  }
  return most;
}

std::uint32_t stage_count(const topology::Graph& graph, std::uint32_t hops) {
  int highest = 0;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    highest = std::max(highest, graph.stage(graph.node(SwitchId(s))));
  }
  return highest > 0 ? static_cast<std::uint32_t>(highest) : (hops + 1) / 2;
}

Rate fastest_host_link(const topology::Graph& graph) {
  Rate fastest(0);
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    fastest = std::max(fastest, graph.port(graph.host_port(HostId(h))).link.rate);
  }
  return fastest;
}

/// Of host 0; where the seed has drawn the delays, the mean.
Time cable_delay(const topology::Graph& graph) {
  if (!graph.has_drawn_delays()) return graph.port(graph.host_port(HostId(0))).link.delay;
  return Time(std::llround(topology::delay_range(graph).mean));
}

}  // namespace

Time packet_time(const topology::Graph& graph, const fabric::FabricSettings& settings) {
  return serialization_time(settings.mtu + settings.header, fastest_host_link(graph));
}

Time NetworkConstants::latency(Bytes size) const {
  return Time(hop_time.count * hops) + serialization_time(size, rate);
}

double NetworkConstants::overhead() const {
  const double bytes_per_ps = static_cast<double>(rate.count) / 8e12;
  return 2.0 * hops * static_cast<double>(hop_time.count) * bytes_per_ps +
         static_cast<double>(ack.count);
}

double NetworkConstants::round_trip_packets(Bytes size) const {
  const auto bytes = static_cast<double>(size.count);
  return (overhead() + bytes) / bytes;
}

std::uint32_t NetworkConstants::window() const {
  return static_cast<std::uint32_t>(std::ceil(round_trip_packets(data) - 1e-9));
}

NetworkConstants network_constants(const topology::Graph& graph,
                                   const routing::RoutingFunction& routing,
                                   const fabric::FabricSettings& settings) {
  NetworkConstants out;
  out.hops = longest_route(graph, routing);
  out.hop_time = settings.routing_delay + settings.crossbar_delay + cable_delay(graph);
  out.rate = fastest_host_link(graph);
  out.data = settings.mtu + settings.header;
  out.ack = settings.ack_size;
  out.radix = hosts_of_a_switch(graph);
  out.stages = stage_count(graph, out.hops);
  return out;
}

Time idle_round_trip(const topology::Graph& graph, const routing::RoutingFunction& routing,
                     const fabric::FabricSettings& settings) {
  const NetworkConstants network = network_constants(graph, routing, settings);
  Time trip = network.round_trip(network.data) + cable_delay(graph) + cable_delay(graph);
  if (settings.switching == fabric::Switching::store_and_forward) {
    const Time stored = serialization_time(network.data + network.ack, network.rate);
    trip += Time(stored.count * network.hops);
  }
  return trip;
}

double reduction(double k, double b) { return k / (b * (k - 1) + k); }

double geometric_slots(double k, std::uint32_t step) {
  return step == 0 ? 0 : std::pow(k, static_cast<double>(step - 1));
}

}  // namespace weir::reaction
