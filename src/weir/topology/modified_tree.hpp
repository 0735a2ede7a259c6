#pragma once

#include <cstdint>
#include <vector>

#include "weir/topology/fat_tree.hpp"

namespace weir::topology {

/// A k-ary n-tree in which the switches of every logical node (those that share a subtree) are
/// joined in a line by `width` parallel horizontal cables. Ports of a switch above the leaves:
/// down, up, then `width` to the left neighbour (position - 1), then `width` to the right; those at
/// the ends of a line are not cabled. Source: Zdornov 2009, chapter 3.
class ModifiedTreeShape : public Shape {
 public:
  FatTreeShape fat_tree;
  int width = 0;
  std::vector<std::uint32_t> position;  ///< per switch: place in the line of its logical node

  /// Switches in the line of a stage-s logical node.
  [[nodiscard]] std::uint32_t line_length(int stage) const {
    return fat_tree.copies[static_cast<std::size_t>(stage)];
  }
  [[nodiscard]] std::uint16_t first_left_port(int stage) const {
    const auto s = static_cast<std::size_t>(stage);
    return static_cast<std::uint16_t>(fat_tree.down_ports[s] + fat_tree.up_ports[s]);
  }
  [[nodiscard]] std::uint16_t first_right_port(int stage) const {
    return static_cast<std::uint16_t>(first_left_port(stage) + width);
  }
};

/// `links` as for a fat tree, `horizontal` for the cables within logical nodes.
Graph make_modified_tree(int k, int n, int width, std::span<const LinkSpec> links,
                         const LinkSpec& horizontal);

}  // namespace weir::topology
