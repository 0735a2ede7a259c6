#include "weir/rates/fraction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "weir/base/uint128.hpp"

namespace weir::rates {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t negate(std::uint64_t a) { return a == 0 ? 0 : kPrime - a; }

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return add(static_cast<std::uint64_t>(product) & kPrime,
             static_cast<std::uint64_t>(product >> 61U));
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

/// Fermat: a to the power of p - 2.
std::uint64_t inverse(std::uint64_t a) {
  if (a == 0) throw std::domain_error("division of a fraction by zero");
  return power(a, kPrime - 2);
}

std::uint64_t residue_of(std::int64_t n) {
  const auto magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  return n < 0 ? negate(magnitude % kPrime) : magnitude % kPrime;
}

}  // namespace

Fraction::Fraction(std::int64_t numerator, std::int64_t denominator)
    : value_(static_cast<double>(numerator) / static_cast<double>(denominator)),
      residue_(residue_of(numerator)) {
  if (denominator != 1) residue_ = multiply(residue_, inverse(residue_of(denominator)));
}

Fraction Fraction::decimal(double value) {
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  if (std::abs(value) <= kExactIntegers && std::trunc(value) == value) {
    return of(value, residue_of(static_cast<std::int64_t>(value)));
  }
  // The shortest notation that reads back, as digits and a power of ten.
  const std::string shortest = fmt::format("{}", value);
  std::int64_t digits = 0;
  int exponent = 0;
  bool after_point = false;
  std::size_t i = shortest[0] == '-' ? 1 : 0;
  for (; i < shortest.size() && shortest[i] != 'e'; ++i) {
    if (shortest[i] == '.') {
      after_point = true;
      continue;
    }
    digits = digits * 10 + (shortest[i] - '0');
    if (after_point) --exponent;
  }
  if (i < shortest.size()) exponent += std::atoi(shortest.c_str() + i + 1);
  std::uint64_t residue = residue_of(digits);
  const std::uint64_t ten = power(10, static_cast<std::uint64_t>(std::abs(exponent)));
  residue = multiply(residue, exponent < 0 ? inverse(ten) : ten);
  return of(value, value < 0 ? negate(residue) : residue);
}

Fraction Fraction::operator*(const Fraction& other) const {
  return of(value_ * other.value_, multiply(residue_, other.residue_));
}

Fraction Fraction::operator/(const Fraction& other) const {
  return of(value_ / other.value_, multiply(residue_, inverse(other.residue_)));
}

std::string Fraction::to_string() const {
  constexpr std::int64_t kLargest = 100'000;
  // Continued fraction of the double; the residue tells whether a convergent is the number itself.
  double rest = std::abs(value_);
  std::int64_t p0 = 0, p1 = 1, q0 = 1, q1 = 0;
  for (int step = 0; step < 40; ++step) {
    const double whole = std::floor(rest);
    if (whole > static_cast<double>(kLargest)) break;
    const auto a = static_cast<std::int64_t>(whole);
    const std::int64_t p = a * p1 + p0;
    const std::int64_t q = a * q1 + q0;
    if (q > kLargest || p > kLargest * 10) break;
    const std::int64_t sign = value_ < 0 ? -1 : 1;
    if (Fraction(sign * p, q) == *this) {
      return q == 1 ? fmt::format("{}", sign * p) : fmt::format("{}/{}", sign * p, q);
    }
    p0 = p1, p1 = p, q0 = q1, q1 = q;
    if (rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return fmt::format("{:.9g}", value_);
}

}  // namespace weir::rates
