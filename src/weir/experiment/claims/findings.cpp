#include "weir/experiment/claims/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;
using Type = ParameterType;

const std::vector<Parameter>& finding_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "explanation", "why it differs").by_default(""),
      Parameter::of(Type::any, "quick", "verdict at that scale"),
      Parameter::of(Type::any, "full", "verdict at that scale")};
  return parameters;
}

const std::vector<Parameter>& verdict_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "verdict", "what became of the claim").required(),
      Parameter::of(Type::real, "measured", "in the claim's unit"),
      Parameter::of(Type::real, "half_width", "of the 95 % interval"),
      Parameter::of(Type::real, "lowest", "over the grid"),
      Parameter::of(Type::real, "highest", "over the grid"),
      Parameter::of(Type::integer, "points", "of the grid").by_default("1").at_least(1),
      Parameter::of(Type::integer, "meeting", "points that meet the expectation")
          .by_default("0")
          .at_least(0),
      Parameter::of(Type::text, "reason", "why there is no number").by_default("")};
  return parameters;
}

Judgement read_judgement(const ConfigValue& value, const std::string& where) {
  if (!value.is_table()) throw InputError(value.position, where, "must be a table");
  const Settings settings = Settings::check(value.table(), verdict_parameters(), where);
  Judgement out;
  out.verdict = parse_verdict(settings.text("verdict"), value.table().find("verdict")->position,
                              where + ".verdict");
  if (settings.has("measured")) out.measured = settings.real("measured");
  if (settings.has("half_width")) out.half_width = settings.real("half_width");
  out.lowest = settings.has("lowest") ? settings.real("lowest") : out.measured;
  out.highest = settings.has("highest") ? settings.real("highest") : out.measured;
  out.points = static_cast<std::size_t>(settings.integer("points"));
  out.meeting = static_cast<std::size_t>(settings.integer("meeting"));
  out.reason = settings.text("reason");
  if (!settings.given("meeting") && out.verdict == Verdict::holds) out.meeting = out.points;
  return out;
}

/// A number with six digits: what later runs on other machines would write, too.
ConfigValue rounded(double number) {
  return {std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr), {}};
}

ConfigTable table_of(const Judgement& judgement) {
  ConfigTable out;
  out.set("verdict", ConfigValue(std::string(to_string(judgement.verdict)), {}));
  const auto add = [&](const char* key, double number) {
    if (std::isfinite(number)) out.set(key, rounded(number));
  };
  const auto count = [&](const char* key, std::size_t number) {
    out.set(key, ConfigValue(static_cast<std::int64_t>(number), {}));
  };
  add("measured", judgement.measured);
  add("half_width", judgement.half_width);
  if (judgement.points > 1) {
    add("lowest", judgement.lowest);
    add("highest", judgement.highest);
    count("points", judgement.points);
  }
  if (std::isfinite(judgement.measured)) count("meeting", judgement.meeting);
  if (!judgement.reason.empty()) out.set("reason", ConfigValue(judgement.reason, {}));
  return out;
}

}  // namespace

namespace {

Findings made_from(const ConfigTable& table, const Document& document) {
  std::vector<std::string> ids;
  for (const Claim& claim : document.claims) ids.push_back(claim.id);
  Findings out;
  for (const ConfigEntry& entry : table.entries()) {
    if (std::find(ids.begin(), ids.end(), entry.key) == ids.end()) {
      throw InputError(
          entry.key_position, entry.key,
          fmt::format("{} has no claim of this id{}", document.name, suggestion(entry.key, ids)));
    }
    if (!entry.value.is_table()) {
      throw InputError(entry.value.position, entry.key, "must be a table");
    }
    const Settings settings = Settings::check(entry.value.table(), finding_parameters(), entry.key);
    Finding finding;
    finding.explanation = settings.text("explanation");
    for (const Scale scale : kScales) {
      const std::string name(to_string(scale));
      if (!settings.has(name)) continue;
      finding.at(scale) = read_judgement(settings.raw(name), entry.key + "." + name);
    }
    out.emplace(entry.key, std::move(finding));
  }
  return out;
}

}  // namespace

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
  std::string text =
      "# Written by `weir reproduce --record`. Explanations are kept; everything else is\n"
      "# replaced by what the runs gave.\n";
  for (const Claim& claim : document.claims) {
    const auto it = findings.find(claim.id);
    if (it == findings.end()) continue;
    ConfigTable one;
    if (!it->second.explanation.empty()) {
      one.set("explanation", ConfigValue(it->second.explanation, {}));
    }
    for (const Scale scale : kScales) {
      if (!it->second.at(scale)) continue;
      one.set(std::string(to_string(scale)), ConfigValue(table_of(*it->second.at(scale)), {}));
    }
    ConfigTable whole;
    whole.set(claim.id, ConfigValue(std::move(one), {}));
    text += '\n';
    text += weir::to_toml(whole);
  }
  return text;
}

void record(Findings& findings, const Claim& claim, Scale scale, const Judgement& judgement) {
  if (judgement.verdict == Verdict::not_run) return;
  findings[claim.id].at(scale) = judgement;
}

bool is_lost(const Finding& recorded, Scale scale, const Judgement& now) {
  const std::optional<Judgement>& before = recorded.at(scale);
  return before && before->verdict == Verdict::holds && now.verdict != Verdict::holds &&
         now.verdict != Verdict::not_run;
}

}  // namespace weir::experiment::claims
