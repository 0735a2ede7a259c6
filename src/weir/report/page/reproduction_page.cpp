#include "weir/report/page/reproduction_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "weir/experiment/claims/alternatives.hpp"
#include "weir/report/table/assumptions_text.hpp"
#include "weir/report/table/calibration_text.hpp"
#include "weir/report/table/claims_text.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::ClaimKind;
using experiment::claims::Combination;
using experiment::claims::Document;
using experiment::claims::DocumentExperiment;
using experiment::claims::Findings;
using experiment::claims::Judgement;
using experiment::claims::kScales;
using experiment::claims::Provenance;
using experiment::claims::Scale;
using experiment::claims::Verdict;

namespace {

constexpr const char* kIndexHead = R"(# Reproduction of published results

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
that is older than a change that affects it is *stale*, and counted as such.
)";

/// Text of a cell: no line ends, no bars.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

bool is_stale(const ReproducedDocument& one, const Claim& claim) {
  const Judgement* judgement = one.findings.standing(claim);
  if (judgement == nullptr) return false;
  const Scale scale =
      judgement == one.findings.find(claim, Scale::full) ? Scale::full : Scale::quick;
  return one.findings.is_stale(claim, scale);
}

Verdict verdict_of(const ReproducedDocument& one, const Claim& claim) {
  const Judgement* judgement = one.findings.standing(claim);
  return judgement == nullptr ? Verdict::not_run : judgement->verdict;
}

std::size_t count_if(const ReproducedDocument& one,
                     const std::function<bool(const Claim&)>& condition) {
  const auto& claims = one.document.claims;
  return static_cast<std::size_t>(std::count_if(claims.begin(), claims.end(), condition));
}

std::size_t count(const ReproducedDocument& one, Verdict verdict) {
  return count_if(
      one, [&](const Claim& claim) { return claim.counts() && verdict_of(one, claim) == verdict; });
}

/// "62 %", of the statements that were judged.
std::string share_text(const ReproducedDocument& one, Verdict verdict) {
  const std::size_t judged = count(one, Verdict::holds) + count(one, Verdict::differs) +
                             count(one, Verdict::depends) + count(one, Verdict::undecided);
  if (judged == 0) return "-";
  return fmt::format(
      "{:.0f} %", 100.0 * static_cast<double>(count(one, verdict)) / static_cast<double>(judged));
}

std::string index_row(const ReproducedDocument& one) {
  const auto cells = [&](Verdict verdict) {
    return fmt::format("{} ({})", count(one, verdict), share_text(one, verdict));
  };
  const std::size_t published = count_if(one, [](const Claim& claim) { return claim.counts(); });
  const std::size_t circular =
      count_if(one, [](const Claim& claim) { return claim.kind == ClaimKind::circular; });
  const std::size_t stale =
      count_if(one, [&](const Claim& claim) { return claim.counts() && is_stale(one, claim); });
  return fmt::format(
      "| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} | {9} | {10} |\n",
      one.document.name, published, cells(Verdict::holds), cells(Verdict::differs),
      cells(Verdict::depends), cells(Verdict::undecided),
      count(one, Verdict::not_run) + count(one, Verdict::failed), stale, circular,
      one.document.claims.size() - published - circular, one.document.unchecked.size());
}

/// Of all documents together.
std::string total_of(const std::vector<ReproducedDocument>& documents) {
  const auto sum = [&](const std::function<std::size_t(const ReproducedDocument&)>& of) {
    std::size_t total = 0;
    for (const ReproducedDocument& one : documents) total += of(one);
    return total;
  };
  const auto with = [&](Verdict verdict) {
    return sum([verdict](const ReproducedDocument& one) { return count(one, verdict); });
  };
  const std::size_t holds = with(Verdict::holds);
  const std::size_t decided = holds + with(Verdict::differs) + with(Verdict::depends);
  if (decided == 0) return "";
  return fmt::format("\nOf {} decided statements {} hold ({:.0f} %), {} differ and {} depend.\n",
                     decided, holds,
                     100.0 * static_cast<double>(holds) / static_cast<double>(decided),
                     with(Verdict::differs), with(Verdict::depends));
}

/// What the verdicts add up to, as far as they are known.
std::string reading_of(const ReproducedDocument& one) {
  if (one.document.reading.empty()) return "";
  const std::size_t missing = count(one, Verdict::not_run);
  const std::string caution = missing == 0
                                  ? ""
                                  : fmt::format("*{} of the statements {} not recorded yet.* ",
                                                missing, missing == 1 ? "is" : "are");
  return fmt::format("\n{}{}\n", caution, fmt::join(one.document.reading, " "));
}

std::string index_page(const std::vector<ReproducedDocument>& documents) {
  std::string text = kIndexHead;
  text +=
      "\nShares are of the statements that were judged.\n\n"
      "| document | statements | hold | differ | depend | undecided | not run | stale | circular | "
      "own checks | not checkable |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const ReproducedDocument& one : documents) text += index_row(one);
  text += total_of(documents);
  for (const ReproducedDocument& one : documents) {
    text += fmt::format("\n## [{0}]({0}.md): {1}\n", one.document.name, one.document.title);
    text += reading_of(one);
  }
  return text;
}

/// "0.41 ± 0.02: differs".
std::string scale_cell(const ReproducedDocument& one, const Claim& claim, Scale scale) {
  const Judgement* judgement = one.findings.find(claim, scale);
  if (judgement == nullptr) return "";
  const std::string stale = one.findings.is_stale(claim, scale) ? " (stale)" : "";
  const std::string verdict = claim.counts() ? verdict_text(*judgement) : met_text(*judgement);
  if (judgement->points.empty()) return verdict + stale;
  return fmt::format("{}: {}{}", measured_text(claim, *judgement), verdict, stale);
}

std::string row(const ReproducedDocument& one, const Claim& claim) {
  return fmt::format("| <a id=\"{0}\"></a>{0} | {1} | {2} | {3} | {4} | {5} | {6} |\n", claim.id,
                     cell(claim.statement), cell(claim.source), cell(published_text(claim)),
                     cell(accepted_text(claim)), cell(scale_cell(one, claim, Scale::quick)),
                     cell(scale_cell(one, claim, Scale::full)));
}

std::string shown_text(const Document& document, const Claim& claim) {
  if (claim.is_cause_unknown) return " The cause is not known.";
  std::vector<std::string> commands;
  for (const std::string& shown : claim.shown_by) {
    commands.push_back(shown.find(".toml") == std::string::npos
                           ? fmt::format("`weir reproduce {}/{}`", document.name, shown)
                           : fmt::format("`weir run experiments/{}/{}`", document.name, shown));
  }
  return commands.empty() ? "" : fmt::format(" Shown by {}.", fmt::join(commands, ", "));
}

/// What there is to say of a claim besides its row.
std::string remark(const ReproducedDocument& one, const Claim& claim) {
  std::string text;
  for (const Scale scale : kScales) {
    const Judgement* judgement = one.findings.find(claim, scale);
    if (judgement == nullptr) continue;
    std::vector<std::string> parts;
    if (!judgement->reason.empty()) parts.push_back(judgement->reason);
    parts.push_back(combinations_text(*judgement));
    const bool stands = judgement == one.findings.standing(claim);
    parts.push_back(
        others_text(stands ? with_alternatives(one.document, one.findings, claim) : *judgement));
    std::erase(parts, "");
    if (const std::string draws = draws_text(*judgement); !draws.empty()) parts.push_back(draws);
    if (!parts.empty()) text += fmt::format(" {}: {}.", to_string(scale), fmt::join(parts, ". "));
  }
  const Judgement* judgement = one.findings.standing(claim);
  const bool is_open = judgement != nullptr && judgement->verdict != Verdict::holds;
  if (is_open && !claim.explanation.empty()) text += " " + claim.explanation;
  if (is_open) text += shown_text(one.document, claim);
  if (!claim.one_draw.empty() && judgement != nullptr && judgement->points.size() > 0 &&
      judgement->points.front().draws < experiment::claims::kLeastDraws) {
    text += fmt::format(" One draw: {}.", claim.one_draw);
  }
  if (text.empty()) return "";
  return fmt::format("* {} (`weir reproduce {}/{}`):{}\n", claim.id, one.document.name, claim.id,
                     cell(text));
}

std::string section(const ReproducedDocument& one, const std::string& title,
                    const std::function<bool(const Claim&)>& belongs) {
  std::string rows;
  std::string remarks;
  for (const Claim& claim : one.document.claims) {
    if (!belongs(claim)) continue;
    rows += row(one, claim);
    remarks += remark(one, claim);
  }
  if (rows.empty()) return "";
  return fmt::format(
      "\n## {}\n\n| id | statement | source | published | accepted | quick | full |\n"
      "|---|---|---|---|---|---|---|\n{}{}{}",
      title, rows, remarks.empty() ? "" : "\n", remarks);
}

std::string figures_of(const ReproducedDocument& one) {
  std::string text;
  for (const ReproducedFigure& figure : one.figures) {
    text += fmt::format("\n![{0}]({1})\n\n*{0}*\n", figure.caption, figure.path);
  }
  return text.empty() ? "" : "\n## Figures\n" + text;
}

std::string unchecked_of(const Document& document) {
  if (document.unchecked.empty()) return "";
  std::string text = "\n## Not checkable\n\n| statement | source | because |\n|---|---|---|\n";
  for (const auto& one : document.unchecked) {
    text +=
        fmt::format("| {} | {} | {} |\n", cell(one.statement), cell(one.source), cell(one.because));
  }
  return text;
}

/// "memory of a port 16 packets".
std::string text_of(const Combination& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string runs_of(const Document& document, const Findings& findings) {
  std::string rows;
  for (const DocumentExperiment& experiment : document.experiments) {
    for (const Scale scale : kScales) {
      const Provenance* run = findings.find_run(experiment.name, scale);
      if (run == nullptr) continue;
      const std::string about = findings.values.empty()
                                    ? experiment.purpose
                                    : fmt::format("the same with {}", text_of(findings.values));
      rows += fmt::format("| {} | {} | {} | {} | {} | {} | {:.3g} s | {} |\n", experiment.name,
                          cell(about), to_string(scale),
                          run->commit.empty() ? run->version : run->version + " " + run->commit,
                          run->date, run->draws, run->cpu_seconds, run->is_stale ? "stale" : "");
    }
  }
  return rows;
}

std::string provenance_of(const ReproducedDocument& one) {
  std::string rows = runs_of(one.document, one.findings);
  for (const Findings& other : one.findings.alternatives) rows += runs_of(one.document, other);
  if (rows.empty()) return "";
  return "\n## Runs\n\n| experiment | about | scale | weir | date | draws | CPU | |\n"
         "|---|---|---|---|---|---|---|---|\n" +
         rows;
}

std::string document_page(const ReproducedDocument& one) {
  std::string text = fmt::format("# {}: {}\n\n", one.document.name, one.document.title);
  std::vector<Verdict> verdicts;
  for (const Claim& claim : one.document.claims) {
    if (claim.counts()) verdicts.push_back(verdict_of(one, claim));
  }
  text += fmt::format(
      "Of {} statements {}. All of them run again with `weir reproduce {}` (`--scale full` as "
      "published), one with `weir reproduce {}/ID`. [What the verdicts mean](README.md).\n",
      verdicts.size(), verdict_counts(verdicts), one.document.name, one.document.name);
  text += reading_of(one);
  text += calibration_section(one.document, calibrate(one.document, one.findings));
  text += assumptions_section(one.document);
  const auto with = [&](Verdict verdict) {
    return [&one, verdict](const Claim& claim) {
      return claim.counts() && verdict_of(one, claim) == verdict;
    };
  };
  text += section(one, "Differs", with(Verdict::differs));
  text += section(one, "Depends", with(Verdict::depends));
  text += section(one, "Undecided", with(Verdict::undecided));
  text += section(one, "Failed", with(Verdict::failed));
  text += section(one, "Not run", with(Verdict::not_run));
  text += section(one, "Holds", with(Verdict::holds));
  text += section(one, "Circular: the model was made from it",
                  [](const Claim& claim) { return claim.kind == ClaimKind::circular; });
  text += section(one, "Own checks", [](const Claim& claim) {
    return !claim.counts() && claim.kind != ClaimKind::circular;
  });
  return text + figures_of(one) + unchecked_of(one.document) + provenance_of(one);
}

}  // namespace

std::map<std::string, std::string> reproduction_pages(
    const std::vector<ReproducedDocument>& documents) {
  std::map<std::string, std::string> pages;
  pages["README.md"] = index_page(documents);
  for (const ReproducedDocument& one : documents) {
    pages[one.document.name + ".md"] = document_page(one);
  }
  return pages;
}

}  // namespace weir::report
