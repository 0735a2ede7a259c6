#include "weir/metrics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir::metrics {

double per(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? kNothing : static_cast<double>(part) / static_cast<double>(whole);
}

double mean(std::span<const double> values) {
  if (values.empty()) return kNothing;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double minimum(std::span<const double> values) {
  return values.empty() ? kNothing : *std::min_element(values.begin(), values.end());
}

double maximum(std::span<const double> values) {
  return values.empty() ? kNothing : *std::max_element(values.begin(), values.end());
}

double jain_fairness(std::span<const double> values) {
  if (values.empty()) return kNothing;
  double sum = 0;
  double squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  if (squares == 0) return 1;
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

}  // namespace weir::metrics
