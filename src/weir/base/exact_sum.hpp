#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

namespace weir {

/// A sum that is the same to the bit in whatever order things are added to it, and however it is
/// put together from other sums: a whole number of steps of 2^-32, up to 2^95. Whole numbers are
/// added exactly, others are cut off to steps first.
class ExactSum {
 public:
  using PlainState = void;

  constexpr ExactSum() = default;
  template <std::integral Whole>
  constexpr ExactSum(Whole whole) : steps_(static_cast<Int128>(whole) * kStepsPerUnit) {}
  explicit ExactSum(double number) { add(number); }

  template <std::integral Whole>
  void add(Whole whole) {
    steps_ += static_cast<Int128>(whole) * kStepsPerUnit;
  }
  void add(double number) {
    const double steps = number * static_cast<double>(kStepsPerUnit);
    // The conversion to 64 bits is a single instruction.
    constexpr double kFits = 4e18;
    steps_ +=
        std::fabs(steps) < kFits ? static_cast<std::int64_t>(steps) : static_cast<Int128>(steps);
  }
  ExactSum& operator+=(const ExactSum& other) {
    steps_ += other.steps_;
    return *this;
  }
  friend ExactSum operator-(ExactSum one, const ExactSum& other) {
    one.steps_ -= other.steps_;
    return one;
  }
  friend ExactSum operator*(ExactSum one, std::int64_t times) {
    one.steps_ *= times;
    return one;
  }

  /// The nearest double.
  [[nodiscard]] double value() const {
    return static_cast<double>(steps_) / static_cast<double>(kStepsPerUnit);
  }

 private:
  __extension__ using Int128 = __int128;
  static constexpr std::int64_t kStepsPerUnit = std::int64_t{1} << 32;

  Int128 steps_ = 0;
};

}  // namespace weir
