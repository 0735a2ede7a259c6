#pragma once

#include <cstdint>
#include <vector>

#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Two hosts between which an entry sends, by one of its connections.
struct FlowPair {
  std::uint32_t entry = 0;
  HostId source;
  HostId destination;
  std::uint16_t connection = 0;
};

/// Of all entries with `rate` = "calculated": each pair that may send at some time of the run once,
/// by entry, source and connection. They are the pairs of make_sources() with the same context.
/// Throws InputError for an entry that draws the destinations of its messages from many hosts.
std::vector<FlowPair> flow_pairs(const std::vector<TrafficEntry>& entries,
                                 const TrafficContext& context);

}  // namespace weir::traffic
