#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// A dragonfly: g groups of a routers, p hosts and h global cables a router, all routers of a group
/// joined pairwise. Router r of group G is switch G*a + r. Its ports: 0..p-1 hosts, p..p+a-2 the
/// other routers of the group in order, then h global ones. Global port q of a group is port q mod
/// h of its router q div h. Source: Kim et al. 2008.
///
/// Every group looks the same: global port q leads to the group `offset` further on (modulo g).
/// Offsets 1..g-1 are dealt out in order, as many rounds as fit; ports left over take offsets o and
/// g - o in pairs, and g/2 alone where g is even, so that every group again has equally many. If
/// one port a group is still left, it is not cabled.
class DragonflyShape : public Shape {
 public:
  std::uint32_t p = 0;  ///< hosts per router
  std::uint32_t a = 0;  ///< routers per group
  std::uint32_t h = 0;  ///< global cables per router
  std::uint32_t g = 0;  ///< groups
  /// [offset]: the global ports q of every group that lead to the group `offset` further on; [0]
  /// empty.
  std::vector<std::vector<std::uint32_t>> global_ports;

  [[nodiscard]] std::uint32_t group(SwitchId s) const { return s.value / a; }
  [[nodiscard]] std::uint32_t router(SwitchId s) const { return s.value % a; }
  [[nodiscard]] SwitchId at(std::uint32_t group, std::uint32_t router) const {
    return SwitchId(group * a + router);
  }
  [[nodiscard]] SwitchId switch_of(HostId host) const { return SwitchId(host.value / p); }
  /// Local port of router `from` that leads to router `to` of the same group.
  [[nodiscard]] std::uint16_t local_port(std::uint32_t from, std::uint32_t to) const {
    return static_cast<std::uint16_t>(p + (to < from ? to : to - 1));
  }
  /// Global ports of group `from` that lead straight to group `to`; empty when they are the same.
  [[nodiscard]] std::span<const std::uint32_t> ports_toward(std::uint32_t from,
                                                            std::uint32_t to) const {
    return global_ports[(to + g - from) % g];
  }
  [[nodiscard]] std::uint32_t router_of_global(std::uint32_t q) const { return q / h; }
  [[nodiscard]] std::uint16_t port_of_global(std::uint32_t q) const {
    return static_cast<std::uint16_t>(p + a - 1 + q % h);
  }
};

/// Throws InputError when g > a*h + 1, or for too many ports or hosts.
Graph make_dragonfly(int p, int a, int h, int g, const LinkSpec& host, const LinkSpec& local,
                     const LinkSpec& global);

}  // namespace weir::topology
