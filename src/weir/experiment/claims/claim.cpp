#include "weir/experiment/claims/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "weir/base/catalog.hpp"
#include "weir/experiment/claims/claim_value.hpp"
#include "weir/experiment/claims/interpretations.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;

constexpr std::array kKinds{ClaimKind::published,   ClaimKind::circular,   ClaimKind::check,
                            ClaimKind::calibration, ClaimKind::derivation, ClaimKind::completion,
                            ClaimKind::choice};

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
      Parameter::of(Type::text, "published", "what the document says in words").by_default(""),
      Parameter::of(Type::any, "tolerance", "by how much it may miss").by_default("{}"),
      Parameter::of(Type::text, "unit", "of the measure").by_default("1"),
      Parameter::of(Type::text, "measure", "arithmetic over the names of the values"),
      Parameter::of(Type::any, "values", "what the measure is made of").required(),
      Parameter::of(Type::any, "readings", "what the sentence can be read to be about"),
      Parameter::of(Type::text, "over_seeds", "what the runs of all seeds are judged by")
          .by_default("mean")
          .one_of({"mean", "min", "max", "of-means"}),
      Parameter::of(Type::texts, "grid", "settings that the document leaves open").by_default("[]"),
      Parameter::of(Type::text, "one_draw", "why fewer than five draws are enough").by_default(""),
      Parameter::of(Type::text, "explanation", "why it does not hold").by_default(""),
      Parameter::of(Type::texts, "shown_by", "what shows that").by_default("[]"),
      Parameter::of(Type::text, "cause", "whether it is known").one_of({"unknown"}),
      Parameter::of(Type::texts, "scales", "at which it may be judged")
          .by_default(R"(["quick", "full"])")
          .one_of({"quick", "full"})};
  return parameters;
}

void read_measure(const ConfigTable& table, const Settings& settings, const std::string& where,
                  Claim& out) {
  const ConfigValue& values = settings.raw("values");
  if (!values.is_table()) {
    throw settings.error("values", fmt::format("must be a table, not {}", values.kind_name()));
  }
  if (values.table().empty()) throw settings.error("values", "is empty: nothing is measured");
  std::vector<std::string> names;
  for (const ConfigEntry& entry : values.table().entries()) {
    // Its readings come later; what is wrong with the name itself is told once, here.
    if (!is_value_name(entry.key)) (void)read_value(entry, where);
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

ClaimReading read_reading(const ConfigTable& values, const Interpretation& one,
                          const Expectation& expected, const std::string& where) {
  ClaimReading out;
  out.names = one.labels();
  out.expected = expected;
  if (one.value) out.expected.value = *one.value;
  const ConfigTable meant = replaced(values, one, where + ".values");
  for (const ConfigEntry& entry : meant.entries()) out.values.push_back(read_value(entry, where));
  return out;
}

void refuse_unused(const ConfigTable& values, const Interpretation& one, const Settings& settings) {
  const std::vector<std::string> used = names_in(values);
  for (const auto& named : one.names) {
    if (std::find(used.begin(), used.end(), named.first) != used.end()) continue;
    throw settings.error("readings", fmt::format("no value names {{{}}}: this reading changes "
                                                 "nothing",
                                                 named.first));
  }
}

void read_readings(const ConfigTable& table, const Settings& settings, const std::string& where,
                   Claim& out) {
  const Expectation expected = read_expectation(settings, where, out.counts());
  const ConfigTable& values = settings.raw("values").table();
  const auto all = read_interpretations(table.find("readings"), where + ".readings");
  for (const Interpretation& one : all) {
    if (one.value && expected.form == Expectation::Form::between) {
      throw settings.error("readings", "a value needs an expectation with one number");
    }
    out.readings.push_back(read_reading(values, one, expected, where));
    check_unit(out, out.readings.back().values, settings);
  }
  refuse_unused(values, all.front(), settings);
}

void read_explanation(const Settings& settings, Claim& out) {
  out.explanation = settings.text("explanation");
  out.shown_by = settings.texts("shown_by");
  out.is_cause_unknown = settings.has("cause");
  if (out.explanation.empty()) {
    if (!out.shown_by.empty()) throw settings.error("shown_by", "needs an explanation");
    return;
  }
  if (out.shown_by.empty() == out.is_cause_unknown) return;
  throw settings.error("explanation",
                       out.is_cause_unknown
                           ? "has either shown_by or cause = \"unknown\""
                           : "needs shown_by, what shows it, or cause = \"unknown\"");
}

}  // namespace

std::string_view to_string(Scale scale) { return scale == Scale::quick ? "quick" : "full"; }

std::string_view to_string(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::published:
      return "published";
    case ClaimKind::circular:
      return "circular";
    case ClaimKind::check:
      return "check";
    case ClaimKind::calibration:
      return "calibration";
    case ClaimKind::derivation:
      return "derivation";
    case ClaimKind::completion:
      return "completion";
    case ClaimKind::choice:
      return "choice";
  }
  throw std::logic_error("no such kind of claims");
}

std::string to_string(const Combination& combination) {
  std::string out;
  for (const auto& [name, value] : combination) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, value);
  }
  return out;
}

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
  out.published = settings.text("published");
  const ConfigValue* unit = table.find("unit");
  out.unit = find_unit(settings.text("unit"), unit != nullptr ? unit->position : table.position,
                       where + ".unit");
  read_measure(table, settings, where, out);
  read_readings(table, settings, where, out);
  using Over = Claim::OverSeeds;
  static const std::map<std::string, Over> overs{
      {"mean", Over::mean}, {"min", Over::min}, {"max", Over::max}, {"of-means", Over::of_means}};
  out.over_seeds = overs.at(settings.text("over_seeds"));
  out.grid = settings.texts("grid");
  const ConfigValue* grid = table.find("grid");
  out.grid_position = grid != nullptr ? grid->position : table.position;
  out.one_draw = settings.text("one_draw");
  read_explanation(settings, out);
  out.scales = read_scales(settings);
  return out;
}

}  // namespace weir::experiment::claims
