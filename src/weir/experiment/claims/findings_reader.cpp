#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/findings.hpp"
#include "weir/experiment/claims/findings_axes.hpp"

namespace weir::experiment::claims {
namespace {

using Texts = std::vector<std::string>;

struct JudgementKeys {
  std::string verdict;
  std::string verdicts;
  std::vector<double> measured;
  ConfigValue half_widths{ConfigArray(), {}};
  ConfigValue axes{ConfigTable(), {}};
  ConfigValue at{ConfigArray(), {}};
  std::size_t draws = 1;
  std::vector<std::int64_t> draws_needed;
  std::string reason;
};

const Keys<JudgementKeys>& judgement_keys() {
  using K = JudgementKeys;
  static const Keys<K> keys{key(&K::verdict, "verdict", "what became of the claim").required(),
                            key(&K::verdicts, "verdicts", "of each combination: h, d, u"),
                            key(&K::measured, "measured", "in the claim's unit"),
                            key(&K::half_widths, "half_width", "of the 95 % intervals"),
                            key(&K::axes, "axes", "names with their values, all combinations"),
                            key(&K::at, "at", "combinations one by one"),
                            key(&K::draws, "draws", "of each point").at_least(1),
                            key(&K::draws_needed, "draws_needed", "to decide"),
                            key(&K::reason, "reason", "why there is no number")};
  return keys;
}

const Keys<Provenance>& run_keys() {
  using K = Provenance;
  static const Keys<K> keys{
      key(&K::version, "version", "of weir").required(),
      key(&K::commit, "commit", "that it was built from"),
      key(&K::date, "date", "UTC").required(),
      key(&K::draws, "draws", "of each point").required().at_least(1),
      key(&K::cpu_seconds, "cpu_seconds", "of all runs").required().at_least(0),
      key(&K::fingerprint, "probe", "fingerprint").required(),
      key(&K::is_stale, "stale", "older than a change")};
  return keys;
}

/// "h", "d" or "u"; throws InputError.
Verdict verdict_at(const Checked<JudgementKeys>& file, char wanted) {
  for (const auto& [letter, verdict] : kVerdictLetters) {
    if (letter == wanted) return verdict;
  }
  throw file.error(&JudgementKeys::verdicts, fmt::format("'{}' is none of h, d, u", wanted));
}

Texts texts_of(const Checked<JudgementKeys>& file, ConfigValue JudgementKeys::*member,
               const ConfigValue& list) {
  const auto refuse = [&] { return file.error(member, "must hold lists of strings"); };
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
std::vector<Combination> read_combinations(const Checked<JudgementKeys>& file) {
  using K = JudgementKeys;
  const ConfigValue& axes = file->axes;
  const ConfigValue& at = file->at;
  if (!axes.is_table()) throw file.error(&K::axes, "must be a table");
  if (!at.is_array()) throw file.error(&K::at, "must hold lists of strings");
  if (at.array().empty()) {
    if (axes.table().empty()) return {};
    std::vector<std::pair<std::string, Texts>> all;
    for (const ConfigEntry& axis : axes.table().entries()) {
      all.emplace_back(axis.key, texts_of(file, &K::axes, axis.value));
    }
    return product_of(all);
  }
  const Texts keys = texts_of(file, &K::at, at.array().front());
  std::vector<Combination> all;
  for (std::size_t i = 1; i < at.array().size(); ++i) {
    const Texts values = texts_of(file, &K::at, at.array()[i]);
    if (values.size() != keys.size()) {
      throw file.error(&K::at, "must hold lists of the same length");
    }
    Combination& one = all.emplace_back();
    for (std::size_t k = 0; k < keys.size(); ++k) one.emplace_back(keys[k], values[k]);
  }
  return all;
}

std::vector<PointJudgement> read_points(const Checked<JudgementKeys>& file) {
  using K = JudgementKeys;
  const std::vector<double>& measured = file->measured;
  const std::vector<Combination> at = read_combinations(file);
  const ConfigValue& widths = file->half_widths;
  const auto& needed = file->draws_needed;
  const auto fits = [&](std::size_t size) { return size == 0 || size == measured.size(); };
  const std::size_t width_count = widths.is_array() ? widths.array().size() : 0;
  if (file->verdicts.size() != measured.size() || !fits(at.size()) || !fits(needed.size()) ||
      !fits(width_count)) {
    throw file.error(&K::measured, "has another length than the lists beside it");
  }
  if (std::any_of(needed.begin(), needed.end(), [](auto one) { return one < 0; })) {
    throw file.error(&K::draws_needed, "must be at least 0");
  }
  std::vector<PointJudgement> points;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    PointJudgement& point = points.emplace_back();
    if (!at.empty()) point.at = at[i];
    point.verdict = verdict_at(file, file->verdicts[i]);
    point.measured = measured[i];
    if (width_count > 0) {
      const ConfigValue& width = widths.array()[i];
      if (width.is_real()) point.half_width = std::get<double>(width.data);
      if (width.is_integer()) point.half_width = static_cast<double>(width.integer());
    }
    point.draws = file->draws;
    if (!needed.empty()) point.draws_needed = static_cast<std::size_t>(needed[i]);
  }
  return points;
}

Judgement read_judgement(const Checked<JudgementKeys>& file) {
  const auto at = &JudgementKeys::verdict;
  const Verdict verdict = parse_verdict(file->verdict, file.position_of(at), file.path_to(at));
  return {verdict, read_points(file), file->reason};
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
    Judgement read = read_judgement(
        judgement_keys().check(entry, fmt::format("claim.{}.{}", id, to_string(scale))));
    settle(read, *document.find_claim(id));
    out.claims[id].at(scale) = std::move(read);
  });
  each_entry(table, "run", experiments,
             [&](const auto& name, Scale scale, const ConfigTable& entry) {
               out.runs[name].at(scale) =
                   *run_keys().check(entry, fmt::format("run.{}.{}", name, to_string(scale)));
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
