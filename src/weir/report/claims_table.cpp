#include "weir/report/claims_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/report/text_table.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::ClaimKind;
using experiment::claims::Document;
using experiment::claims::Expectation;
using experiment::claims::Judgement;
using experiment::claims::Scale;
using experiment::claims::Verdict;

namespace {

std::string with_unit(const std::string& number, const Claim& claim) {
  const std::string& unit = claim.unit.name;
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

/// A number as someone wrote it: no digits that were not given.
std::string as_written(double value) {
  const bool is_whole = value == std::floor(value) && std::fabs(value) < 1e15;
  return is_whole ? format_number(value) : fmt::format("{}", value);
}

std::string tolerance_text(const Claim& claim) {
  const Expectation& expected = claim.expected;
  if (expected.relative) return fmt::format(" ± {:g} %", *expected.relative * 100);
  if (expected.absolute) return " ± " + as_written(*expected.absolute);
  return "";
}

bool is_published(const Claim& claim) { return claim.kind == ClaimKind::published; }

bool has_number(const Judgement& judgement) { return std::isfinite(judgement.measured); }

/// Lines of at most `width` columns, broken at blanks.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > width) {
      lines.emplace_back();
    }
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    start = end + 1;
  }
  return lines;
}

/// What stands below the table about one claim.
std::string remark(const ClaimRow& row) {
  const Judgement& judgement = row.judgement;
  if (judgement.verdict == Verdict::not_run) return "";
  if (!judgement.reason.empty()) {
    return fmt::format("{} {}: {}", row.claim->id, to_string(judgement.verdict), judgement.reason);
  }
  if (judgement.verdict == Verdict::differs || judgement.verdict == Verdict::depends) {
    if (!row.explanation.empty()) {
      return fmt::format("{} {}: {}", row.claim->id, to_string(judgement.verdict), row.explanation);
    }
    if (judgement.verdict == Verdict::differs) {
      return fmt::format("{} differs: not yet explained", row.claim->id);
    }
  }
  return "";
}

std::size_t widest(const std::vector<std::vector<std::string>>& cells, std::size_t column,
                   const std::string& title) {
  std::size_t width = display_width(title);
  for (const auto& row : cells) width = std::max(width, display_width(row[column]));
  return width;
}

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const Judgement& judgement) {
  nlohmann::json out{{"verdict", to_string(judgement.verdict)},
                     {"measured", number(judgement.measured)},
                     {"half_width", number(judgement.half_width)}};
  if (judgement.points > 1) {
    out["lowest"] = number(judgement.lowest);
    out["highest"] = number(judgement.highest);
    out["points"] = judgement.points;
  }
  if (has_number(judgement)) out["meeting"] = judgement.meeting;
  if (!judgement.reason.empty()) out["reason"] = judgement.reason;
  return out;
}

}  // namespace

std::string expected_text(const Claim& claim) {
  using Form = Expectation::Form;
  const Expectation& expected = claim.expected;
  const std::string value = as_written(expected.value);
  std::string text;
  switch (expected.form) {
    case Form::is:
      text = value;
      break;
    case Form::at_least:
      text = "≥ " + value;
      break;
    case Form::at_most:
      text = "≤ " + value;
      break;
    case Form::above:
      text = "> " + value;
      break;
    case Form::below:
      text = "< " + value;
      break;
    case Form::between:
      text = value + " to " + as_written(expected.upper);
      break;
  }
  // A percentage of the value stands behind the unit, an amount before it.
  if (expected.relative) return with_unit(text, claim) + tolerance_text(claim);
  return with_unit(text + tolerance_text(claim), claim);
}

std::string measured_text(const Claim& claim, const Judgement& judgement) {
  if (!has_number(judgement)) return "-";
  if (judgement.points > 1) {
    const std::string lowest = format_number(judgement.lowest);
    const std::string highest = format_number(judgement.highest);
    return with_unit(lowest == highest ? lowest : lowest + " to " + highest, claim);
  }
  return with_unit(format_interval(judgement.measured, judgement.half_width, ""), claim);
}

std::string verdict_text(const Judgement& judgement) {
  if (judgement.verdict == Verdict::noted) return "";
  if (judgement.verdict != Verdict::depends) return std::string(to_string(judgement.verdict));
  return fmt::format("depends ({} of {})", judgement.meeting, judgement.points);
}

std::string other_text(const Claim& claim, const Judgement& judgement) {
  const std::string text = fmt::format("{} ({})", expected_text(claim), to_string(claim.kind));
  if (!has_number(judgement)) return text;
  if (judgement.meeting == judgement.points) return text + ": met";
  if (judgement.meeting == 0) return text + ": not met";
  return fmt::format("{}: met at {} of {}", text, judgement.meeting, judgement.points);
}

std::string claims_table(const std::vector<ClaimRow>& rows, std::size_t width, bool color) {
  if (rows.empty()) return "no claims\n";
  const bool has_other = std::any_of(rows.begin(), rows.end(),
                                     [](const auto& row) { return !is_published(*row.claim); });
  std::vector<std::string> titles{"id", "claim", "published"};
  if (has_other) titles.emplace_back("other");
  titles.insert(titles.end(), {"measured", "verdict"});
  std::vector<std::vector<std::string>> cells;
  for (const ClaimRow& row : rows) {
    const bool published = is_published(*row.claim);
    cells.push_back({row.claim->id, "", published ? expected_text(*row.claim) : ""});
    if (has_other) cells.back().push_back(published ? "" : other_text(*row.claim, row.judgement));
    cells.back().push_back(measured_text(*row.claim, row.judgement));
    cells.back().push_back(verdict_text(row.judgement));
  }
  std::size_t others = 2 * (titles.size() - 1);
  for (std::size_t c = 0; c < titles.size(); ++c)
    others += c == 1 ? 0 : widest(cells, c, titles[c]);
  constexpr std::size_t kNarrowest = 28;
  const std::size_t claim_width = width > others + kNarrowest ? width - others : kNarrowest;
  TextTable table;
  for (const std::string& title : titles) table.add_column(title, Align::left);
  std::string remarks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& line : lines_of(rows[i].claim->statement, claim_width)) {
      cells[i][1] = line;
      table.add_row(cells[i]);
      cells[i].assign(titles.size(), "");
    }
    if (std::string text = remark(rows[i]); !text.empty()) {
      std::replace(text.begin(), text.end(), '\n', ' ');
      remarks +=
          fmt::format("{}\n", fmt::join(lines_of(text, std::max(width, kNarrowest) - 2), "\n  "));
    }
  }
  return table.render(color) + remarks;
}

std::string claims_json(const Document& document, Scale scale, const std::vector<ClaimRow>& rows) {
  nlohmann::json claims = nlohmann::json::array();
  for (const ClaimRow& row : rows) {
    const Claim& claim = *row.claim;
    nlohmann::json one{{"id", claim.id},
                       {"experiment", claim.experiment},
                       {"statement", claim.statement},
                       {"source", claim.source},
                       {"kind", to_string(claim.kind)},
                       {"expected", expected_text(claim)},
                       {"unit", claim.unit.name},
                       {"measure", claim.measure->text()}};
    one.update(to_json(row.judgement));
    if (!row.explanation.empty()) one["explanation"] = row.explanation;
    if (row.recorded) one["recorded"] = to_json(*row.recorded);
    claims.push_back(std::move(one));
  }
  const nlohmann::json out{{"document", document.name},
                           {"title", document.title},
                           {"scale", to_string(scale)},
                           {"claims", std::move(claims)}};
  return out.dump(2) + "\n";
}

std::string verdict_counts(const std::vector<Verdict>& verdicts) {
  constexpr std::pair<Verdict, std::pair<const char*, const char*>> kWords[] = {
      {Verdict::holds, {"holds", "hold"}},
      {Verdict::differs, {"differs", "differ"}},
      {Verdict::depends, {"depends", "depend"}},
      {Verdict::failed, {"failed", "failed"}},
      {Verdict::not_run, {"not run", "not run"}}};
  std::string text;
  for (const auto& [verdict, words] : kWords) {
    const auto count = std::count(verdicts.begin(), verdicts.end(), verdict);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count,
                        count == 1 ? words.first : words.second);
  }
  return text.empty() ? "none" : text;
}

}  // namespace weir::report
