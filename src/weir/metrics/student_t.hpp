#pragma once

#include <cstddef>
#include <span>

namespace weir::metrics {

/// Two-sided quantile of Student's t distribution: |t| stays below it with probability
/// `confidence`. `degrees_of_freedom` > 0, 0 < confidence < 1 (std::domain_error otherwise).
[[nodiscard]] double student_t(double confidence, double degrees_of_freedom);

/// A mean with the half width of its confidence interval.
struct MeanInterval {
  double mean = 0;
  double half_width = 0;  ///< NaN for fewer than two values
  std::size_t count = 0;
};

/// Student's interval for the mean of independent values, such as those of runs with different
/// seeds. The mean of nothing is NaN.
[[nodiscard]] MeanInterval mean_interval(std::span<const double> values, double confidence = 0.95);

}  // namespace weir::metrics
