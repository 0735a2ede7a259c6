#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "weir/routing/routing.hpp"

namespace weir::routing {

/// Routes that were found beforehand for some connections between hosts (flow routing); all other
/// packets take the routes of another function. Not for networks with several lanes.
///
/// Packets name their hosts only: they take the route of connection 0, unless somebody tells of
/// what connection a message is. Those of other connections that have no route take default ones.
///
/// Memory: 8 bytes per link of a path and 32 to 64 per connection. A look-up takes a place of an
/// open table and goes through the path.
class ExplicitRoutes : public RoutingFunction {
 public:
  /// `graph` must outlive the routes. Throws InputError when `others` needs lanes.
  ExplicitRoutes(const topology::Graph& graph, std::shared_ptr<const RoutingFunction> others);

  /// `path`: transmitting ports from the source's own to the last into the destination, at most
  /// 65535. A connection that has a path keeps it. Returns false when that is another one.
  bool add(HostId source, HostId destination, std::span<const PortId> path,
           std::uint16_t connection = 0);

  /// Number of the connection of a message, see RouteQuery::message.
  using ConnectionOf = std::function<std::uint16_t(std::uint32_t message)>;
  /// Before anything happens, where there are connections with other numbers than 0.
  void tell(ConnectionOf connection_of) { connection_of_ = std::move(connection_of); }

  [[nodiscard]] std::size_t path_count() const { return count_; }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  /// What packets of all connections between the two hosts do that have come in by the port.
  void candidates(const RouteQuery& query, CandidateList& out) const override;
  [[nodiscard]] bool depends_on_source() const override { return true; }
  [[nodiscard]] bool tells_connections_apart() const override { return connections_ > 1; }

 private:
  struct Hop {
    PortId in;  ///< of the switch
    std::uint16_t out = 0;
  };
  struct Path {
    std::uint64_t key = kNobody;
    std::uint32_t first = 0;  ///< hop
    std::uint16_t count = 0;
    std::uint16_t connection = 0;
  };
  static constexpr std::uint64_t kNobody = UINT64_MAX;
  [[nodiscard]] static std::uint64_t key(HostId source, HostId destination) {
    return std::uint64_t{source.value} << 32 | destination.value;
  }

  /// Place of the path, or that where it would be.
  [[nodiscard]] std::size_t place_of(std::uint64_t key, std::uint16_t connection) const {
    const std::size_t mask = paths_.size() - 1;
    const std::uint64_t mixed =
        key * 0x9E3779B97F4A7C15ULL + std::uint64_t{connection} * 0xC2B2AE3D27D4EB4FULL;
    std::size_t place = mixed >> shift_;
    while (paths_[place].key != kNobody &&
           (paths_[place].key != key || paths_[place].connection != connection)) {
      place = (place + 1) & mask;
    }
    return place;
  }
  void grow();
  [[nodiscard]] const Path& path_of(const RouteQuery& query, std::uint16_t connection) const {
    return paths_[place_of(key(query.source, query.destination), connection)];
  }
  /// Null: the path does not come by there.
  [[nodiscard]] const Hop* hop_after(const Path& path, PortId in) const {
    const Hop* hop = hops_.data() + path.first;
    for (std::uint32_t i = 0; i < path.count; ++i, ++hop) {
      if (hop->in == in) return hop;
    }
    return nullptr;
  }
  /// The default route between the two hosts comes by the port.
  [[nodiscard]] bool is_default(const RouteQuery& query) const;

  const topology::Graph& graph_;
  std::shared_ptr<const RoutingFunction> others_;
  std::vector<Path> paths_;  ///< a power of two, at most half of it taken
  unsigned shift_ = 60;      ///< 64 minus its logarithm
  std::size_t count_ = 0;
  std::uint32_t connections_ = 0;  ///< all numbers are below this one
  std::vector<Hop> hops_;
  ConnectionOf connection_of_;  ///< null: all are connection 0
};

}  // namespace weir::routing
