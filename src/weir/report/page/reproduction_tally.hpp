#pragma once

#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"
#include "weir/report/page/reproduction_page.hpp"

namespace weir::report {

/// The verdict that stands for a claim: that of its longest recorded runs.
experiment::claims::Verdict verdict_of(const ReproducedDocument& one,
                                       const experiment::claims::Claim& claim);

/// What the verdicts of a document add up to, in its own words, and how much is missing.
std::string reading_of(const ReproducedDocument& one);

/// README.md of the pages: what the verdicts mean and add up to, a row and a paragraph a document.
std::string reproduction_index(const std::vector<ReproducedDocument>& documents);

}  // namespace weir::report
