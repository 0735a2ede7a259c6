#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// Which part of a network each node belongs to.
struct Territories {
  std::size_t parts = 1;
  std::vector<std::uint16_t> of_node;
  std::vector<std::uint16_t> of_port;             ///< that of its node
  std::vector<std::vector<std::uint32_t>> ports;  ///< per part: of its nodes, ascending
};

/// By nodes; a part may be empty.
[[nodiscard]] Territories territories_of(const topology::Graph& graph,
                                         std::vector<std::uint16_t> of_node, std::size_t parts);

/// Divides a network into parts with about as much to do each, and little that crosses from one to
/// another. Hosts are where their switch is. Never more parts than switches. `packets`: per port,
/// what its link will carry, in any unit; empty: as much everywhere.
[[nodiscard]] Territories divide(const topology::Graph& graph, std::size_t parts,
                                 std::span<const double> packets = {});

}  // namespace weir::fabric
