#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/reaction/delay.hpp"

namespace weir::reaction {

/// What a congestion control table needs to know; names of the InfiniBand Architecture in
/// brackets.
struct DelayTableSettings {
  std::vector<Time> entries;  ///< delays by index, not decreasing; empty: index times `slot`
  Time slot;
  std::uint32_t increase = 1;     ///< of the index by a marked ACK [CCTI_Increase]
  std::uint32_t limit = 0;        ///< of the index; 0: none [CCTI_Limit]
  std::uint32_t least = 0;        ///< of the index [CCTI_Min]
  Time timer;                     ///< every such time the index goes down by one; 0: never
  bool recovers_by_acks = false;  ///< and by one with every ACK without mark
};

/// InfiniBand's congestion control table: marks move an index into a table of inter-packet delays
/// up, a timer (and ACKs, if wished) moves it down. The timer runs from time 0 for all flows at
/// once. Source: ferrer2012, section 3.5.1.
///
/// Level: index.
class DelayTable final : public Delay {
 public:
  explicit DelayTable(DelayTableSettings settings);

  [[nodiscard]] float initial() const override { return static_cast<float>(settings_.least); }
  [[nodiscard]] bool is_free(const FlowState& flow) const override {
    return delay(index_of(flow)) == Time(0);
  }
  void settle(FlowState& flow, std::int64_t now) const override;
  bool raise(FlowState& flow) const override;
  bool lower(FlowState& flow) const override;
  void on_injected(FlowState& flow, std::int64_t start, std::int64_t end) const override;
  [[nodiscard]] bool asks_for_end() const override { return true; }
  [[nodiscard]] std::int64_t earliest(const FlowState& flow, std::int64_t now) const override;
  [[nodiscard]] double held_for(const FlowState& flow) const override;
  [[nodiscard]] bool is_sound(const FlowState& flow) const override;

  /// Delay between the end of a packet and the start of the next one at an index.
  [[nodiscard]] Time delay(std::uint32_t index) const;

 private:
  [[nodiscard]] static std::uint32_t index_of(const FlowState& flow) {
    return static_cast<std::uint32_t>(flow.level);
  }
  /// The index of a flow at a later time.
  [[nodiscard]] std::uint32_t index_at(const FlowState& flow, std::int64_t time) const;

  DelayTableSettings settings_;
  std::uint32_t limit_;
};

}  // namespace weir::reaction
