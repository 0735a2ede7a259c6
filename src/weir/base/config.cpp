#include "weir/base/config.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace weir {

ConfigTable::ConfigTable() = default;
ConfigTable::ConfigTable(const ConfigTable&) = default;
ConfigTable::ConfigTable(ConfigTable&&) noexcept = default;
ConfigTable& ConfigTable::operator=(const ConfigTable&) = default;
ConfigTable& ConfigTable::operator=(ConfigTable&&) noexcept = default;
ConfigTable::~ConfigTable() = default;

const ConfigValue* ConfigTable::find(std::string_view key) const {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [key](const ConfigEntry& entry) { return entry.key == key; });
  return it == entries_.end() ? nullptr : &it->value;
}

ConfigValue* ConfigTable::find(std::string_view key) {
  return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

void ConfigTable::set(std::string key, ConfigValue value) {
  if (ConfigValue* present = find(key)) {
    *present = std::move(value);
    return;
  }
  entries_.push_back({std::move(key), std::move(value)});
}

void ConfigTable::erase(std::string_view key) {
  std::erase_if(entries_, [key](const ConfigEntry& entry) { return entry.key == key; });
}

bool ConfigTable::empty() const { return entries_.empty(); }

std::string_view ConfigValue::kind_name() const {
  static constexpr std::array<std::string_view, std::variant_size_v<Data>> kNames{
      "true or false", "an integer", "a real number", "a string", "a list", "a table"};
  return kNames[data.index()];
}

ConfigTable placed_table(const ConfigValue& value) {
  ConfigTable table = value.table();
  if (table.position.line == 0) table.position = value.position;
  return table;
}

ConfigTable placed_table(const ConfigValue& value, std::string_view key) {
  if (value.is_table()) return placed_table(value);
  throw InputError(value.position, key, "must be a table, not " + std::string(value.kind_name()));
}

}  // namespace weir
