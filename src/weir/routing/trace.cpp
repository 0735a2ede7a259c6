#include "weir/routing/trace.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::routing {

using topology::Graph;

std::string name(const Graph& graph, const Channel& channel) {
  return fmt::format("{} -> {}, lane {}", graph.name(channel.port),
                     graph.name(graph.port(channel.port).to), channel.lane);
}

std::string_view to_string(RouteEnd end) {
  switch (end) {
    case RouteEnd::delivered:
      return "delivered";
    case RouteEnd::no_route:
      return "no route";
    case RouteEnd::wrong_host:
      return "wrong host";
    case RouteEnd::loop:
      break;
  }
  return "loop";
}

RouteQuery query_after(const Graph& graph, const Channel& channel, HostId source,
                       HostId destination) {
  const PortId in = graph.port(channel.port).to;
  return {graph.switch_of(graph.port(in).node), in, source, destination, channel.lane};
}

bool is_cabled(const Graph& graph, SwitchId at, const Candidate& candidate) {
  const NodeId node = graph.node(at);
  return candidate.port < graph.degree(node) &&
         graph.port(graph.port(node, candidate.port)).to.valid();
}

Route trace(const Graph& graph, const RoutingFunction& routing, HostId source, HostId destination) {
  Route route;
  Channel channel{graph.host_port(source), routing.injection_lane(source, destination)};
  while (true) {
    route.channels.push_back(channel);
    const NodeId next = graph.port(graph.port(channel.port).to).node;
    if (graph.is_host(next)) {
      route.end = graph.host(next) == destination ? RouteEnd::delivered : RouteEnd::wrong_host;
      return route;
    }
    const RouteQuery query = query_after(graph, channel, source, destination);
    const Candidate taken = routing.default_route(query);
    if (!is_cabled(graph, query.at, taken)) return route;
    channel = {graph.port(next, taken.port), taken.lane};
    if (std::find(route.channels.begin(), route.channels.end(), channel) != route.channels.end()) {
      route.end = RouteEnd::loop;
      return route;
    }
  }
}

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

namespace {

/// Counts paths from a channel to the destination, each channel once.
class PathCounter {
 public:
  PathCounter(const Graph& graph, const RoutingFunction& routing, HostId source, HostId destination)
      : graph_(graph), routing_(routing), source_(source), destination_(destination) {}

  std::uint64_t from(const Channel& channel) {
    const NodeId next = graph_.port(graph_.port(channel.port).to).node;
    if (graph_.is_host(next)) {
      if (graph_.host(next) == destination_) return 1;
      fail(channel, RouteEnd::wrong_host);
    }
    const std::uint64_t key = (std::uint64_t{channel.port.value} << 8U) | channel.lane;
    if (const auto known = counts_.find(key); known != counts_.end()) {
      if (known->second == kOpen) fail(channel, RouteEnd::loop);
      return known->second;
    }
    counts_[key] = kOpen;
    const RouteQuery query = query_after(graph_, channel, source_, destination_);
    CandidateList list;
    routing_.candidates(query, list);
    std::uint64_t count = 0;
    for (const Candidate& candidate : list) {
      if (!is_cabled(graph_, query.at, candidate)) fail(channel, RouteEnd::no_route);
      count += from({graph_.port(next, candidate.port), candidate.lane});
    }
    counts_[key] = count;
    return count;
  }

 private:
  static constexpr std::uint64_t kOpen = UINT64_MAX;

  [[noreturn]] void fail(const Channel& channel, RouteEnd end) const {
    throw RunError(
        fmt::format("paths from {} to {}: {} after {}", graph_.name(graph_.node(source_)),
                    graph_.name(graph_.node(destination_)), to_string(end), name(graph_, channel)));
  }

  const Graph& graph_;
  const RoutingFunction& routing_;
  HostId source_;
  HostId destination_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

}  // namespace

std::uint64_t path_count(const Graph& graph, const RoutingFunction& routing, HostId source,
                         HostId destination) {
  PathCounter counter(graph, routing, source, destination);
  return counter.from({graph.host_port(source), routing.injection_lane(source, destination)});
}

}  // namespace weir::routing
