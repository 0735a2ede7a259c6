#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "weir/routing/routing.hpp"

namespace weir::routing {

/// Routes that were found beforehand for some pairs of hosts (flow routing); all other packets take
/// the routes of another function. Not for networks with several lanes.
///
/// Memory: 6 bytes per link of a path and about 50 per pair. A look-up goes through the path.
class ExplicitRoutes : public RoutingFunction {
 public:
  /// `graph` must outlive the routes. Throws InputError when `others` needs lanes.
  ExplicitRoutes(const topology::Graph& graph, std::shared_ptr<const RoutingFunction> others);

  /// `path`: transmitting ports from the source's own to the last into the destination. A pair that
  /// has a path keeps it. Returns false when that is another one.
  bool add(HostId source, HostId destination, std::span<const PortId> path);

  [[nodiscard]] std::size_t pair_count() const { return paths_.size(); }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  [[nodiscard]] bool depends_on_source() const override { return true; }

 private:
  struct Hop {
    PortId in;  ///< of the switch
    std::uint16_t out = 0;
  };
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] static std::uint64_t key(HostId source, HostId destination) {
    return std::uint64_t{source.value} << 32 | destination.value;
  }

  const topology::Graph& graph_;
  std::shared_ptr<const RoutingFunction> others_;
  std::unordered_map<std::uint64_t, Range> paths_;
  std::vector<Hop> hops_;
};

}  // namespace weir::routing
