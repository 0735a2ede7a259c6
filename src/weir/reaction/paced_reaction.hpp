#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/counters.hpp"
#include "weir/reaction/delay.hpp"
#include "weir/reaction/flow_states.hpp"

namespace weir::reaction {

/// What a source knows of a flow that it paces. Times in ps. A scheme adds what it needs.
struct PacedFlow {
  static constexpr double kNoWindow = std::numeric_limits<double>::infinity();

  double rate = 1;                    ///< over that of its link
  std::int64_t last = INT64_MIN / 4;  ///< start of the last packet
  double window = kNoWindow;          ///< packets without ACK; below one, a single packet
  std::int64_t due = INT64_MIN / 4;   ///< the next packet may start
  std::int64_t settled = 0;           ///< all is as of this time
  std::uint32_t outstanding = 0;      ///< packets without ACK, where every packet has one
  std::uint32_t waiting = 0;          ///< messages at the source that are not sent whole
  std::uint8_t traffic_class = 0;     ///< of its latest message
  bool is_held : 1 = false;           ///< a packet waits because the flow is throttled
  bool is_in_use : 1 = false;         ///< an entry of a FlowStates table
  bool stays : 1 = false;             ///< the scheme remembers something of it

  [[nodiscard]] bool is_full() const { return rate >= 1; }
  /// Changes the rate. What the next packet has waited for already is not lost.
  void set_rate(double to, std::int64_t now) {
    if (due > now) due = now + bounded_wait(static_cast<double>(due - now) * rate / to);
    rate = to;
  }
};

/// A reaction that has a pace for each flow.
class FlowPacer : public fabric::Reaction {
 public:
  /// The flow as it is at `now`.
  [[nodiscard]] virtual PacedFlow paced(std::uint32_t flow, Time now) = 0;
};

/// Sources that pace each flow at a rate, with or without a window, as feedback says: DCQCN, QCN,
/// Swift, HPCC, TIMELY. A flow that has heard of no congestion has the rate of its link. State
/// derives from PacedFlow.
template <class State>
class PacedReaction : public FlowPacer {
 public:
  void on_generated(const fabric::Message& message, Time now) override {
    State& state = flow(message.flow, now);
    state.traffic_class = message.traffic_class;
    ++state.waiting;
  }

  Time may_inject(const fabric::Message& message, Time now) override {
    State* state = states_.find(message.flow);
    // A host may ask for a flow that it has nothing of yet: past one that has to wait.
    if (state == nullptr) return now;
    settle(*state, now);
    if (state->outstanding > 0 && is_window_full(*state)) {
      state->is_held = true;
      return Time::max();
    }
    if (state->is_full() || state->due <= now.count) return now;
    state->is_held = true;
    return Time(std::min(state->due, next_change(*state)));
  }

  void on_injected(const fabric::Message& message, const fabric::Packet& packet,
                   Time now) override {
    State& state = flow(message.flow, now);
    const double packet_time = packet.size * ps_per_byte_[message.source];
    state.last = now.count;
    state.due = now.count + bounded_wait(packet_time / state.rate);
    state.traffic_class = message.traffic_class;
    if (state.is_held) ++counters_[message.traffic_class].packets_held;
    state.is_held = false;
    if (counts_packets_) ++state.outstanding;
    if (message.unsent == 0) --state.waiting;
    sent(state, packet, now);
    release_if_idle(message.flow, state);
  }

  void on_ack(const fabric::Packet& ack, Time now) override {
    State& state = flow(ack.message, now);
    if (counts_packets_) --state.outstanding;
    if (state.waiting == 0) state.traffic_class = ack.traffic_class;
    acknowledged(state, ack, now);
    release_if_idle(ack.message, state);
  }

  void on_lost(const fabric::Packet& ack, Time now) override {
    if (!counts_packets_) return;
    State& state = flow(ack.message, now);
    --state.outstanding;
    release_if_idle(ack.message, state);
  }

  void check(bool is_idle) const override {
    states_.for_each([&](const State& state) {
      if (!(state.rate > 0) || state.rate > 1 || !(state.window > 0)) {
        throw RunError(fmt::format("a source has a rate of {} of its link and a window of {}",
                                   state.rate, state.window));
      }
      if (is_idle && (state.outstanding > 0 || state.waiting > 0)) {
        throw RunError(fmt::format(
            "a source counts {} packets without ACK and {} messages in an empty network",
            state.outstanding, state.waiting));
      }
    });
  }

  void read(fabric::Readings& readings, Time now) const override {
    const std::size_t classes = readings.traffic_classes();
    std::vector<ReactionLoad> loads(loads_.begin(),
                                    loads_.begin() + static_cast<std::ptrdiff_t>(classes));
    states_.for_each([&](const State& kept) {
      State state = kept;
      advance(state, now.count, loads[kept.traffic_class]);
    });
    for (std::size_t c = 0; c < classes; ++c) {
      readings.count_of(c, "delay_increases", static_cast<double>(counters_[c].delay_increases));
      readings.count_of(c, "packets_held", static_cast<double>(counters_[c].packets_held));
      readings.mean_of(c, "throttled_flows", loads[c].throttled, loads[c].flows);
      readings.mean_of(c, "injection_rate", loads[c].rates, loads[c].flows);
      if (has_windows()) readings.mean_of(c, "window", loads[c].windows, loads[c].flows);
    }
  }

  [[nodiscard]] std::size_t memory() const override {
    return states_.memory() + ps_per_byte_.capacity() * sizeof(double);
  }

  [[nodiscard]] bool works_in_parts() const override { return true; }
  /// Of a scheme that has_checkpoints() and state of its own: calls these first.
  void checkpoint(fabric::NodeState& state) override { states_.checkpoint(state, state.flows()); }
  void checkpoint_totals(fabric::TotalState& state) override {
    for (ReactionCounters& one : counters_) state.sum(one);
    for (ReactionLoad& one : loads_) state.sum(one);
  }

  [[nodiscard]] PacedFlow paced(std::uint32_t index, Time now) override {
    State* kept = states_.find(index);
    if (kept == nullptr) return states_.initial();
    settle(*kept, now);
    return *kept;
  }

 protected:
  PacedReaction(const State& initial, const fabric::ReactionContext& context)
      : counts_packets_(context.fabric.acks == fabric::AckMode::in_band ||
                        context.fabric.acks == fabric::AckMode::ideal),
        states_(initial) {
    const topology::Graph& graph = *context.graph;
    for (std::size_t h = 0; h < graph.host_count(); ++h) {
      const Rate link = graph.port(graph.host_port(HostId(h))).link.rate;
      ps_per_byte_.push_back(8e12 / static_cast<double>(link.count));
    }
  }

  /// No packet may join those without ACK. A window is what they may come to, unless the scheme
  /// says otherwise.
  [[nodiscard]] virtual bool is_window_full(const State& flow) const {
    return flow.outstanding + 1 > flow.window;
  }
  /// A packet of the flow has begun to leave.
  virtual void sent(State& flow, const fabric::Packet& packet, Time now) {
    (void)flow, (void)packet, (void)now;
  }
  /// An ACK or notification is back.
  virtual void acknowledged(State& flow, const fabric::Packet& ack, Time now) {
    (void)flow, (void)ack, (void)now;
  }
  /// Time passes, up to `now`: what changes by itself does, and the load is accounted.
  virtual void advance(State& flow, std::int64_t now, ReactionLoad& load) const {
    account(flow, flow.settled, now, load);
    flow.settled = now;
  }
  /// When the flow next changes by itself.
  [[nodiscard]] virtual std::int64_t next_change(const State& flow) const {
    (void)flow;
    return INT64_MAX;
  }

  /// What a flow was between two times, with the rate and window that it has.
  void account(const State& flow, std::int64_t from, std::int64_t to, ReactionLoad& load) const {
    if (flow.waiting == 0 && flow.outstanding == 0) return;
    const std::int64_t span = to - from;
    load.flows.add(span);
    load.rates.add(flow.rate * static_cast<double>(span));
    if (flow.window != State::kNoWindow) load.windows.add(flow.window * static_cast<double>(span));
    const bool is_cut = !flow.is_full() || flow.window < states_.initial().window;
    if (is_cut) load.throttled.add(span);
  }
  /// A flow, as it is now. Valid until the next one is asked for.
  State& flow(std::uint32_t index, Time now) {
    State& state = states_.take(index);
    settle(state, now);
    return state;
  }
  void settle(State& state, Time now) { advance(state, now.count, loads_[state.traffic_class]); }
  /// Counts a cut of its rate.
  void count_cut(const State& state) { ++counters_[state.traffic_class].delay_increases; }
  [[nodiscard]] double ps_per_byte(std::uint32_t host) const { return ps_per_byte_[host]; }
  template <class Visit>
  void for_each_flow(Visit visit) const {
    states_.for_each(visit);
  }

 private:
  void release_if_idle(std::uint32_t index, const State& state) {
    if (state.waiting > 0 || state.outstanding > 0 || state.stays || !state.is_full()) return;
    states_.give_back(index);
  }

  bool counts_packets_;
  FlowStates<State> states_;
  std::vector<double> ps_per_byte_;  ///< per host, of its link
  std::array<ReactionCounters, 256> counters_{};
  std::array<ReactionLoad, 256> loads_{};  ///< up to PacedFlow::settled of each flow
};

}  // namespace weir::reaction
