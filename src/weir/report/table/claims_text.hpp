#pragma once

#include <string>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::report {

/// What the document states: "4 us", "≥ 4 us", "much better". Of readings with numbers of their own
/// all of them.
std::string published_text(const experiment::claims::Claim& claim);

/// What is accepted for it where that is not the same: "4 us ± 2 %", "> 1.05", "1/2 to 2 times".
std::string accepted_text(const experiment::claims::Claim& claim);

/// "5.25 ± 0.31 us", "4 to 5 us" over several combinations, "-".
std::string measured_text(const experiment::claims::Claim& claim,
                          const experiment::claims::Judgement& judgement);

/// "holds", "depends (3 of 4)", "undecided (1 of 4 holds)", "" for what does not count.
std::string verdict_text(const experiment::claims::Judgement& judgement);

/// "met", "not met", "met at 3 of 4": of a claim that does not count.
std::string met_text(const experiment::claims::Judgement& judgement);

/// "12 hold, 1 differs", in the order of the verdicts.
std::string verdict_counts(const std::vector<experiment::claims::Verdict>& verdicts);

/// Where a claim with several combinations holds and where not: all of them where they are few,
/// else how many hold with each value of what makes a difference. Empty where all are alike.
std::string combinations_text(const experiment::claims::Judgement& judgement);

/// The same of the combinations that do not decide, because an unknown has another value there than
/// the adopted one. Empty where there are none.
std::string others_text(const experiment::claims::Judgement& judgement);

/// How many draws would decide: "about 40 draws would decide"; empty where nobody can tell.
std::string draws_text(const experiment::claims::Judgement& judgement);

}  // namespace weir::report
