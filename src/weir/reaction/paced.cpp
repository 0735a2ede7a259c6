#include "weir/reaction/paced.hpp"

#include <algorithm>

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

double LinearDelay::rate(const FlowState& flow, std::int64_t now) const {
  return 1 / (1 + level_at(flow, now));
}

bool LinearDelay::is_sound(const FlowState& flow) const {
  return flow.level >= 0 && flow.level <= static_cast<float>(most());
}

}  // namespace weir::reaction
