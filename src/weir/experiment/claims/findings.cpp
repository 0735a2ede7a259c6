#include "weir/experiment/claims/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;
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

constexpr std::array kLetters{std::pair('h', Verdict::holds), std::pair('d', Verdict::differs),
                              std::pair('u', Verdict::undecided)};

char letter_of(Verdict verdict) {
  for (const auto& [letter, own] : kLetters) {
    if (own == verdict) return letter;
  }
  throw std::logic_error("no verdict of a combination");
}

/// "h", "d" or "u"; throws InputError.
Verdict verdict_at(const Settings& settings, char wanted) {
  for (const auto& [letter, verdict] : kLetters) {
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

/// All combinations of the axes, the last one fastest.
std::vector<Combination> product_of(const std::vector<std::pair<std::string, Texts>>& axes) {
  constexpr std::size_t kMost = 100'000;
  std::vector<Combination> all{Combination{}};
  for (const auto& [name, values] : axes) {
    if (values.empty() || all.size() > kMost / values.size()) return {};
    std::vector<Combination> longer;
    for (const Combination& one : all) {
      for (const std::string& value : values) {
        longer.push_back(one);
        longer.back().emplace_back(name, value);
      }
    }
    all = std::move(longer);
  }
  return all;
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

Findings made_from(const ConfigTable& table, const Document& document) {
  for (const ConfigEntry& entry : table.entries()) {
    if (entry.key == "run" || entry.key == "claim") continue;
    throw InputError(
        entry.key_position, entry.key,
        "unknown section" + suggestion(entry.key, std::vector<std::string>{"run", "claim"}));
  }
  std::vector<std::string> ids;
  for (const Claim& claim : document.claims) ids.push_back(claim.id);
  std::vector<std::string> experiments;
  for (const DocumentExperiment& one : document.experiments) experiments.push_back(one.name);
  Findings out;
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

/// A number with six digits: what later runs on other machines would write, too.
std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string in_quotes(const std::string& text) {
  return nlohmann::json(text).dump();  // its escapes are those of TOML
}

/// Parts of a table in one line.
class Line {
 public:
  Line(const std::string& name, Scale scale) {
    text_ = fmt::format("{}.{} = {{ ", name, to_string(scale));
  }
  void add(const char* key, const std::string& value) {
    text_ += fmt::format("{}{} = {}", is_first_ ? "" : ", ", key, value);
    is_first_ = false;
  }
  [[nodiscard]] std::string text() const { return text_ + " }\n"; }

 private:
  std::string text_;
  bool is_first_ = true;
};

/// A list of what `each` gives for the points.
template <class Each>
std::string list_of(const std::vector<PointJudgement>& points, Each each) {
  std::vector<std::string> parts;
  parts.reserve(points.size());
  for (const PointJudgement& point : points) parts.push_back(each(point));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string list_of(const Texts& texts) {
  Texts parts;
  for (const std::string& text : texts) parts.push_back(in_quotes(text));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

/// The values of each name, in the order in which they come.
std::vector<std::pair<std::string, Texts>> axes_of(const std::vector<PointJudgement>& points) {
  std::vector<std::pair<std::string, Texts>> axes;
  for (const auto& [name, value] : points.front().at) axes.emplace_back(name, Texts{});
  for (const PointJudgement& point : points) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      Texts& values = axes[k].second;
      const std::string& value = point.at[k].second;
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
  }
  return axes;
}

void add_combinations(Line& line, const std::vector<PointJudgement>& points) {
  const auto axes = axes_of(points);
  const std::vector<Combination> all = product_of(axes);
  const bool is_product =
      std::equal(points.begin(), points.end(), all.begin(), all.end(),
                 [](const PointJudgement& point, const Combination& at) { return point.at == at; });
  Texts parts;
  if (is_product) {
    for (const auto& [name, values] : axes) {
      parts.push_back(fmt::format("{} = {}", in_quotes(name), list_of(values)));
    }
    line.add("axes", fmt::format("{{ {} }}", fmt::join(parts, ", ")));
    return;
  }
  Texts keys;
  for (const auto& axis : axes) keys.push_back(axis.first);
  parts.push_back(list_of(keys));
  for (const PointJudgement& point : points) {
    Texts values;
    for (const auto& one : point.at) values.push_back(one.second);
    parts.push_back(list_of(values));
  }
  line.add("at", fmt::format("[{}]", fmt::join(parts, ", ")));
}

std::string line_of(const std::string& id, Scale scale, const Judgement& judgement) {
  Line line(id, scale);
  const auto& points = judgement.points;
  const auto any = [&](auto has) { return std::any_of(points.begin(), points.end(), has); };
  line.add("verdict", in_quotes(std::string(to_string(judgement.verdict))));
  if (!points.empty()) {
    line.add("measured", list_of(points, [](const auto& point) { return number(point.measured); }));
    std::string verdicts;
    for (const PointJudgement& point : points) verdicts += letter_of(point.verdict);
    line.add("verdicts", in_quotes(verdicts));
    if (points.front().draws > 1) line.add("draws", std::to_string(points.front().draws));
  }
  if (any([](const auto& point) { return std::isfinite(point.half_width); })) {
    line.add("half_width", list_of(points, [](const auto& point) {
               return std::isfinite(point.half_width) ? number(point.half_width)
                                                      : in_quotes("none");
             }));
  }
  if (any([](const auto& point) { return point.draws_needed > 0; })) {
    line.add("draws_needed",
             list_of(points, [](const auto& point) { return std::to_string(point.draws_needed); }));
  }
  if (!points.empty() && !points.front().at.empty()) add_combinations(line, points);
  if (!judgement.reason.empty()) line.add("reason", in_quotes(judgement.reason));
  return line.text();
}

std::string line_of(const std::string& experiment, Scale scale, const Provenance& run) {
  Line line(experiment, scale);
  line.add("version", in_quotes(run.version));
  if (!run.commit.empty()) line.add("commit", in_quotes(run.commit));
  line.add("date", in_quotes(run.date));
  line.add("draws", std::to_string(run.draws));
  line.add("cpu_seconds", fmt::format("{:.3g}", run.cpu_seconds));
  line.add("probe", in_quotes(run.fingerprint));
  if (run.is_stale) line.add("stale", "true");
  return line.text();
}

template <class T>
const T* find_in(const std::map<std::string, ByScale<T>>& all, const std::string& name,
                 Scale scale) {
  const auto it = all.find(name);
  return it == all.end() || !it->second.at(scale) ? nullptr : &*it->second.at(scale);
}

}  // namespace

const Judgement* Findings::find(const Claim& claim, Scale scale) const {
  return find_in(claims, claim.id, scale);
}

const Judgement* Findings::standing(const Claim& claim) const {
  const Judgement* full = find(claim, Scale::full);
  const Judgement* quick = find(claim, Scale::quick);
  if (full == nullptr) return quick;
  const bool is_old =
      is_stale(claim, Scale::full) && quick != nullptr && !is_stale(claim, Scale::quick);
  return is_old ? quick : full;
}

const Provenance* Findings::find_run(const std::string& experiment, Scale scale) const {
  return find_in(runs, experiment, scale);
}

bool Findings::is_stale(const Claim& claim, Scale scale) const {
  const Provenance* run = find_run(claim.experiment, scale);
  return find(claim, scale) != nullptr && (run == nullptr || run->is_stale);
}

Findings parse_findings(std::string_view text, const std::string& file, const Document& document) {
  return made_from(parse_toml(text, file), document);
}

Findings read_findings(const Document& document) {
  const fs::path path = fs::path(document.folder) / "findings.toml";
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  return made_from(read_toml_file(path.string()), document);
}

std::string to_toml(const Findings& findings, const Document& document) {
  std::string text = "# Written by `weir reproduce --record`.\n\n[run]\n";
  for (const DocumentExperiment& one : document.experiments) {
    for (const Scale scale : kScales) {
      const Provenance* run = findings.find_run(one.name, scale);
      if (run != nullptr) text += line_of(one.name, scale, *run);
    }
  }
  text += "\n[claim]\n";
  for (const Claim& claim : document.claims) {
    for (const Scale scale : kScales) {
      const Judgement* judgement = findings.find(claim, scale);
      if (judgement != nullptr) text += line_of(claim.id, scale, *judgement);
    }
  }
  return text;
}

void record(Findings& findings, const Claim& claim, Scale scale, const Judgement& judgement) {
  if (judgement.verdict == Verdict::not_run) return;
  findings.claims[claim.id].at(scale) = judgement;
}

bool is_lost(const Findings& recorded, const Claim& claim, Scale scale, const Judgement& now) {
  const Judgement* before = recorded.find(claim, scale);
  return before != nullptr && before->verdict == Verdict::holds && now.verdict != Verdict::holds &&
         now.verdict != Verdict::not_run;
}

}  // namespace weir::experiment::claims
