#pragma once

#include <cstdint>
#include <vector>

#include "weir/workload/entry.hpp"

namespace weir::workload {

/// What a random placement is drawn from.
struct PlacementSeed {
  std::uint64_t seed = 1;
  std::uint32_t entry = 0;  ///< index of the workload
};

/// Checks the key `mapping` as far as that goes without a network. Throws InputError.
void check_mapping(const Checked<WorkloadSettings>& settings);

/// The hosts that get no rank, sorted. Throws InputError where none is left.
std::vector<HostId> excluded_hosts(const Checked<WorkloadSettings>& settings,
                                   const topology::Graph& graph);

/// The host of each rank, by its `mapping`. Several ranks may
/// share a host where the mapping says so. Throws InputError.
std::vector<HostId> place_ranks(const Checked<WorkloadSettings>& settings, std::size_t ranks,
                                const topology::Graph& graph, const PlacementSeed& seed);

}  // namespace weir::workload
