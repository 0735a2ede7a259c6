#pragma once

#include "weir/analysis/ge_distribution.hpp"

namespace weir::analysis {

/// Stage probabilities of arrivals (s) and services (r).
struct Stages {
  double s = 1;
  double r = 1;

  /// Probability that a packet which finds the queue empty has a service of more than 0, and that
  /// of being the first of a batch to do so: r / (r (1 - s) + s). Source: yan2012, section 2.4.2.
  [[nodiscard]] double empty_factor() const { return r / (r + s - r * s); }
};

/// Coefficients of the maximum-entropy form P(n) = P(0) g x^n (y at the full queue) of a GE/GE/1/N
/// queue with load rho = arrival rate over service rate > 0, in forms that hold for any load.
/// Source: yan2012, section 2.4.2 (equations 2.8 to 2.11).
struct GeCoefficients {
  double x = 0;
  double g = 0;
  double y_exact = 0;
  /// (1 - rho) / (1 - x), equation 2.10: exact for Poisson arrivals only, else too large by
  /// (r + s - r s) / s.
  double y_published = 0;
};
[[nodiscard]] inline GeCoefficients ge_coefficients(double rho, const Stages& stages) {
  const double s = stages.s;
  const double r = stages.r;
  const double top = rho * s + r * (1 - s);
  const double bottom = r + rho * s * (1 - r);
  return {top / bottom, rho * r * s / top, bottom / (r * (r + s - r * s)), bottom / (r * s)};
}

/// Mean number in a GE/GE/1 queue without bound (equation 2.11); rho < 1.
[[nodiscard]] inline double unbounded_length(double rho, double arrival_scv, double service_scv) {
  return rho / 2 * (1 + (arrival_scv + rho * service_scv) / (1 - rho));
}

}  // namespace weir::analysis
