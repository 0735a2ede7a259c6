#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment {

/// What merge_results() has done.
struct MergeReport {
  std::size_t added = 0;      ///< runs that were not there
  std::size_t same = 0;       ///< there already, with the same numbers
  std::size_t completed = 0;  ///< had failed there, and are done now
};

/// Unites the runs of results databases in `out`: of what is there twice the first is kept, with
/// where and when it ran. Runs that are done win over those that failed.
///
/// Throws an InputError of all runs that are done in two of them with different numbers, and says
/// what differs first; then nothing has been written. Also where a database cannot be read.
MergeReport merge_results(ResultsStore& out, const std::vector<std::string>& from);

}  // namespace weir::experiment
