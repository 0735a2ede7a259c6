#include "weir/metrics/mser.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

namespace {
constexpr std::size_t kGroup = 5;
constexpr std::size_t kNoCandidates = 5;  ///< at the end

/// Calls visit(cut, squared standard error of the mean of what the cut leaves).
template <class Visit>
void for_each_cut(std::span<const double> values, Visit visit) {
  // Sums of deviations from the mean of all lose fewer digits than sums of the values.
  const double centre = mean(values);
  double sum = 0;
  double squares = 0;
  const std::size_t n = values.size();
  for (std::size_t d = n; d-- > 0;) {
    const double x = values[d] - centre;
    sum += x;
    squares += x * x;
    const auto left = static_cast<double>(n - d);
    if (n - d > kNoCandidates) visit(d, (squares - sum * sum / left) / (left * left));
  }
}

}  // namespace

Truncation mser(std::span<const double> values, double tolerance) {
  if (values.size() < 2 * kNoCandidates) return {};
  double least = std::numeric_limits<double>::infinity();
  for_each_cut(values, [&](std::size_t, double error) { least = std::min(least, error); });
  // Cuts come from the last to the first: the earliest of those that are good enough stays.
  std::size_t first = values.size();
  for_each_cut(values, [&](std::size_t cut, double error) {
    if (error <= least * (1 + tolerance)) first = cut;
  });
  return {first, first <= values.size() / 2};
}

Truncation mser5(std::span<const double> values, double tolerance) {
  std::vector<double> groups;
  groups.reserve(values.size() / kGroup);
  for (std::size_t i = 0; i + kGroup <= values.size(); i += kGroup) {
    groups.push_back(mean(values.subspan(i, kGroup)));
  }
  Truncation cut = mser(groups, tolerance);
  cut.first *= kGroup;
  return cut;
}

}  // namespace weir::metrics
