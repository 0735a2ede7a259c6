#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weir/routing/routing.hpp"

namespace weir::routing {

/// Routes that were found beforehand for some pairs of hosts (flow routing); all other packets take
/// the routes of another function. Not for networks with several lanes.
///
/// Memory: 8 bytes per link of a path and 32 to 64 per pair. A look-up takes a place of an open
/// table and goes through the path.
class ExplicitRoutes : public RoutingFunction {
 public:
  /// `graph` must outlive the routes. Throws InputError when `others` needs lanes.
  ExplicitRoutes(const topology::Graph& graph, std::shared_ptr<const RoutingFunction> others);

  /// `path`: transmitting ports from the source's own to the last into the destination. A pair that
  /// has a path keeps it. Returns false when that is another one.
  bool add(HostId source, HostId destination, std::span<const PortId> path);

  [[nodiscard]] std::size_t pair_count() const { return pairs_; }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  [[nodiscard]] bool depends_on_source() const override { return true; }

 private:
  struct Hop {
    PortId in;  ///< of the switch
    std::uint16_t out = 0;
  };
  struct Path {
    std::uint64_t key = kNobody;
    std::uint32_t first = 0;  ///< hop
    std::uint32_t count = 0;
  };
  static constexpr std::uint64_t kNobody = UINT64_MAX;
  [[nodiscard]] static std::uint64_t key(HostId source, HostId destination) {
    return std::uint64_t{source.value} << 32 | destination.value;
  }

  /// Place of the key, or that where it would be.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = paths_.size() - 1;
    std::size_t place = (key * 0x9E3779B97F4A7C15ULL) >> shift_;
    while (paths_[place].key != key && paths_[place].key != kNobody) place = (place + 1) & mask;
    return place;
  }
  void grow();

  const topology::Graph& graph_;
  std::shared_ptr<const RoutingFunction> others_;
  std::vector<Path> paths_;  ///< a power of two, at most half of it taken
  unsigned shift_ = 60;      ///< 64 minus its logarithm
  std::size_t pairs_ = 0;
  std::vector<Hop> hops_;
};

}  // namespace weir::routing
