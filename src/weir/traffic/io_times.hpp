#pragma once

#include <cstdint>

#include "weir/base/random.hpp"
#include "weir/traffic/bounded_pareto.hpp"

namespace weir::traffic {

/// Bursts of I/Os: their numbers and the idle times between them are heavy-tailed, the gaps inside
/// a burst exponential. Times in ps.
struct BurstLaw {
  BoundedPareto burst;  ///< I/Os of a burst, at least 1; a fraction is a probability of one more
  BoundedPareto idle;   ///< from the last I/O of a burst to the first of the next
  double gap = 0;       ///< mean, between two I/Os of a burst

  /// Mean time from the beginning of a burst to that of the next.
  [[nodiscard]] double cycle() const { return (burst.mean() - 1) * gap + idle.mean(); }
};

/// Times of one host's I/Os. The process is stationary: time 0 may fall into a burst or an idle
/// time, so that from there on I/Os come at their mean rate, one burst().mean() a cycle().
/// `law` must outlive it.
class IoTimes {
 public:
  IoTimes(const BurstLaw& law, RandomStream random);

  /// ps, not before the last one.
  double next();

 private:
  [[nodiscard]] std::int64_t draw_burst(double length);
  [[nodiscard]] std::int64_t rest_of_burst();

  const BurstLaw& law_;
  RandomStream random_;
  double time_ = 0;        ///< of the next I/O
  std::int64_t left_ = 0;  ///< of this burst
};

}  // namespace weir::traffic
