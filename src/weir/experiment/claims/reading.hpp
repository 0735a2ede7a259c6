#pragma once

#include <limits>
#include <string>

#include "weir/experiment/claims/document.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment::claims {

/// A number of a run, in the unit of the claim's value.
struct Reading {
  double value = std::numeric_limits<double>::quiet_NaN();
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< NaN: none
  std::string problem;      ///< why there is no number; empty: there is
  bool is_nothing = false;  ///< because nothing of the kind happened
};

/// Reads a value of a claim from a finished run. Of a series the bins that lie wholly between
/// `from` and `to`, without those in which nothing happened. Where nothing of the kind happened,
/// the number that the value says to take then.
Reading read(const ClaimValue& value, const RunRecord& run);

}  // namespace weir::experiment::claims
