#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "weir/experiment/claims/findings.hpp"
#include "weir/experiment/claims/findings_axes.hpp"

namespace weir::experiment::claims {
namespace {

using Texts = std::vector<std::string>;

char letter_of(Verdict verdict) {
  for (const auto& [letter, own] : kVerdictLetters) {
    if (own == verdict) return letter;
  }
  throw std::logic_error("no verdict of a combination");
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

}  // namespace

std::vector<Combination> product_of(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& axes) {
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

std::string to_toml(const Findings& findings, const Document& document) {
  std::string text = "# Written by `weir reproduce --record`.\n";
  if (!findings.values.empty()) {
    text += "\n[with]\n";
    for (const auto& [name, value] : findings.values) {
      text += fmt::format("{} = {}\n", in_quotes(name), in_quotes(value));
    }
  }
  text += "\n[run]\n";
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

}  // namespace weir::experiment::claims
