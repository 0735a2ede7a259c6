#pragma once

#include <span>
#include <vector>

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

}  // namespace weir::rates
