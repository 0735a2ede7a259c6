#pragma once

#include <algorithm>
#include <chrono>

#include "weir/base/units.hpp"

namespace weir::experiment {

/// Lengths of the steps in which a simulation is advanced, so that whoever may stop it gets to ask
/// several times a second, however slow the network is. Steps change nothing else of a run.
class Pace {
 public:
  /// `longest`: of steps in simulated time.
  explicit Pace(Time longest) : longest_(longest), step_(std::min(longest, microseconds(1))) {}

  [[nodiscard]] Time step() const { return step_; }
  /// A step is over; the next one begins.
  void took() {
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> seconds = now - begin_;
    begin_ = now;
    if (seconds.count() > kLong) {
      step_ = std::max(Time(1), step_ / 2);
    } else if (seconds.count() < kShort) {
      step_ = step_ > longest_ / 2 ? longest_ : step_ * 2;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kLong = 0.2;
  static constexpr double kShort = 0.05;

  Time longest_;
  Time step_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace weir::experiment
