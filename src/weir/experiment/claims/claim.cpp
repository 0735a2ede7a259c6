#include "weir/experiment/claims/claim_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/experiment/claims/claim_value.hpp"
#include "weir/experiment/claims/interpretations.hpp"

namespace weir::experiment::claims {
namespace {

Choice<ClaimKind> kind_choice(ClaimKind kind) { return {to_string(kind), kind}; }

const Keys<ClaimKeys>& claim_keys() {
  using K = ClaimKeys;
  using Over = Claim::OverSeeds;
  static const Keys<K> keys{
      key(&K::id, "id", "its number").required(),
      key(&K::experiment, "experiment", "that measures it").required(),
      key(&K::statement, "statement", "what is claimed, in own words").required(),
      key(&K::source, "source", "where the document says so").required(),
      choice(&K::kind, "kind", "where the expected value is from",
             {kind_choice(ClaimKind::published), kind_choice(ClaimKind::circular),
              kind_choice(ClaimKind::check), kind_choice(ClaimKind::calibration),
              kind_choice(ClaimKind::derivation), kind_choice(ClaimKind::completion),
              kind_choice(ClaimKind::choice)})
          .required(),
      key(&K::expect, "expect", "what the measure should be").required(),
      key(&K::published, "published", "what the document says in words"),
      key(&K::tolerance, "tolerance", "by how much it may miss"),
      key(&K::unit_name, "unit", "of the measure"),
      key(&K::arithmetic, "measure", "arithmetic over the names of the values"),
      key(&K::values, "values", "what the measure is made of").required(),
      key(&K::interpretations, "readings", "what the sentence can be read to be about"),
      choice(&K::over_seeds, "over_seeds", "what the runs of all seeds are judged by",
             {{"mean", Over::mean},
              {"min", Over::min},
              {"max", Over::max},
              {"of-means", Over::of_means}}),
      key(&K::grid, "grid", "settings that the document leaves open"),
      key(&K::one_draw, "one_draw", "why fewer than five draws are enough"),
      key(&K::explanation, "explanation", "why it does not hold"),
      key(&K::contradicted_by, "contradicted_by", "what of its own document says otherwise"),
      key(&K::shown_by, "shown_by", "what shows that"),
      choice(&K::is_cause_unknown, "cause", "whether it is known", {{"unknown", true}})
          .without_default(),
      key(&K::scale_names, "scales", "at which it may be judged").one_of({"quick", "full"})};
  return keys;
}

void read_measure(const Checked<ClaimKeys>& file, Claim& out) {
  const ConfigValue& values = file->values;
  if (!values.is_table()) {
    throw file.error(&ClaimKeys::values,
                     fmt::format("must be a table, not {}", values.kind_name()));
  }
  if (values.table().empty()) throw file.error(&ClaimKeys::values, "is empty: nothing is measured");
  std::vector<std::string> names;
  for (const ConfigEntry& entry : values.table().entries()) {
    // Its readings come later; what is wrong with the name itself is told once, here.
    if (!is_value_name(entry.key)) (void)read_value(entry, file.path_to(&ClaimKeys::values));
    names.push_back(entry.key);
  }
  if (!file->arithmetic && names.size() > 1) {
    throw file.error(&ClaimKeys::arithmetic, "is missing: there are several values");
  }
  const std::string text = file->arithmetic.value_or(names.front());
  out.measure = std::make_shared<const Expression>(text, std::move(names),
                                                   file.position_of(&ClaimKeys::arithmetic),
                                                   file.path_to(&ClaimKeys::arithmetic));
}

ClaimReading read_reading(const ConfigTable& values, const Interpretation& one,
                          const Expectation& expected, const std::string& key) {
  ClaimReading out;
  out.names = one.labels();
  out.expected = expected;
  if (one.value) out.expected.value = *one.value;
  const ConfigTable meant = replaced(values, one, key);
  for (const ConfigEntry& entry : meant.entries()) out.values.push_back(read_value(entry, key));
  return out;
}

void refuse_unused(const Interpretation& one, const Checked<ClaimKeys>& file) {
  const std::vector<std::string> used = names_in(file->values.table());
  for (const auto& named : one.names) {
    if (std::find(used.begin(), used.end(), named.first) != used.end()) continue;
    throw file.error(
        &ClaimKeys::interpretations,
        fmt::format("no value names {{{}}}: this reading changes nothing", named.first));
  }
}

void read_readings(const Checked<ClaimKeys>& file, Claim& out) {
  const Expectation expected = read_expectation(file);
  const auto& written = file->interpretations;
  const auto all = read_interpretations(written ? &*written : nullptr,
                                        file.path_to(&ClaimKeys::interpretations));
  for (const Interpretation& one : all) {
    if (one.value && expected.form == Expectation::Form::between) {
      throw file.error(&ClaimKeys::interpretations, "a value needs an expectation with one number");
    }
    out.readings.push_back(
        read_reading(file->values.table(), one, expected, file.path_to(&ClaimKeys::values)));
    check_unit(out, out.readings.back().values, file);
  }
  refuse_unused(all.front(), file);
}

void check_explanation(const Checked<ClaimKeys>& file) {
  if (!file->contradicted_by.empty() && !file->counts()) {
    throw file.error(&ClaimKeys::contradicted_by,
                     "is for what a document states: kind = \"published\"");
  }
  if (file->explanation.empty()) {
    if (!file->shown_by.empty()) throw file.error(&ClaimKeys::shown_by, "needs an explanation");
    return;
  }
  if (file->shown_by.empty() == file->is_cause_unknown) return;
  throw file.error(&ClaimKeys::explanation,
                   file->is_cause_unknown
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

Scales scales_called(const std::vector<std::string>& names) {
  const auto has = [&](Scale scale) {
    return std::find(names.begin(), names.end(), to_string(scale)) != names.end();
  };
  return {has(Scale::quick), has(Scale::full)};
}

Checked<ClaimKeys> check_claim(const ConfigTable& table, std::size_t index) {
  const ConfigValue* id = table.find(claim_keys().name_of(&ClaimKeys::id));
  const bool is_named = id != nullptr && id->is_text();
  Checked<ClaimKeys> file = claim_keys().check(
      table, fmt::format("claim[{}]", is_named ? id->text() : std::to_string(index)));
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  };
  if (file->id.empty() || !std::all_of(file->id.begin(), file->id.end(), is_plain)) {
    throw file.error(&ClaimKeys::id, "must be letters, digits, - and _");
  }
  return file;
}

Claim read_claim(const Checked<ClaimKeys>& file) {
  Claim out = *file;
  out.unit = find_unit(file->unit_name, file.position_of(&ClaimKeys::unit_name),
                       file.path_to(&ClaimKeys::unit_name));
  read_measure(file, out);
  read_readings(file, out);
  out.grid_position = file.position_of(&ClaimKeys::grid);
  check_explanation(file);
  out.scales = read_scales(file, &ClaimKeys::scale_names);
  return out;
}

}  // namespace weir::experiment::claims
