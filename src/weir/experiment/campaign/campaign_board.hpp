#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "weir/experiment/campaign/campaign_work.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment {

/// Tells those who look at a store what a campaign is doing there (`weir watch`): at its beginning,
/// at its end, and every few seconds between.
class CampaignBoard {
 public:
  /// `names` of all runs of the plan.
  CampaignBoard(ResultsStore& store, std::vector<std::string> names);
  /// A campaign that ends with an exception was interrupted.
  ~CampaignBoard();
  CampaignBoard(const CampaignBoard&) = delete;
  CampaignBoard& operator=(const CampaignBoard&) = delete;

  /// What may be written now; writes where the last time is long ago, or `is_due` in any case.
  void tell(const CampaignWork& work, bool is_due = false);
  void end(const CampaignWork& work, bool is_interrupted);

 private:
  using Clock = std::chrono::steady_clock;
  void take(const CampaignWork& work);
  void write();

  ResultsStore& store_;
  std::vector<std::string> names_;
  CampaignState state_;
  Clock::time_point told_at_;
  bool is_first_ = true;
};

}  // namespace weir::experiment
