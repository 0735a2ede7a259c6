#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment {

struct CampaignOptions {
  unsigned jobs = 0;                             ///< threads; 0: one a core
  const std::atomic<bool>* interrupt = nullptr;  ///< ends all runs soon when it becomes true
  bool again = false;                            ///< runs what is done, too
  ResultParts parts;                             ///< of the records that are handed back
  RunHelper* helper = nullptr;                   ///< carries out runs besides the threads
};

/// What is known when a campaign begins.
struct CampaignStart {
  std::size_t runs = 0;       ///< of the plan
  std::size_t there = 0;      ///< done before
  PlanEstimate needs;         ///< of the others
  std::size_t at_a_time = 1;  ///< runs; as many as there are, at most
  std::size_t cores = 1;      ///< that they use
};

struct CampaignListener {
  std::function<void(const CampaignStart&)> on_plan;
  RunListener runs;  ///< on_end: the run is in the store
};

/// What became of a run of the plan.
struct CampaignRun {
  std::optional<RunRecord> record;  ///< nothing: interrupted, or not begun
  bool was_there = false;           ///< done before, by an earlier campaign or another program
  bool is_input_error = false;      ///< it failed because its configuration cannot work
};

/// Runs in the order of the plan.
struct CampaignResult {
  std::vector<CampaignRun> runs;

  /// Hands out the records of all that ended, now or before, well or not.
  [[nodiscard]] std::vector<RunRecord> take_records();
  [[nodiscard]] std::size_t unfinished() const;
  [[nodiscard]] std::size_t failed() const;
};

/// Brings the runs of a plan into a store: leaves those that are done there (same experiment, case,
/// configuration hash, seed and version), repeats those that failed, runs the others on a pool of
/// threads, longest first as far as that can be told beforehand. Every run is written as soon as it
/// ends, so that a campaign that was ended in any way goes on where it stopped, and the store holds
/// the same in the end. Runs that are there get their place and parameters in this plan. What the
/// plan names twice is run once.
///
/// Throws InputError before the first run when a configuration is wrong, and later when the store
/// cannot be written; a plan of one run also when its network cannot be built.
CampaignResult run_campaign(const std::vector<Variant>& plan, ResultsStore& store,
                            const CampaignOptions& options, const CampaignListener& listener);

}  // namespace weir::experiment
