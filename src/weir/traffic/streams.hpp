#pragma once

#include <cstdint>

#include "weir/base/ids.hpp"
#include "weir/base/random.hpp"

namespace weir::traffic {

/// Entity of the random streams of traffic: entry in the upper 8 bits, host in the lower 24. The
/// purposes arrivals, destinations and sizes are drawn from nowhere else, so a source's messages
/// depend on (seed, entry, host) and on nothing that other sources do. Connections of a host beyond
/// the first are as many hosts more.
constexpr std::uint32_t source_entity(std::uint32_t entry, HostId host) {
  return entry << 24U | host.value;
}

/// Choices made once for a whole entry, under StreamPurpose::placement.
enum class EntryChoice : std::uint32_t {
  sources = 0,
  permutation = 1,
  disks = 2,
  incast_times = 3,
  incast_hosts = 4,
};

constexpr std::uint32_t placement_entity(std::uint32_t entry, EntryChoice choice) {
  return entry << 24U | static_cast<std::uint32_t>(choice);
}

}  // namespace weir::traffic
