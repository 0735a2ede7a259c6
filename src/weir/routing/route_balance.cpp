#include "weir/routing/route_balance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/error.hpp"

namespace weir::routing {
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
