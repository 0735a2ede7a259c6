#pragma once

#include <memory>
#include <vector>

#include "weir/traffic/trace.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// The hosts that each entry's `sources` mean, ascending; for a trace those that send in it.
/// `traces` has one pointer an entry, null for entries without a trace. Throws InputError for hosts
/// that do not exist, empty choices and entries that mean each other.
std::vector<std::vector<HostId>> source_sets(
    const std::vector<TrafficEntry>& entries,
    const std::vector<std::shared_ptr<const Trace>>& traces, const TrafficContext& context);

}  // namespace weir::traffic
