#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/units.hpp"
#include "weir/reaction/paced_reaction.hpp"

namespace weir::reaction {

/// How a rate comes back after it was cut. A byte counter and a timer run side by side; each expiry
/// is the next stage of its own count. While both counts are below `fast`, half of what was cut
/// comes back (fast recovery); from then on the target grows besides, by `additive`, and once both
/// counts are beyond `fast` by `hyper`, twice that at the next stage, and so on. Rates are over
/// that of the link. Sources: ieee2010qau, clause 32; zhu2015dcqcn, section 5.
struct StageRules {
  Time period;  ///< of the timer
  Bytes bytes;  ///< of the byte counter, on the wire
  int fast = 5;
  double additive = 0;
  double hyper = 0;
  double least = 0;  ///< lowest rate
  /// Both are half as long from stage `fast` on.
  bool halves_later = false;
  /// `hyper` counts from stage `fast` on, not from the one after it.
  bool is_hyper_early = false;
  /// At the first stage of either count a target of more than ten times the rate becomes an eighth
  /// of itself (extra fast recovery).
  bool shrinks_target = false;
  /// The target stays when a cut follows another one before the byte counter has expired.
  bool keeps_target = false;
};

/// A flow at a rate that was cut.
struct StagedFlow : PacedFlow {
  double target = 1;
  std::int64_t expiry = INT64_MAX;  ///< of the timer; never before the first cut
  std::int64_t bytes_left = 0;      ///< until the byte counter expires
  std::int32_t byte_stage = 0;
  std::int32_t time_stage = 0;
};

/// What moves the rates of flows. Between two calls a rate changes by the timer alone.
class StagedRates {
 public:
  explicit StagedRates(const StageRules& rules) : rules_(rules) {}

  /// Brings a flow to `now`; account(flow, from, to) is told what it was on the way.
  template <class Account>
  void advance(StagedFlow& flow, std::int64_t now, Account account) const {
    while (flow.expiry <= now) {
      if (flow.is_full() && flow.target >= 1) {
        skip_stages(flow, now);
        break;
      }
      account(flow, flow.settled, flow.expiry);
      flow.settled = flow.expiry;
      expire_timer(flow);
    }
    account(flow, flow.settled, now);
    flow.settled = now;
  }
  /// A packet of `size` bytes starts.
  void on_sent(StagedFlow& flow, std::uint32_t size, std::int64_t now) const;
  /// The rate becomes `factor` of what it is.
  void cut(StagedFlow& flow, double factor, std::int64_t now) const;

 private:
  void expire_timer(StagedFlow& flow) const;
  void skip_stages(StagedFlow& flow, std::int64_t now) const;
  void increase(StagedFlow& flow, std::int64_t now) const;
  [[nodiscard]] std::int64_t period(const StagedFlow& flow) const;
  [[nodiscard]] std::int64_t bytes(const StagedFlow& flow) const;

  StageRules rules_;
};

/// Sources that keep a rate for each flow, which feedback cuts and stages bring back. What feedback
/// is, and how deep it cuts, the scheme says. State derives from StagedFlow.
template <class State>
class StagedReaction : public PacedReaction<State> {
 protected:
  StagedReaction(const StageRules& rules, const fabric::ReactionContext& context)
      : PacedReaction<State>({}, context), rates_(rules) {}

  void sent(State& flow, const fabric::Packet& packet, Time now) override {
    rates_.on_sent(flow, packet.size, now.count);
  }
  void advance(State& flow, std::int64_t now, ReactionLoad& load) const override {
    rates_.advance(flow, now, [&](const StagedFlow& was, std::int64_t from, std::int64_t to) {
      this->account(static_cast<const State&>(was), from, to, load);
    });
  }
  [[nodiscard]] std::int64_t next_change(const State& flow) const override { return flow.expiry; }

  void cut(State& flow, double factor, Time now) {
    const double before = flow.rate;
    rates_.cut(flow, factor, now.count);
    if (flow.rate < before) this->count_cut(flow);
  }

 private:
  StagedRates rates_;
};

/// Keys of the stages, with the given defaults.
Keys<StageRules> stage_keys(const StageRules& defaults);
/// Throws InputError for stages that would have no length, and rates of nothing.
template <class S>
void check_stages(const Checked<S>& keys) {
  if (keys->period.count < 2) throw keys.error(&S::period, "must be more than 1 ps");
  if (keys->bytes.count < 2) throw keys.error(&S::bytes, "must be more than 1 B");
  if (keys->least <= 0) throw keys.error(&S::least, "must be more than 0");
}

}  // namespace weir::reaction
