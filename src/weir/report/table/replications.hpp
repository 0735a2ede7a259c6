#pragma once

#include <string>
#include <vector>

#include "weir/experiment/store/results_record.hpp"

namespace weir::report {

/// Runs that differ in nothing but the seed, as one: of every scalar the mean over the seeds with
/// Student's 95 % interval, and of series, histograms, links and trees nothing. A mean is not
/// stationary where one of the runs is not. Seed 0; where there was one run of a kind, itself.
/// Failed runs do not count; they become notes, or the status when all failed. In the order of the
/// first of each kind.
std::vector<experiment::RunRecord> across_seeds(const std::vector<experiment::RunRecord>& runs);

/// There are runs that differ only in the seed.
bool has_replications(const std::vector<experiment::RunRecord>& runs);

/// "Means of 5 seeds ± half width of the 95 % interval."
std::string replications_text(const std::vector<experiment::RunRecord>& runs);

}  // namespace weir::report
