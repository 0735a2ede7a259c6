#include "weir/metrics/mser.hpp"

#include <vector>

#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

namespace {
constexpr std::size_t kGroup = 5;
constexpr std::size_t kNoCandidates = 5;  ///< at the end
}  // namespace

Truncation mser(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2 * kNoCandidates) return {};
  // Sums of deviations from the mean of all lose fewer digits than sums of the values.
  const double centre = mean(values);
  double sum = 0;
  double squares = 0;
  double best = 0;
  std::size_t first = n;
  for (std::size_t d = n; d-- > 0;) {
    const double x = values[d] - centre;
    sum += x;
    squares += x * x;
    const auto left = static_cast<double>(n - d);
    if (n - d <= kNoCandidates) continue;
    const double error = (squares - sum * sum / left) / (left * left);
    // The earliest of equals: it keeps most.
    if (first == n || error <= best) {
      best = error;
      first = d;
    }
  }
  return {first, first <= n / 2};
}

Truncation mser5(std::span<const double> values) {
  std::vector<double> groups;
  groups.reserve(values.size() / kGroup);
  for (std::size_t i = 0; i + kGroup <= values.size(); i += kGroup) {
    groups.push_back(mean(values.subspan(i, kGroup)));
  }
  Truncation cut = mser(groups);
  cut.first *= kGroup;
  return cut;
}

}  // namespace weir::metrics
