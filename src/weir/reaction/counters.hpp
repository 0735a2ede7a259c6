#pragma once

#include <cstdint>

#include "weir/base/exact_sum.hpp"

namespace weir::reaction {

/// What a reaction has done so far for packets of one traffic class; metrics.cpp has their names.
struct ReactionCounters {
  std::uint64_t window_reductions = 0;
  std::uint64_t window_increases = 0;
  std::uint64_t delay_increases = 0;   ///< more waiting slots, a lower rate, a higher table index
  std::uint64_t delay_reductions = 0;  ///< by unmarked ACKs
  std::uint64_t fresh_starts = 0;      ///< flows that ran empty while throttled and began afresh
  std::uint64_t packets_held = 0;      ///< injected later because their flow was throttled

  ReactionCounters& operator+=(const ReactionCounters& other) {
    window_reductions += other.window_reductions;
    window_increases += other.window_increases;
    delay_increases += other.delay_increases;
    delay_reductions += other.delay_reductions;
    fresh_starts += other.fresh_starts;
    packets_held += other.packets_held;
    return *this;
  }
};

/// The flows of one traffic class while they have packets waiting or on their way: integrals over
/// time since the start, in ps. They grow at the changes of the flows, so that a mean over any two
/// moments is exact.
struct ReactionLoad {
  ExactSum flows;
  ExactSum throttled;  ///< by marks: window below its size, or a delay
  ExactSum windows;    ///< of windows; 0 without windows
  ExactSum rates;      ///< of rates, over that of the link; 0 without rates

  ReactionLoad& operator+=(const ReactionLoad& other) {
    flows += other.flows;
    throttled += other.throttled;
    windows += other.windows;
    rates += other.rates;
    return *this;
  }
};

}  // namespace weir::reaction
