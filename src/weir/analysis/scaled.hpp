#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace weir::analysis {

/// A number >= 0 as value * 2^exponent with an exponent of its own, for products of thousands of
/// factors that no double would hold.
struct Scaled {
  double value = 0;  ///< 0, or in [0.5, 1)
  std::int64_t exponent = 0;

  static Scaled of(double number) {
    int exponent = 0;
    const double value = std::frexp(number, &exponent);
    return {value, exponent};
  }
  [[nodiscard]] Scaled times(double factor) const {
    Scaled product = of(value * factor);
    product.exponent += exponent;
    return product;
  }
  /// value * 2^(exponent - base); 0 or infinity where that is what a double has for it.
  [[nodiscard]] double over(std::int64_t base) const {
    const std::int64_t shift = exponent - base;
    if (value == 0 || shift < -2000) return 0;
    return std::ldexp(value, shift > 2000 ? 2000 : static_cast<int>(shift));
  }
};

/// base^power for base > 0.
inline Scaled power(double base, std::int64_t power) {
  Scaled result = Scaled::of(1);
  Scaled square = Scaled::of(base);
  for (std::int64_t rest = power; rest > 0; rest /= 2) {
    if (rest % 2 == 1) {
      result = {result.value * square.value, result.exponent + square.exponent};
      const Scaled kept = Scaled::of(result.value);
      result = {kept.value, kept.exponent + result.exponent};
    }
    const Scaled kept = Scaled::of(square.value * square.value);
    square = {kept.value, kept.exponent + 2 * square.exponent};
  }
  return result;
}

}  // namespace weir::analysis
