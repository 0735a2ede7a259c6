#include "weir/experiment/campaign/campaign_work.hpp"

#include <algorithm>

namespace weir::experiment {

double share_of(const RunProgress& progress) {
  if (progress.end == Time::max() || progress.end.count <= 0) return 0;
  return static_cast<double>(progress.now.count) / static_cast<double>(progress.end.count);
}

double seconds_left_of(const RunProgress& progress) {
  const double done = share_of(progress);
  return done > 0.01 ? progress.wall_seconds * (1 - done) / done : -1;
}

double CampaignWork::weight(std::size_t run) const {
  // A little for each, so that runs of which nothing is known count, too.
  return run < weights_.size() ? weights_[run] + 1 : 1;
}

double CampaignWork::seconds_used() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

void CampaignWork::begin(std::size_t runs, std::size_t there, const PlanEstimate& needs) {
  weights_ = needs.packet_hops;
  finished_ = there;
  for (const double hops : weights_) all_work_ += hops;
  all_work_ += static_cast<double>(runs - there);
  began_ = Clock::now();
}

void CampaignWork::start(std::size_t run) { active_[run] = {run, Time(0), Time::max(), 0, 0}; }

void CampaignWork::update(const RunProgress& progress) { active_[progress.run] = progress; }

void CampaignWork::end(std::size_t run, const RunRecord& record) {
  active_.erase(run);
  ++finished_;
  if (record.status != "done") ++failed_;
  work_done_ += weight(run);
  if (const double* hops = record.result.scalar("packet_hops")) hops_done_ += *hops;
}

void CampaignWork::skip(std::size_t run) {
  ++finished_;
  all_work_ -= weight(run);
}

double CampaignWork::share() const {
  double done = work_done_;
  for (const auto& [run, progress] : active_) done += weight(run) * share_of(progress);
  return all_work_ > 0 ? std::min(1.0, done / all_work_) : 1.0;
}

double CampaignWork::seconds_left() const {
  const double done = share();
  const double used = seconds_used();
  return done > 0.002 && used > 0.5 ? used * (1 - done) / done : -1;
}

double CampaignWork::speed() const {
  double hops = hops_done_;
  for (const auto& [run, progress] : active_) hops += static_cast<double>(progress.packet_hops);
  const double used = seconds_used();
  return used > 0 ? hops / used : 0;
}

}  // namespace weir::experiment
