#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weir/routing/trace.hpp"

namespace weir::routing {

/// Default routes of all ordered pairs of hosts over the links of a network.
struct RouteBalance {
  std::vector<std::uint64_t> routes;        ///< by transmitting port: pairs routed over the link
  std::vector<std::uint32_t> destinations;  ///< by transmitting port: different ones among them
  std::uint64_t pairs = 0;
  std::size_t longest = 0;  ///< links of the longest route
  double mean_length = 0;   ///< links of a route
};

/// Follows the default route of every pair, destination by destination, and shows each to `visit`.
/// Time: pairs times links of a route, about 30 ns each. `go_on` is asked after each destination,
/// with how many are done; false ends it early with what is known by then. Throws RunError for a
/// route that does not arrive.
[[nodiscard]] RouteBalance route_balance(
    const topology::Graph& graph, const RoutingFunction& routing,
    const std::function<void(HostId source, HostId destination, const Route&)>& visit,
    const std::function<bool(std::size_t destinations)>& go_on);

}  // namespace weir::routing
