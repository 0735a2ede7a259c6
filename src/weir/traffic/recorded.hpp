#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/traffic/trace.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Messages that are there before the run begins.
struct Recorded {
  std::shared_ptr<const Trace> trace;  ///< null: messages are drawn during the run
  std::vector<HostId> senders;
  std::vector<HostId> targets = {};  ///< that they are aimed at
};

/// Of entry number `index`. Throws InputError.
Recorded make_recorded(const TrafficEntry& entry, std::uint32_t index,
                       const TrafficContext& context);

}  // namespace weir::traffic
