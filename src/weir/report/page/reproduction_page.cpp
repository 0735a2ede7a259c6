#include "weir/report/page/reproduction_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "weir/experiment/claims/alternatives.hpp"
#include "weir/report/page/reproduction_tally.hpp"
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

/// Text of a cell: no line ends, no bars.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
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
  if (!claim.contradicted_by.empty()) {
    text += fmt::format(" Contradicted by the document: {}", claim.contradicted_by);
  }
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
      rows += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.3g} s | {} |\n", experiment.name,
                          cell(about), to_string(scale), cell(run->length),
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
  return "\n## Runs\n\n| experiment | about | scale | simulated | weir | date | draws | CPU | |\n"
         "|---|---|---|---|---|---|---|---|---|\n" +
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
  pages["README.md"] = reproduction_index(documents);
  for (const ReproducedDocument& one : documents) {
    pages[one.document.name + ".md"] = document_page(one);
  }
  return pages;
}

}  // namespace weir::report
