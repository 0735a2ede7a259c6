#pragma once

#include <cstdint>

#include "weir/base/units.hpp"

namespace weir::isolation {

/// Totals of a run.
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
  std::uint64_t bytes_max = 0;
  double queue_time = 0;  ///< integral of in_use over time, ps, up to `changed`
  double byte_time = 0;   ///< the same of bytes
  std::int64_t changed = 0;
  std::uint64_t in_use_max = 0;
  std::uint32_t side_max = 0;  ///< most at one side at a time
};

/// Integrals over time up to `now`, in ps.
inline double queue_time(const SetAsideCounters& c, Time now) {
  return c.queue_time + static_cast<double>(c.in_use) * static_cast<double>(now.count - c.changed);
}
inline double byte_time(const SetAsideCounters& c, Time now) {
  return c.byte_time + static_cast<double>(c.bytes) * static_cast<double>(now.count - c.changed);
}

}  // namespace weir::isolation
