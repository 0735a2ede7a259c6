#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace weir::metrics {

/// The number where nothing was measured.
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// NaN where the whole is 0.
[[nodiscard]] double per(std::int64_t part, std::int64_t whole);

/// Arithmetic mean; NaN of nothing.
[[nodiscard]] double mean(std::span<const double> values);
/// Smallest and largest value; NaN of nothing.
[[nodiscard]] double minimum(std::span<const double> values);
[[nodiscard]] double maximum(std::span<const double> values);

/// Jain's fairness index, (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has all.
/// 1 when every value is 0 (all are treated alike); NaN of nothing.
[[nodiscard]] double jain_fairness(std::span<const double> values);

}  // namespace weir::metrics
