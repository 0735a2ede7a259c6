#include "weir/experiment/claims/claim_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;

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
      Parameter::of(Type::real, "or", "where there was nothing to measure"),
      Parameter::of(Type::text, "unit", "in which the value enters the measure")};
  return parameters;
}

void read_time_window(const Settings& settings, ClaimValue& out) {
  const MetricKind& kind = metric_kind(out.metric.metric);
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
  const std::uint8_t form = out.is_series ? metric_form::kSeries : metric_form::kScalar;
  if ((kind.forms & form) != 0) return;
  throw settings.error("metric",
                       out.is_series
                           ? fmt::format("'{}' has no series over time: from and to mean "
                                         "nothing to it",
                                         out.metric.metric)
                           : fmt::format("'{}' is no single number of a run", out.metric.metric));
}

/// How a number changes when all values of one dimension grow by a factor: its exponent in that
/// dimension. Nothing when it has none that holds everywhere, as for a + 1.
std::optional<int> exponent(const Expression& measure, const std::vector<ClaimValue>& values,
                            const std::string& dimension) {
  std::optional<int> found;
  for (const double seed : {0.37, 1.91}) {
    const auto at = [&](double factor) {
      std::vector<double> sample;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double plain = 1.37 + seed * static_cast<double>(i + 1);
        sample.push_back(values[i].unit.dimension == dimension ? plain * factor : plain);
      }
      return measure.evaluate(sample);
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

}  // namespace

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
  out.metric = parse_metric_name(settings.text("metric"), out.source.find("metric")->position,
                                 out.key + ".metric");
  if (settings.has("case")) out.case_name = settings.text("case");
  if (settings.has("or")) out.otherwise = settings.real("or");
  const ConfigValue& where_value = settings.raw("where");
  if (!where_value.is_table()) {
    throw settings.error("where", fmt::format("must be a table, not {}", where_value.kind_name()));
  }
  out.where = flattened(expanded(where_value.table()));
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

void check_unit(const Claim& claim, const std::vector<ClaimValue>& values,
                const Settings& settings) {
  std::map<std::string, const ClaimValue*> dimensions;
  for (const ClaimValue& value : values) {
    if (value.unit.dimension.empty()) continue;
    const auto [at, is_new] = dimensions.emplace(value.unit.dimension, &value);
    if (is_new || at->second->unit.name == value.unit.name) continue;
    throw settings.error(
        "values", fmt::format("'{}' is in {} and '{}' in {}: give both one unit", at->second->name,
                              at->second->unit.name, value.name, value.unit.name));
  }
  const ClaimValue* only = nullptr;
  for (const auto& [dimension, value] : dimensions) {
    const std::optional<int> power = exponent(*claim.measure, values, dimension);
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

}  // namespace weir::experiment::claims
