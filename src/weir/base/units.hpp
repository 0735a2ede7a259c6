#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/base/uint128.hpp"

namespace weir {

/// An integer amount of one physical unit. Different tags do not mix.
template <class Tag>
struct Quantity {
  std::int64_t count = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t value) : count(value) {}

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity other) const { return Quantity(count + other.count); }
  constexpr Quantity operator-(Quantity other) const { return Quantity(count - other.count); }
  constexpr Quantity operator-() const { return Quantity(-count); }
  constexpr Quantity operator*(std::int64_t factor) const { return Quantity(count * factor); }
  constexpr Quantity operator/(std::int64_t divisor) const { return Quantity(count / divisor); }
  constexpr std::int64_t operator/(Quantity other) const { return count / other.count; }
  constexpr Quantity operator%(Quantity other) const { return Quantity(count % other.count); }
  constexpr Quantity& operator+=(Quantity other) {
    count += other.count;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    count -= other.count;
    return *this;
  }
  static constexpr Quantity max() { return Quantity(INT64_MAX); }
};

/// Simulated time or a duration in integer picoseconds (range: about 106 days).
using Time = Quantity<struct TimeTag>;
/// Amount of data in bytes.
using Bytes = Quantity<struct BytesTag>;
/// Data rate in bits per second.
using Rate = Quantity<struct RateTag>;

constexpr Time picoseconds(std::int64_t n) { return Time(n); }
constexpr Time nanoseconds(std::int64_t n) { return Time(n * 1'000); }
constexpr Time microseconds(std::int64_t n) { return Time(n * 1'000'000); }
constexpr Time milliseconds(std::int64_t n) { return Time(n * 1'000'000'000); }
constexpr Rate gigabits_per_second(std::int64_t n) { return Rate(n * 1'000'000'000); }

inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

constexpr double to_seconds(Time t) { return static_cast<double>(t.count) * 1e-12; }
constexpr double to_nanoseconds(Time t) { return static_cast<double>(t.count) * 1e-3; }

/// Time that `size` occupies a link of `rate`, rounded to the nearest picosecond. Rate must be
/// positive.
constexpr Time serialization_time(Bytes size, Rate rate) {
  const auto bits_ps =
      static_cast<Uint128>(size.count) * 8U * static_cast<Uint128>(kPicosecondsPerSecond);
  const auto r = static_cast<Uint128>(rate.count);
  return Time(static_cast<std::int64_t>((bits_ps + r / 2) / r));
}

/// Parse a quantity with its unit, as "30 ns", "1.5 ms", "344 KiB", "4096 B", "100 Gbps".
/// Time: ps ns us ms s. Bytes: B KB MB GB (decimal), KiB MiB GiB. Rate: bps Kbps Mbps Gbps Tbps,
/// and bytes per second as B/s KB/s MB/s GB/s, B/ns.
/// A number finer than the base unit (1 ps, 1 B, 1 bps) is refused, never rounded.
/// Throws std::invalid_argument with a sentence that names the wrong part and the units that fit.
Time parse_time(std::string_view text);
Bytes parse_bytes(std::string_view text);
Rate parse_rate(std::string_view text);

/// Exact text with the unit that gives the shortest number (the largest such unit), which parses
/// back to the same value: "30 ns", "327.68 ns", "100 Gbps".
std::string to_string(Time value);
std::string to_string(Bytes value);
std::string to_string(Rate value);

}  // namespace weir
