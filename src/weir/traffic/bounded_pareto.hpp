#pragma once

#include "weir/base/random.hpp"

namespace weir::traffic {

/// A Pareto law with a given mean that is cut off at `cap` times this mean: P(X > x) falls with
/// x^-tail. Without the cut, samples of a tail near 1 would practically never show their mean.
class BoundedPareto {
 public:
  /// mean > 0, tail > 1, cap > 1.
  BoundedPareto(double mean, double tail, double cap);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return mean_ * cap_; }
  /// P(X > x).
  [[nodiscard]] double beyond(double x) const;

  double draw(RandomStream& random) const { return draw(random, tail_); }
  /// Of values laid end to end, the one that covers a random point: each is as likely as it is
  /// long.
  double draw_by_length(RandomStream& random) const { return draw(random, tail_ - 1); }

 private:
  double draw(RandomStream& random, double tail) const;

  double mean_;
  double tail_;
  double cap_;
  double range_;  ///< ln(most / least)
  double least_;
};

}  // namespace weir::traffic
