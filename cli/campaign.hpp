#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "weir/experiment/campaign/campaign.hpp"

namespace weir::cli {

struct CampaignChoices {
  unsigned jobs = 0;               ///< 0: one a core; under mpirun one a rank
  bool is_quiet = false;           ///< no progress
  bool again = false;              ///< runs what is done, too
  double checkpoint_minutes = 10;  ///< between two checkpoints of a run; 0: none
  experiment::ResultParts parts{true, true, true, false};
};

/// Runs a plan as run_campaign() does, with other ranks when there are some. Tells on standard
/// error what is there already, what the rest needs and how far it is. Ctrl-C ends the runs soon:
/// the result then has unfinished ones.
experiment::CampaignResult run_plan(const std::vector<experiment::Variant>& plan,
                                    experiment::ResultsStore& store,
                                    const CampaignChoices& choices);

/// Options of commands that run plans.
void add_campaign_options(CLI::App& command, CampaignChoices& choices);

/// Lines for standard error: which runs failed, and how to go on after an interrupt.
std::string failures_text(const experiment::CampaignResult& result, const CampaignChoices& choices);

/// Exit status for a campaign: kWrongInput when a configuration could not work, kRunFailed when
/// something failed or is unfinished.
int status_of(const experiment::CampaignResult& result);

/// "roughly 3 min on 2 cores".
std::string time_text(double seconds_on_one_core, std::size_t cores);

}  // namespace weir::cli
