#include "weir/report/figure/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>

#include "weir/base/units.hpp"

namespace weir::report {

namespace {

struct AxisScale {
  double size;  ///< in the base unit
  const char* shown;
  const char* written;
  bool is_offered = true;  ///< picked without being asked for
};

constexpr AxisScale kTimes[]{
    {1, "ns", "ns"}, {1e3, "µs", "us"}, {1e6, "ms", "ms"}, {1e9, "s", "s"}};
constexpr AxisScale kRates[]{{1e-3, "Mbps", "Mbps"}, {1, "Gbps", "Gbps"}, {1e3, "Tbps", "Tbps"}};
constexpr AxisScale kBytes[]{{1, "B", "B"},
                             {1e3, "KB", "KB"},
                             {1e6, "MB", "MB"},
                             {1e9, "GB", "GB"},
                             {1024, "KiB", "KiB", false},
                             {1024.0 * 1024, "MiB", "MiB", false},
                             {1024.0 * 1024 * 1024, "GiB", "GiB", false}};
constexpr AxisScale kCounts[]{{1, "", ""}, {1e6, "10⁶", ""}, {1e9, "10⁹", ""}};

std::span<const AxisScale> axis_scales_of(std::string_view base) {
  if (base == "ns") return kTimes;
  if (base == "Gbps") return kRates;
  if (base == "B") return kBytes;
  if (base.empty()) return kCounts;
  return {};
}

/// The round number at or above `value`.
double nice_above(double value) {
  if (value <= 0) return 1;
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) {
    if (value <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return 10 * decade;
}

/// 1, 2 or 5 times a power of ten next to a positive value.
double step_below(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double step : {5.0, 2.0}) {
    if (step * decade <= value * (1 + 1e-9)) return step * decade;
  }
  return decade;
}
double step_above(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade * (1 + 1e-9)) return step * decade;
  }
  return 10 * decade;
}

/// "0.01", "100", "10⁶": a power of ten.
std::string power_text(int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", std::pow(10, exponent));
  static constexpr std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴",
                                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) {
    text += kDigits.at(static_cast<std::size_t>(digit - '0'));
  }
  return text;
}

/// A quantity in the unit that metrics use.
std::optional<std::pair<double, std::string>> quantity(const std::string& text) {
  try {
    return std::pair(to_nanoseconds(parse_time(text)), std::string("ns"));
  } catch (const std::invalid_argument&) {
  }
  try {
    return std::pair(static_cast<double>(parse_bytes(text).count), std::string("B"));
  } catch (const std::invalid_argument&) {
  }
  try {
    return std::pair(static_cast<double>(parse_rate(text).count) * 1e-9, std::string("Gbps"));
  } catch (const std::invalid_argument&) {
  }
  return std::nullopt;
}

}  // namespace

Unit readable_unit(std::string_view base, double largest) {
  const std::span<const AxisScale> scales = axis_scales_of(base);
  if (scales.empty()) return {1, base == "1" ? "" : std::string(base)};
  const AxisScale* best = &scales.front();
  for (const AxisScale& scale : scales) {
    if (scale.is_offered && largest >= 2 * scale.size) best = &scale;
  }
  return {1 / best->size, best->shown};
}

std::optional<Unit> unit_named(std::string_view base, std::string_view written) {
  for (const AxisScale& scale : axis_scales_of(base)) {
    if (!written.empty() && (written == scale.written || written == scale.shown)) {
      return Unit{1 / scale.size, scale.shown};
    }
  }
  return std::nullopt;
}

std::vector<std::string> units_like(std::string_view base) {
  std::vector<std::string> names;
  for (const AxisScale& scale : axis_scales_of(base)) {
    if (*scale.written != '\0') names.emplace_back(scale.written);
  }
  return names;
}

std::string with_unit(const std::string& text, const std::string& unit) {
  if (text.empty()) return unit;
  return unit.empty() ? text : text + " (" + unit + ")";
}

std::optional<SweptNumber> swept_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  if (parsed.ptr == end) return SweptNumber{value, "", ""};
  const auto measured = quantity(text);
  if (!measured) return std::nullopt;
  std::string unit(parsed.ptr, end);
  unit.erase(0, unit.find_first_not_of(' '));
  return SweptNumber{measured->first, measured->second, unit};
}

double share_of(double value, const std::pair<double, double>& range, bool is_log) {
  const auto [low, high] = range;
  if (!is_log) return (value - low) / (high - low);
  return value <= 0 ? 0 : std::log(value / low) / std::log(high / low);
}

std::vector<AxisTick> log_ticks(const std::pair<double, double>& range) {
  constexpr double kShort = 2.5;  ///< decades
  constexpr int kMost = 8;
  const auto [low, high] = range;
  const double decades = std::log10(high / low);
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const int every = 1 + (last - first) / kMost;
  std::vector<AxisTick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = digit * std::pow(10, exponent);
      if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9)) continue;
      const bool is_named = decades < 1 || (decades <= kShort && (digit == 2 || digit == 5));
      if (digit == 1 && (exponent - first) % every == 0) {
        ticks.push_back({at, power_text(exponent)});
      } else if (is_named) {
        ticks.push_back({at, fmt::format("{:g}", at)});
      } else if (every == 1 || digit == 1) {
        ticks.push_back({at, ""});
      }
    }
  }
  return ticks;
}

std::pair<double, double> linear_range(double low, double high) {
  return {low < 0 ? -nice_above(-low) : 0, nice_above(high)};
}

std::pair<double, double> log_range(double low, double high) {
  return {step_below(low), low < high ? step_above(high) : 10 * step_above(high)};
}

}  // namespace weir::report
