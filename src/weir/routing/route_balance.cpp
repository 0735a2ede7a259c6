#include "weir/routing/route_balance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/error.hpp"

namespace weir::routing {
namespace {

/// As trace(), into memory that is there already; a loop is known by its length.
void follow(const topology::Graph& graph, const RoutingFunction& routing, HostId source,
            HostId destination, Route& route) {
  const std::size_t longest = graph.port_count() * static_cast<std::size_t>(routing.lanes());
  Channel channel{graph.host_port(source), routing.injection_lane(source, destination)};
  route.channels.clear();
  while (true) {
    route.channels.push_back(channel);
    const NodeId next = graph.port(graph.port(channel.port).to).node;
    if (graph.is_host(next)) {
      route.end = graph.host(next) == destination ? RouteEnd::delivered : RouteEnd::wrong_host;
      return;
    }
    const RouteQuery query = query_after(graph, channel, source, destination);
    const Candidate taken = routing.default_route(query);
    const bool is_loop = route.channels.size() > longest;
    if (is_loop || !is_cabled(graph, query.at, taken)) {
      route.end = is_loop ? RouteEnd::loop : RouteEnd::no_route;
      return;
    }
    channel = {graph.port(next, taken.port), taken.lane};
  }
}

}  // namespace

RouteBalance route_balance(
    const topology::Graph& graph, const RoutingFunction& routing,
    const std::function<void(HostId source, HostId destination, const Route&)>& visit,
    const std::function<bool(std::size_t destinations)>& go_on) {
  RouteBalance out;
  out.routes.resize(graph.port_count());
  out.destinations.resize(graph.port_count());
  std::vector<std::uint32_t> seen_by(graph.port_count(), UINT32_MAX);
  std::uint64_t links = 0;
  Route route;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      if (s == d) continue;
      follow(graph, routing, HostId(s), HostId(d), route);
      if (route.end != RouteEnd::delivered) {
        throw RunError(fmt::format("the route from {} to {} ends: {}",
                                   graph.name(graph.node(HostId(s))),
                                   graph.name(graph.node(HostId(d))), to_string(route.end)));
      }
      for (const Channel& channel : route.channels) {
        const std::size_t port = channel.port.index();
        ++out.routes[port];
        if (seen_by[port] != d) ++out.destinations[port];
        seen_by[port] = d;
      }
      ++out.pairs;
      links += route.channels.size();
      out.longest = std::max(out.longest, route.channels.size());
      visit(HostId(s), HostId(d), route);
    }
    if (!go_on(d + 1)) break;
  }
  if (out.pairs > 0) out.mean_length = static_cast<double>(links) / static_cast<double>(out.pairs);
  return out;
}

}  // namespace weir::routing
