#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::report {

/// A unit of an axis, for values in a base unit.
struct Unit {
  double per_base = 1;  ///< axis value = base value * this
  std::string name;     ///< as shown: "µs"; empty: none
};

/// A readable unit for base values up to `largest`: "ns", "Gbps", "B"; "1" (a ratio) has none.
Unit readable_unit(std::string_view base, double largest);
/// The unit so written ("us"), if it measures the same as `base`.
std::optional<Unit> unit_named(std::string_view base, std::string_view written);
/// How the units that measure the same as `base` are written; empty for ratios and counts.
std::vector<std::string> units_like(std::string_view base);

/// "text (unit)"; one of them where the other is empty.
std::string with_unit(const std::string& text, const std::string& unit);

/// A value of a swept key: "0.9", "4 KiB", "100 Gbps".
struct SweptNumber {
  double value = 0;     ///< in the base unit
  std::string base;     ///< "ns", "B", "Gbps"; empty: a plain number
  std::string written;  ///< unit as written
};
/// Nothing for other texts.
std::optional<SweptNumber> swept_number(const std::string& text);

/// Where a value is along an axis: 0 at its beginning, 1 at its end. What a logarithmic axis cannot
/// show is at its beginning.
double share_of(double value, const std::pair<double, double>& range, bool is_log);

/// A place on an axis, and what stands there; empty: a small tick.
struct AxisTick {
  double at = 0;
  std::string text;
};
/// Powers of ten, on a short axis 2 and 5 times them, on one of less than a decade all digits.
std::vector<AxisTick> log_ticks(const std::pair<double, double>& range);

/// Range from 0 (or below, where values are) to a round number at or above `high`.
std::pair<double, double> linear_range(double low, double high);
/// Range between round numbers around two positive values.
std::pair<double, double> log_range(double low, double high);

}  // namespace weir::report
