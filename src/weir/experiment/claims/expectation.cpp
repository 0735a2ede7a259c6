#include "weir/experiment/claims/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace weir::experiment::claims {
namespace {

using Form = Expectation::Form;
using Type = ParameterType;

constexpr double kRounding = 1e-9;

const ConfigTable& table_at(const Settings& settings, std::string_view name) {
  const ConfigValue& value = settings.raw(name);
  if (!value.is_table()) {
    throw settings.error(name, fmt::format("must be a table, not {}", value.kind_name()));
  }
  return value.table();
}

void read_form(const Settings& settings, const std::string& where, Expectation& out) {
  static const std::map<std::string, Form> forms{
      {"is", Form::is},       {"at_least", Form::at_least}, {"at_most", Form::at_most},
      {"above", Form::above}, {"below", Form::below},       {"between", Form::between}};
  const ConfigTable& table = table_at(settings, "expect");
  std::vector<Parameter> parameters;
  parameters.reserve(forms.size());
  for (const auto& [name, form] : forms) {
    parameters.push_back(Parameter::of(form == Form::between ? Type::reals : Type::real, name, ""));
  }
  const Settings given = Settings::check(table, parameters, where + ".expect");
  if (table.entries().size() != 1) {
    throw settings.error("expect",
                         "must have exactly one of is, at_least, at_most, above, below, between");
  }
  const std::string& name = table.entries().front().key;
  out.form = forms.at(name);
  if (out.form != Form::between) {
    out.value = given.real(name);
    return;
  }
  const std::vector<double> limits = given.reals(name);
  if (limits.size() != 2 || limits[0] > limits[1]) {
    throw given.error(name, "must be two numbers, the smaller first, as in [0.9, 1.1]");
  }
  out.value = limits[0];
  out.upper = limits[1];
}

void read_tolerance(const Settings& settings, const std::string& where, Expectation& out) {
  const ConfigTable& table = table_at(settings, "tolerance");
  const std::vector<Parameter> parameters{
      Parameter::of(Type::real, "relative", "of the stated number").at_least(0),
      Parameter::of(Type::real, "absolute", "in the claim's unit").at_least(0),
      Parameter::of(Type::real, "factor", "so many times less or more").at_least(1),
      Parameter::of(Type::text, "because", "why it is needed").by_default("")};
  const Settings given = Settings::check(table, parameters, where + ".tolerance");
  if (given.has("relative")) out.relative = given.real("relative");
  if (given.has("absolute")) out.absolute = given.real("absolute");
  if (given.has("factor")) out.factor = given.real("factor");
  out.because = given.text("because");
  if (int(out.relative.has_value()) + int(out.absolute.has_value()) + int(out.factor.has_value()) >
      1) {
    throw settings.error("tolerance", "must be one of relative, absolute and factor");
  }
  if (out.factor && out.form == Form::is && out.value <= 0) {
    throw given.error("factor", "needs an expected number above 0");
  }
}

}  // namespace

bool Range::contains(double number) const {
  const bool is_above = without_lowest ? number > lowest : number >= lowest;
  const bool is_below = without_highest ? number < highest : number <= highest;
  return is_above && is_below;  // never NaN
}

bool Range::is_apart_from(double from, double to) const {
  const bool is_below = without_lowest ? to <= lowest : to < lowest;
  const bool is_above = without_highest ? from >= highest : from > highest;
  return is_below || is_above;
}

double Range::distance(double number) const {
  return std::min(std::fabs(number - lowest), std::fabs(number - highest));
}

Range Expectation::accepted() const {
  const auto down = [&](double stated) {
    if (factor) return stated / *factor - kRounding * std::fabs(stated);
    return stated - absolute.value_or(0) - (relative.value_or(0) + kRounding) * std::fabs(stated);
  };
  const auto up = [&](double stated) {
    if (factor) return stated * *factor + kRounding * std::fabs(stated);
    return stated + absolute.value_or(0) + (relative.value_or(0) + kRounding) * std::fabs(stated);
  };
  // Without a tolerance the limit of `above` and `below` itself does not do.
  Range out;
  switch (form) {
    case Form::is:
      out.lowest = down(value);
      out.highest = up(value);
      return out;
    case Form::at_least:
      out.lowest = down(value);
      return out;
    case Form::at_most:
      out.highest = up(value);
      return out;
    case Form::above:
      out.lowest = has_tolerance() ? down(value) : value;
      out.without_lowest = true;
      return out;
    case Form::below:
      out.highest = has_tolerance() ? up(value) : value;
      out.without_highest = true;
      return out;
    case Form::between:
      out.lowest = down(value);
      out.highest = up(upper);
      return out;
  }
  throw std::logic_error("no such expectation");
}

Expectation read_expectation(const Settings& settings, const std::string& where,
                             bool is_published) {
  Expectation out;
  read_form(settings, where, out);
  read_tolerance(settings, where, out);
  if (!is_published || !out.has_tolerance()) return out;
  if (out.form != Form::is) {
    throw settings.error("tolerance",
                         "widens a limit that the document states: only 'is' can have one");
  }
  if (out.because.empty()) {
    throw settings.error("tolerance", R"(needs its reason: because = "read from a figure")");
  }
  return out;
}

}  // namespace weir::experiment::claims
