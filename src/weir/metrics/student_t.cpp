#include "weir/metrics/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

double student_t(double confidence, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  return boost::math::quantile(distribution, 0.5 + confidence / 2);
}

MeanInterval mean_interval(std::span<const double> values, double confidence) {
  MeanInterval out{mean(values), std::numeric_limits<double>::quiet_NaN(), values.size()};
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double x : values) squares += (x - out.mean) * (x - out.mean);
  const auto n = static_cast<double>(values.size());
  out.half_width = student_t(confidence, n - 1) * std::sqrt(squares / (n * (n - 1)));
  return out;
}

}  // namespace weir::metrics
