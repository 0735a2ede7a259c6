#include "weir/experiment/claims/claim_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;

constexpr std::array kKinds{ClaimKind::published,  ClaimKind::check,      ClaimKind::calibration,
                            ClaimKind::derivation, ClaimKind::completion, ClaimKind::choice};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  names.reserve(kKinds.size());
  for (const ClaimKind kind : kKinds) names.emplace_back(to_string(kind));
  return names;
}

const std::vector<Parameter>& claim_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "id", "its number").required(),
      Parameter::of(Type::text, "experiment", "that measures it").required(),
      Parameter::of(Type::text, "statement", "what is claimed, in own words").required(),
      Parameter::of(Type::text, "source", "where the document says so").required(),
      Parameter::of(Type::text, "kind", "where the expected value is from")
          .required()
          .one_of(kind_names()),
      Parameter::of(Type::any, "expect", "what the measure should be").required(),
      Parameter::of(Type::any, "tolerance", "by how much it may miss").by_default("{}"),
      Parameter::of(Type::text, "unit", "of the measure").by_default("1"),
      Parameter::of(Type::text, "measure", "arithmetic over the names of the values"),
      Parameter::of(Type::any, "values", "what the measure is made of").required(),
      Parameter::of(Type::text, "over_seeds", "what the runs of all seeds are judged by")
          .by_default("mean")
          .one_of({"mean", "min", "max"}),
      Parameter::of(Type::texts, "grid", "settings that the document leaves open").by_default("[]"),
      Parameter::of(Type::texts, "scales", "at which it may be judged")
          .by_default(R"(["quick", "full"])")
          .one_of({"quick", "full"})};
  return parameters;
}

const std::vector<Parameter>& value_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "metric", "as in throughput[cold]").required(),
      Parameter::of(Type::text, "case", "name of a [[case]]"),
      Parameter::of(Type::any, "where", "configuration keys with their values").by_default("{}"),
      Parameter::of(Type::time, "from", "of the bins of a series"),
      Parameter::of(Type::time, "to", "of the bins of a series"),
      Parameter::of(Type::text, "reduce", "what becomes of the bins")
          .by_default("mean")
          .one_of({"mean", "min", "max", "last"}),
      Parameter::of(Type::text, "unit", "in which the value enters the measure")};
  return parameters;
}

const ConfigTable& table_at(const Settings& settings, std::string_view name) {
  const ConfigValue& value = settings.raw(name);
  if (!value.is_table()) {
    throw settings.error(name, fmt::format("must be a table, not {}", value.kind_name()));
  }
  return value.table();
}

Expectation read_expectation(const Settings& settings, const std::string& where) {
  using Form = Expectation::Form;
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
  Expectation out;
  out.form = forms.at(name);
  if (out.form != Form::between) {
    out.value = given.real(name);
    return out;
  }
  const std::vector<double> limits = given.reals(name);
  if (limits.size() != 2 || limits[0] > limits[1]) {
    throw given.error(name, "must be two numbers, the smaller first, as in [0.9, 1.1]");
  }
  out.value = limits[0];
  out.upper = limits[1];
  return out;
}

void read_tolerance(const Settings& settings, const std::string& where, Expectation& out) {
  const ConfigTable& table = table_at(settings, "tolerance");
  const std::vector<Parameter> parameters{Parameter::of(Type::real, "relative", "").at_least(0),
                                          Parameter::of(Type::real, "absolute", "").at_least(0)};
  const Settings given = Settings::check(table, parameters, where + ".tolerance");
  if (table.entries().size() > 1) {
    throw settings.error("tolerance", "must be relative or absolute, not both");
  }
  if (given.has("relative")) out.relative = given.real("relative");
  if (given.has("absolute")) out.absolute = given.real("absolute");
}

void read_time_window(const Settings& settings, ClaimValue& out) {
  const metrics::MetricKind& kind = metrics::metric_kind(out.metric.metric);
  if (settings.has("from")) out.from = settings.time("from");
  if (settings.has("to")) out.to = settings.time("to");
  out.is_series = out.from || out.to;
  if (out.from && out.to && *out.from >= *out.to) {
    throw settings.error("to", "must be after from");
  }
  if (settings.given("reduce") && !out.is_series) {
    throw settings.error("reduce", "needs from or to: it is about the bins between them");
  }
  using Reduce = ClaimValue::Reduce;
  static const std::map<std::string, Reduce> reductions{
      {"mean", Reduce::mean}, {"min", Reduce::min}, {"max", Reduce::max}, {"last", Reduce::last}};
  out.reduce = reductions.at(settings.text("reduce"));
  const std::uint8_t form =
      out.is_series ? metrics::metric_form::kSeries : metrics::metric_form::kScalar;
  if ((kind.forms & form) != 0) return;
  throw settings.error("metric",
                       out.is_series
                           ? fmt::format("'{}' has no series over time: from and to mean "
                                         "nothing to it",
                                         out.metric.metric)
                           : fmt::format("'{}' is no single number of a run", out.metric.metric));
}

ClaimValue read_value(const ConfigEntry& entry, const std::string& where) {
  ClaimValue out;
  out.name = entry.key;
  out.key = where + ".values." + entry.key;
  if (!is_value_name(entry.key)) {
    throw InputError(entry.key_position, out.key,
                     "is no name for a value: letters, digits and _, and no function");
  }
  if (!entry.value.is_table()) {
    throw InputError(entry.value.position, out.key,
                     R"(must be a table, as in { metric = "efficiency" })");
  }
  out.source = entry.value.table();
  const Settings settings = Settings::check(out.source, value_parameters(), out.key);
  out.metric = metrics::parse_metric_name(settings.text("metric"),
                                          out.source.find("metric")->position, out.key + ".metric");
  if (settings.has("case")) out.case_name = settings.text("case");
  out.where = flattened(expanded(table_at(settings, "where")));
  read_time_window(settings, out);
  const Unit own = unit_of_metric(out.metric.metric);
  out.unit = own;
  if (!settings.has("unit")) return out;
  out.unit = find_unit(settings.text("unit"), out.source.find("unit")->position, out.key + ".unit");
  if (out.unit.dimension != own.dimension) {
    throw settings.error("unit", fmt::format("does not fit '{}', which is in {}", out.metric.metric,
                                             own.name.empty() ? "counts" : own.name));
  }
  return out;
}

/// How a number changes when all values of one dimension grow by a factor: its exponent in that
/// dimension. Nothing when it has none that holds everywhere, as for a + 1.
std::optional<int> exponent(const Claim& claim, const std::string& dimension) {
  std::optional<int> found;
  for (const double seed : {0.37, 1.91}) {
    const auto at = [&](double factor) {
      std::vector<double> sample;
      for (std::size_t i = 0; i < claim.values.size(); ++i) {
        const double plain = 1.37 + seed * static_cast<double>(i + 1);
        sample.push_back(claim.values[i].unit.dimension == dimension ? plain * factor : plain);
      }
      return claim.measure->evaluate(sample);
    };
    for (const double factor : {2.0, 3.0}) {
      const double exact = std::log(at(factor) / at(1)) / std::log(factor);
      if (!std::isfinite(exact) || std::fabs(exact - std::round(exact)) > 1e-9) return std::nullopt;
      const int whole = static_cast<int>(std::lround(exact));
      if (found && *found != whole) return std::nullopt;
      found = whole;
    }
  }
  return found;
}

/// Refuses a unit that the measure cannot have, as far as the arithmetic tells.
void check_unit(const Claim& claim, const Settings& settings) {
  std::map<std::string, const ClaimValue*> dimensions;
  for (const ClaimValue& value : claim.values) {
    if (value.unit.dimension.empty()) continue;
    const auto [at, is_new] = dimensions.emplace(value.unit.dimension, &value);
    if (is_new || at->second->unit.name == value.unit.name) continue;
    throw settings.error(
        "values", fmt::format("'{}' is in {} and '{}' in {}: give both one unit", at->second->name,
                              at->second->unit.name, value.name, value.unit.name));
  }
  const ClaimValue* only = nullptr;
  for (const auto& [dimension, value] : dimensions) {
    const std::optional<int> power = exponent(claim, dimension);
    if (!power || *power < 0 || *power > 1 || (*power == 1 && only != nullptr)) return;
    if (*power == 1) only = value;
  }
  const std::string dimension = only == nullptr ? "" : only->unit.dimension;
  if (dimension != claim.unit.dimension) {
    throw settings.error("unit",
                         fmt::format("does not fit: the measure is {}",
                                     only == nullptr ? "a plain number" : "in " + only->unit.name));
  }
  if (only != nullptr && only->unit.name != claim.unit.name) {
    throw settings.error("unit", fmt::format("the values are in {}; give them unit = \"{}\", too",
                                             only->unit.name, claim.unit.name));
  }
}

void read_measure(const ConfigTable& table, const Settings& settings, const std::string& where,
                  Claim& out) {
  const ConfigTable& values = table_at(settings, "values");
  if (values.empty()) throw settings.error("values", "is empty: nothing is measured");
  std::vector<std::string> names;
  for (const ConfigEntry& entry : values.entries()) {
    out.values.push_back(read_value(entry, where));
    names.push_back(entry.key);
  }
  if (!settings.has("measure") && names.size() > 1) {
    throw settings.error("measure", "is missing: there are several values");
  }
  const std::string text = settings.has("measure") ? settings.text("measure") : names.front();
  const ConfigValue* written = table.find("measure");
  out.measure = std::make_shared<const Expression>(
      text, std::move(names), written != nullptr ? written->position : table.position,
      where + ".measure");
}

}  // namespace

Scales read_scales(const Settings& settings) {
  const std::vector<std::string> names = settings.texts("scales");
  if (names.empty()) throw settings.error("scales", "is empty: it would never be run");
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return {has("quick"), has("full")};
}

Claim read_claim(const ConfigTable& table, std::size_t index) {
  const ConfigValue* id = table.find("id");
  const std::string where =
      fmt::format("claim[{}]", id != nullptr && id->is_text() ? id->text() : std::to_string(index));
  const Settings settings = Settings::check(table, claim_parameters(), where);
  Claim out;
  out.position = table.position;
  out.id = settings.text("id");
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  };
  if (out.id.empty() || !std::all_of(out.id.begin(), out.id.end(), is_plain)) {
    throw settings.error("id", "must be letters, digits, - and _");
  }
  out.experiment = settings.text("experiment");
  out.statement = settings.text("statement");
  out.source = settings.text("source");
  const std::vector<std::string> kinds = kind_names();
  const auto kind = std::find(kinds.begin(), kinds.end(), settings.text("kind"));
  out.kind = kKinds.at(static_cast<std::size_t>(kind - kinds.begin()));
  out.expected = read_expectation(settings, where);
  read_tolerance(settings, where, out.expected);
  const ConfigValue* unit = table.find("unit");
  out.unit = find_unit(settings.text("unit"), unit != nullptr ? unit->position : table.position,
                       where + ".unit");
  read_measure(table, settings, where, out);
  check_unit(out, settings);
  using Over = Claim::OverSeeds;
  static const std::map<std::string, Over> overs{
      {"mean", Over::mean}, {"min", Over::min}, {"max", Over::max}};
  out.over_seeds = overs.at(settings.text("over_seeds"));
  out.grid = settings.texts("grid");
  const ConfigValue* grid = table.find("grid");
  out.grid_position = grid != nullptr ? grid->position : table.position;
  out.scales = read_scales(settings);
  return out;
}

}  // namespace weir::experiment::claims
