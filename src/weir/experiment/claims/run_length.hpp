#pragma once

#include <string>

#include "weir/experiment/claims/findings.hpp"

namespace weir::experiment::claims {

class Plan;

/// What the runs of a plan simulate, for people: "2 ms"; "8 ms to 24.5 ms" where they differ; "50
/// ms at most, until all messages of hot are delivered"; "1000000 arrivals" of a queueing model.
/// Empty where nothing is simulated.
std::string run_length(const Plan& plan);

/// Fills in Provenance::length of all recorded runs, of those with other values of unknowns as
/// well, from the experiment files: what was run has a fingerprint, and differs from them only
/// where the record is stale. Throws InputError where a file is missing or wrong.
void add_run_lengths(Findings& findings, const Document& document);

}  // namespace weir::experiment::claims
