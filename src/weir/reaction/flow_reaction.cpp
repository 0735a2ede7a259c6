#include "weir/reaction/flow_reaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::reaction {

using fabric::AckMode;
using fabric::FlowHeat;

FlowState FlowReaction::initial_state(const ReactionParts& parts) {
  FlowState state;
  state.window = parts.window.is_dynamic() ? parts.window.initial() : std::uint8_t{0};
  state.level = parts.delay->initial();
  return state;
}

FlowReaction::FlowReaction(ReactionParts parts, const fabric::ReactionContext& context)
    : parts_(std::move(parts)),
      marker_(context.marker),
      counts_packets_(context.fabric.acks == AckMode::in_band ||
                      context.fabric.acks == AckMode::ideal),
      graph_(context.graph),
      states_(initial_state(parts_)) {}

void FlowReaction::on_generated(const fabric::Message& message, Time now) {
  FlowState& flow = states_.take(key_of(message));
  const bool is_empty =
      flow.waiting == 0 &&
      (flow.outstanding == 0 || parts_.fresh_start == ReactionParts::FreshStart::nothing_waiting);
  if (flow.waiting == 0) {
    account(flow, now, loads_[flow.traffic_class]);
    if (is_empty && parts_.fresh_start != ReactionParts::FreshStart::never) begin_afresh(flow);
    parts_.delay->settle(flow, now.count);
    flow.changed = now.count;
    flow.traffic_class = message.traffic_class;
  }
  ++flow.waiting;
}

void FlowReaction::account(const FlowState& flow, Time now, ReactionLoad& load) const {
  if (flow.waiting == 0 && flow.outstanding == 0) return;
  const std::int64_t span = now.count - flow.changed;
  load.flows.add(span);
  if (parts_.window.is_reduced(flow)) {
    load.throttled.add(span);
  } else if (!parts_.delay->is_free(flow)) {
    load.throttled.add(std::min(static_cast<double>(span), parts_.delay->held_for(flow)));
  }
  if (parts_.window.is_bounded()) load.windows.add(parts_.window.limit(flow) * span);
  if (parts_.delay->has_rate()) {
    load.rates.add(parts_.delay->rate_over(flow, static_cast<double>(span)));
  }
}

void FlowReaction::bring_to(FlowState& flow, Time now) {
  account(flow, now, loads_[flow.traffic_class]);
  parts_.delay->settle(flow, now.count);
  flow.changed = now.count;
}

void FlowReaction::begin_afresh(FlowState& flow) {
  if (!is_throttled(flow)) return;
  ++counters_[flow.traffic_class].fresh_starts;
  const FlowState& initial = states_.initial();
  flow.window = initial.window;
  flow.level = initial.level;
  flow.origin = initial.origin;
}

Time FlowReaction::may_inject(const fabric::Message& message, Time now) {
  if (FlowState* flow = states_.find(key_of(message)); flow != nullptr) {
    return may_inject(*flow, now);
  }
  // A host may ask for a flow that it has nothing of yet: past one that has to wait.
  FlowState fresh = states_.initial();
  return may_inject(fresh, now);
}

Time FlowReaction::may_inject(FlowState& flow, Time now) const {
  if (flow.outstanding >= parts_.window.limit(flow)) {
    flow.is_held = flow.is_held || is_throttled(flow);
    return Time::max();
  }
  if (parts_.delay->is_free(flow)) return now;
  const std::int64_t at = parts_.delay->earliest(flow, now.count);
  if (at <= now.count) return now;
  flow.is_held = flow.is_held || is_throttled(flow);
  return Time(at);
}

void FlowReaction::on_injected(const fabric::Message& message, const fabric::Packet& packet,
                               Time now) {
  FlowState& flow = *states_.find(key_of(message));
  bring_to(flow, now);
  Time end;
  if (parts_.delay->asks_for_end()) {
    const Rate rate = graph_->port(graph_->host_port(HostId(message.source))).link.rate;
    end = now + serialization_time(Bytes(packet.size), rate);
  }
  parts_.delay->on_injected(flow, now.count, end.count);
  flow.traffic_class = message.traffic_class;
  has_sent_ = true;
  if (flow.is_held) ++counters_[message.traffic_class].packets_held;
  flow.is_held = false;
  if (message.unsent == 0) --flow.waiting;
  if (counts_packets_) {
    ++flow.outstanding;
    ++on_their_way_;
  } else if (flow.waiting == 0) {
    keep_or_give_back(key_of(message), flow);
  }
}

void FlowReaction::on_ack(const fabric::Packet& ack, Time now) {
  const std::uint32_t which = key_of(ack);
  FlowState& flow = states_.take(which);
  bring_to(flow, now);
  if (counts_packets_) {
    --flow.outstanding;
    --on_their_way_;
  }
  const auto marks = static_cast<std::uint8_t>(ack.flags & fabric::packet_flag::kMarks);
  react(flow, marker_ ? marker_->classify(marks) : FlowHeat::cold, counters_[ack.traffic_class]);
  parts_.delay->on_ack(flow, now.count);
  keep_or_give_back(which, flow);
}

void FlowReaction::on_lost(const fabric::Packet& ack, Time now) {
  if (!counts_packets_) return;
  const std::uint32_t which = key_of(ack);
  FlowState& flow = states_.take(which);
  // Without work from now on, it counts no longer; its level still is that of flow.changed.
  if (flow.waiting == 0 && flow.outstanding == 1) {
    account(flow, now, loads_[flow.traffic_class]);
  }
  --flow.outstanding;
  --on_their_way_;
  keep_or_give_back(which, flow);
}

void FlowReaction::react(FlowState& flow, FlowHeat heat, ReactionCounters& counters) {
  switch (heat) {
    case FlowHeat::cold:
      if (parts_.delay->lower(flow)) {
        ++counters.delay_reductions;
      } else if (parts_.window.grow(flow)) {
        ++counters.window_increases;
      }
      return;
    case FlowHeat::warm:
      if (parts_.window.shrink(flow)) ++counters.window_reductions;
      return;
    case FlowHeat::hot:
      if (parts_.window.shrink(flow)) {
        ++counters.window_reductions;
      } else if (parts_.delay->raise(flow)) {
        ++counters.delay_increases;
      }
      return;
  }
}

void FlowReaction::keep_or_give_back(std::uint32_t which, const FlowState& flow) {
  const FlowState& initial = states_.initial();
  if (flow.waiting > 0 || flow.outstanding > 0 || flow.level != initial.level ||
      parts_.window.is_reduced(flow) || !parts_.delay->is_free(flow)) {
    return;
  }
  states_.give_back(which);
}

FlowState FlowReaction::state(std::uint32_t flow) {
  const FlowState* kept = states_.find(flow);
  return kept != nullptr ? *kept : states_.initial();
}

std::vector<std::string> FlowReaction::notes() const { return notes_of(counts_for_notes()); }

/// Sources that have sent, markers that there are, and marks that these have set.
std::vector<std::uint64_t> FlowReaction::counts_for_notes() const {
  return {has_sent_ ? 1U : 0U, marker_ ? 1U : 0U,
          marker_ ? marker_->marks_a().set + marker_->marks_b().set : 0};
}

std::vector<std::string> FlowReaction::notes_of(std::span<const std::uint64_t> counts) const {
  const bool has_sent = counts[0] > 0;
  const bool is_unmarked = counts[1] > 0 && counts[2] == 0;
  std::vector<std::string> all = parts_.notes;
  if (has_sent && is_unmarked && !parts_.unmarked.empty()) all.push_back(parts_.unmarked);
  return all;
}

void FlowReaction::check(bool) const {
  std::uint64_t outstanding = 0;
  states_.for_each([&](const FlowState& flow) {
    outstanding += flow.outstanding;
    const bool has_window = parts_.window.is_dynamic();
    const bool fits = flow.outstanding <= parts_.window.largest() &&
                      (!has_window || (flow.window >= 1 && flow.window <= parts_.window.largest()));
    if (!fits || !parts_.delay->is_sound(flow)) {
      throw RunError(
          fmt::format("a source has {} packets without ACK, a window of {} and a delay level of "
                      "{}, which the reaction does not allow",
                      flow.outstanding, flow.window, flow.level));
    }
    if (!has_window || flow.window <= 1 || parts_.delay->is_free(flow)) return;
    throw RunError(
        fmt::format("a source waits although its window of {} could be smaller", flow.window));
  });
  if (outstanding == on_their_way_) return;
  throw RunError(
      fmt::format("sources count {} packets without ACK, but {} are", outstanding, on_their_way_));
}

void FlowReaction::read(fabric::Readings& readings, Time now) const {
  const std::size_t classes = readings.traffic_classes();
  std::vector<ReactionLoad> loads(loads_.begin(),
                                  loads_.begin() + static_cast<std::ptrdiff_t>(classes));
  states_.for_each([&](const FlowState& flow) { account(flow, now, loads[flow.traffic_class]); });
  for (std::size_t c = 0; c < classes; ++c) {
    const auto count = [&](std::string_view metric, std::uint64_t total) {
      readings.count_of(c, metric, static_cast<double>(total));
    };
    const auto mean = [&](std::string_view metric, const ExactSum& part) {
      readings.mean_of(c, metric, part, loads[c].flows);
    };
    count("window_reductions", counters_[c].window_reductions);
    count("window_increases", counters_[c].window_increases);
    count("delay_increases", counters_[c].delay_increases);
    count("delay_reductions", counters_[c].delay_reductions);
    count("fresh_starts", counters_[c].fresh_starts);
    count("packets_held", counters_[c].packets_held);
    mean("throttled_flows", loads[c].throttled);
    if (parts_.window.is_bounded()) mean("window", loads[c].windows);
    if (parts_.delay->has_rate()) mean("injection_rate", loads[c].rates);
  }
}

void FlowReaction::checkpoint(fabric::NodeState& state) {
  if (!state.is_host()) return;
  std::vector<std::uint32_t> keys(state.flows().begin(), state.flows().end());
  if (parts_.scope != ReactionParts::Scope::flow) {
    keys.clear();
    const unsigned levels = parts_.scope == ReactionParts::Scope::host ? 1 : 256;
    for (unsigned level = 0; level < levels; ++level)
      keys.push_back(key(0, state.node(), static_cast<std::uint8_t>(level)));
  }
  states_.checkpoint(state, keys);
  if (!state.is_reading()) return;
  for (const std::uint32_t one : keys)
    if (const FlowState* kept = states_.find(one)) on_their_way_ += kept->outstanding;
}

void FlowReaction::checkpoint_totals(fabric::TotalState& state) {
  for (ReactionCounters& one : counters_) state.sum(one);
  for (ReactionLoad& one : loads_) state.sum(one);
  state.most(has_sent_);
}

}  // namespace weir::reaction
