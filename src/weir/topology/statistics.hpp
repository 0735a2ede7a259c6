#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Host pairs (ordered, source != destination) whose shortest paths cross `hops` switches.
struct HopClass {
  std::uint64_t pairs = 0;
  std::uint64_t fewest_paths = 0;  ///< number of shortest paths, parallel cables counted apart
  std::uint64_t most_paths = 0;
  double mean_paths = 0;
};

/// Numbers of a network. Distances are in switches crossed.
struct TopologyStatistics {
  std::size_t hosts = 0;
  std::size_t switches = 0;
  std::size_t links = 0;         ///< cables; of one-way links each direction counts
  std::size_t fewest_ports = 0;  ///< cabled ports of a switch, over all switches
  std::size_t most_ports = 0;
  int diameter = 0;
  double mean_hops = 0;
  std::vector<HopClass> by_hops;  ///< [number of switches crossed]
  std::uint64_t unreachable_pairs = 0;
  std::optional<std::uint64_t> bisection;  ///< see bisection()

  /// Shortest paths were counted from `sampled_sources` of `source_switches` switches with hosts,
  /// evenly spread. When those differ, the numbers by hops (pairs too) are of the sample, not of
  /// all pairs.
  std::size_t source_switches = 0;
  std::size_t sampled_sources = 0;
  [[nodiscard]] bool is_sampled() const { return sampled_sources < source_switches; }
};

/// Breadth-first search over the switches from each switch with hosts; at most `work_limit` port
/// visits, then a sample of the sources. The default takes about a second.
TopologyStatistics statistics(const Graph& graph, std::uint64_t work_limit = 300'000'000);

/// Cables (between switches) that have to be cut to part the hosts into halves, where a closed form
/// exists: half the thinnest stage of a fat tree with an even number of top subtrees; meshes and
/// tori whose longest dimension is even.
std::optional<std::uint64_t> bisection(const Graph& graph);

}  // namespace weir::topology
