#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "weir/base/catalog.hpp"
#include "weir/base/problems.hpp"

namespace weir {

namespace {

/// One value under check: what it must be and where it stands.
struct Subject {
  const Parameter& parameter;
  const ConfigValue& value;
  std::string key;  ///< dotted

  [[nodiscard]] InputError error(std::string_view message) const {
    return {value.position, key, message};
  }
};

std::string dotted(std::string_view where, std::string_view name) {
  return where.empty() ? std::string(name) : fmt::format("{}.{}", where, name);
}

/// What a parameter of this type looks like: "an integer, as in 8".
std::string_view expectation(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "an integer, as in 8";
    case ParameterType::real:
      return "a number, as in 0.5";
    case ParameterType::text:
      return "a string, as in \"name\"";
    case ParameterType::time:
      return "a time with its unit, as in \"30 ns\"";
    case ParameterType::bytes:
      return "an amount of data with its unit, as in \"4 KiB\"";
    case ParameterType::rate:
      return "a data rate with its unit, as in \"100 Gbps\"";
    case ParameterType::integers:
      return "a list of integers, as in [1, 2]";
    case ParameterType::reals:
      return "a list of numbers, as in [0.5, 1]";
    case ParameterType::texts:
      return R"(a list of strings, as in ["a", "b"])";
    case ParameterType::path:
      return "a file name, as in \"fabric.txt\"";
    case ParameterType::any:
      return "a value";
  }
  throw std::logic_error("unknown parameter type");
}

InputError wrong_type(const Subject& subject) {
  return subject.error(fmt::format("must be {}, not {}", expectation(subject.parameter.type),
                                   subject.value.kind_name()));
}

bool is_quantity(ParameterType type) {
  return type == ParameterType::time || type == ParameterType::bytes || type == ParameterType::rate;
}

/// `number`, in base units, as the user would write it.
std::string written(ParameterType type, double number) {
  constexpr double kLargest = 9.2e18;
  const auto count = static_cast<std::int64_t>(std::clamp(number, -kLargest, kLargest));
  switch (type) {
    case ParameterType::time:
      return to_string(Time(count));
    case ParameterType::bytes:
      return to_string(Bytes(count));
    case ParameterType::rate:
      return to_string(Rate(count));
    default:
      return fmt::format("{}", number);
  }
}

template <class Number>
void check_range(const Subject& subject, Number number) {
  const Parameter& parameter = subject.parameter;
  // A quantity is never negative unless its description says so.
  const bool has_low = std::isfinite(parameter.minimum) || is_quantity(parameter.type);
  const bool has_high = std::isfinite(parameter.maximum);
  const double low = std::isfinite(parameter.minimum) ? parameter.minimum : 0.0;
  const auto compared = static_cast<double>(number);
  if ((!has_low || compared >= low) && (!has_high || compared <= parameter.maximum)) return;
  const std::string low_text = written(parameter.type, low);
  const std::string high_text = written(parameter.type, parameter.maximum);
  const std::string limits = has_low && has_high
                                 ? fmt::format("between {} and {}", low_text, high_text)
                                 : (has_low ? "at least " + low_text : "at most " + high_text);
  const std::string given =
      is_quantity(parameter.type) ? written(parameter.type, compared) : fmt::format("{}", number);
  throw subject.error(fmt::format("must be {}, not {}", limits, given));
}

void check_choice(const Subject& subject, const std::string& text) {
  const std::vector<std::string>& choices = subject.parameter.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end()) return;
  throw subject.error(fmt::format("no choice is called '{}'{}", text, suggestion(text, choices)));
}

/// Quantities are kept in one spelling, so that equal settings are equal texts.
template <class Parse>
ConfigValue checked_quantity(const Subject& subject, Parse parse) {
  const ConfigValue& value = subject.value;
  if (value.is_integer() || value.is_real()) {
    const std::string_view expected = expectation(subject.parameter.type);
    throw subject.error(fmt::format("needs a unit{}", expected.substr(expected.find(", as in"))));
  }
  if (!value.is_text()) throw wrong_type(subject);
  // Words that may stand in place of the quantity.
  const bool is_word =
      !value.text().empty() && std::isalpha(static_cast<unsigned char>(value.text().front())) != 0;
  if (is_word && !subject.parameter.choices.empty()) {
    check_choice(subject, value.text());
    return value;
  }
  try {
    const auto quantity = parse(value.text());
    check_range(subject, quantity.count);
    return {to_string(quantity), value.position};
  } catch (const std::invalid_argument& error) {
    throw subject.error(error.what());
  }
}

ConfigValue checked_integer(const Subject& subject) {
  if (!subject.value.is_integer()) throw wrong_type(subject);
  check_range(subject, subject.value.integer());
  return subject.value;
}

ConfigValue checked_real(const Subject& subject) {
  const ConfigValue& value = subject.value;
  if (!value.is_integer() && !value.is_real()) throw wrong_type(subject);
  const double number =
      value.is_real() ? std::get<double>(value.data) : static_cast<double>(value.integer());
  check_range(subject, number);
  return {number, value.position};
}

ConfigValue checked_text(const Subject& subject) {
  if (!subject.value.is_text()) throw wrong_type(subject);
  check_choice(subject, subject.value.text());
  return subject.value;
}

ConfigValue checked_path(const Subject& subject) {
  const ConfigValue& value = subject.value;
  if (!value.is_text()) throw wrong_type(subject);
  if (value.text().empty()) throw subject.error("must be a file name, not an empty text");
  const std::filesystem::path name(value.text());
  if (name.is_absolute()) return value;
  const std::filesystem::path folder =
      std::filesystem::path(value.position.file ? *value.position.file : "").parent_path();
  return {std::filesystem::absolute(folder / name).lexically_normal().string(), value.position};
}

ConfigValue checked_list(const Subject& subject, ConfigValue (*check_element)(const Subject&),
                         ParameterType element_type) {
  if (!subject.value.is_array()) throw wrong_type(subject);
  Parameter element = subject.parameter;
  element.type = element_type;
  ConfigArray elements = subject.value.array();
  Problems problems;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    problems.attempt([&] {
      elements[i] = check_element({element, elements[i], fmt::format("{}[{}]", subject.key, i)});
    });
  }
  problems.raise();
  return {std::move(elements), subject.value.position};
}

/// The value in the form that the getters and resolved() use.
ConfigValue checked(const Subject& subject) {
  switch (subject.parameter.type) {
    case ParameterType::boolean:
      if (!subject.value.is_bool()) throw wrong_type(subject);
      return subject.value;
    case ParameterType::integer:
      return checked_integer(subject);
    case ParameterType::real:
      return checked_real(subject);
    case ParameterType::text:
      return checked_text(subject);
    case ParameterType::time:
      return checked_quantity(subject, parse_time);
    case ParameterType::bytes:
      return checked_quantity(subject, parse_bytes);
    case ParameterType::rate:
      return checked_quantity(subject, parse_rate);
    case ParameterType::integers:
      return checked_list(subject, checked_integer, ParameterType::integer);
    case ParameterType::reals:
      return checked_list(subject, checked_real, ParameterType::real);
    case ParameterType::texts:
      return checked_list(subject, checked_text, ParameterType::text);
    case ParameterType::path:
      return checked_path(subject);
    case ParameterType::any:
      return subject.value;
  }
  throw std::logic_error("unknown parameter type");
}

bool is_written_bare(ParameterType type) {
  return type == ParameterType::text || type == ParameterType::path || is_quantity(type);
}

/// A default's text as a value: texts stand without quotes, everything else is TOML.
ConfigValue read_default(const Parameter& parameter, const SourcePosition& position) {
  ConfigValue value(*parameter.default_text, position);
  if (is_written_bare(parameter.type)) return value;
  try {
    const ConfigTable table = parse_toml("value = " + *parameter.default_text, "default");
    value.data = table.find("value")->data;
  } catch (const InputError&) {
    // A model that reads its value itself may have a bare word as default.
    if (parameter.type != ParameterType::any) throw;
  }
  return value;
}

ConfigValue checked_default(const Parameter& parameter, const SourcePosition& position,
                            std::string_view where) {
  const std::string key = dotted(where, parameter.name);
  try {
    return checked({parameter, read_default(parameter, position), key});
  } catch (const InputError& error) {
    throw std::logic_error(fmt::format("wrong default of {}: {}", key, error.what()));
  }
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters,
                                  const std::vector<std::string>& also_known) {
  std::vector<std::string> known;
  known.reserve(parameters.size() + also_known.size());
  for (const Parameter& parameter : parameters) known.push_back(parameter.name);
  known.insert(known.end(), also_known.begin(), also_known.end());
  return known;
}

/// Returns the keys that they probably are meant to be: nobody needs to hear that those are
/// missing.
std::vector<std::string> find_unknown_keys(const ConfigTable& table,
                                           const std::vector<Parameter>& parameters,
                                           std::string_view where,
                                           const std::vector<std::string>& also_known,
                                           Problems& problems) {
  std::vector<std::string> meant;
  for (const ConfigEntry& entry : table.entries()) {
    const bool is_known =
        std::any_of(parameters.begin(), parameters.end(),
                    [&](const Parameter& one) { return one.name == entry.key; }) ||
        std::find(also_known.begin(), also_known.end(), entry.key) != also_known.end();
    if (is_known) continue;
    const bool has_place = entry.key_position.line != 0;
    const std::vector<std::string> known = names_of(parameters, also_known);
    problems.add(InputError(has_place ? entry.key_position : entry.value.position,
                            dotted(where, entry.key),
                            "unknown key" + suggestion(entry.key, known)));
    meant.push_back(nearest_name(entry.key, known));
  }
  return meant;
}

}  // namespace

ParameterList::ParameterList(std::vector<Parameter> parameters) : all_(std::move(parameters)) {
  defaults_.resize(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!all_[i].default_text || all_[i].type == ParameterType::path) continue;
    defaults_[i] = checked_default(all_[i], {}, "");
  }
}

Settings Settings::check(const ConfigTable& table, const std::vector<Parameter>& parameters,
                         std::string_view where, const std::vector<std::string>& also_known) {
  ParameterList list(parameters, ParameterList::Plain());
  return check(table, std::make_shared<const ParameterList>(std::move(list)), where, also_known);
}

Settings Settings::check(const ConfigTable& table, std::shared_ptr<const ParameterList> parameters,
                         std::string_view where, const std::vector<std::string>& also_known) {
  const std::vector<Parameter>& all = parameters->all();
  Problems problems;
  const std::vector<std::string> meant = find_unknown_keys(table, all, where, also_known, problems);
  Settings settings;
  settings.where_ = where;
  settings.position_ = table.position;
  settings.entries_.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Parameter& parameter = all[i];
    Entry& entry = settings.entries_[i];
    entry.parameter = &parameter;
    const ConfigValue* value = table.find(parameter.name);
    if (value != nullptr) {
      problems.attempt([&] {
        entry.value = checked({parameter, *value, dotted(where, parameter.name)});
      });
    } else if (parameter.is_required) {
      if (std::find(meant.begin(), meant.end(), parameter.name) != meant.end()) continue;
      problems.add(InputError(table.position, dotted(where, parameter.name),
                              fmt::format("is missing; it must be {} ({})",
                                          expectation(parameter.type), parameter.help)));
    } else if (!parameters->defaults_.empty() && parameters->defaults_[i]) {
      entry.value = {parameters->defaults_[i]->data, table.position};
    } else if (parameter.default_text) {
      entry.value = checked_default(parameter, table.position, where);
    }
    entry.given = value != nullptr;
    entry.present = entry.given || parameter.default_text.has_value();
  }
  problems.raise();
  settings.list_ = std::move(parameters);
  return settings;
}

}  // namespace weir
