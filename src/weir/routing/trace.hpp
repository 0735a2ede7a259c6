#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/routing/routing.hpp"

namespace weir::routing {

/// One direction of a cable, by the port that transmits, and a lane on it.
struct Channel {
  PortId port;
  std::uint8_t lane = 0;

  bool operator==(const Channel&) const = default;
};

/// "s3[2] -> s4[1], lane 0"
std::string name(const topology::Graph& graph, const Channel& channel);

/// How a route ends.
enum class RouteEnd : std::uint8_t {
  delivered,
  no_route,    ///< a switch names a port that it has not, or one without a cable
  wrong_host,  ///< the route leaves the network at another host
  loop,        ///< the same channel twice: it would never end
};

/// "delivered", "no route", "wrong host", "loop".
std::string_view to_string(RouteEnd end);

/// A route from the source's own link to the last channel before `end` was known.
struct Route {
  std::vector<Channel> channels;
  RouteEnd end = RouteEnd::no_route;

  /// Switches crossed, when delivered.
  [[nodiscard]] std::size_t switches() const { return channels.size() - 1; }
};

/// What the switch at the end of `channel` is asked. The channel must lead to a switch.
RouteQuery query_after(const topology::Graph& graph, const Channel& channel, HostId source,
                       HostId destination);

/// True when the switch at `at` has a cable at the candidate's port.
bool is_cabled(const topology::Graph& graph, SwitchId at, const Candidate& candidate);

/// The default route from `source` to `destination`.
Route trace(const topology::Graph& graph, const RoutingFunction& routing, HostId source,
            HostId destination);

/// As trace(), into memory that is there already, for many routes in turn. A loop is known by its
/// length only: its channels repeat.
void follow(const topology::Graph& graph, const RoutingFunction& routing, HostId source,
            HostId destination, Route& route);

/// Number of different paths (as sequences of channels) that candidates() allow.
/// Throws RunError when they allow a loop or end anywhere but at the destination.
std::uint64_t path_count(const topology::Graph& graph, const RoutingFunction& routing,
                         HostId source, HostId destination);

}  // namespace weir::routing
