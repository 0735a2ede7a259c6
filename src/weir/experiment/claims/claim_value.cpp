#include "weir/experiment/claims/claim_value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

namespace weir::experiment::claims {
namespace {

/// As written, with what the value has in another form.
struct ValueKeys : ClaimValue {
  std::string metric_name;
  ConfigValue conditions{ConfigTable(), {}};
  std::optional<std::string> unit_name;
};

const Keys<ValueKeys>& value_keys() {
  using K = ValueKeys;
  using Reduce = ClaimValue::Reduce;
  static const Keys<K> keys{key(&K::metric_name, "metric", "as in throughput[cold]").required(),
                            key(&K::case_name, "case", "name of a [[case]]"),
                            key(&K::conditions, "where", "configuration keys with their values"),
                            key(&K::from, "from", "of the bins of a series"),
                            key(&K::to, "to", "of the bins of a series"),
                            choice(&K::reduce, "reduce", "what becomes of the bins",
                                   {{"mean", Reduce::mean},
                                    {"min", Reduce::min},
                                    {"max", Reduce::max},
                                    {"last", Reduce::last}}),
                            key(&K::otherwise, "or", "where there was nothing to measure"),
                            key(&K::unit_name, "unit", "in which the value enters the measure")};
  return keys;
}

void read_time_window(const Checked<ValueKeys>& file, ClaimValue& out) {
  out.is_series = out.from || out.to;
  if (out.from && out.to && *out.from >= *out.to) {
    throw file.error(&ValueKeys::to, "must be after from");
  }
  if (file.is_given(&ValueKeys::reduce) && !out.is_series) {
    throw file.error(&ValueKeys::reduce, "needs from or to: it is about the bins between them");
  }
  const std::uint8_t form = out.is_series ? metric_form::kSeries : metric_form::kScalar;
  if ((metric_kind(out.metric.metric).forms & form) != 0) return;
  throw file.error(&ValueKeys::metric_name,
                   out.is_series
                       ? fmt::format("'{}' has no series over time: from and to mean nothing to it",
                                     out.metric.metric)
                       : fmt::format("'{}' is no single number of a run", out.metric.metric));
}

void read_unit(const Checked<ValueKeys>& file, ClaimValue& out) {
  const Unit own = unit_of_metric(out.metric.metric);
  out.unit = own;
  const auto at = &ValueKeys::unit_name;
  if (!file->unit_name) return;
  out.unit = find_unit(*file->unit_name, file.position_of(at), file.path_to(at));
  if (out.unit.dimension == own.dimension) return;
  throw file.error(at, fmt::format("does not fit '{}', which is in {}", out.metric.metric,
                                   own.name.empty() ? "counts" : own.name));
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

ClaimValue read_value(const ConfigEntry& entry, const std::string& key) {
  const std::string own = key + "." + entry.key;
  if (!is_value_name(entry.key)) {
    throw InputError(entry.key_position, own,
                     "is no name for a value: letters, digits and _, and no function");
  }
  if (!entry.value.is_table()) {
    throw InputError(entry.value.position, own,
                     R"(must be a table, as in { metric = "efficiency" })");
  }
  const auto file = value_keys().check(entry.value.table(), own);
  ClaimValue out = *file;
  out.name = entry.key;
  out.key = own;
  out.source = entry.value.table();
  out.metric = parse_metric_name(file->metric_name, file.position_of(&ValueKeys::metric_name),
                                 file.path_to(&ValueKeys::metric_name));
  const ConfigValue& where = file->conditions;
  if (!where.is_table()) {
    throw file.error(&ValueKeys::conditions,
                     fmt::format("must be a table, not {}", where.kind_name()));
  }
  out.where = flattened(expanded(where.table()));
  read_time_window(file, out);
  read_unit(file, out);
  return out;
}

void check_unit(const Claim& claim, const std::vector<ClaimValue>& values,
                const Checked<ClaimKeys>& file) {
  std::map<std::string, const ClaimValue*> dimensions;
  for (const ClaimValue& value : values) {
    if (value.unit.dimension.empty()) continue;
    const auto [at, is_new] = dimensions.emplace(value.unit.dimension, &value);
    if (is_new || at->second->unit.name == value.unit.name) continue;
    throw file.error(
        &ClaimKeys::values,
        fmt::format("'{}' is in {} and '{}' in {}: give both one unit", at->second->name,
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
    throw file.error(&ClaimKeys::unit_name,
                     fmt::format("does not fit: the measure is {}",
                                 only == nullptr ? "a plain number" : "in " + only->unit.name));
  }
  if (only != nullptr && only->unit.name != claim.unit.name) {
    throw file.error(&ClaimKeys::unit_name,
                     fmt::format("the values are in {}; give them unit = \"{}\", too",
                                 only->unit.name, claim.unit.name));
  }
}

}  // namespace weir::experiment::claims
