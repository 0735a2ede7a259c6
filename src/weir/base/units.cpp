#include "weir/base/units.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace weir {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
  bool is_written = true;  ///< used by to_string, too
};

constexpr std::int64_t kKilo = 1'000;
constexpr std::int64_t kMega = 1'000'000;
constexpr std::int64_t kGiga = 1'000'000'000;
constexpr std::int64_t kTera = 1'000'000'000'000;

// Each list is sorted by factor; the first unit is the base unit.
constexpr std::array<Unit, 5> kTimeUnits{
    {{"ps", 1}, {"ns", kKilo}, {"us", kMega}, {"ms", kGiga}, {"s", kTera}}};
constexpr std::array<Unit, 7> kBytesUnits{{{"B", 1},
                                           {"KB", kKilo},
                                           {"KiB", 1 << 10},
                                           {"MB", kMega},
                                           {"MiB", 1 << 20},
                                           {"GB", kGiga},
                                           {"GiB", 1 << 30}}};
constexpr std::array<Unit, 10> kRateUnits{{{"bps", 1},
                                           {"Kbps", kKilo},
                                           {"Mbps", kMega},
                                           {"Gbps", kGiga},
                                           {"Tbps", kTera},
                                           {"B/s", 8, false},
                                           {"KB/s", 8 * kKilo, false},
                                           {"MB/s", 8 * kMega, false},
                                           {"GB/s", 8 * kGiga, false},
                                           {"B/ns", 8 * kGiga, false}}};

struct Dimension {
  std::string_view name;
  std::string_view example;
  std::string_view limit;
  std::span<const Unit> units;
};

constexpr Dimension kTime{"a time", "30 ns", "106 days", kTimeUnits};
constexpr Dimension kBytes{"an amount of data", "4 KiB", "9.2e18 B", kBytesUnits};
constexpr Dimension kRate{"a data rate", "100 Gbps", "9.2e18 bps", kRateUnits};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && is_digit(rest[count])) ++count;
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

/// "-12.5 ns" cut into its parts.
struct Written {
  bool is_negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view unit;
};

std::optional<Written> split(std::string_view text) {
  Written parts;
  if (text.starts_with('-') || text.starts_with('+')) {
    parts.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  parts.whole = take_digits(text);
  if (parts.whole.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = take_digits(text);
    if (parts.fraction.empty()) return std::nullopt;
  }
  parts.unit = trimmed(text);
  return parts;
}

std::string unit_names(const Dimension& dimension) {
  std::string names;
  for (const Unit& unit : dimension.units) {
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

const Unit* find_unit(const Dimension& dimension, std::string_view name) {
  // The micro sign and the Greek letter mu.
  if (name == "\xC2\xB5s" || name == "\xCE\xBCs") name = "us";
  for (const Unit& unit : dimension.units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

[[noreturn]] void refuse_unit(const Dimension& dimension, std::string_view text,
                              std::string_view unit) {
  const std::string fitting = " (units that fit: " + unit_names(dimension) + ")";
  for (const Dimension& other : {kTime, kBytes, kRate}) {
    if (find_unit(other, unit) == nullptr) continue;
    throw std::invalid_argument(quoted(text) + " is " + std::string(other.name) + ", not " +
                                std::string(dimension.name) + fitting);
  }
  throw std::invalid_argument("unknown unit " + quoted(unit) + " in " + quoted(text) + fitting);
}

/// The digits as an integer, or nothing when it is above 2^63.
std::optional<Uint128> whole_number(std::string_view digits) {
  Uint128 value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<unsigned>(digit - '0');
    if (value > Uint128{1} << 63) return std::nullopt;
  }
  return value;
}

/// 0.DIGITS times `factor`, or nothing when that is not an integer. Multiplies by hand from the
/// last digit: every digit that falls behind the point must be zero, however many digits there are.
std::optional<Uint128> fraction_of(std::string_view digits, std::int64_t factor) {
  Uint128 carry = 0;
  for (std::size_t i = digits.size(); i > 0; --i) {
    carry += static_cast<Uint128>(digits[i - 1] - '0') * static_cast<Uint128>(factor);
    if (carry % 10 != 0) return std::nullopt;
    carry /= 10;
  }
  return carry;
}

std::int64_t parse(const Dimension& dimension, std::string_view text) {
  text = trimmed(text);
  const std::optional<Written> written = split(text);
  if (!written) {
    throw std::invalid_argument(quoted(text) + " is not " + std::string(dimension.name) +
                                ": it needs a number and a unit, as in " +
                                quoted(dimension.example));
  }
  if (written->unit.empty()) {
    throw std::invalid_argument(quoted(text) + " needs a unit, as in " + quoted(dimension.example));
  }
  const Unit* unit = find_unit(dimension, written->unit);
  if (unit == nullptr) refuse_unit(dimension, text, written->unit);
  const std::optional<Uint128> fraction = fraction_of(written->fraction, unit->factor);
  if (!fraction) {
    throw std::invalid_argument(quoted(text) + " is finer than 1 " +
                                std::string(dimension.units[0].name));
  }
  const std::optional<Uint128> whole = whole_number(written->whole);
  const Uint128 limit = (Uint128{1} << 63) - (written->is_negative ? 0 : 1);
  const Uint128 size = whole ? *whole * static_cast<Uint128>(unit->factor) + *fraction : limit + 1;
  if (size > limit) {
    throw std::invalid_argument(quoted(text) + " is out of range (at most about " +
                                std::string(dimension.limit) + ")");
  }
  const auto bits = static_cast<std::uint64_t>(size);
  return static_cast<std::int64_t>(written->is_negative ? 0 - bits : bits);
}

/// size / factor in decimal. All factors are of the form 2^a 5^b, so the digits end.
std::string exact_quotient(std::uint64_t size, std::uint64_t factor) {
  std::string text = std::to_string(size / factor);
  Uint128 rest = size % factor;
  if (rest != 0) text += '.';
  while (rest != 0) {
    rest *= 10;
    text += static_cast<char>('0' + static_cast<int>(rest / factor));
    rest %= factor;
  }
  return text;
}

std::string format(const Dimension& dimension, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = value < 0 ? 0 - bits : bits;
  const Unit* best = dimension.units.data();
  std::string number = std::to_string(size);
  for (const Unit& unit : dimension.units) {
    const auto factor = static_cast<std::uint64_t>(unit.factor);
    if (!unit.is_written || size < factor) continue;
    std::string candidate = exact_quotient(size, factor);
    if (candidate.size() > number.size()) continue;
    number = std::move(candidate);
    best = &unit;
  }
  return (value < 0 ? "-" : "") + number + ' ' + std::string(best->name);
}

}  // namespace

Time parse_time(std::string_view text) { return Time(parse(kTime, text)); }
Bytes parse_bytes(std::string_view text) { return Bytes(parse(kBytes, text)); }
Rate parse_rate(std::string_view text) { return Rate(parse(kRate, text)); }

std::string to_string(Time value) { return format(kTime, value.count); }
std::string to_string(Bytes value) { return format(kBytes, value.count); }
std::string to_string(Rate value) { return format(kRate, value.count); }

}  // namespace weir
