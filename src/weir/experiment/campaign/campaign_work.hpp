#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <vector>

#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/campaign/runner.hpp"

namespace weir::experiment {

/// How far a campaign is, by the work that its runs were expected to be. Times are of the wall.
class CampaignWork {
 public:
  /// `runs` of the plan, of which `there` are done; `needs` of the others.
  void begin(std::size_t runs, std::size_t there, const PlanEstimate& needs);
  void start(std::size_t run);
  void update(const RunProgress& progress);
  void end(std::size_t run, const RunRecord& record);
  /// Another program has done it.
  void skip(std::size_t run);

  [[nodiscard]] std::size_t finished() const { return finished_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  /// What is at work, by run.
  [[nodiscard]] const std::map<std::size_t, RunProgress>& active() const { return active_; }
  /// Share of the work of this campaign that is done.
  [[nodiscard]] double share() const;
  /// Seconds until the end, by what was done so far; negative: not known yet.
  [[nodiscard]] double seconds_left() const;
  /// Packet-hops in a second of this campaign.
  [[nodiscard]] double speed() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double weight(std::size_t run) const;
  [[nodiscard]] double seconds_used() const;

  std::vector<double> weights_;  ///< expected packet-hops
  double all_work_ = 0;
  double work_done_ = 0;
  std::size_t finished_ = 0;
  std::size_t failed_ = 0;
  double hops_done_ = 0;
  std::map<std::size_t, RunProgress> active_;
  Clock::time_point began_ = Clock::now();
};

/// Of its simulated time, from 0 to 1; 0 where the run does not know its end.
double share_of(const RunProgress& progress);
/// Seconds until the end of the run; negative: not known yet.
double seconds_left_of(const RunProgress& progress);

}  // namespace weir::experiment
