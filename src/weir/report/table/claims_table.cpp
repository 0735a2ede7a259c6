#include "weir/report/table/claims_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/report/table/claims_text.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::Document;
using experiment::claims::Judgement;
using experiment::claims::PointJudgement;
using experiment::claims::Scale;
using experiment::claims::Verdict;

namespace {

/// What stands below the table about one claim.
std::string remark(const ClaimRow& row) {
  const Judgement& judgement = row.judgement;
  const std::string head = fmt::format("{} {}", row.claim->id, to_string(judgement.verdict));
  if (judgement.verdict == Verdict::not_run) return "";
  if (!judgement.reason.empty()) return fmt::format("{}: {}", head, judgement.reason);
  std::string text;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ". ") + more;
  };
  if (judgement.verdict == Verdict::depends || judgement.verdict == Verdict::undecided) {
    add(combinations_text(judgement));
  }
  add(others_text(judgement));
  if (judgement.verdict == Verdict::undecided) add(draws_text(judgement));
  const bool is_open = judgement.verdict == Verdict::differs ||
                       judgement.verdict == Verdict::depends ||
                       judgement.verdict == Verdict::undecided;
  if (is_open && !row.claim->contradicted_by.empty()) {
    add("contradicted by the document: " + row.claim->contradicted_by);
  }
  if (is_open) add(row.claim->explanation);
  if (is_open && row.claim->is_cause_unknown && row.claim->explanation.empty()) {
    add("the cause is not known");
  }
  if (judgement.verdict == Verdict::differs && text.empty()) text = "not yet explained";
  return text.empty() ? "" : fmt::format("{}: {}", head, text);
}

std::string other_text(const Claim& claim, const Judgement& judgement) {
  const std::string stated = accepted_text(claim);
  return fmt::format("{} ({}): {}", stated.empty() ? published_text(claim) : stated,
                     to_string(claim.kind), met_text(judgement));
}

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const PointJudgement& point) {
  nlohmann::json out{{"verdict", to_string(point.verdict)},
                     {"measured", number(point.measured)},
                     {"half_width", number(point.half_width)},
                     {"draws", point.draws}};
  for (const auto& [key, value] : point.at) out["at"][key] = value;
  if (point.draws_needed > 0) out["draws_needed"] = point.draws_needed;
  if (!point.decides) out["decides"] = false;
  return out;
}

nlohmann::json to_json(const Judgement& judgement) {
  nlohmann::json points = nlohmann::json::array();
  for (const PointJudgement& point : judgement.points) points.push_back(to_json(point));
  nlohmann::json out{{"verdict", to_string(judgement.verdict)},
                     {"combinations", std::move(points)}};
  if (!judgement.reason.empty()) out["reason"] = judgement.reason;
  return out;
}

}  // namespace

std::string claims_table(const std::vector<ClaimRow>& rows, std::size_t width, bool color) {
  if (rows.empty()) return "no claims\n";
  const bool has_other =
      std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.claim->counts(); });
  const bool has_accepted = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
    return row.claim->counts() && !accepted_text(*row.claim).empty();
  });
  std::vector<std::string> titles{"id", "claim", "published"};
  if (has_other) titles.emplace_back("other");
  titles.insert(titles.end(), {"measured", "verdict"});
  TextTable table;
  for (const std::string& title : titles) table.add_column(title, Align::left);
  std::string remarks;
  constexpr std::size_t kNarrowest = 28;
  for (const ClaimRow& row : rows) {
    const bool counts = row.claim->counts();
    std::string statement = row.claim->statement;
    if (has_accepted && counts) {
      const std::string accepted = accepted_text(*row.claim);
      if (!accepted.empty()) statement += fmt::format(" [accepted: {}]", accepted);
    }
    std::vector<std::string> cells{row.claim->id, std::move(statement),
                                   counts ? published_text(*row.claim) : ""};
    if (has_other) cells.push_back(counts ? "" : other_text(*row.claim, row.judgement));
    cells.push_back(measured_text(*row.claim, row.judgement));
    cells.push_back(verdict_text(row.judgement));
    table.add_row(std::move(cells));
    if (std::string text = remark(row); !text.empty()) {
      std::replace(text.begin(), text.end(), '\n', ' ');
      remarks += fmt::format(
          "{}\n", fmt::join(wrapped_lines(text, std::max(width, kNarrowest) - 2), "\n  "));
    }
  }
  table.wrap(width);
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
                       {"published", published_text(claim)},
                       {"accepted", accepted_text(claim)},
                       {"unit", claim.unit.name},
                       {"measure", claim.measure->text()}};
    one.update(to_json(row.judgement));
    if (!claim.explanation.empty()) one["explanation"] = claim.explanation;
    if (!claim.contradicted_by.empty()) one["contradicted_by"] = claim.contradicted_by;
    if (!claim.shown_by.empty()) one["shown_by"] = claim.shown_by;
    if (row.recorded) one["recorded"] = to_json(*row.recorded);
    claims.push_back(std::move(one));
  }
  const nlohmann::json out{{"document", document.name},
                           {"title", document.title},
                           {"scale", to_string(scale)},
                           {"claims", std::move(claims)}};
  return out.dump(2) + "\n";
}

}  // namespace weir::report
