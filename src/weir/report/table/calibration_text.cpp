#include "weir/report/table/calibration_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weir/report/table/text_table.hpp"

namespace weir::report {

using experiment::claims::Calibration;
using experiment::claims::CalibrationPoint;
using experiment::claims::Comparison;
using experiment::claims::Document;
using experiment::claims::Score;
using experiment::claims::Unknown;

namespace {

std::string percent(const Score& score) {
  return score.decided() == 0 ? "-" : fmt::format("{:.0f} %", 100 * score.share());
}

/// "12 of 20 (60 %)".
std::string text_of(const Score& score) {
  return fmt::format("{} of {} ({})", score.holds, score.decided(), percent(score));
}

/// "40 and 41 of 60", "not run"; nothing at the adopted point.
std::string text_of(const Comparison& here, bool is_adopted) {
  if (is_adopted || here.about == 0) return "";
  if (here.measured == 0) return "not run";
  return fmt::format("{} and {} of {}", here.holds, here.adopted_holds, here.claims);
}
/// "60 of 63": statements that a value is about and that were measured with it.
std::string measured_text(const Comparison& here, bool is_adopted) {
  return is_adopted ? "" : fmt::format("{} of {}", here.measured, here.about);
}

/// "arbiter random, window 8", of the unknowns in which the point differs from the adopted one.
std::string changes(const Document& document, const Calibration& calibration,
                    const CalibrationPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < document.unknowns.size(); ++i) {
    if (point.values[i] == calibration.adopted_point().values[i]) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", document.unknowns[i].name,
                        document.unknowns[i].values[point.values[i]].name);
  }
  return text.empty() ? "the adopted values" : text;
}

Score all_of(const CalibrationPoint& point) { return point.all; }
Score first_half(const CalibrationPoint& point) { return point.halves[0]; }
Score second_half(const CalibrationPoint& point) { return point.halves[1]; }

/// What the grid as a whole says, in sentences.
std::string summary(const Document& document, const Calibration& calibration) {
  const CalibrationPoint& adopted = calibration.adopted_point();
  const CalibrationPoint& best = calibration.best(all_of);
  const CalibrationPoint& first = calibration.best(first_half);
  const CalibrationPoint& second = calibration.best(second_half);
  std::string text = fmt::format(
      "Of {} combinations the adopted one holds for {}; the best one holds for {}, "
      "with {}.",
      calibration.points.size(), text_of(adopted.all), text_of(best.all),
      changes(document, calibration, best));
  text += fmt::format(
      " Against over-fitting: one half of the statements, drawn by their ids, prefers {}, which "
      "the other half scores {}; the other half prefers {}, which the first scores {}. The adopted "
      "values score {} and {}.",
      changes(document, calibration, first), text_of(first.halves[1]),
      changes(document, calibration, second), text_of(second.halves[0]), text_of(adopted.halves[0]),
      text_of(adopted.halves[1]));
  return text;
}

nlohmann::json to_json(const Score& score) {
  return {{"holds", score.holds},
          {"differs", score.differs},
          {"depends", score.depends},
          {"undecided", score.undecided},
          {"missing", score.missing}};
}

}  // namespace

std::string calibration_table(const Document& document, const Calibration& calibration, bool color,
                              std::size_t width) {
  if (document.unknowns.empty()) {
    return fmt::format("{} has no [[unknown]] in its claims.toml\n", document.name);
  }
  TextTable table;
  for (const char* title : {"unknown", "value", ""}) table.add_column(title, Align::left);
  for (const char* title :
       {"holds of decided", "what it is about: with it and adopted", "measured"}) {
    table.add_column(title, Align::right);
  }
  for (std::size_t i = 0; i < document.unknowns.size(); ++i) {
    const Unknown& unknown = document.unknowns[i];
    for (std::size_t v = 0; v < unknown.values.size(); ++v) {
      const CalibrationPoint& point = calibration.with(i, v);
      table.add_row({v == 0 ? unknown.name : "", unknown.values[v].name,
                     v == unknown.adopted ? "adopted" : "", text_of(point.all),
                     text_of(point.to_adopted, v == unknown.adopted),
                     measured_text(point.to_adopted, v == unknown.adopted)});
    }
  }
  table.wrap(width);
  std::string text = summary(document, calibration);
  if (width > 0) text = fmt::format("{}", fmt::join(wrapped_lines(text, width), "\n"));
  return table.render(color) + "\n" + text + "\n";
}

std::string calibration_overview(const std::vector<CalibratedDocument>& documents, bool color,
                                 std::size_t width) {
  TextTable table;
  table.add_column("document", Align::left);
  for (const char* title :
       {"unknowns", "combinations", "holds of decided", "best", "undecided", "not run"}) {
    table.add_column(title, Align::right);
  }
  Score all;
  for (const auto& [document, calibration] : documents) {
    const Score& score = calibration.adopted_point().all;
    table.add_row({document.name, std::to_string(document.unknowns.size()),
                   std::to_string(calibration.points.size()), text_of(score),
                   text_of(calibration.best(all_of).all), std::to_string(score.undecided),
                   std::to_string(score.missing)});
    all.holds += score.holds;
    all.differs += score.differs;
    all.depends += score.depends;
    all.undecided += score.undecided;
    all.missing += score.missing;
  }
  table.add_row({"all", "", "", text_of(all), "", std::to_string(all.undecided),
                 std::to_string(all.missing)});
  table.wrap(width);
  return table.render(color);
}

std::string calibration_section(const Document& document, const Calibration& calibration) {
  if (document.unknowns.empty()) return "";
  std::string text = fmt::format(
      "\n## What the document leaves open\n\nThe verdicts on this page are those with the adopted "
      "values; what other values give stands beside each claim. A score says how many of the "
      "decided statements hold with that value while all others are as adopted (`weir calibrate "
      "{}`). Most of them do not depend on it; so the next column has the statements that the "
      "value is about: how many hold with it, and how many as adopted, of those that both decide, "
      "and the last one how many of them were measured with it.\n\n"
      "| unknown | value | | holds of decided | what it is about: with it and adopted | measured "
      "|\n"
      "|---|---|---|---|---|---|\n",
      document.name);
  for (std::size_t i = 0; i < document.unknowns.size(); ++i) {
    const Unknown& unknown = document.unknowns[i];
    for (std::size_t v = 0; v < unknown.values.size(); ++v) {
      const CalibrationPoint& point = calibration.with(i, v);
      text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", v == 0 ? unknown.name : "",
                          unknown.values[v].name, v == unknown.adopted ? "adopted" : "",
                          text_of(point.all), text_of(point.to_adopted, v == unknown.adopted),
                          measured_text(point.to_adopted, v == unknown.adopted));
    }
  }
  text += "\n";
  for (const Unknown& unknown : document.unknowns) {
    text += fmt::format("* **{}**: {} {} Adopted: {}.\n", unknown.name, unknown.question,
                        unknown.allowed, unknown.because);
  }
  return text + "\n" + summary(document, calibration) + "\n";
}

std::string calibration_json(const Document& document, const Calibration& calibration) {
  nlohmann::json out{{"document", document.name}, {"unknowns", nlohmann::json::array()}};
  for (const Unknown& unknown : document.unknowns) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& value : unknown.values) values.push_back(value.name);
    out["unknowns"].push_back({{"name", unknown.name},
                               {"question", unknown.question},
                               {"values", std::move(values)},
                               {"adopted", unknown.values[unknown.adopted].name}});
  }
  for (const CalibrationPoint& point : calibration.points) {
    nlohmann::json values = nlohmann::json::array();
    for (std::size_t i = 0; i < point.values.size(); ++i) {
      values.push_back(document.unknowns[i].values[point.values[i]].name);
    }
    out["points"].push_back({{"values", std::move(values)},
                             {"all", to_json(point.all)},
                             {"touched", to_json(point.touched)},
                             {"halves", {to_json(point.halves[0]), to_json(point.halves[1])}}});
  }
  return out.dump() + "\n";
}

}  // namespace weir::report
