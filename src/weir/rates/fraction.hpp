#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace weir::rates {

/// A rational number that knows exactly whether it equals another one.
///
/// It is kept twice: rounded to a double, for its size, and as numerator / denominator in the
/// integers modulo the prime 2^61 - 1, for what it is. Arithmetic on the second part is exact,
/// costs a few cycles (a division about 0.2 us) and never grows, as numerators and denominators of
/// a max-min calculation would: they reach thousands of digits. Equal numbers have equal residues;
/// different ones share a residue once in about 10^18 comparisons. So links that saturate together
/// are found without a tolerance, whatever the order of the calculation.
class Fraction {
 public:
  /// Zero.
  constexpr Fraction() = default;
  /// numerator / denominator; the denominator must not be zero.
  explicit Fraction(std::int64_t numerator, std::int64_t denominator = 1);
  /// The number that people mean by this double: its shortest decimal notation, so that 0.1 is a
  /// tenth. Must be finite.
  static Fraction decimal(double value);

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] std::uint64_t residue() const { return residue_; }
  [[nodiscard]] bool is_zero() const { return residue_ == 0; }

  Fraction operator+(const Fraction& other) const {
    const std::uint64_t residue = added(residue_, other.residue_);
    return of(residue == 0 ? 0 : value_ + other.value_, residue);
  }
  Fraction operator-(const Fraction& other) const {
    const std::uint64_t residue = added(residue_, kPrime - other.residue_);
    return of(residue == 0 ? 0 : value_ - other.value_, residue);
  }
  Fraction operator*(const Fraction& other) const;
  /// The divisor must not be zero.
  Fraction operator/(const Fraction& other) const;
  Fraction& operator+=(const Fraction& other) { return *this = *this + other; }
  Fraction& operator-=(const Fraction& other) { return *this = *this - other; }

  /// Exact. Two different numbers nearer than the rounding of doubles may come in either order.
  bool operator==(const Fraction& other) const { return residue_ == other.residue_; }
  std::strong_ordering operator<=>(const Fraction& other) const {
    if (*this == other) return std::strong_ordering::equal;
    return value_ < other.value_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }

  /// The same number, whose rounded part is known to be off by `change`.
  [[nodiscard]] Fraction adjusted(double change) const { return of(value_ + change, residue_); }

  /// numerator / denominator where both are small, else the double with nine digits.
  [[nodiscard]] std::string to_string() const;

 private:
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;

  /// a + b modulo the prime, of a < p and b <= p.
  static std::uint64_t added(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return sum >= kPrime ? sum - kPrime : sum;
  }
  static Fraction of(double value, std::uint64_t residue) {
    Fraction made;
    made.value_ = value;
    made.residue_ = residue;
    return made;
  }

  double value_ = 0;
  std::uint64_t residue_ = 0;
};

/// A sum of many fractions, rounded as if it had been added up in one go (Knuth's exact errors,
/// kept beside the sum).
class FractionSum {
 public:
  FractionSum() = default;
  explicit FractionSum(const Fraction& start) : sum_(start) {}

  void add(const Fraction& term) {
    compensate(term.value());
    sum_ += term;
    if (sum_.is_zero()) lost_ = 0;
  }
  void subtract(const Fraction& term) {
    compensate(-term.value());
    sum_ -= term;
    if (sum_.is_zero()) lost_ = 0;
  }
  [[nodiscard]] bool is_zero() const { return sum_.is_zero(); }
  [[nodiscard]] double value() const { return sum_.value() + lost_; }
  [[nodiscard]] Fraction total() const { return sum_.adjusted(lost_); }
  /// Exact.
  bool operator==(const Fraction& other) const { return sum_ == other; }

 private:
  void compensate(double term) {
    const double before = sum_.value();
    const double after = before + term;
    const double added = after - before;
    lost_ += (before - (after - added)) + (term - added);
  }

  Fraction sum_;
  double lost_ = 0;  ///< by rounding, in sum_.value()
};

}  // namespace weir::rates
