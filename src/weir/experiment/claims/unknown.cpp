#include "weir/experiment/claims/unknown_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weir::experiment::claims {
namespace {

const Keys<UnknownKeys>& unknown_keys() {
  using K = UnknownKeys;
  static const Keys<K> keys{
      key(&K::name, "name", "short name of what is open").required(),
      key(&K::question, "question", "what the document does not say").required(),
      key(&K::allowed, "allowed", "why the document allows each of the values").required(),
      key(&K::axes, "axes",
          "names of readings and keys of grids along which claims were measured; none: values "
          "change the runs"),
      key(&K::written_values, "values",
          "values: strings, or tables with a name and the text `at` each axis")
          .required(),
      key(&K::adopted_name, "adopted", "name of the value that decides the verdicts").required(),
      key(&K::because, "because", "why that one").required(),
      key(&K::experiments, "experiments", "experiments whose claims it is about; none: all")};
  return keys;
}

struct TriedValueKeys {
  std::string name;
  ConfigValue at{ConfigTable(), {}};
  ConfigValue changes{ConfigArray(), {}};
};

const Keys<TriedValueKeys>& tried_value_keys() {
  using K = TriedValueKeys;
  static const Keys<K> keys{key(&K::name, "name", "of the value").required(),
                            key(&K::at, "at", "axes with the text of this value"),
                            key(&K::changes, "changes", "of the runs: lists of { where, set }")};
  return keys;
}

Combination read_at(const Checked<TriedValueKeys>& file, const std::vector<std::string>& axes) {
  const auto member = &TriedValueKeys::at;
  if (!file->at.is_table()) {
    throw file.error(member, R"(must be a table, as in { axis = "text" })");
  }
  Combination out;
  for (const ConfigEntry& entry : file->at.table().entries()) {
    const std::string own = file.path_to(member) + "." + entry.key;
    if (std::find(axes.begin(), axes.end(), entry.key) == axes.end()) {
      throw InputError(entry.key_position, own,
                       "is none of the axes" + suggestion(entry.key, axes));
    }
    if (!entry.value.is_text()) throw InputError(entry.value.position, own, "must be a string");
    out.emplace_back(entry.key, entry.value.text());
  }
  if (out.size() < axes.size()) {
    throw file.error(member, "must say the text at each of the axes");
  }
  return out;
}

/// Of an unknown that is an axis of claims.
UnknownValue read_measured(const ConfigValue& written, const std::vector<std::string>& axes,
                           const std::string& where) {
  UnknownValue out;
  if (written.is_text()) {
    out.name = written.text();
    for (const std::string& axis : axes) out.at.emplace_back(axis, out.name);
    return out;
  }
  if (!written.is_table()) {
    throw InputError(written.position, where,
                     R"(must be a string, or a table as in { name = "x", at = { axis = "y" } })");
  }
  const auto file = tried_value_keys().check(written.table(), where);
  if (file.is_given(&TriedValueKeys::changes)) {
    throw file.error(&TriedValueKeys::changes, "is for an unknown without `axes`");
  }
  out.name = file->name;
  out.at = read_at(file, axes);
  return out;
}

/// Of an unknown that changes runs. Its axis has its own name.
UnknownValue read_laid_over(const ConfigValue& written, const Unknown& unknown,
                            const std::string& where) {
  UnknownValue out;
  if (written.is_text()) {
    out.name = written.text();
  } else if (written.is_table()) {
    const auto file = tried_value_keys().check(written.table(), where);
    out.name = file->name;
    if (file.is_given(&TriedValueKeys::at)) {
      throw file.error(&TriedValueKeys::at, "is for an unknown with `axes`");
    }
    if (file.is_given(&TriedValueKeys::changes)) {
      out.changes = read_changes(file->changes, file.path_to(&TriedValueKeys::changes));
    }
  } else {
    throw InputError(written.position, where,
                     R"(must be a string, or a table as in { name = "x", changes = [...] })");
  }
  out.at.emplace_back(unknown.name, out.name);
  return out;
}

/// Experiment files have the adopted value, and the others change something.
void check_changes(const Unknown& unknown, const Checked<UnknownKeys>& file) {
  const auto values = &UnknownKeys::written_values;
  if (unknown.experiments.empty()) {
    throw file.error(values, "change runs: `experiments` must say of which experiments");
  }
  const UnknownValue& adopted = unknown.values[unknown.adopted];
  if (!adopted.changes.empty()) {
    throw file.error(&UnknownKeys::adopted_name,
                     fmt::format("'{}' has changes: the experiment files must have what is adopted",
                                 adopted.name));
  }
  for (const UnknownValue& value : unknown.values) {
    if (&value == &adopted || !value.changes.empty()) continue;
    throw file.error(values, fmt::format("'{}' has neither axes nor changes", value.name));
  }
}

std::vector<std::string> read_tried_values(const Checked<UnknownKeys>& file, Unknown& out) {
  const ConfigValue& values = file->written_values;
  const std::string key = file.path_to(&UnknownKeys::written_values);
  if (!values.is_array() || values.array().size() < 2) {
    throw file.error(&UnknownKeys::written_values, "must be a list of two values or more");
  }
  std::vector<std::string> names;
  for (const ConfigValue& one : values.array()) {
    const std::string place = fmt::format("{}[{}]", key, names.size());
    UnknownValue made =
        out.is_laid_over ? read_laid_over(one, out, place) : read_measured(one, file->axes, place);
    if (std::find(names.begin(), names.end(), made.name) != names.end()) {
      throw InputError(one.position, key, fmt::format("two values are called '{}'", made.name));
    }
    names.push_back(made.name);
    out.values.push_back(std::move(made));
  }
  return names;
}

}  // namespace

Checked<UnknownKeys> check_unknown(const ConfigTable& table, std::size_t index) {
  const ConfigValue* name = table.find(unknown_keys().name_of(&UnknownKeys::name));
  const bool is_named = name != nullptr && name->is_text();
  return unknown_keys().check(
      table, fmt::format("unknown[{}]", is_named ? name->text() : std::to_string(index)));
}

Unknown read_unknown(const Checked<UnknownKeys>& file) {
  Unknown out = *file;
  out.is_laid_over = file->axes.empty();
  const std::vector<std::string> names = read_tried_values(file, out);
  const auto adopted = std::find(names.begin(), names.end(), file->adopted_name);
  if (adopted == names.end()) {
    throw file.error(&UnknownKeys::adopted_name,
                     fmt::format("'{}' is none of the values{}", file->adopted_name,
                                 suggestion(file->adopted_name, names)));
  }
  out.adopted = static_cast<std::size_t>(adopted - names.begin());
  if (out.is_laid_over) check_changes(out, file);
  return out;
}

std::size_t Unknown::value_called(const std::string& wanted) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].name == wanted) return i;
    names.push_back(values[i].name);
  }
  throw InputError(
      fmt::format("'{}' is no value of '{}'{}", wanted, name, suggestion(wanted, names)));
}

bool Unknown::concerns(const std::string& experiment) const {
  return experiments.empty() ||
         std::find(experiments.begin(), experiments.end(), experiment) != experiments.end();
}

bool agrees(const Combination& point, const Combination& chosen) {
  return std::all_of(point.begin(), point.end(), [&](const auto& own) {
    return std::all_of(chosen.begin(), chosen.end(), [&](const auto& wanted) {
      return wanted.first != own.first || wanted.second == own.second;
    });
  });
}

}  // namespace weir::experiment::claims
