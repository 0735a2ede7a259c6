#include "weir/report/table/parameter_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace weir::report {

namespace {

bool is_plain_number(const Parameter& parameter) {
  return parameter.type == ParameterType::integer || parameter.type == ParameterType::real ||
         parameter.type == ParameterType::integers || parameter.type == ParameterType::reals;
}

}  // namespace

std::string type_text(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return "boolean";
    case ParameterType::integer:
      return "integer";
    case ParameterType::real:
      return "number";
    case ParameterType::text:
      return "string";
    case ParameterType::time:
      return "time";
    case ParameterType::bytes:
      return "bytes";
    case ParameterType::rate:
      return "rate";
    case ParameterType::integers:
      return "integers";
    case ParameterType::reals:
      return "numbers";
    case ParameterType::texts:
      return "strings";
    case ParameterType::path:
      return "file";
    case ParameterType::any:
      return "any";
  }
  return "";
}

std::string limits_text(const Parameter& parameter) {
  std::vector<std::string> parts;
  if (!parameter.choices.empty()) {
    std::string choices;
    for (const std::string& choice : parameter.choices) {
      choices += (choices.empty() ? "" : " | ") + (choice.empty() ? "\"\"" : choice);
    }
    parts.push_back(choices);
  }
  const bool has_low = std::isfinite(parameter.minimum);
  const bool has_high = std::isfinite(parameter.maximum);
  if (is_plain_number(parameter) && has_low && has_high) {
    parts.push_back(fmt::format("{} to {}", parameter.minimum, parameter.maximum));
  } else if (is_plain_number(parameter) && has_low) {
    parts.push_back(fmt::format("at least {}", parameter.minimum));
  }
  if (parameter.is_required) parts.emplace_back("required");
  if (parameter.default_text && !parameter.default_text->empty()) {
    parts.push_back("default " + *parameter.default_text);
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? " (" : "; ") + part;
  return text.empty() ? text : text + ")";
}

}  // namespace weir::report
