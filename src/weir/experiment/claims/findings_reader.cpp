#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "weir/base/catalog.hpp"
#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/findings.hpp"
#include "weir/experiment/claims/findings_axes.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;
using Texts = std::vector<std::string>;

const std::vector<Parameter>& judgement_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "verdict", "what became of the claim").required(),
      Parameter::of(Type::text, "verdicts", "of each combination: h, d, u").by_default(""),
      Parameter::of(Type::reals, "measured", "in the claim's unit").by_default("[]"),
      Parameter::of(Type::any, "half_width", "of the 95 % intervals").by_default("[]"),
      Parameter::of(Type::any, "axes", "names with their values, all combinations")
          .by_default("{}"),
      Parameter::of(Type::any, "at", "combinations one by one").by_default("[]"),
      Parameter::of(Type::integer, "draws", "of each point").by_default("1").at_least(1),
      Parameter::of(Type::integers, "draws_needed", "to decide").by_default("[]"),
      Parameter::of(Type::text, "reason", "why there is no number").by_default("")};
  return parameters;
}

const std::vector<Parameter>& run_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "version", "of weir").required(),
      Parameter::of(Type::text, "commit", "that it was built from").by_default(""),
      Parameter::of(Type::text, "date", "UTC").required(),
      Parameter::of(Type::integer, "draws", "of each point").required().at_least(1),
      Parameter::of(Type::real, "cpu_seconds", "of all runs").required().at_least(0),
      Parameter::of(Type::text, "probe", "fingerprint").required(),
      Parameter::of(Type::boolean, "stale", "older than a change").by_default("false")};
  return parameters;
}

/// "h", "d" or "u"; throws InputError.
Verdict verdict_at(const Settings& settings, char wanted) {
  for (const auto& [letter, verdict] : kVerdictLetters) {
    if (letter == wanted) return verdict;
  }
  throw settings.error("verdicts", fmt::format("'{}' is none of h, d, u", wanted));
}

Texts texts_of(const Settings& settings, const char* key, const ConfigValue& list) {
  const auto refuse = [&] { return settings.error(key, "must hold lists of strings"); };
  if (!list.is_array()) throw refuse();
  Texts texts;
  for (const ConfigValue& one : list.array()) {
    if (!one.is_text()) throw refuse();
    texts.push_back(one.text());
  }
  return texts;
}

/// Either all combinations of `axes`, or those that `at` lists: their keys first, then their
/// values.
std::vector<Combination> read_combinations(const Settings& settings) {
  const ConfigValue& axes = settings.raw("axes");
  const ConfigValue& at = settings.raw("at");
  if (!axes.is_table()) throw settings.error("axes", "must be a table");
  if (!at.is_array()) throw settings.error("at", "must hold lists of strings");
  if (at.array().empty()) {
    if (axes.table().empty()) return {};
    std::vector<std::pair<std::string, Texts>> all;
    for (const ConfigEntry& axis : axes.table().entries()) {
      all.emplace_back(axis.key, texts_of(settings, "axes", axis.value));
    }
    return product_of(all);
  }
  const Texts keys = texts_of(settings, "at", at.array().front());
  std::vector<Combination> all;
  for (std::size_t i = 1; i < at.array().size(); ++i) {
    const Texts values = texts_of(settings, "at", at.array()[i]);
    if (values.size() != keys.size()) {
      throw settings.error("at", "must hold lists of the same length");
    }
    Combination& one = all.emplace_back();
    for (std::size_t k = 0; k < keys.size(); ++k) one.emplace_back(keys[k], values[k]);
  }
  return all;
}

Judgement read_judgement(const ConfigTable& table, const std::string& where) {
  const Settings settings = Settings::check(table, judgement_parameters(), where);
  Judgement out;
  out.verdict =
      parse_verdict(settings.text("verdict"), table.find("verdict")->position, where + ".verdict");
  out.reason = settings.text("reason");
  const std::vector<double> measured = settings.reals("measured");
  const std::string verdicts = settings.text("verdicts");
  const std::vector<Combination> at = read_combinations(settings);
  const ConfigValue& widths = settings.raw("half_width");
  const auto needed = settings.integers("draws_needed");
  const auto fits = [&](std::size_t size) { return size == 0 || size == measured.size(); };
  const std::size_t width_count = widths.is_array() ? widths.array().size() : 0;
  if (verdicts.size() != measured.size() || !fits(at.size()) || !fits(needed.size()) ||
      !fits(width_count)) {
    throw settings.error("measured", "has another length than the lists beside it");
  }
  if (std::any_of(needed.begin(), needed.end(), [](auto one) { return one < 0; })) {
    throw settings.error("draws_needed", "must be at least 0");
  }
  for (std::size_t i = 0; i < measured.size(); ++i) {
    PointJudgement point;
    if (!at.empty()) point.at = at[i];
    point.verdict = verdict_at(settings, verdicts[i]);
    point.measured = measured[i];
    if (width_count > 0) {
      const ConfigValue& width = widths.array()[i];
      if (width.is_real()) point.half_width = std::get<double>(width.data);
      if (width.is_integer()) point.half_width = static_cast<double>(width.integer());
    }
    point.draws = static_cast<std::size_t>(settings.integer("draws"));
    if (!needed.empty()) point.draws_needed = static_cast<std::size_t>(needed[i]);
    out.points.push_back(std::move(point));
  }
  return out;
}

Provenance read_provenance(const ConfigTable& table, const std::string& where) {
  const Settings settings = Settings::check(table, run_parameters(), where);
  Provenance out;
  out.version = settings.text("version");
  out.commit = settings.text("commit");
  out.date = settings.text("date");
  out.draws = static_cast<std::size_t>(settings.integer("draws"));
  out.cpu_seconds = settings.real("cpu_seconds");
  out.fingerprint = settings.text("probe");
  out.is_stale = settings.boolean("stale");
  return out;
}

/// Calls `read` with each table at a scale of each entry of a section of the file.
void each_entry(const ConfigTable& file, const char* section, const std::vector<std::string>& names,
                const std::function<void(const std::string&, Scale, const ConfigTable&)>& read) {
  const ConfigValue* there = file.find(section);
  if (there == nullptr) return;
  if (!there->is_table()) throw InputError(there->position, section, "must be a table");
  for (const ConfigEntry& entry : there->table().entries()) {
    const std::string where = fmt::format("{}.{}", section, entry.key);
    if (std::find(names.begin(), names.end(), entry.key) == names.end()) {
      throw InputError(entry.key_position, where,
                       fmt::format("the document has no such {}{}",
                                   std::string(section) == "run" ? "experiment" : "claim",
                                   suggestion(entry.key, names)));
    }
    if (!entry.value.is_table()) throw InputError(entry.value.position, where, "must be a table");
    for (const ConfigEntry& one : entry.value.table().entries()) {
      const std::string own = where + "." + one.key;
      const auto scale = std::find_if(kScales.begin(), kScales.end(),
                                      [&](Scale s) { return to_string(s) == one.key; });
      if (scale == kScales.end()) {
        throw InputError(
            one.key_position, own,
            "unknown key" + suggestion(one.key, std::vector<std::string>{"quick", "full"}));
      }
      if (!one.value.is_table()) throw InputError(one.value.position, own, "must be a table");
      read(entry.key, *scale, one.value.table());
    }
  }
}

/// Values of unknowns that are not the adopted ones, of the section `with`.
Combination read_values(const ConfigTable& file, const Document& document) {
  const ConfigValue* with = file.find("with");
  if (with == nullptr) return {};
  if (!with->is_table()) throw InputError(with->position, "with", "must be a table");
  Combination values;
  for (const ConfigEntry& entry : with->table().entries()) {
    if (!entry.value.is_text()) {
      throw InputError(entry.value.position, "with." + entry.key, "must be a string");
    }
    values.emplace_back(entry.key, entry.value.text());
  }
  try {
    check_choice(document, values);
  } catch (const InputError& error) {
    throw InputError(with->position, "with", error.what());
  }
  return values;
}

Findings made_from(const ConfigTable& table, const Document& document) {
  static const std::vector<std::string> known{"with", "run", "claim"};
  for (const ConfigEntry& entry : table.entries()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    throw InputError(entry.key_position, entry.key,
                     "unknown section" + suggestion(entry.key, known));
  }
  std::vector<std::string> ids;
  for (const Claim& claim : document.claims) ids.push_back(claim.id);
  std::vector<std::string> experiments;
  for (const DocumentExperiment& one : document.experiments) experiments.push_back(one.name);
  Findings out;
  out.values = read_values(table, document);
  each_entry(table, "claim", ids, [&](const auto& id, Scale scale, const ConfigTable& entry) {
    Judgement read = read_judgement(entry, fmt::format("claim.{}.{}", id, to_string(scale)));
    settle(read, *document.find_claim(id));
    out.claims[id].at(scale) = std::move(read);
  });
  each_entry(table, "run", experiments,
             [&](const auto& name, Scale scale, const ConfigTable& entry) {
               out.runs[name].at(scale) =
                   read_provenance(entry, fmt::format("run.{}.{}", name, to_string(scale)));
             });
  return out;
}

}  // namespace

Findings parse_findings(std::string_view text, const std::string& file, const Document& document) {
  return made_from(parse_toml(text, file), document);
}

Findings read_findings_file(const std::string& path, const Document& document) {
  return made_from(read_toml_file(path), document);
}

}  // namespace weir::experiment::claims
