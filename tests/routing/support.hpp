#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "weir/routing/routing.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/topology.hpp"

namespace weir::routing::test {

/// A registered topology; `settings` is TOML.
inline topology::Graph make_graph(const std::string& name, const std::string& settings = {}) {
  const auto& model = topology::topology_registry().find(name, {}, "topology");
  return model.make(
      Settings::check(parse_toml(settings, "test.toml"), model.info.parameters, "topology"), {});
}

inline std::unique_ptr<RoutingFunction> make_routing(const std::string& name,
                                                     const topology::Graph& graph,
                                                     const std::string& settings = {}) {
  const auto& model = routing_registry().find(name, {}, "routing");
  return model.make(
      Settings::check(parse_toml(settings, "test.toml"), model.info.parameters, "routing"), graph);
}

/// Message of the InputError that making the routing throws; "" when it throws none.
inline std::string routing_error(const std::string& name, const topology::Graph& graph,
                                 const std::string& settings = {}) {
  try {
    make_routing(name, graph, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Calls visit(transmitting port) for every channel of the default route, the host's own first.
/// Returns the host where it ends, or an invalid id after more channels than a route can have.
template <class Visit>
HostId walk(const topology::Graph& graph, const RoutingFunction& routing, HostId source,
            HostId destination, Visit visit) {
  Channel channel{graph.host_port(source), routing.injection_lane(source, destination)};
  for (std::size_t hops = 0; hops < graph.port_count() + 2; ++hops) {
    visit(channel.port);
    const NodeId node = graph.port(graph.port(channel.port).to).node;
    if (graph.is_host(node)) return graph.host(node);
    const Candidate taken = routing.default_route(query_after(graph, channel, source, destination));
    channel = {graph.port(node, taken.port), taken.lane};
  }
  return {};
}

/// What all pairs of different hosts put on every link, with the route lengths in switches.
struct AllPairs {
  std::vector<std::uint32_t> pairs;  ///< per transmitting port
  /// Per transmitting port: the only destination (source) on it, or kSeveral, or kNobody.
  std::vector<std::uint32_t> destination;
  std::vector<std::uint32_t> source;
  std::vector<std::uint64_t> routes_of_length;  ///< [switches]
  std::uint64_t undelivered = 0;

  static constexpr std::uint32_t kNobody = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;
};

inline AllPairs route_all_pairs(const topology::Graph& graph, const RoutingFunction& routing) {
  AllPairs all;
  all.pairs.assign(graph.port_count(), 0);
  all.destination.assign(graph.port_count(), AllPairs::kNobody);
  all.source = all.destination;
  const auto join = [](std::uint32_t& known, std::uint32_t host) {
    known = known == AllPairs::kNobody || known == host ? host : AllPairs::kSeveral;
  };
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      if (s == d) continue;
      std::size_t length = 0;
      const HostId end = walk(graph, routing, HostId(s), HostId(d), [&](PortId port) {
        ++length;
        ++all.pairs[port.index()];
        join(all.destination[port.index()], d);
        join(all.source[port.index()], s);
      });
      if (end != HostId(d)) ++all.undelivered;
      if (all.routes_of_length.size() < length) all.routes_of_length.resize(length);
      ++all.routes_of_length[length - 1];
    }
  }
  return all;
}

/// True when both ends of the link that leaves by `port` are switches.
inline bool joins_switches(const topology::Graph& graph, const topology::Port& port) {
  return port.to.valid() && !graph.is_host(port.node) && !graph.is_host(graph.port(port.to).node);
}

inline CandidateList candidates_of(const RoutingFunction& routing, const RouteQuery& query) {
  CandidateList list;
  routing.candidates(query, list);
  return list;
}

}  // namespace weir::routing::test
