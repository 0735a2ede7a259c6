#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace weir {
template <class S>
class Checked;
}  // namespace weir

namespace weir::experiment::claims {

struct ClaimKeys;

/// Numbers from `lowest` to `highest`.
struct Range {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool without_lowest = false;  ///< the limit itself does not belong to it
  bool without_highest = false;

  [[nodiscard]] bool contains(double number) const;
  /// Nothing from `from` to `to` belongs to it.
  [[nodiscard]] bool is_apart_from(double from, double to) const;
  /// How far a number is from the nearest limit, inside or outside.
  [[nodiscard]] double distance(double number) const;
};

/// What may lie between a stated number and a measured one. One of the three at most.
struct Tolerance {
  std::optional<double> relative;  ///< share of the stated value
  std::optional<double> absolute;  ///< in the claim's unit
  std::optional<double> factor;    ///< as many times less or more
  std::string because;             ///< why there is one

  [[nodiscard]] bool has_tolerance() const { return relative || absolute || factor; }
};

/// What a document states of a number, and what is accepted for it.
struct Expectation : Tolerance {
  enum class Form : std::uint8_t { is, at_least, at_most, above, below, between };

  Form form = Form::is;
  double value = 0;
  double upper = 0;  ///< of `between`

  /// The stated number or limit with its tolerance; a billionth is never held against a number.
  [[nodiscard]] Range accepted() const;
};

/// Reads the keys `expect` and `tolerance` of a claim. Of what a document states only a number may
/// have a tolerance, with its reason; a stated limit is not widened. Throws InputError.
Expectation read_expectation(const Checked<ClaimKeys>& claim);

}  // namespace weir::experiment::claims
