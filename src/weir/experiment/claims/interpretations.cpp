#include "weir/experiment/claims/interpretations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace weir::experiment::claims {
namespace {

constexpr const char* kValue = "value";
constexpr std::size_t kMostCombinations = 1000;

std::string text_of(const ConfigValue& value) {
  if (value.is_text()) return value.text();
  if (value.is_bool()) return std::get<bool>(value.data) ? "true" : "false";
  if (value.is_integer()) return fmt::format("{}", value.integer());
  return fmt::format("{}", std::get<double>(value.data));
}

bool is_scalar(const ConfigValue& value) { return !value.is_array() && !value.is_table(); }

void need_name(const ConfigEntry& entry, const std::string& key) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  if (!entry.key.empty() && std::all_of(entry.key.begin(), entry.key.end(), is_letter)) return;
  throw InputError(entry.key_position, key + "." + entry.key, "is no name: letters, digits and _");
}

void need_scalar(const ConfigValue& value, const std::string& key) {
  if (is_scalar(value)) return;
  throw InputError(value.position, key, "must be a string or a number");
}

std::vector<Interpretation> product(const ConfigTable& table, const std::string& key) {
  std::vector<Interpretation> all{Interpretation{}};
  for (const ConfigEntry& entry : table.entries()) {
    need_name(entry, key);
    const std::string own = key + "." + entry.key;
    if (!entry.value.is_array() || entry.value.array().empty()) {
      throw InputError(entry.value.position, own, R"(must be a list, as in ["voqsw", "dbbm"])");
    }
    std::vector<Interpretation> longer;
    for (const Interpretation& one : all) {
      for (const ConfigValue& value : entry.value.array()) {
        need_scalar(value, own);
        longer.push_back(one);
        longer.back().names.emplace_back(entry.key, value);
      }
    }
    all = std::move(longer);
    if (all.size() > kMostCombinations) {
      throw InputError(entry.value.position, key,
                       fmt::format("has more than {} combinations", kMostCombinations));
    }
  }
  return all;
}

Interpretation single(const ConfigTable& table, const std::string& key) {
  Interpretation out;
  for (const ConfigEntry& entry : table.entries()) {
    need_name(entry, key);
    need_scalar(entry.value, key + "." + entry.key);
    if (entry.key != kValue) {
      out.names.emplace_back(entry.key, entry.value);
      continue;
    }
    if (!entry.value.is_integer() && !entry.value.is_real()) {
      throw InputError(entry.value.position, key + ".value", "must be a number");
    }
    out.value = entry.value.is_integer() ? static_cast<double>(entry.value.integer())
                                         : std::get<double>(entry.value.data);
  }
  return out;
}

std::vector<Interpretation> listed(const ConfigArray& list, const std::string& key) {
  std::vector<Interpretation> all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string own = fmt::format("{}[{}]", key, i);
    if (!list[i].is_table()) {
      throw InputError(list[i].position, own, R"(must be a table, as in { load = "low" })");
    }
    all.push_back(single(list[i].table(), own));
    const auto names = [](const Interpretation& one) {
      std::vector<std::string> found;
      for (const auto& entry : one.names) found.push_back(entry.first);
      return found;
    };
    if (names(all.back()) == names(all.front())) continue;
    throw InputError(list[i].position, own,
                     "must have the same names in the same order as the first one");
  }
  return all;
}

/// Calls `use` with each name in curly brackets, its start and its end.
void each_name(const std::string& text,
               const std::function<void(const std::string&, std::size_t, std::size_t)>& use) {
  std::size_t start = 0;
  while ((start = text.find('{', start)) != std::string::npos) {
    const std::size_t end = text.find('}', start);
    if (end == std::string::npos) return;
    use(text.substr(start + 1, end - start - 1), start, end + 1);
    start = end + 1;
  }
}

class Replacer {
 public:
  Replacer(const Interpretation& one, const std::string& key) : one_(one), key_(key) {}

  [[nodiscard]] ConfigValue operator()(const ConfigValue& value) const {
    ConfigValue out = value;
    if (value.is_table()) {
      for (ConfigEntry& entry : out.table().entries()) entry.value = (*this)(entry.value);
    } else if (value.is_array()) {
      for (ConfigValue& entry : std::get<ConfigArray>(out.data)) entry = (*this)(entry);
    } else if (value.is_text()) {
      out.data = text(value);
    }
    return out;
  }

 private:
  [[nodiscard]] ConfigValue::Data text(const ConfigValue& value) const {
    std::string out;
    std::size_t done = 0;
    const ConfigValue* whole = nullptr;
    each_name(value.text(), [&](const std::string& name, std::size_t start, std::size_t end) {
      const ConfigValue& by = find(name, value);
      if (start == 0 && end == value.text().size()) whole = &by;
      out += value.text().substr(done, start - done) + text_of(by);
      done = end;
    });
    if (whole != nullptr) return whole->data;
    return out + value.text().substr(done);
  }

  [[nodiscard]] const ConfigValue& find(const std::string& name, const ConfigValue& at) const {
    std::vector<std::string> known;
    for (const auto& [own, value] : one_.names) {
      if (own == name) return value;
      known.push_back(own);
    }
    throw InputError(
        at.position, key_,
        fmt::format("'{{{}}}' is not among the readings{}", name, suggestion(name, known)));
  }

  const Interpretation& one_;
  const std::string& key_;
};

void add_names(const ConfigValue& value, std::vector<std::string>& names) {
  if (value.is_table()) {
    for (const ConfigEntry& entry : value.table().entries()) add_names(entry.value, names);
  } else if (value.is_array()) {
    for (const ConfigValue& entry : value.array()) add_names(entry, names);
  } else if (value.is_text()) {
    each_name(value.text(),
              [&](const std::string& name, std::size_t, std::size_t) { names.push_back(name); });
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Interpretation::labels() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, one] : names) out.emplace_back(name, text_of(one));
  return out;
}

std::vector<Interpretation> read_interpretations(const ConfigValue* written,
                                                 const std::string& key) {
  if (written == nullptr) return {Interpretation{}};
  if (written->is_table() && !written->table().empty()) return product(written->table(), key);
  if (written->is_array() && !written->array().empty()) return listed(written->array(), key);
  throw InputError(
      written->position, key,
      R"(must be a table of lists, as in { scheme = ["voqsw", "dbbm"] }, or a list of )"
      R"(tables, as in [{ scheme = "voqsw", value = 0.4 }])");
}

ConfigTable replaced(const ConfigTable& table, const Interpretation& one, const std::string& key) {
  return Replacer(one, key)(ConfigValue(table, table.position)).table();
}

std::vector<std::string> names_in(const ConfigTable& table) {
  std::vector<std::string> names;
  add_names(ConfigValue(table, table.position), names);
  return names;
}

}  // namespace weir::experiment::claims
