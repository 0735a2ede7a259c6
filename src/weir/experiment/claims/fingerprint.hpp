#pragma once

#include <string>

#include "weir/experiment/claims/plan.hpp"

namespace weir::experiment::claims {

/// A hash of what decides the results of a plan, as 16 hexadecimal digits: its runs as they are
/// written, and what the first part of some of them does (event trajectories; of runs that simulate
/// nothing, their results). It takes a few seconds at most. The same on every machine.
std::string fingerprint(const Plan& plan);

}  // namespace weir::experiment::claims
