#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/topology/graph.hpp"

namespace weir::workload {

/// What a random placement is drawn from.
struct PlacementSeed {
  std::uint64_t seed = 1;
  std::uint32_t entry = 0;  ///< index of the workload
};

/// Checks the key `mapping` as far as that goes without a network. Throws InputError.
void check_mapping(const Settings& settings);

/// The host of each rank, by `mapping` of `settings` (workload_parameters()). Several ranks may
/// share a host where the mapping says so. Throws InputError.
std::vector<HostId> place_ranks(const Settings& settings, std::size_t ranks,
                                const topology::Graph& graph, const PlacementSeed& seed);

}  // namespace weir::workload
