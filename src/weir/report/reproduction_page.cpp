#include "weir/report/reproduction_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/report/claims_table.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::ClaimKind;
using experiment::claims::Document;
using experiment::claims::DocumentExperiment;
using experiment::claims::Finding;
using experiment::claims::Findings;
using experiment::claims::Judgement;
using experiment::claims::kScales;
using experiment::claims::Scale;
using experiment::claims::Verdict;

namespace {

constexpr const char* kHead = R"(# Reproduction of published results

Written by `weir reproduce --document-to docs/reproduction.md` from the claims of the shipped documents
(`experiments/*/claims.toml`) and the verdicts recorded beside them (`findings.toml`). How to read and write claims:
[claims.md](claims.md).

| verdict | means |
|---|---|
| holds | what was measured agrees with what the document states, within the tolerance |
| differs | it does not |
| depends | it does for some values of what the document leaves open |
| failed | a run failed, or did not measure what the claim is about |
| not run | nothing is recorded |

A value that is not the document's own (a check, calibration, derivation, completion or choice) stands in a column of
its own and decides nothing.
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

const Finding& finding_of(const Findings& findings, const Claim& claim) {
  static const Finding nothing;
  const auto it = findings.find(claim.id);
  return it == findings.end() ? nothing : it->second;
}

std::string row(const Claim& claim, const std::string& scale, const Judgement& judgement) {
  const bool published = claim.kind == ClaimKind::published;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", claim.id, cell(claim.statement),
                     cell(claim.source), published ? expected_text(claim) : "",
                     published ? "" : other_text(claim, judgement), scale,
                     measured_text(claim, judgement), verdict_text(judgement));
}

std::string rows_of(const Claim& claim, const Finding& finding) {
  std::string text;
  for (const Scale scale : kScales) {
    const auto& recorded = finding.at(scale);
    if (recorded) text += row(claim, std::string(to_string(scale)), *recorded);
  }
  return text.empty() ? row(claim, "", {}) : text;
}

bool is_anywhere(const Finding& finding, Verdict verdict) {
  return std::any_of(kScales.begin(), kScales.end(), [&](Scale scale) {
    return finding.at(scale) && finding.at(scale)->verdict == verdict;
  });
}

std::string remarks_of(const Claim& claim, const Finding& finding) {
  std::string text;
  const bool differs = is_anywhere(finding, Verdict::differs);
  if (!finding.explanation.empty()) {
    text += fmt::format("* {}: {}\n", claim.id, finding.explanation);
  } else if (differs) {
    text += fmt::format("* {} differs: not yet explained\n", claim.id);
  }
  for (const Scale scale : kScales) {
    const auto& recorded = finding.at(scale);
    if (!recorded || recorded->reason.empty()) continue;
    text += fmt::format("* {} at scale {} {}: {}\n", claim.id, to_string(scale),
                        to_string(recorded->verdict), cell(recorded->reason));
  }
  return text;
}

std::string section_of(const Document& document, const DocumentExperiment& experiment,
                       const Findings& findings) {
  std::string text =
      fmt::format("\n### {}/{}\n\n{}\n", document.name, experiment.name, experiment.purpose);
  const std::vector<const Claim*> claims = document.claims_of(experiment.name);
  if (claims.empty()) return text + "\nNo claims: it draws figures only.\n";
  text +=
      "\n| id | claim | source | published | other | scale | measured | verdict |\n"
      "|---|---|---|---|---|---|---|---|\n";
  std::string remarks;
  for (const Claim* claim : claims) {
    const Finding& finding = finding_of(findings, *claim);
    text += rows_of(*claim, finding);
    remarks += remarks_of(*claim, finding);
  }
  return remarks.empty() ? text : text + "\n" + remarks;
}

/// Verdicts of what a document states: at full scale where there is one.
std::vector<Verdict> verdicts_of(const ReproducedDocument& one) {
  std::vector<Verdict> verdicts;
  for (const Claim& claim : one.document.claims) {
    if (claim.kind != ClaimKind::published) continue;
    const Finding& finding = finding_of(one.findings, claim);
    const auto& best = finding.full ? finding.full : finding.quick;
    verdicts.push_back(best ? best->verdict : Verdict::not_run);
  }
  return verdicts;
}

}  // namespace

std::string reproduction_page(const std::vector<ReproducedDocument>& documents) {
  std::string text = kHead;
  text += "\n| document | about | published claims |\n|---|---|---|\n";
  for (const ReproducedDocument& one : documents) {
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", one.document.name,
                        cell(one.document.title), verdict_counts(verdicts_of(one)));
  }
  for (const ReproducedDocument& one : documents) {
    text += fmt::format("\n## {}\n\n{}\n", one.document.name, one.document.title);
    for (const DocumentExperiment& experiment : one.document.experiments) {
      text += section_of(one.document, experiment, one.findings);
    }
  }
  return text;
}

}  // namespace weir::report
