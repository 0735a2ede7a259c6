#include "weir/experiment/claims/unknown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;

const std::vector<Parameter>& unknown_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "name", "short name of what is open").required(),
      Parameter::of(Type::text, "question", "what the document does not say").required(),
      Parameter::of(Type::text, "allowed", "why the document allows each of the values").required(),
      Parameter::of(Type::texts, "axes",
                    "names of readings and keys of grids along which claims were measured; none: "
                    "values change the runs")
          .by_default("[]"),
      Parameter::of(Type::any, "values",
                    "values: strings, or tables with a name and the text `at` each axis")
          .required(),
      Parameter::of(Type::text, "adopted", "name of the value that decides the verdicts")
          .required(),
      Parameter::of(Type::text, "because", "why that one").required(),
      Parameter::of(Type::texts, "experiments", "experiments whose claims it is about; none: all")
          .by_default("[]")};
  return parameters;
}

const std::vector<Parameter>& tried_value_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "name", "of the value").required(),
      Parameter::of(Type::any, "at", "axes with the text of this value").by_default("{}"),
      Parameter::of(Type::any, "changes", "of the runs: lists of { where, set }").by_default("[]")};
  return parameters;
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
  const Settings settings = Settings::check(written.table(), tried_value_parameters(), where);
  out.name = settings.text("name");
  if (written.table().find("changes") != nullptr) {
    throw settings.error("changes", "is for an unknown without `axes`");
  }
  const ConfigValue& at = settings.raw("at");
  if (!at.is_table()) throw settings.error("at", R"(must be a table, as in { axis = "text" })");
  for (const ConfigEntry& entry : at.table().entries()) {
    if (std::find(axes.begin(), axes.end(), entry.key) == axes.end()) {
      throw InputError(entry.key_position, where + ".at." + entry.key,
                       "is none of the axes" + suggestion(entry.key, axes));
    }
    if (!entry.value.is_text()) {
      throw InputError(entry.value.position, where + ".at." + entry.key, "must be a string");
    }
    out.at.emplace_back(entry.key, entry.value.text());
  }
  if (out.at.size() < axes.size()) {
    throw settings.error("at", "must say the text at each of the axes");
  }
  return out;
}

/// Of an unknown that changes runs. Its axis has its own name.
UnknownValue read_laid_over(const ConfigValue& written, const Unknown& unknown,
                            const std::string& where) {
  UnknownValue out;
  if (written.is_text()) {
    out.name = written.text();
  } else if (written.is_table()) {
    const Settings settings = Settings::check(written.table(), tried_value_parameters(), where);
    out.name = settings.text("name");
    if (written.table().find("at") != nullptr) {
      throw settings.error("at", "is for an unknown with `axes`");
    }
    if (const ConfigValue* changes = written.table().find("changes"); changes != nullptr) {
      out.changes = read_changes(*changes, where + ".changes");
    }
  } else {
    throw InputError(written.position, where,
                     R"(must be a string, or a table as in { name = "x", changes = [...] })");
  }
  out.at.emplace_back(unknown.name, out.name);
  return out;
}

/// Experiment files have the adopted value, and the others change something.
void check_changes(const Unknown& unknown, const Settings& settings) {
  if (unknown.experiments.empty()) {
    throw settings.error("values", "change runs: `experiments` must say of which experiments");
  }
  const UnknownValue& adopted = unknown.values[unknown.adopted];
  if (!adopted.changes.empty()) {
    throw settings.error("adopted",
                         fmt::format("'{}' has changes: the experiment files must have what is "
                                     "adopted",
                                     adopted.name));
  }
  for (const UnknownValue& value : unknown.values) {
    if (&value == &adopted || !value.changes.empty()) continue;
    throw settings.error("values", fmt::format("'{}' has neither axes nor changes", value.name));
  }
}

}  // namespace

Unknown read_unknown(const ConfigTable& table, std::size_t index) {
  const ConfigValue* name = table.find("name");
  const std::string where = fmt::format(
      "unknown[{}]", name != nullptr && name->is_text() ? name->text() : std::to_string(index));
  const Settings settings = Settings::check(table, unknown_parameters(), where);
  Unknown out;
  out.name = settings.text("name");
  out.question = settings.text("question");
  out.allowed = settings.text("allowed");
  out.because = settings.text("because");
  const std::vector<std::string> axes = settings.texts("axes");
  out.is_laid_over = axes.empty();
  const ConfigValue& values = settings.raw("values");
  if (!values.is_array() || values.array().size() < 2) {
    throw settings.error("values", "must be a list of two values or more");
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < values.array().size(); ++i) {
    const ConfigValue& one = values.array()[i];
    const std::string place = fmt::format("{}.values[{}]", where, i);
    UnknownValue made =
        out.is_laid_over ? read_laid_over(one, out, place) : read_measured(one, axes, place);
    if (std::find(names.begin(), names.end(), made.name) != names.end()) {
      throw InputError(one.position, where + ".values",
                       fmt::format("two values are called '{}'", made.name));
    }
    names.push_back(made.name);
    out.values.push_back(std::move(made));
  }
  const auto adopted = std::find(names.begin(), names.end(), settings.text("adopted"));
  if (adopted == names.end()) {
    throw settings.error("adopted",
                         fmt::format("'{}' is none of the values{}", settings.text("adopted"),
                                     suggestion(settings.text("adopted"), names)));
  }
  out.adopted = static_cast<std::size_t>(adopted - names.begin());
  out.experiments = settings.texts("experiments");
  if (out.is_laid_over) check_changes(out, settings);
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
