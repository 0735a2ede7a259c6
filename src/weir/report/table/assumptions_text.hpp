#pragma once

#include <cstddef>
#include <string>

#include "weir/experiment/claims/document.hpp"

namespace weir::report {

/// Values of the experiments of a document as a table for a terminal: published ones first, then
/// calibrated, then chosen ones, broken to `width` (0: no limit). Empty where the document lists
/// none.
std::string assumptions_table(const experiment::claims::Document& document, bool color,
                              std::size_t width = 0);

/// The same as a section in Markdown, with a title.
std::string assumptions_section(const experiment::claims::Document& document);

}  // namespace weir::report
