#pragma once

#include <string>
#include <vector>

#include "weir/topology/graph.hpp"

namespace weir::topology {

/// A name for each node, all different: those of the graph, with "#2", "#3".. where one comes
/// again.
std::vector<std::string> unique_names(const Graph& graph);

/// A transmitter that is to be written as one cable (both directions) or as one direction.
struct Cable {
  PortId from;
  PortId to;
  bool one_way = false;
};

/// All cables, in order of their lower port. Two directions between the same two ports are one
/// cable when `merge_unequal` or when their rate and delay are equal, else two one-way entries.
std::vector<Cable> cables(const Graph& graph, bool merge_unequal);

}  // namespace weir::topology
