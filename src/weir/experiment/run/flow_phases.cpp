#include "weir/experiment/run/flow_phases.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weir::experiment {

FlowPhases::FlowPhases(const RateInput& input, const FlowList& flows)
    : barrier_(input.keys->barrier) {
  std::size_t last = 0;
  for (const std::size_t phase : flows.phases) last = std::max(last, phase);
  flows_.resize(last + 1);
  for (std::uint32_t f = 0; f < flows.phases.size(); ++f) {
    phase_of_.push_back(flows.phases[f]);
    flows_[flows.phases[f]].push_back(f);
  }
  for (std::size_t e = 0; e < input.flows.size(); ++e) {
    const Checked<FlowKeys>& keys = input.flows[e].keys;
    const auto phase = static_cast<std::size_t>(keys->phase - 1);
    if (phase > 0 && flows_[phase - 1].empty()) {
      throw keys.error(&FlowKeys::phase,
                       fmt::format("is {}, and no [[flow]] is of phase {}", phase + 1, phase));
    }
    if (phase < last && !keys->has_size()) {
      throw keys.error(
          &FlowKeys::size,
          fmt::format("is missing: these flows never end, so that phase {} would never "
                      "begin",
                      phase + 2));
    }
  }
  left_ = flows_.front().size();
}

bool FlowPhases::end(std::uint32_t flow, Time now) {
  if (phase_of_[flow] != current_ || --left_ > 0) return false;
  ends_.push_back(now);
  if (current_ + 1 == flows_.size()) return false;
  left_ = flows_[++current_].size();
  starts_.push_back(now + barrier_);
  return true;
}

void FlowPhases::checkpoint(StateArchive& state) {
  state(current_, starts_, ends_);
  if (!state.is_reading()) return;
  ends_.resize(current_);
  left_ = flows_.at(current_).size();
}

}  // namespace weir::experiment
