#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/routing/routing.hpp"
#include "weir/routing/trace.hpp"

namespace weir::routing {

struct DependencyOptions {
  /// Follow every candidate (any selection function but `fixed`), not only the default routes.
  bool all_candidates = false;
  /// Steps after which the check ends and says what it has seen: a question to the routing function
  /// counts 4, each candidate in an answer 1. A step takes about 2 to 10 ns.
  std::uint64_t work_limit = 1'000'000'000;
  /// Walk nothing, and count nothing, where RoutingFunction::is_proven().
  bool takes_proof = false;
};

/// A pair whose packets do not arrive, and the last channel of their route.
struct RoutingFault {
  RouteEnd end = RouteEnd::no_route;
  HostId source;
  HostId destination;
  Channel last;
};

/// What check_dependencies() found.
struct DependencyReport {
  /// A cycle of dependencies, as short as any through its first channel; each channel waits for the
  /// next and the last for the first. Empty: none, so the routing cannot deadlock.
  std::vector<Channel> cycle;
  /// Pairs whose default route has no next port, ends at a wrong host, or loops.
  std::uint64_t faulty_pairs = 0;
  /// The first of them, and of candidates that lead nowhere or to a wrong host; at most 10.
  std::vector<RoutingFault> faults;

  bool is_proven = false;        ///< nothing was walked, and no cycle or fault is possible
  std::size_t channels = 0;      ///< between switches, in use by some route
  std::size_t dependencies = 0;  ///< between those
  std::uint64_t work = 0;        ///< steps, as DependencyOptions::work_limit counts them
  std::size_t destinations = 0;
  std::size_t destinations_examined = 0;

  [[nodiscard]] bool complete() const { return destinations_examined == destinations; }
  [[nodiscard]] bool ok() const { return cycle.empty() && faults.empty(); }
};

/// Finds the channel dependencies of a routing function: channel a depends on channel b when some
/// packet may hold a buffer behind a and ask for one behind b (Dally and Seitz 1987). Walks every
/// route from every host to every destination; routes that share a channel toward the same
/// destination are walked on once. The hosts of one switch count as routed alike unless
/// depends_on_source(). Beyond the work limit only some destinations, spread evenly, are examined.
DependencyReport check_dependencies(const topology::Graph& graph, const RoutingFunction& routing,
                                    const DependencyOptions& options = {});

/// The cycle link by link, faulty pairs, and how much was examined, as lines of text.
std::string describe(const topology::Graph& graph, const DependencyReport& report);

}  // namespace weir::routing
