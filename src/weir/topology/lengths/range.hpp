#pragma once

#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/topology/cable_delays.hpp"

namespace weir::topology {

/// Metres.
inline constexpr double kShortestCable = 0.001;
inline constexpr double kLongestCable = 100'000;

struct LengthRange {
  double shortest = 0;
  double longest = 0;
};

inline const Keys<LengthRange>& length_range_keys() {
  static const Keys<LengthRange> keys{
      key(&LengthRange::shortest, "shortest", "shortest cable, in metres")
          .required()
          .range(kShortestCable, kLongestCable),
      key(&LengthRange::longest, "longest", "longest cable, in metres")
          .required()
          .range(kShortestCable, kLongestCable)};
  return keys;
}

template <class S>
void check_length_range(const Checked<S>& range) {
  if (range->longest >= range->shortest) return;
  throw range.error(&S::longest,
                    fmt::format("{} m is less than the shortest, {} m: give at least that",
                                range->longest, range->shortest));
}

}  // namespace weir::topology
