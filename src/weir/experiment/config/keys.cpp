#include "weir/experiment/config/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace weir::experiment {
namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::vector<std::string> parts_of(std::string_view key) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t dot = key.find('.');
    parts.emplace_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

const std::string* name_of(const ConfigValue& value) {
  const ConfigValue* name = value.is_table() ? value.table().find("name") : nullptr;
  return name != nullptr && name->is_text() ? &name->text() : nullptr;
}

/// Index of the element that `key` names; nothing when there is none.
std::optional<std::size_t> element(const ConfigArray& array, const std::string& key) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string* name = name_of(array[i]);
    if (name != nullptr && *name == key) return i;
  }
  const auto number = whole_number(key);
  return number && *number < array.size() ? number : std::nullopt;
}

InputError no_element(const ConfigArray& array, const ConfigEntry& entry, const std::string& path) {
  std::vector<std::string> names;
  for (const ConfigValue& value : array) {
    if (const std::string* name = name_of(value)) names.push_back(*name);
  }
  const std::string where = joined(path, entry.key);
  const SourcePosition& position = entry.key_position.line != 0 || !entry.value.position.file
                                       ? entry.key_position
                                       : entry.value.position;
  if (whole_number(entry.key)) {
    return {position, where, fmt::format("'{}' has {} tables, counted from 0", path, array.size())};
  }
  return {position, where,
          fmt::format("no table of '{}' has this name{}", path, suggestion(entry.key, names))};
}

bool is_list_of_tables(const ConfigValue& value) {
  return value.is_array() && !value.array().empty() &&
         std::all_of(value.array().begin(), value.array().end(),
                     [](const ConfigValue& item) { return item.is_table(); });
}

bool names_other_model(const ConfigTable& base, const ConfigTable& over) {
  const ConfigValue* old_model = base.find("model");
  const ConfigValue* new_model = over.find("model");
  return old_model != nullptr && new_model != nullptr && old_model->is_text() &&
         new_model->is_text() && old_model->text() != new_model->text();
}

void lay_value(ConfigValue& base, const ConfigEntry& over, const std::string& path);

void lay_on_list(ConfigArray& list, const ConfigTable& over, const std::string& path) {
  for (const ConfigEntry& entry : over.entries()) {
    const auto first = element(list, entry.key);
    if (!first) throw no_element(list, entry, path);
    lay_value(list[*first], entry, joined(path, entry.key));
    // [[flow]]s of one name are a class.
    for (std::size_t i = *first + 1; i < list.size(); ++i) {
      const std::string* name = name_of(list[i]);
      if (name != nullptr && *name == entry.key) lay_value(list[i], entry, joined(path, entry.key));
    }
  }
}

void lay_value(ConfigValue& base, const ConfigEntry& over, const std::string& path) {
  if (over.value.is_table() && base.is_table() &&
      !names_other_model(base.table(), over.value.table())) {
    lay_over(base.table(), over.value.table(), path);
  } else if (over.value.is_table() && is_list_of_tables(base)) {
    lay_on_list(std::get<ConfigArray>(base.data), over.value.table(), path);
  } else {
    base = over.value;
  }
}

void collect(const ConfigTable& table, const std::string& path, std::vector<KeyedValue>& out) {
  for (const ConfigEntry& entry : table.entries()) {
    const std::string key = joined(path, entry.key);
    if (entry.value.is_table() && !entry.value.table().empty()) {
      collect(entry.value.table(), key, out);
    } else {
      out.push_back({key, entry.value});
    }
  }
}

/// Walks down a dotted key as far as it goes; returns how many parts were found.
std::size_t walk(const ConfigTable& table, const std::vector<std::string>& parts,
                 const ConfigValue*& value, SourcePosition& position) {
  const ConfigTable* at = &table;
  const ConfigArray* list = nullptr;
  value = nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ConfigValue* next = nullptr;
    if (list != nullptr) {
      if (const auto index = element(*list, parts[i])) next = &(*list)[*index];
    } else if (at != nullptr) {
      next = at->find(parts[i]);
    }
    if (next == nullptr) return i;
    value = next;
    if (next->position.file) position = next->position;
    at = next->is_table() ? &next->table() : nullptr;
    list = next->is_array() ? &next->array() : nullptr;
  }
  return parts.size();
}

}  // namespace

std::vector<std::string> split_key(std::string_view key, const SourcePosition& position) {
  std::vector<std::string> parts = parts_of(key);
  if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); })) {
    throw InputError(position, key, "a key between two dots is empty");
  }
  return parts;
}

ConfigTable nested(std::string_view key, const ConfigValue& value,
                   const SourcePosition& key_position) {
  const std::vector<std::string> parts = split_key(key, key_position);
  ConfigValue inner = value;
  for (std::size_t i = parts.size(); i-- > 0;) {
    ConfigTable table;
    table.position = value.position;
    table.entries().push_back({parts[i], std::move(inner), key_position});
    inner = ConfigValue(std::move(table), value.position);
  }
  return inner.table();
}

ConfigTable expanded(const ConfigTable& table) {
  ConfigTable result;
  result.position = table.position;
  for (const ConfigEntry& entry : table.entries()) {
    ConfigValue value = entry.value;
    if (value.is_table()) value.data = expanded(value.table());
    if (entry.key.find('.') == std::string::npos) {
      ConfigTable one;
      one.entries().push_back({entry.key, std::move(value), entry.key_position});
      lay_over(result, one);
    } else {
      lay_over(result, nested(entry.key, value, entry.key_position));
    }
  }
  return result;
}

std::vector<KeyedValue> flattened(const ConfigTable& table) {
  std::vector<KeyedValue> values;
  collect(table, {}, values);
  return values;
}

void lay_over(ConfigTable& base, const ConfigTable& over, const std::string& path) {
  if (!base.position.file) base.position = over.position;
  for (const ConfigEntry& entry : over.entries()) {
    ConfigValue* present = base.find(entry.key);
    if (present == nullptr) {
      base.entries().push_back(entry);
    } else {
      lay_value(*present, entry, joined(path, entry.key));
    }
  }
}

const ConfigValue* find_value(const ConfigTable& table, std::string_view key) {
  const ConfigValue* value = nullptr;
  SourcePosition position;
  const std::vector<std::string> parts = parts_of(key);
  return walk(table, parts, value, position) == parts.size() ? value : nullptr;
}

SourcePosition position_of(const ConfigTable& table, std::string_view key) {
  const ConfigValue* value = nullptr;
  SourcePosition position = table.position;
  walk(table, parts_of(key), value, position);
  return position;
}

}  // namespace weir::experiment
