#pragma once

#include <cstddef>
#include <span>

namespace weir::metrics {

/// Where the start-up of a series ends.
struct Truncation {
  std::size_t first = 0;  ///< values before it are the warm-up
  /// The best cut lies in the first half. False: the series had not settled, or is too short.
  bool is_settled = false;
};

/// Marginal standard error rule (White 1997): cuts where the standard error of the mean of what is
/// left, taken as if the values were independent, is smallest. The last five values are no
/// candidates: a few that happen to agree would always win. With a tolerance the earliest cut is
/// taken whose squared standard error is at most so much larger than the smallest: 0.1 keeps what
/// is only by chance unlike the rest. Constant memory, linear time.
[[nodiscard]] Truncation mser(std::span<const double> values, double tolerance = 0);

/// MSER-5 (White, Cobb, Spratt 2000): the same over means of five consecutive values; `first` is a
/// multiple of five. A remainder of up to four values at the end is not looked at.
[[nodiscard]] Truncation mser5(std::span<const double> values, double tolerance = 0);

}  // namespace weir::metrics
