#pragma once

#include <cstdint>

namespace weir::fabric {

class Core;

/// How much later than cables let it what crosses from one part of a network to another acts there.
/// A packet waits for its route at the switch that it comes to, and the sender of one that leaves a
/// switch hears of it when all of it has left; both are known as soon as it begins to move.
class Slack {
 public:
  /// None where anything else may cross: only in runs without mechanisms.
  explicit Slack(const Core& core);

  /// Between two switches, ps, while no packet there has been so far is smaller than `smallest`
  /// bytes. A smaller one that begins in a window first waits for its route at the switch of its
  /// host, which takes as long as all slack: nothing comes of it sooner than of those before. By
  /// the time that credit for it could cross parts have met and know of it.
  [[nodiscard]] std::int64_t of(std::int64_t smallest) const;

 private:
  std::int64_t routing_ = 0;    ///< time that a packet waits for its route
  double bits_per_second_ = 0;  ///< at which the fastest switch empties a place in its memory
};

}  // namespace weir::fabric
