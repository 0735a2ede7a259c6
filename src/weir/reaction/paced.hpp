#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "weir/base/units.hpp"
#include "weir/reaction/delay.hpp"
#include "weir/reaction/rate_law.hpp"

namespace weir::reaction {

/// What brings a lowered rate back.
enum class Recovery : std::uint8_t { per_ack, elapsed_time };

/// A rate for every flow: the next packet may start 1 / r after the start of the last one. Time
/// that passes counts at ACKs and injections. Source: yan2012, section 3.3, ferrer2012,
/// section 3.5.1.
///
/// Level: the rate, over that of the link.
class RateDelay final : public Delay {
 public:
  /// `packet_time`: 1 / R_max. Flows begin at rate `start`.
  RateDelay(std::unique_ptr<const RateLaw> law, Recovery recovery, double start, Time packet_time)
      : law_(std::move(law)),
        recovery_(recovery),
        start_(static_cast<float>(start)),
        packet_time_(static_cast<double>(packet_time.count)) {}

  [[nodiscard]] float initial() const override { return start_; }
  [[nodiscard]] bool is_free(const FlowState& flow) const override { return flow.level >= 1; }
  void settle(FlowState& flow, std::int64_t now) const override;
  bool raise(FlowState& flow) const override;
  bool lower(FlowState& flow) const override;
  void on_injected(FlowState& flow, std::int64_t start, std::int64_t end) const override;
  [[nodiscard]] std::int64_t earliest(const FlowState& flow, std::int64_t now) const override;
  [[nodiscard]] double rate_over(const FlowState& flow, double span) const override;
  [[nodiscard]] double held_for(const FlowState& flow) const override;
  [[nodiscard]] bool has_rate() const override { return true; }
  [[nodiscard]] bool is_sound(const FlowState& flow) const override;

 private:
  [[nodiscard]] double rate(const FlowState& flow, std::int64_t now) const;

  std::unique_ptr<const RateLaw> law_;
  Recovery recovery_;
  float start_;
  double packet_time_;  ///< ps
};

/// Linear inter-packet delay: a marked ACK adds a slot between the end of a packet and the start
/// of the next one; an unmarked ACK takes one away, or every packet time takes away R_min slots.
/// Source: ferrer2012, section 3.5.1.
///
/// Level: slots.
class LinearDelay final : public Delay {
 public:
  LinearDelay(double least_rate, Recovery recovery, Time slot)
      : least_(least_rate), recovery_(recovery), slot_(static_cast<double>(slot.count)) {}

  void settle(FlowState& flow, std::int64_t now) const override;
  bool raise(FlowState& flow) const override;
  bool lower(FlowState& flow) const override;
  void on_injected(FlowState& flow, std::int64_t start, std::int64_t end) const override;
  [[nodiscard]] bool asks_for_end() const override { return true; }
  [[nodiscard]] std::int64_t earliest(const FlowState& flow, std::int64_t now) const override;
  [[nodiscard]] double rate_over(const FlowState& flow, double span) const override;
  [[nodiscard]] double held_for(const FlowState& flow) const override;
  [[nodiscard]] bool has_rate() const override { return true; }
  [[nodiscard]] bool is_sound(const FlowState& flow) const override;
  [[nodiscard]] double most() const { return 1 / least_ - 1; }

 private:
  [[nodiscard]] double level_at(const FlowState& flow, std::int64_t now) const;

  double least_;
  Recovery recovery_;
  double slot_;  ///< ps
};

}  // namespace weir::reaction
