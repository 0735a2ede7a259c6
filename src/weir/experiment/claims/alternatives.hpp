#pragma once

#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::experiment::claims {

/// Reads "unknown=value" texts, of unknowns that change runs. Throws InputError with the nearest
/// name, for a value that is adopted anyway, and for two values of one unknown.
Combination read_choice(const Document& document, const std::vector<std::string>& texts);

/// Throws InputError when a choice names what the document has not.
void check_choice(const Document& document, const Combination& choice);

/// Every unknown of the choice is about this experiment. Others run as with a part of the choice.
[[nodiscard]] bool concerns(const Document& document, const Combination& choice,
                            const std::string& experiment);

/// What the choice changes in runs.
std::vector<Change> changes_of(const Document& document, const Combination& choice);

/// Where findings with the choice are recorded, in the folder of the document:
/// "findings.memory-of-a-port-16-packets.toml"; "findings.toml" with the adopted values.
std::string findings_file(const Combination& choice);

/// The judgement that stands for a claim, with what was recorded beside it with other values of
/// unknowns that change runs. Their names are axes of its points; only the adopted values decide.
/// Empty where nothing was recorded.
Judgement with_alternatives(const Document& document, const Findings& findings, const Claim& claim);

}  // namespace weir::experiment::claims
