#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/flow_routing/flow_tables.hpp"
#include "weir/rates/flow_set.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::rates {

/// A flow before it has a path.
struct FlowRequest {
  HostId source;
  HostId destination;
  Fraction weight = Fraction(1);
  ApplicationId application{0};
};

/// The rate that fractions are fractions of: that of the fastest host link.
[[nodiscard]] Rate line_rate(const topology::Graph& graph);

/// The capacity of each directed link, by transmitting port: its rate over line_rate(); 0 where
/// there is no cable.
[[nodiscard]] std::vector<Fraction> link_capacities(const topology::Graph& graph);

/// Every flow takes the default route, from its host's own link to the link into its destination.
/// `capacities` are per port, as from link_capacities(). Throws InputError for a flow from a host
/// to itself and for a route that does not arrive, and what FlowSetBuilder throws. Time: about 30
/// ns per link of a path.
[[nodiscard]] FlowSet route_flows(const topology::Graph& graph,
                                  const routing::RoutingFunction& routing,
                                  std::span<const FlowRequest> flows,
                                  std::vector<Fraction> capacities);
[[nodiscard]] FlowSet route_flows(const topology::Graph& graph,
                                  const routing::RoutingFunction& routing,
                                  std::span<const FlowRequest> flows);

/// How adaptive paths are found (zdornov2009, chapter 3).
struct FlowSetUp {
  flow_routing::FlowRules rules;
  bool by_weight = false;       ///< ports are compared by weights of flows, not by their number
  bool in_random_order = true;  ///< else as they are listed
  std::uint64_t seed = 0;
};

/// Every flow takes the path that adaptive flow routing finds for it, one flow after another with
/// unlimited route caches. Weights are compared in steps of 2^-20. Throws what the other
/// route_flows() and FlowTables throw. Time: about 100 ns per link of a path.
[[nodiscard]] FlowSet route_flows(const topology::Graph& graph,
                                  const routing::RoutingFunction& defaults, const FlowSetUp& set_up,
                                  std::span<const FlowRequest> flows,
                                  std::vector<Fraction> capacities);
/// With tables that are there, in place of those that set_up.rules would compute.
[[nodiscard]] FlowSet route_flows(const flow_routing::FlowTables& tables, const FlowSetUp& set_up,
                                  std::span<const FlowRequest> flows,
                                  std::vector<Fraction> capacities);

}  // namespace weir::rates
