#pragma once

#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::report {

/// A document with what is known about its claims.
struct ReproducedDocument {
  experiment::claims::Document document;
  experiment::claims::Findings findings;
};

/// docs/reproduction.md: every claim of every document with its verdict at each scale, what was
/// published, what was measured, the source, and an explanation for each that differs. The same
/// text for the same input.
std::string reproduction_page(const std::vector<ReproducedDocument>& documents);

}  // namespace weir::report
