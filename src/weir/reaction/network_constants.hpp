#pragma once

#include <cstdint>

#include "weir/base/units.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::reaction {

/// What windows and waits are derived from: one set of constants for a network, whatever path a
/// flow has (ferrer2012, sections 4.2 and 5.3). A path of h switches counts h hops; the link of the
/// source is not charged one.
struct NetworkConstants {
  std::uint32_t hops = 1;    ///< h: switches on the longest path
  Time hop_time;             ///< t_hop: routing, crossbar and link
  Rate rate;                 ///< B: of the fastest link of a host
  Bytes data;                ///< L_data: largest data packet on the wire
  Bytes ack;                 ///< L_ack
  std::uint32_t radix = 2;   ///< k: hosts of a first-stage switch
  std::uint32_t stages = 1;  ///< n

  /// t_vct of Eq. 5.2: a packet of `size` alone on the longest path.
  [[nodiscard]] Time latency(Bytes size) const;
  /// RTT_min of Eq. 5.1: a packet of `size` there, its ACK back.
  [[nodiscard]] Time round_trip(Bytes size) const { return latency(size) + latency(ack); }
  /// K of Eq. 5.4, in bytes: what a link could send during a round trip, without the packet.
  [[nodiscard]] double overhead() const;
  /// omega of Eq. 5.3: packets of `size` that fill a round trip.
  [[nodiscard]] double round_trip_packets(Bytes size) const;
  /// DW_max: the next larger integer of omega for the largest packet.
  [[nodiscard]] std::uint32_t window() const;
  /// Length of a waiting slot: the round trip of the largest packet.
  [[nodiscard]] Time slot() const { return round_trip(data); }
};

/// Constants of a network: h from its default routes (of all pairs of hosts, or of a spread-out
/// part of the destinations where there are many), k and n from its switches. Where the graph has
/// no stages, n is that of a tree with paths of 2n - 1 switches.
NetworkConstants network_constants(const topology::Graph& graph,
                                   const routing::RoutingFunction& routing,
                                   const fabric::FabricSettings& settings);

/// T: time of the largest packet on the fastest link of a host.
Time packet_time(const topology::Graph& graph, const fabric::FabricSettings& settings);

/// Time of the largest packet and its ACK on the longest default route of an empty network, from
/// the first bit at the source to the last of the ACK there; switches that store and forward
/// included.
Time idle_round_trip(const topology::Graph& graph, const routing::RoutingFunction& routing,
                     const fabric::FabricSettings& settings);

/// f(k, b) of Eq. 5.11: factor by which k hosts of a switch have to lower their rate when b of them
/// send all, and the others their share, to one output.
[[nodiscard]] double reduction(double k, double b);

/// Waiting slots after `step` increases (Eq. 5.7): 0, 1, k, k^2, ...
[[nodiscard]] double geometric_slots(double k, std::uint32_t step);

}  // namespace weir::reaction
