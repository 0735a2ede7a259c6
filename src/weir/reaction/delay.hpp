#pragma once

#include <cstdint>
#include <limits>

#include "weir/base/units.hpp"
#include "weir/reaction/flow_states.hpp"

namespace weir::reaction {

/// No wait is longer (13 days); keeps times within 64 bits.
inline constexpr std::int64_t kLongestWait = std::int64_t{1} << 60;
/// A number of ps as time, at most kLongestWait.
inline std::int64_t bounded_wait(double ps) {
  return ps < static_cast<double>(kLongestWait) ? static_cast<std::int64_t>(ps) : kLongestWait;
}

/// How long a flow has to wait between its packets: waiting slots, a rate, a table of delays. It
/// keeps a level in each FlowState, which marks raise (or, of a rate, lower) and time or unmarked
/// ACKs bring back.
class Delay {
 public:
  virtual ~Delay() = default;
  /// Level of a flow that begins.
  [[nodiscard]] virtual float initial() const { return 0; }
  /// The level holds nothing up.
  [[nodiscard]] virtual bool is_free(const FlowState& flow) const { return flow.level == 0; }
  /// Brings the level to what it is at `now`; before any of the following.
  virtual void settle(FlowState& flow, std::int64_t now) const { (void)flow, (void)now; }
  /// A marked ACK: wait longer. False: it is at its limit.
  virtual bool raise(FlowState& flow) const = 0;
  /// An ACK without mark. False: there was nothing to take back.
  virtual bool lower(FlowState& flow) const = 0;
  /// Some ACK has come.
  virtual void on_ack(FlowState& flow, std::int64_t now) const { (void)flow, (void)now; }
  /// A packet has begun to leave. `end`: when all of it will have left, where asks_for_end().
  virtual void on_injected(FlowState& flow, std::int64_t start, std::int64_t end) const {
    (void)flow, (void)start, (void)end;
  }
  [[nodiscard]] virtual bool asks_for_end() const { return false; }
  /// When the next packet may leave. Not asked where is_free().
  [[nodiscard]] virtual std::int64_t earliest(const FlowState& flow, std::int64_t now) const = 0;
  /// Integral, over the `span` ps that follow flow.changed, of the rate that the level allows, over
  /// that of the link.
  [[nodiscard]] virtual double rate_over(const FlowState& flow, double span) const {
    (void)flow, (void)span;
    return 0;
  }
  /// How long after flow.changed the level holds something up, in ps, if nothing else happens.
  [[nodiscard]] virtual double held_for(const FlowState& flow) const {
    return is_free(flow) ? 0 : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] virtual bool has_rate() const { return false; }
  /// Limits of the level hold.
  [[nodiscard]] virtual bool is_sound(const FlowState& flow) const { return flow.level >= 0; }
};

/// Nobody waits.
class NoDelay final : public Delay {
 public:
  bool raise(FlowState&) const override { return false; }
  bool lower(FlowState&) const override { return false; }
  [[nodiscard]] std::int64_t earliest(const FlowState&, std::int64_t now) const override {
    return now;
  }
};

}  // namespace weir::reaction
