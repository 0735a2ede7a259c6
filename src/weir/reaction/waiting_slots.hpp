#pragma once

#include <cstdint>
#include <vector>

#include "weir/reaction/delay.hpp"

namespace weir::reaction {

/// What waiting slots need to know.
struct SlotSettings {
  enum class Growth : std::uint8_t { geometric, linear };
  enum class Origin : std::uint8_t { ack, injection };
  enum class Removal : std::uint8_t { all, one };

  Growth growth = Growth::geometric;
  double factor = 4;             ///< k
  std::uint32_t most_steps = 0;  ///< 0: no bound
  Time slot;
  Origin origin = Origin::ack;
  Removal removal = Removal::all;
};

/// Waiting slots: the first step makes a flow wait for one slot, each further step k times as long,
/// or one slot longer. An ACK without mark takes all slots away (or one step). The wait counts from
/// the latest ACK, or from the latest injection. Source: ferrer2012, sections 5.2.2, 6.2.2 and 5.2.
///
/// Level: steps.
class WaitingSlots final : public Delay {
 public:
  explicit WaitingSlots(const SlotSettings& settings);

  bool raise(FlowState& flow) const override;
  bool lower(FlowState& flow) const override;
  void on_ack(FlowState& flow, std::int64_t now) const override;
  void on_injected(FlowState& flow, std::int64_t start, std::int64_t end) const override;
  [[nodiscard]] std::int64_t earliest(const FlowState& flow, std::int64_t now) const override;
  [[nodiscard]] bool is_sound(const FlowState& flow) const override;

  /// number_WS after so many steps.
  [[nodiscard]] double slots(std::uint32_t steps) const;
  /// Wait after so many steps.
  [[nodiscard]] Time wait(std::uint32_t steps) const;

 private:
  SlotSettings settings_;
  std::vector<std::int64_t> waits_;  ///< of the first steps
};

}  // namespace weir::reaction
