#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/experiment/claims/calibration.hpp"

namespace weir::report {

/// What a document leaves open: a table of every unknown's values with their scores while all
/// others are as adopted, the best combination, and what one half of the claims chooses and the
/// other half makes of it. For a terminal, with ANSI colors if `color`, broken to `width` (0: no
/// limit).
std::string calibration_table(const experiment::claims::Document& document,
                              const experiment::claims::Calibration& calibration, bool color,
                              std::size_t width = 0);

struct CalibratedDocument {
  experiment::claims::Document document;
  experiment::claims::Calibration calibration;
};

/// A line for each document, and one for all of them.
std::string calibration_overview(const std::vector<CalibratedDocument>& documents, bool color,
                                 std::size_t width = 0);

/// What calibration_table() says as a section of Markdown, with why each value is possible and why
/// one is adopted. Empty for a document without unknowns.
std::string calibration_section(const experiment::claims::Document& document,
                                const experiment::claims::Calibration& calibration);

/// The same as JSON, one object in one line.
std::string calibration_json(const experiment::claims::Document& document,
                             const experiment::claims::Calibration& calibration);

}  // namespace weir::report
