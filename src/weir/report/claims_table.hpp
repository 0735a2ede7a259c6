#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::report {

/// A claim with what became of it.
struct ClaimRow {
  const experiment::claims::Claim* claim = nullptr;
  experiment::claims::Judgement judgement;
  std::string explanation;                                ///< of a difference; empty: none
  std::optional<experiment::claims::Judgement> recorded;  ///< verdict at this scale before
};

/// What a claim expects, in its unit: "432", "≥ 0.93", "0.45 to 0.55 ± 2 %".
std::string expected_text(const experiment::claims::Claim& claim);

/// What was measured, in the claim's unit: "0.951 ± 0.004"; of a grid its spread: "0.87 to 0.95".
std::string measured_text(const experiment::claims::Claim& claim,
                          const experiment::claims::Judgement& judgement);

/// "holds", "differs", "depends (3 of 9)", "not run", "failed"; of what the document does not state
/// nothing.
std::string verdict_text(const experiment::claims::Judgement& judgement);

/// "0.4 to 0.6 (check): met", for an expected value that is not the document's.
std::string other_text(const experiment::claims::Claim& claim,
                       const experiment::claims::Judgement& judgement);

/// A table of claims, about `width` columns wide, with explanations and reasons below. Values that
/// the document does not state have a column of their own.
std::string claims_table(const std::vector<ClaimRow>& rows, std::size_t width, bool color = false);

/// The claims of one document at one scale as JSON.
std::string claims_json(const experiment::claims::Document& document,
                        experiment::claims::Scale scale, const std::vector<ClaimRow>& rows);

/// "9 hold, 2 differ, 1 depends, 3 not run"; of claims that the document states.
std::string verdict_counts(const std::vector<experiment::claims::Verdict>& verdicts);

}  // namespace weir::report
