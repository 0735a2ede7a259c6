#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir::experiment {

/// A value below a dotted key: "queueing.model", "traffic.0.start", "traffic.incast.arrivals.load".
/// A table of a list is named by its number, from 0, or by its `name`.
struct KeyedValue {
  std::string key;
  ConfigValue value;
};

/// Parts of a dotted key. Throws InputError at `position` when one is empty.
std::vector<std::string> split_key(std::string_view key, const SourcePosition& position);

/// {a: {b: value}} for the key "a.b", which stands at `key_position`.
ConfigTable nested(std::string_view key, const ConfigValue& value,
                   const SourcePosition& key_position);
inline ConfigTable nested(std::string_view key, const ConfigValue& value) {
  return nested(key, value, value.position);
}

/// The same table with all dotted keys ("queueing.model" = ...) as nested tables.
ConfigTable expanded(const ConfigTable& table);

/// The values of a table below their dotted keys; lists are values.
std::vector<KeyedValue> flattened(const ConfigTable& table);

/// Lays `over` on `base`: tables key by key, everything else as a whole. A table below a list in
/// `base` goes to the table of the list that its key names. A table that names another `model`
/// replaces the old one: settings of the old model mean nothing to the new one. `path` is the
/// dotted key of `base`, for messages. Throws InputError when a list has no such table.
void lay_over(ConfigTable& base, const ConfigTable& over, const std::string& path = {});

/// The value at a dotted key, or nullptr.
const ConfigValue* find_value(const ConfigTable& table, std::string_view key);

/// Where a dotted key, or the innermost table around it that is there, was written.
SourcePosition position_of(const ConfigTable& table, std::string_view key);

}  // namespace weir::experiment
