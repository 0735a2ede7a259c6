#include "weir/traffic/bounded_pareto.hpp"

#include <algorithm>
#include <cmath>

namespace weir::traffic {
namespace {

/// Mean over least value when the largest is e^range times the least.
double mean_ratio(double tail, double range) {
  return tail / (tail - 1) * std::expm1((1 - tail) * range) / std::expm1(-tail * range);
}

/// The range at which the largest value is `cap` times the mean.
double range_for(double tail, double cap) {
  double low = 0;
  double high = std::log(cap) + std::log(tail / (tail - 1));
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (std::exp(middle) < cap * mean_ratio(tail, middle) ? low : high) = middle;
  }
}

}  // namespace

BoundedPareto::BoundedPareto(double mean, double tail, double cap)
    : mean_(mean),
      tail_(tail),
      cap_(cap),
      range_(range_for(tail, cap)),
      least_(mean / mean_ratio(tail, range_)) {}

double BoundedPareto::beyond(double x) const {
  if (x <= least_) return 1;
  if (x >= most()) return 0;
  const double cut = std::exp(-tail_ * range_);
  return (std::pow(least_ / x, tail_) - cut) / (1 - cut);
}

double BoundedPareto::draw(RandomStream& random, double tail) const {
  const double share = random.unit() * std::expm1(-tail * range_);
  return std::min(most(), least_ * std::exp(-std::log1p(share) / tail));
}

}  // namespace weir::traffic
