#include "weir/experiment/campaign/campaign_board.hpp"

#include <utility>

namespace weir::experiment {
namespace {

constexpr auto kTellPeriod = std::chrono::seconds(1);

}  // namespace

CampaignBoard::CampaignBoard(ResultsStore& store, std::vector<std::string> names)
    : store_(store), names_(std::move(names)), state_(new_campaign_state()) {
  state_.runs = names_.size();
}

CampaignBoard::~CampaignBoard() {
  if (is_first_ || state_.stage != CampaignState::Stage::running) return;
  state_.stage = CampaignState::Stage::interrupted;
  state_.at_work.clear();
  write();
}

void CampaignBoard::take(const CampaignWork& work) {
  state_.done = work.finished();
  state_.failed = work.failed();
  state_.share = work.share();
  state_.seconds_left = work.seconds_left();
  state_.at_work.clear();
  for (const auto& [run, progress] : work.active()) {
    state_.at_work.push_back(
        {names_[run], share_of(progress), progress.wall_seconds, seconds_left_of(progress)});
  }
}

void CampaignBoard::write() {
  state_.told = seconds_now();
  told_at_ = Clock::now();
  try {
    store_.tell(state_, is_first_);
    is_first_ = false;
  } catch (const InputError&) {
    // Runs matter more than who looks on; where they cannot be written, that is told.
  }
}

void CampaignBoard::tell(const CampaignWork& work, bool is_due) {
  if (!is_due && !is_first_ && Clock::now() - told_at_ < kTellPeriod) return;
  take(work);
  write();
}

void CampaignBoard::end(const CampaignWork& work, bool is_interrupted) {
  take(work);
  state_.stage = is_interrupted ? CampaignState::Stage::interrupted : CampaignState::Stage::ended;
  if (!is_interrupted) state_.seconds_left = 0;
  state_.at_work.clear();
  write();
}

}  // namespace weir::experiment
