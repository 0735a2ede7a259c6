#pragma once

#include <cstdint>

#include "weir/base/exact_sum.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/parallel/peak.hpp"

namespace weir::isolation {

/// Totals of a run, or of one part of its network.
struct SetAsideCounters {
  std::uint64_t allocations = 0;
  std::uint64_t releases = 0;
  std::uint64_t refusals_full = 0;
  std::uint64_t refusals_specific = 0;
  std::uint64_t detections = 0;
  std::uint64_t notifications = 0;  ///< requests for a queue sent, inside switches and over links
  std::uint64_t control_messages = 0;  ///< over links
  std::uint64_t control_bytes = 0;     ///< over links
  std::uint64_t in_use = 0;            ///< queues, now
  std::uint64_t bytes = 0;             ///< in them, now
  ExactSum queue_time;                 ///< integral of in_use over time, ps, up to `changed`
  ExactSum byte_time;                  ///< the same of bytes
  std::int64_t changed = 0;
  fabric::Peak queue_peak;     ///< of in_use
  fabric::Peak byte_peak;      ///< of bytes
  std::uint32_t side_max = 0;  ///< most at one side at a time
};

/// Integrals over time up to `now`, in ps.
inline ExactSum queue_time(const SetAsideCounters& c, Time now) {
  ExactSum sum = c.queue_time;
  sum += ExactSum(c.in_use) * (now.count - c.changed);
  return sum;
}
inline ExactSum byte_time(const SetAsideCounters& c, Time now) {
  ExactSum sum = c.byte_time;
  sum += ExactSum(c.bytes) * (now.count - c.changed);
  return sum;
}

}  // namespace weir::isolation
