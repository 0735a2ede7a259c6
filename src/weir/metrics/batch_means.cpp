#include "weir/metrics/batch_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "weir/metrics/statistics.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::metrics {

namespace {

constexpr std::array<std::size_t, 3> kBatchCounts{30, 20, 10};
constexpr std::size_t kParts = 4;  ///< of a batch, for the test of correlation
/// 10 per cent point of the normal distribution: below it, neighbours are alike.
constexpr double kCorrelated = -1.2815515655446004;
constexpr double kTrendConfidence = 0.999;
/// Where nothing else says that there is a steady state, weaker signs of a trend count.
constexpr double kTrendConfidenceOfCorrelated = 0.99;
constexpr double kDrift = 0.1;  ///< of the mean, over the window

RatioSlice total(std::span<const RatioSlice> slices) {
  RatioSlice sum;
  for (const RatioSlice& s : slices) {
    sum.sum += s.sum;
    sum.weight += s.weight;
  }
  return sum;
}

/// Residuals of `count` batches of nearly equal length, in units of the mean. For equal weights
/// they are the deviations of the batch means.
std::vector<double> residuals(std::span<const RatioSlice> slices, std::size_t count) {
  const RatioSlice all = total(slices);
  const double mean = all.sum / all.weight;
  const double weight = all.weight / static_cast<double>(count);
  std::vector<double> out(count);
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t begin = b * slices.size() / count;
    const std::size_t end = (b + 1) * slices.size() / count;
    const RatioSlice batch = total(slices.subspan(begin, end - begin));
    out[b] = (batch.sum - mean * batch.weight) / weight;
  }
  return out;
}

/// Means of `count` batches; a batch without weight has the mean of all.
std::vector<double> means(std::span<const RatioSlice> slices, std::size_t count) {
  const RatioSlice all = total(slices);
  std::vector<double> out(count);
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t begin = b * slices.size() / count;
    const std::size_t end = (b + 1) * slices.size() / count;
    const RatioSlice batch = total(slices.subspan(begin, end - begin));
    out[b] = batch.weight > 0 ? batch.sum / batch.weight : all.sum / all.weight;
  }
  return out;
}

/// The most batches whose quarters are not correlated; 0: not even the fewest.
std::size_t uncorrelated_batches(std::span<const RatioSlice> slices) {
  for (const std::size_t count : kBatchCounts) {
    if (slices.size() < count * kParts) continue;
    if (von_neumann_deviate(residuals(slices, count * kParts)) > kCorrelated) return count;
  }
  return 0;
}

double half_width_of(std::span<const RatioSlice> slices, std::size_t count, double confidence) {
  double squares = 0;
  for (const double d : residuals(slices, count)) squares += d * d;
  const auto n = static_cast<double>(count);
  return student_t(confidence, n - 1) * std::sqrt(squares / (n * (n - 1)));
}

}  // namespace

double von_neumann_deviate(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double centre = mean(values);
  double differences = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - centre) * (values[i] - centre);
    if (i == 0) continue;
    differences += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  if (squares <= 0) return 0;
  const auto n = static_cast<double>(values.size());
  // Mean and variance of the ratio for independent normal values: 2 and 4 (n - 2) / (n^2 - 1).
  return (differences / squares - 2) / std::sqrt(4 * (n - 2) / (n * n - 1));
}

Trend trend(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double centre = mean(values);
  const double middle = (n - 1) / 2;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    const double y = values[i] - centre;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  if (yy <= 0) return {};
  const double slope = xy / xx;
  const double unexplained = std::max(0.0, yy - slope * xy) / (n - 2);
  const double t = unexplained > 0 ? slope / std::sqrt(unexplained / xx)
                                   : std::copysign(std::numeric_limits<double>::infinity(), slope);
  return {t, slope * (n - 1)};
}

BatchMeans batch_means(std::span<const RatioSlice> slices, double confidence) {
  BatchMeans out;
  out.half_width = kNothing;
  const RatioSlice all = total(slices);
  out.mean = all.weight > 0 ? all.sum / all.weight : kNothing;
  const std::size_t fewest = kBatchCounts.back();
  if (slices.size() < fewest * kParts || !(all.weight > 0)) return out;
  const std::size_t count = uncorrelated_batches(slices);
  const std::size_t shown = count == 0 ? fewest : count;
  const Trend drift = trend(means(slices, shown));
  const double level = count == 0 ? kTrendConfidenceOfCorrelated : kTrendConfidence;
  if (std::abs(drift.t) > student_t(level, static_cast<double>(shown) - 2)) {
    if (std::abs(drift.rise) > kDrift * std::abs(out.mean)) out.verdict = Verdict::not_stationary;
    return out;
  }
  if (count == 0) return out;
  out.verdict = Verdict::estimated;
  out.half_width = 0;
  for (const std::size_t batches : kBatchCounts) {
    if (batches > count) continue;
    const double half_width = half_width_of(slices, batches, confidence);
    if (out.batches != 0 && half_width <= out.half_width) continue;
    out.batches = batches;
    out.half_width = half_width;
  }
  return out;
}

}  // namespace weir::metrics
