#include "weir/rates/flow_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/flow_routing/flow_paths.hpp"
#include "weir/routing/route_balance.hpp"

namespace weir::rates {

using topology::Graph;

namespace {

[[noreturn]] void refuse(const Graph& graph, const FlowRequest& flow, std::string_view why) {
  throw InputError(fmt::format("flow from {} to {}: {}", graph.name(graph.node(flow.source)),
                               graph.name(graph.node(flow.destination)), why));
}

void check_ends(const Graph& graph, const FlowRequest& flow) {
  if (flow.source == flow.destination) refuse(graph, flow, "a flow needs two hosts");
}

std::uint64_t load_of(const FlowRequest& flow, bool by_weight) {
  if (!by_weight) return 1;
  const double units = flow.weight.value() * 0x1p20;
  return units < 1 ? 1 : static_cast<std::uint64_t>(std::llround(std::min(units, 0x1p52)));
}

}  // namespace

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
    check_ends(graph, flow);
    routing::follow(graph, routing, flow.source, flow.destination, route);
    if (route.end != routing::RouteEnd::delivered) {
      refuse(graph, flow, fmt::format("its route ends: {}", routing::to_string(route.end)));
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

FlowSet route_flows(const Graph& graph, const routing::RoutingFunction& defaults,
                    const FlowSetUp& set_up, std::span<const FlowRequest> flows,
                    std::vector<Fraction> capacities) {
  return route_flows(flow_routing::FlowTables(graph, defaults, set_up.rules), set_up, flows,
                     std::move(capacities));
}

FlowSet route_flows(const flow_routing::FlowTables& tables, const FlowSetUp& set_up,
                    std::span<const FlowRequest> flows, std::vector<Fraction> capacities) {
  for (const FlowRequest& flow : flows) check_ends(tables.graph(), flow);
  flow_routing::FlowPathFinder finder(tables, set_up.seed);
  std::vector<std::uint32_t> order(flows.size());
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random(set_up.seed, 1, StreamPurpose::routing);
  for (std::size_t i = order.size(); set_up.in_random_order && i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  // Paths are found in one order and kept in another.
  struct Place {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::vector<Place> places(flows.size());
  std::vector<LinkId> links;
  links.reserve(flows.size() * 6);
  std::vector<PortId> path;
  for (const std::uint32_t f : order) {
    finder.set_up(flows[f].source, flows[f].destination, load_of(flows[f], set_up.by_weight), path);
    places[f] = {links.size(), path.size()};
    for (const PortId port : path) links.emplace_back(port.value);
  }
  FlowSetBuilder builder(std::move(capacities));
  builder.reserve(flows.size(), links.size());
  for (std::size_t f = 0; f < flows.size(); ++f) {
    builder.add(std::span(links).subspan(places[f].first, places[f].count), flows[f].weight,
                flows[f].application);
  }
  return builder.build();
}

}  // namespace weir::rates
