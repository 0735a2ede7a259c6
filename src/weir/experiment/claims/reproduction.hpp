#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/campaign/campaign.hpp"
#include "weir/experiment/claims/document.hpp"
#include "weir/experiment/claims/judge.hpp"
#include "weir/experiment/claims/plan.hpp"

namespace weir::experiment::claims {

/// An experiment of a document that is about to run, with everything about its runs and claims
/// checked.
struct PreparedExperiment {
  const DocumentExperiment* experiment;
  Plan plan;
  std::vector<std::pair<const Claim*, Selection>> claims;
  std::vector<std::size_t> runs;         ///< of the plan, indices; all but for one claim
  std::vector<const Claim*> not_judged;  ///< claims of other scales

  /// Those runs.
  [[nodiscard]] std::vector<Variant> variants() const;
};

/// What a name stands for: an experiment, the experiment of a claim, or all (empty).
struct PreparedDocument {
  std::vector<PreparedExperiment> experiments;
  std::vector<const DocumentExperiment*> left_out;  ///< not run at this scale
  std::vector<std::string> not_concerned;           ///< the choice changes nothing there
};

/// Prepares everything called `name` before any of it runs. `choice`: values of unknowns that are
/// not the adopted ones (read_choice()). The document must outlive the result. Throws InputError,
/// also where the choice does not concern what is named.
PreparedDocument prepare(const Document& document, const std::string& name, Scale scale,
                         const Combination& choice);

/// Judges its claims by what a campaign of variants() came to; the records must still be there.
std::vector<Judgement> judge_all(const PreparedExperiment& prepared, const CampaignResult& result);

/// Removes results that a folder holds if what they came from has changed since, and notes what
/// those that follow come from. True when there were any. Throws std::filesystem errors.
bool renew_folder(const std::string& folder, const std::string& fingerprint);

/// A document in the folder of all of them; throws InputError with the nearest name.
Document find_document(const std::string& root, const std::string& name);

}  // namespace weir::experiment::claims
