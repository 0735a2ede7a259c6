#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::metrics {

/// What happened in one slice of time, for a mean that is a ratio: latencies over packets, or bytes
/// over time.
struct RatioSlice {
  double sum = 0;
  double weight = 0;
};

/// What batch means could say about a series.
enum class Verdict : std::uint8_t {
  estimated,       ///< the half width holds
  too_short,       ///< too few values, or even the largest batches are correlated
  not_stationary,  ///< the level drifts: no steady state was seen
};

struct BatchMeans {
  Verdict verdict = Verdict::too_short;
  double mean = 0;          ///< sum of all over weight of all; NaN when there is no weight
  double half_width = 0;    ///< NaN unless estimated
  std::size_t batches = 0;  ///< that the half width is from; 0 unless estimated
};

/// Confidence interval of a steady-state mean from one run.
///
/// The slices are merged into `b` batches of nearly equal length, b = 30, 20 or 10: the largest for
/// which the quarters of these batches are not positively correlated (von Neumann's ratio, at the
/// 10 per cent level). Batches four times as long as those that pass the test leave little
/// correlation that the test may have missed. The half width is Student's, with b - 1 degrees of
/// freedom, from the residuals of the ratio (Cochran 1977, 2.11); of those that this number of
/// batches and the smaller numbers give, the largest, since weak correlation over long times shows
/// in long batches only. A straight line through the
/// batches whose slope differs from 0 at the 0.1 per cent level (1 per cent where all batches are
/// correlated) forbids an interval; when it also climbs or falls by more than a tenth of the mean
/// over the window, there was no steady state.
/// Methods: Fishman 1978 (test), Law 2015 section 9.5 (batch means).
[[nodiscard]] BatchMeans batch_means(std::span<const RatioSlice> slices, double confidence = 0.95);

/// Sum of squared differences of neighbours over sum of squared deviations from the mean, as a
/// normal deviate: about N(0, 1) for independent values, below for positively correlated ones (von
/// Neumann 1941). 0 for fewer than three values or values that are all the same.
[[nodiscard]] double von_neumann_deviate(std::span<const double> values);

/// t statistic of the slope of a straight line through equally spaced values, and how much the line
/// rises from the first to the last. For at least three values.
struct Trend {
  double t = 0;
  double rise = 0;
};
[[nodiscard]] Trend trend(std::span<const double> values);

}  // namespace weir::metrics
