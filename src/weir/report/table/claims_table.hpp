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
  std::optional<experiment::claims::Judgement> recorded;  ///< verdict at this scale before
};

/// A table of claims, `width` columns wide as far as words allow, with what explains them below.
/// What does not count has a column of its own.
std::string claims_table(const std::vector<ClaimRow>& rows, std::size_t width, bool color = false);

/// The claims of one document at one scale as JSON.
std::string claims_json(const experiment::claims::Document& document,
                        experiment::claims::Scale scale, const std::vector<ClaimRow>& rows);

}  // namespace weir::report
