#pragma once

#include <cstdint>

#include "weir/workload/otf2/archive.hpp"
#include "weir/workload/schedule.hpp"

namespace weir::workload {

/// What an archive leaves open.
struct Otf2Choices {
  std::int64_t ring_from = 10'000;  ///< bytes from which all-reduces go in rings
  /// Collectives count what a rank sends for each member, as Score-P does, else its buffer once.
  bool counts_members = true;
  bool splits_evenly = false;  ///< what all-to-alls of uneven pieces send, else they are errors
};

/// Tags from here on are of collectives, and of messages in other communicators than that of all
/// ranks.
inline constexpr std::uint32_t kFirstMadeTag = std::uint32_t{1} << 31;

/// What the ranks did as a schedule: what they compute between calls of MPI, and what they
/// communicate in them. Throws InputError with file, rank and event.
Schedule schedule_of(const Otf2Trace& trace, const Otf2Choices& choices);

}  // namespace weir::workload
