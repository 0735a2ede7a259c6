#include "weir/reaction/staged_rate.hpp"

#include <algorithm>

namespace weir::reaction {

std::int64_t StagedRates::period(const StagedFlow& flow) const {
  const bool is_half = rules_.halves_later && flow.time_stage >= rules_.fast;
  return is_half ? rules_.period.count / 2 : rules_.period.count;
}

std::int64_t StagedRates::bytes(const StagedFlow& flow) const {
  const bool is_half = rules_.halves_later && flow.byte_stage >= rules_.fast;
  return is_half ? rules_.bytes.count / 2 : rules_.bytes.count;
}

void StagedRates::expire_timer(StagedFlow& flow) const {
  const std::int64_t at = flow.expiry;
  ++flow.time_stage;
  increase(flow, at);
  flow.expiry = at + period(flow);
}

void StagedRates::skip_stages(StagedFlow& flow, std::int64_t now) const {
  // A full rate stays full, whatever the stage.
  constexpr std::int64_t kMost = 1'000'000;
  const std::int64_t step = period(flow);
  const std::int64_t times = (now - flow.expiry) / step + 1;
  flow.time_stage = static_cast<std::int32_t>(std::min(kMost, flow.time_stage + times));
  flow.expiry += times * step;
}

void StagedRates::increase(StagedFlow& flow, std::int64_t now) const {
  const std::int32_t least = std::min(flow.byte_stage, flow.time_stage);
  const std::int32_t beyond = least - rules_.fast + (rules_.is_hyper_early ? 1 : 0);
  const bool is_first = flow.byte_stage == 1 || flow.time_stage == 1;
  if (rules_.shrinks_target && is_first && flow.target > 10 * flow.rate) {
    flow.target /= 8;
  } else if (beyond > 0) {
    flow.target += rules_.hyper * beyond;
  } else if (std::max(flow.byte_stage, flow.time_stage) >= rules_.fast) {
    flow.target += rules_.additive;
  }
  flow.target = std::min(flow.target, 1.0);
  const double rate = (flow.rate + flow.target) / 2;
  // Halving the distance never ends: what a packet does not feel is none.
  flow.set_rate(flow.target - rate < 1e-6 ? flow.target : rate, now);
}

void StagedRates::on_sent(StagedFlow& flow, std::uint32_t size, std::int64_t now) const {
  if (flow.expiry == INT64_MAX) return;
  flow.bytes_left -= size;
  while (flow.bytes_left <= 0) {
    ++flow.byte_stage;
    increase(flow, now);
    flow.bytes_left += bytes(flow);
  }
}

void StagedRates::cut(StagedFlow& flow, double factor, std::int64_t now) const {
  const bool is_first = flow.expiry == INT64_MAX;
  if (is_first || !rules_.keeps_target || flow.byte_stage > 0) {
    flow.target = flow.rate;
    flow.bytes_left = rules_.bytes.count;
  }
  flow.byte_stage = flow.time_stage = 0;
  flow.expiry = now + rules_.period.count;
  flow.set_rate(std::max(flow.rate * factor, rules_.least), now);
}

Keys<StageRules> stage_keys(const StageRules& defaults) {
  using S = StageRules;
  return Keys<S>(
      defaults,
      {key(&S::period, "timer", "time that is a stage of recovery"),
       key(&S::bytes, "byte_counter", "bytes of a flow, on the wire, that are a stage of recovery"),
       key(&S::fast, "fast_stages",
           "stages of fast recovery, in which half of what was cut comes back each")
           .range(0, 1'000),
       key(&S::additive, "additive",
           "what the target grows by at a later stage, over the rate of the link")
           .range(0, 1),
       key(&S::hyper, "hyper",
           "what it grows by once timer and bytes are both beyond fast recovery, over the rate of "
           "the link, times the stages since")
           .range(0, 1),
       key(&S::least, "least_rate", "lowest rate of a flow, over that of the link").range(0, 1)});
}

}  // namespace weir::reaction
