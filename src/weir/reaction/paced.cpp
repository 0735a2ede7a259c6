#include "weir/reaction/paced.hpp"

#include <algorithm>
#include <cmath>

namespace weir::reaction {

namespace {

double elapsed(const FlowState& flow, std::int64_t now) {
  return static_cast<double>(now - flow.changed);
}

}  // namespace

void RateDelay::settle(FlowState& flow, std::int64_t now) const {
  if (recovery_ == Recovery::per_ack) return;
  flow.level = static_cast<float>(rate(flow, now));
  flow.changed = now;
}

bool RateDelay::raise(FlowState& flow) const {
  const double before = flow.level;
  flow.level = static_cast<float>(law_->decreased(before));
  return flow.level < before;
}

bool RateDelay::lower(FlowState& flow) const {
  if (flow.level >= 1) return false;
  if (recovery_ == Recovery::per_ack) flow.level = static_cast<float>(law_->increased(flow.level));
  return true;
}

void RateDelay::on_injected(FlowState& flow, std::int64_t start, std::int64_t) const {
  flow.origin = start;
}

std::int64_t RateDelay::earliest(const FlowState& flow, std::int64_t) const {
  return flow.origin + bounded_wait(packet_time_ / flow.level);
}

double RateDelay::rate(const FlowState& flow, std::int64_t now) const {
  if (recovery_ == Recovery::per_ack || flow.level >= 1) return flow.level;
  return law_->after(flow.level, elapsed(flow, now) / packet_time_);
}

double RateDelay::rate_over(const FlowState& flow, double span) const {
  if (recovery_ == Recovery::per_ack || flow.level >= 1) return flow.level * span;
  return law_->over(flow.level, span / packet_time_) * packet_time_;
}

double RateDelay::held_for(const FlowState& flow) const {
  if (recovery_ == Recovery::per_ack || flow.level >= 1) return Delay::held_for(flow);
  return law_->time_to_full(flow.level) * packet_time_;
}

bool RateDelay::is_sound(const FlowState& flow) const {
  return flow.level >= static_cast<float>(law_->least()) && flow.level <= 1;
}

void LinearDelay::settle(FlowState& flow, std::int64_t now) const {
  if (recovery_ == Recovery::per_ack) return;
  flow.level = static_cast<float>(level_at(flow, now));
  flow.changed = now;
}

bool LinearDelay::raise(FlowState& flow) const {
  const float before = flow.level;
  flow.level = static_cast<float>(std::min(before + 1.0, most()));
  return flow.level > before;
}

bool LinearDelay::lower(FlowState& flow) const {
  if (flow.level == 0) return false;
  if (recovery_ == Recovery::per_ack) flow.level = std::max(0.0F, flow.level - 1);
  return true;
}

void LinearDelay::on_injected(FlowState& flow, std::int64_t, std::int64_t end) const {
  flow.origin = end;
}

std::int64_t LinearDelay::earliest(const FlowState& flow, std::int64_t) const {
  return flow.origin + bounded_wait(flow.level * slot_);
}

double LinearDelay::level_at(const FlowState& flow, std::int64_t now) const {
  if (recovery_ == Recovery::per_ack || flow.level == 0) return flow.level;
  return std::max(0.0, flow.level - least_ * elapsed(flow, now) / slot_);
}

double LinearDelay::rate_over(const FlowState& flow, double span) const {
  const double full = 1 + flow.level;
  if (recovery_ == Recovery::per_ack || flow.level == 0) return span / full;
  // 1 / (1 + level), of a level that goes down at a steady pace until it is 0.
  const double held = std::min(span, held_for(flow));
  const double pace = least_ / slot_;
  return -std::log1p(-pace * held / full) / pace + (span - held);
}

double LinearDelay::held_for(const FlowState& flow) const {
  if (recovery_ == Recovery::per_ack || flow.level == 0) return Delay::held_for(flow);
  return flow.level * slot_ / least_;
}

bool LinearDelay::is_sound(const FlowState& flow) const {
  return flow.level >= 0 && flow.level <= static_cast<float>(most());
}

}  // namespace weir::reaction
