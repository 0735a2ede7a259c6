#include "weir/experiment/claims/means.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "weir/base/units.hpp"

namespace weir::experiment::claims {
namespace {

/// A quantity in base units, with the name of its dimension.
std::optional<std::pair<char, std::int64_t>> quantity(const std::string& text) {
  try {
    return std::pair('t', parse_time(text).count);
  } catch (const std::invalid_argument&) {
  }
  try {
    return std::pair('b', parse_bytes(text).count);
  } catch (const std::invalid_argument&) {
  }
  try {
    return std::pair('r', parse_rate(text).count);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::optional<double> number(const ConfigValue& value) {
  if (value.is_integer()) return static_cast<double>(value.integer());
  if (value.is_real()) return std::get<double>(value.data);
  return std::nullopt;
}

}  // namespace

bool means(const ConfigValue& written, const ConfigValue& resolved) {
  if (const auto left = number(written)) {
    const auto right = number(resolved);
    return right && *left == *right;
  }
  if (written.is_bool())
    return resolved.is_bool() && std::get<bool>(written.data) == std::get<bool>(resolved.data);
  if (written.is_text()) {
    // routing = "x" is short for routing.model = "x".
    const ConfigValue* model = resolved.is_table() ? resolved.table().find("model") : nullptr;
    const ConfigValue& other = model != nullptr ? *model : resolved;
    if (!other.is_text()) return false;
    if (written.text() == other.text()) return true;
    const auto left = quantity(written.text());
    return left && left == quantity(other.text());
  }
  if (!written.is_array() || !resolved.is_array()) return false;
  const ConfigArray& left = written.array();
  const ConfigArray& right = resolved.array();
  return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), means);
}

}  // namespace weir::experiment::claims
