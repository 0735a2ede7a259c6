#pragma once

#include <cstdint>
#include <vector>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// A mesh or torus. Switch id = sum of coordinate[d] * stride[d], dimension 0 fastest; its hosts
/// are ids*hosts_per_switch.. on ports 0..hosts_per_switch-1; then two ports a dimension, first the
/// one toward the smaller coordinate. Ports past an edge of a mesh are not cabled. A torus
/// dimension of size 2 has one cable between its two switches, as a mesh: a second one would join
/// the same pair.
class GridShape : public Shape {
 public:
  std::vector<std::uint32_t> sizes;    ///< switches per dimension
  std::vector<std::uint32_t> strides;  ///< [d]: product of the sizes before d
  std::uint32_t hosts_per_switch = 1;
  bool is_torus = false;

  [[nodiscard]] std::size_t dimensions() const { return sizes.size(); }
  /// The dimension has a cable from its last to its first coordinate.
  [[nodiscard]] bool wraps(std::size_t d) const { return is_torus && sizes[d] > 2; }
  [[nodiscard]] std::uint32_t coordinate(SwitchId s, std::size_t d) const {
    return s.value / strides[d] % sizes[d];
  }
  [[nodiscard]] SwitchId switch_of(HostId h) const { return SwitchId(h.value / hosts_per_switch); }
  /// Local port of a switch toward the next smaller or next larger coordinate of dimension d.
  [[nodiscard]] std::uint16_t port(std::size_t d, bool toward_larger) const {
    return static_cast<std::uint16_t>(hosts_per_switch + 2 * d + (toward_larger ? 1 : 0));
  }
};

/// Throws InputError for sizes below 1, too many switches or too many ports.
Graph make_grid(bool torus, const std::vector<int>& sizes, int hosts_per_switch,
                const LinkSpec& host_link, const LinkSpec& link);

}  // namespace weir::topology
