#include "weir/rates/flow_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/routing/route_balance.hpp"

namespace weir::rates {

using topology::Graph;

Rate line_rate(const Graph& graph) {
  Rate fastest;
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    fastest = std::max(fastest, graph.port(graph.host_port(HostId(h))).link.rate);
  }
  return fastest;
}

std::vector<Fraction> link_capacities(const Graph& graph) {
  const std::int64_t line = line_rate(graph).count;
  std::vector<Fraction> capacities(graph.port_count());
  for (std::size_t p = 0; p < capacities.size(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    if (!port.to.valid()) continue;
    const std::int64_t rate = port.link.rate.count;
    capacities[p] = rate == line ? Fraction(1) : Fraction(rate, line);
  }
  return capacities;
}

FlowSet route_flows(const Graph& graph, const routing::RoutingFunction& routing,
                    std::span<const FlowRequest> flows, std::vector<Fraction> capacities) {
  FlowSetBuilder builder(std::move(capacities));
  builder.reserve(flows.size(), flows.size() * 4);
  routing::Route route;
  std::vector<LinkId> path;
  for (const FlowRequest& flow : flows) {
    const auto refuse = [&, &from = flow.source, &to = flow.destination](std::string_view why) {
      throw InputError(fmt::format("flow from {} to {}: {}", graph.name(graph.node(from)),
                                   graph.name(graph.node(to)), why));
    };
    if (flow.source == flow.destination) refuse("a flow needs two hosts");
    routing::follow(graph, routing, flow.source, flow.destination, route);
    if (route.end != routing::RouteEnd::delivered) {
      refuse(fmt::format("its route ends: {}", routing::to_string(route.end)));
    }
    path.clear();
    for (const routing::Channel& channel : route.channels) path.emplace_back(channel.port.value);
    builder.add(path, flow.weight, flow.application);
  }
  return builder.build();
}

FlowSet route_flows(const Graph& graph, const routing::RoutingFunction& routing,
                    std::span<const FlowRequest> flows) {
  return route_flows(graph, routing, flows, link_capacities(graph));
}

}  // namespace weir::rates
