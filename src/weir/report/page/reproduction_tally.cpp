#include "weir/report/page/reproduction_tally.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "weir/experiment/claims/calibration.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::ClaimKind;
using experiment::claims::Judgement;
using experiment::claims::Scale;
using experiment::claims::Verdict;

namespace {

constexpr const char* kHead = R"(# Reproduction of published results

Each statement of a document that weir can check is a claim in `experiments/<document>/claims.toml`. Its verdict is the
one of the longest runs that are recorded (`findings.toml`): `full` as published, `quick` a short look. These pages are
written from them by `weir reproduce --document-to docs/results/reproduction`; no number in them is written by hand. How
claims are judged: [claims.md](../../guide/claims.md).

| verdict | means |
|---|---|
| holds | the whole 95 % interval is within what is accepted, for every way to read the sentence, with the adopted values of what the document leaves open |
| differs | none of it is, for none |
| depends | it holds for some ways to read it and differs for others |
| undecided | the interval, or too few draws, leave it open |
| failed | a run failed, or did not measure what the claim is about |
| not run | nothing is recorded |

What agrees because the model was made from it is *circular* and does not count; neither do checks of our own. A record
that is older than a change that affects it is *stale*, and counted as such. A statement is *contradicted* when another
statement, equation or number of its own document, or arithmetic on them, says otherwise: no model can meet both. It
keeps its verdict, and the page of the document names what contradicts it.
)";

bool is_stale(const ReproducedDocument& one, const Claim& claim) {
  const Judgement* judgement = one.findings.standing(claim);
  if (judgement == nullptr) return false;
  const Scale scale =
      judgement == one.findings.find(claim, Scale::full) ? Scale::full : Scale::quick;
  return one.findings.is_stale(claim, scale);
}

bool is_decided(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::differs || verdict == Verdict::depends;
}

/// Statements of a document, counted.
struct Tally {
  std::size_t statements = 0;
  std::size_t holds = 0;
  std::size_t differs = 0;
  std::size_t depends = 0;
  std::size_t undecided = 0;
  std::size_t missing = 0;  ///< not run, or the run failed
  std::size_t stale = 0;
  std::size_t contradicted = 0;  ///< whatever their verdict is
  std::size_t own_values = 0;    ///< decided ones that hold with values of unknowns of their own
  std::size_t own_readings = 0;  ///< and with a reading of their own besides

  [[nodiscard]] std::size_t decided() const { return holds + differs + depends; }
};

void add(const ReproducedDocument& one, const Claim& claim, Tally& out) {
  const Verdict verdict = verdict_of(one, claim);
  ++out.statements;
  if (verdict == Verdict::holds) ++out.holds;
  if (verdict == Verdict::differs) ++out.differs;
  if (verdict == Verdict::depends) ++out.depends;
  if (verdict == Verdict::undecided) ++out.undecided;
  if (verdict == Verdict::not_run || verdict == Verdict::failed) ++out.missing;
  if (is_stale(one, claim)) ++out.stale;
  if (!claim.contradicted_by.empty()) ++out.contradicted;
  if (!is_decided(verdict)) return;
  const auto own = own_choice(one.document, one.findings, claim);
  if (own.by_values) ++out.own_values;
  if (own.by_readings) ++out.own_readings;
}

bool is_published(const Claim& claim) { return claim.counts(); }
bool is_uncontradicted(const Claim& claim) {
  return claim.counts() && claim.contradicted_by.empty();
}

Tally tally_of(const std::vector<const ReproducedDocument*>& documents,
               bool (*belongs)(const Claim&) = is_published) {
  Tally out;
  for (const ReproducedDocument* one : documents) {
    for (const Claim& claim : one->document.claims) {
      if (belongs(claim)) add(*one, claim, out);
    }
  }
  return out;
}

std::string percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string row(const ReproducedDocument& one) {
  const Tally tally = tally_of({&one});
  const std::size_t judged = tally.decided() + tally.undecided;
  const auto cells = [&](std::size_t number) {
    return fmt::format("{} ({})", number, percent(number, judged));
  };
  const auto& claims = one.document.claims;
  const auto circular =
      static_cast<std::size_t>(std::count_if(claims.begin(), claims.end(), [](const Claim& claim) {
        return claim.kind == ClaimKind::circular;
      }));
  return fmt::format(
      "| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} | {9} | {10} | {11} |\n",
      one.document.name, tally.statements, cells(tally.holds), cells(tally.differs),
      cells(tally.depends), cells(tally.undecided), tally.missing, tally.stale, tally.contradicted,
      circular, claims.size() - tally.statements - circular, one.document.unchecked.size());
}

/// Of all documents together.
std::string total_of(const Tally& tally, const Tally& others) {
  if (tally.decided() == 0) return "";
  std::string text = fmt::format(
      "\nOf {} decided statements {} hold ({}), {} differ and {} depend.\n", tally.decided(),
      tally.holds, percent(tally.holds, tally.decided()), tally.differs, tally.depends);
  const std::size_t contradicted = tally.decided() - others.decided();
  if (contradicted == 0) return text;
  return text + fmt::format(
                    "{} of the decided ones {} contradicted by their own document; of the other {} "
                    "{} hold ({}).\n",
                    contradicted, contradicted == 1 ? "is" : "are", others.decided(), others.holds,
                    percent(others.holds, others.decided()));
}

std::string bound_row(const std::string& name, const Tally& tally, const std::string& best) {
  const auto cell = [&](std::size_t number) {
    return fmt::format("{} ({})", number, percent(number, tally.decided()));
  };
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, tally.decided(), cell(tally.holds),
                     best, cell(tally.own_values), cell(tally.own_readings));
}

/// What no choice for all statements of a document can pass.
std::string bounds_of(const std::vector<ReproducedDocument>& documents, const Tally& all,
                      const Tally& others) {
  if (all.decided() == 0) return "";
  std::string text =
      "\n## How much could hold\n\n"
      "What a document leaves open has one value for all of its statements, and a statement holds "
      "when it does so for every way to read it. Upper bounds of what such a choice can give, of "
      "all values and readings that were tried: each statement has the values that suit it, or "
      "these and the one reading that does. The best choice for a whole document stands beside; it "
      "may decide fewer statements.\n\n"
      "| document | decided | hold | best choice for all | own values | own values and reading |\n"
      "|---|---|---|---|---|---|\n";
  const auto cell = [](std::size_t holds, std::size_t decided) {
    return fmt::format("{} of {} ({})", holds, decided, percent(holds, decided));
  };
  std::size_t best_holds = 0;
  std::size_t best_decided = 0;
  for (const ReproducedDocument& one : documents) {
    const auto calibration = calibrate(one.document, one.findings);
    const auto& best = calibration.best([](const auto& point) { return point.all; }).all;
    best_holds += best.holds;
    best_decided += best.decided();
    text += bound_row(one.document.name, tally_of({&one}), cell(best.holds, best.decided()));
  }
  text += bound_row("all", all, cell(best_holds, best_decided));
  if (others.decided() < all.decided()) text += bound_row("not contradicted", others, "");
  text += fmt::format(
      "\nHad each statement its own choice among the values that were tried, {} of {} would hold "
      "({}), and with its own choice among the readings besides {} ({}): no choice for whole "
      "documents can pass these bounds.\n",
      all.own_values, all.decided(), percent(all.own_values, all.decided()), all.own_readings,
      percent(all.own_readings, all.decided()));
  return text;
}

}  // namespace

Verdict verdict_of(const ReproducedDocument& one, const Claim& claim) {
  const Judgement* judgement = one.findings.standing(claim);
  return judgement == nullptr ? Verdict::not_run : judgement->verdict;
}

std::string reading_of(const ReproducedDocument& one) {
  if (one.document.reading.empty()) return "";
  const auto& claims = one.document.claims;
  const auto missing = std::count_if(claims.begin(), claims.end(), [&](const Claim& claim) {
    return claim.counts() && verdict_of(one, claim) == Verdict::not_run;
  });
  const std::string caution = missing == 0
                                  ? ""
                                  : fmt::format("*{} of the statements {} not recorded yet.* ",
                                                missing, missing == 1 ? "is" : "are");
  const std::string& why = one.document.shortfall;
  return fmt::format("\n{}{}\n{}", caution, fmt::join(one.document.reading, " "),
                     why.empty() ? "" : fmt::format("\n*Why not more of it holds.* {}\n", why));
}

std::string reproduction_index(const std::vector<ReproducedDocument>& documents) {
  std::string text = kHead;
  text +=
      "\nShares are of the statements that were judged.\n\n"
      "| document | statements | hold | differ | depend | undecided | not run | stale | "
      "contradicted | circular | own checks | not checkable |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const ReproducedDocument& one : documents) text += row(one);
  std::vector<const ReproducedDocument*> every;
  for (const ReproducedDocument& one : documents) every.push_back(&one);
  const Tally all = tally_of(every);
  const Tally others = tally_of(every, is_uncontradicted);
  text += total_of(all, others);
  text += bounds_of(documents, all, others);
  for (const ReproducedDocument& one : documents) {
    text += fmt::format("\n## [{0}]({0}.md): {1}\n", one.document.name, one.document.title);
    text += reading_of(one);
  }
  return text;
}

}  // namespace weir::report
