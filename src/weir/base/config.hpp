#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/base/error.hpp"

namespace weir {

class ConfigValue;
struct ConfigEntry;
using ConfigArray = std::vector<ConfigValue>;

/// A table of an experiment file: keys in file order, each with its position.
class ConfigTable {
 public:
  // Defined where ConfigEntry is complete: tables hold values, and values hold tables.
  ConfigTable();
  ConfigTable(const ConfigTable&);
  ConfigTable(ConfigTable&&) noexcept;
  ConfigTable& operator=(const ConfigTable&);
  ConfigTable& operator=(ConfigTable&&) noexcept;
  ~ConfigTable();

  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// The value of `key`, or nullptr.
  [[nodiscard]] const ConfigValue* find(std::string_view key) const;
  [[nodiscard]] ConfigValue* find(std::string_view key);
  /// Sets or replaces; a new key goes to the end.
  void set(std::string key, ConfigValue value);
  void erase(std::string_view key);

  [[nodiscard]] bool empty() const;
  [[nodiscard]] const std::vector<ConfigEntry>& entries() const { return entries_; }
  std::vector<ConfigEntry>& entries() { return entries_; }

  SourcePosition position;

 private:
  std::vector<ConfigEntry> entries_;
};

/// A value of an experiment file with the place it came from.
class ConfigValue {
 public:
  using Data = std::variant<bool, std::int64_t, double, std::string, ConfigArray, ConfigTable>;

  ConfigValue() : data(false) {}
  ConfigValue(Data value, SourcePosition where)
      : data(std::move(value)), position(std::move(where)) {}

  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(data); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(data); }
  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(data); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<ConfigArray>(data); }
  [[nodiscard]] bool is_table() const { return std::holds_alternative<ConfigTable>(data); }

  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(data); }
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(data); }
  [[nodiscard]] const ConfigArray& array() const { return std::get<ConfigArray>(data); }
  [[nodiscard]] const ConfigTable& table() const { return std::get<ConfigTable>(data); }
  ConfigTable& table() { return std::get<ConfigTable>(data); }

  /// "an integer", "a string", "a table", ... for messages.
  [[nodiscard]] std::string_view kind_name() const;

  Data data;
  SourcePosition position;
};

struct ConfigEntry {
  std::string key;
  ConfigValue value;
  SourcePosition key_position{};  ///< of the key itself; of a value that was not read: unknown
};

/// The table that a value is, with the value's place where it has none of its own.
ConfigTable placed_table(const ConfigValue& value);
/// The same. Throws InputError, which blames `key`, where it is no table.
ConfigTable placed_table(const ConfigValue& value, std::string_view key);

/// Reads TOML from `path` or from `text`. Keys keep the order of the file. Dates, times, NaN and
/// infinities are refused. Throws InputError with file, line and column.
ConfigTable read_toml_file(const std::string& path);
ConfigTable parse_toml(std::string_view text, const std::string& file_name);

/// Writes a table as TOML that reads back to the same values.
std::string to_toml(const ConfigTable& table);
/// A value as it stands behind a key, in one line.
std::string to_toml(const ConfigValue& value);

}  // namespace weir
