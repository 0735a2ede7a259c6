#pragma once

#include <map>
#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::report {

/// A picture that the runs of a document drew when they were recorded.
struct ReproducedFigure {
  std::string path;  ///< from the page
  std::string caption;
};

/// A document with what is known about its claims.
struct ReproducedDocument {
  experiment::claims::Document document;
  experiment::claims::Findings findings;
  std::vector<ReproducedFigure> figures{};
};

/// The pages of docs/results/reproduction/ by file name: README.md, an index with what the verdicts
/// add up to, and a page a document with every claim, what does not hold first: what was published,
/// what is accepted, what was measured at each scale, and the command that runs it. The same text
/// for the same input.
std::map<std::string, std::string> reproduction_pages(
    const std::vector<ReproducedDocument>& documents);

}  // namespace weir::report
