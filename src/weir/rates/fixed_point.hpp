#pragma once

#include <compare>
#include <cstdint>

#include "weir/base/uint128.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// A number of units of 2^-40, up to about 8 million. Sums and differences are exact, quotients and
/// products of numbers that are not negative are rounded down: free capacity is then exactly what
/// rates leave over, and never rounding residue (zdornov2009, section 4.1.3).
class FixedPoint {
 public:
  static constexpr int kFraction = 40;

  constexpr FixedPoint() = default;
  constexpr explicit FixedPoint(int value) : raw_(std::int64_t{value} << kFraction) {}
  constexpr explicit FixedPoint(double value)
      : raw_(static_cast<std::int64_t>(value * static_cast<double>(kOne))) {}
  static constexpr FixedPoint from_units(std::int64_t units) {
    FixedPoint result;
    result.raw_ = units;
    return result;
  }

  [[nodiscard]] constexpr std::int64_t units() const { return raw_; }
  constexpr explicit operator double() const {
    return static_cast<double>(raw_) / static_cast<double>(kOne);
  }

  constexpr auto operator<=>(const FixedPoint&) const = default;
  constexpr FixedPoint& operator+=(FixedPoint other) {
    raw_ += other.raw_;
    return *this;
  }
  constexpr FixedPoint& operator-=(FixedPoint other) {
    raw_ -= other.raw_;
    return *this;
  }
  friend constexpr FixedPoint operator+(FixedPoint a, FixedPoint b) { return a += b; }
  friend constexpr FixedPoint operator-(FixedPoint a, FixedPoint b) { return a -= b; }
  friend constexpr FixedPoint operator*(FixedPoint a, FixedPoint b) {
    return from_units(static_cast<std::int64_t>(a.wide() * b.wide() >> kFraction));
  }
  friend constexpr FixedPoint operator/(FixedPoint a, FixedPoint b) {
    return from_units(static_cast<std::int64_t>((a.wide() << kFraction) / b.wide()));
  }
  /// Quotient, rounded up.
  [[nodiscard]] static constexpr FixedPoint quotient_up(FixedPoint a, FixedPoint b) {
    return from_units(
        static_cast<std::int64_t>(((a.wide() << kFraction) + b.wide() - 1) / b.wide()));
  }

 private:
  static constexpr std::int64_t kOne = std::int64_t{1} << kFraction;
  [[nodiscard]] constexpr Uint128 wide() const {
    return static_cast<Uint128>(static_cast<std::uint64_t>(raw_));
  }

  std::int64_t raw_ = 0;
};

template <>
struct NumberTraits<FixedPoint> {
  static FixedPoint unbounded() { return FixedPoint::from_units(INT64_MAX / 2); }
  static bool is_spent(FixedPoint rest, FixedPoint /*capacity*/) { return rest <= FixedPoint(0); }
  static FixedPoint quotient_up(FixedPoint a, FixedPoint b) {
    return FixedPoint::quotient_up(a, b);
  }
};

}  // namespace weir::rates
