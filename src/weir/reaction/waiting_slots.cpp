#include "weir/reaction/waiting_slots.hpp"

#include <algorithm>

#include "weir/reaction/network_constants.hpp"

namespace weir::reaction {

namespace {

constexpr std::uint32_t kKeptWaits = 64;
constexpr std::uint32_t kMostSteps = 1U << 24;  ///< exact as a float

std::uint32_t steps_of(const FlowState& flow) { return static_cast<std::uint32_t>(flow.level); }

}  // namespace

WaitingSlots::WaitingSlots(const SlotSettings& settings) : settings_(settings) {
  if (settings_.most_steps == 0) settings_.most_steps = kMostSteps;
  for (std::uint32_t step = 0; step <= std::min(kKeptWaits, settings_.most_steps); ++step) {
    waits_.push_back(bounded_wait(slots(step) * static_cast<double>(settings_.slot.count)));
  }
}

double WaitingSlots::slots(std::uint32_t steps) const {
  return settings_.growth == SlotSettings::Growth::geometric
             ? geometric_slots(settings_.factor, steps)
             : steps;
}

Time WaitingSlots::wait(std::uint32_t steps) const {
  if (steps < waits_.size()) return Time(waits_[steps]);
  return Time(bounded_wait(slots(steps) * static_cast<double>(settings_.slot.count)));
}

bool WaitingSlots::raise(FlowState& flow) const {
  if (steps_of(flow) >= settings_.most_steps) return false;
  flow.level += 1;
  return true;
}

bool WaitingSlots::lower(FlowState& flow) const {
  if (flow.level == 0) return false;
  flow.level = settings_.removal == SlotSettings::Removal::all ? 0 : flow.level - 1;
  return true;
}

void WaitingSlots::on_ack(FlowState& flow, std::int64_t now) const {
  if (settings_.origin == SlotSettings::Origin::ack && flow.level > 0) flow.origin = now;
}

void WaitingSlots::on_injected(FlowState& flow, std::int64_t start, std::int64_t) const {
  if (settings_.origin == SlotSettings::Origin::injection) flow.origin = start;
}

std::int64_t WaitingSlots::earliest(const FlowState& flow, std::int64_t) const {
  return flow.origin + wait(steps_of(flow)).count;
}

bool WaitingSlots::is_sound(const FlowState& flow) const {
  return flow.level >= 0 && steps_of(flow) <= settings_.most_steps;
}

}  // namespace weir::reaction
