#pragma once

#include <vector>

#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// The hosts that each entry's `sources` mean, ascending. `senders` has one list an entry: the
/// hosts that send where a trace or such decides that, else none. Throws InputError for hosts that
/// do not exist, empty choices and entries that mean each other.
std::vector<std::vector<HostId>> source_sets(const std::vector<TrafficEntry>& entries,
                                             const std::vector<std::vector<HostId>>& senders,
                                             const TrafficContext& context);

}  // namespace weir::traffic
