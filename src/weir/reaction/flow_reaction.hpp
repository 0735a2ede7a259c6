#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/counters.hpp"
#include "weir/reaction/delay.hpp"
#include "weir/reaction/flow_states.hpp"
#include "weir/reaction/window.hpp"

namespace weir::reaction {

/// What makes a reaction.
struct ReactionParts {
  /// When a flow that has run empty begins afresh at its next message.
  enum class FreshStart : std::uint8_t {
    never,
    nothing_waiting,     ///< no packet of it waits
    nothing_on_its_way,  ///< and none is without ACK
  };
  /// What has a state of its own.
  enum class Scope : std::uint8_t { flow, service_level, host };

  Window window;
  std::unique_ptr<const Delay> delay;
  FreshStart fresh_start = FreshStart::never;
  Scope scope = Scope::flow;
  std::vector<std::string> notes;
  std::string unmarked;  ///< note where packets went and none was marked; empty: nothing to say
};

/// A window and a delay, moved by what ACKs say of the flow (ferrer2012, section 6.2.2):
///
/// * hot: a smaller window; where it is at its least, a longer wait;
/// * warm: a smaller window;
/// * cold: the wait is taken back; where there is none, a larger window.
///
/// With windows that marks do not move, marks move the delay alone: waiting slots without window,
/// rates, tables. States of flows that are as at the beginning are not kept.
class FlowReaction final : public fabric::Reaction {
 public:
  FlowReaction(ReactionParts parts, const fabric::ReactionContext& context);

  void on_generated(const fabric::Message& message, Time now) override;
  Time may_inject(const fabric::Message& message, Time now) override;
  void on_injected(const fabric::Message& message, const fabric::Packet& packet, Time now) override;
  void on_ack(const fabric::Packet& ack, Time now) override;
  void on_lost(const fabric::Packet& ack, Time now) override;

  void check(bool is_idle) const override;
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] bool shares_states() const override {
    return parts_.scope != ReactionParts::Scope::flow;
  }
  [[nodiscard]] bool has_windows() const override { return parts_.window.is_bounded(); }
  [[nodiscard]] std::size_t memory() const override { return states_.memory(); }
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::vector<std::uint64_t> counts_for_notes() const override;
  [[nodiscard]] std::vector<std::string> notes_of(
      std::span<const std::uint64_t> counts) const override;

  /// The state of a flow (of scope flow: its index), as it would be for its next packet.
  [[nodiscard]] FlowState state(std::uint32_t flow);
  /// States that are kept.
  [[nodiscard]] std::size_t active() const { return states_.in_use(); }

 private:
  [[nodiscard]] static FlowState initial_state(const ReactionParts& parts);
  [[nodiscard]] std::uint32_t key(std::uint32_t flow, std::uint32_t host,
                                  std::uint8_t service_level) const {
    switch (parts_.scope) {
      case ReactionParts::Scope::flow:
        return flow;
      case ReactionParts::Scope::service_level:
        return host * 256 + service_level;
      case ReactionParts::Scope::host:
        return host;
    }
    return flow;
  }
  [[nodiscard]] std::uint32_t key_of(const fabric::Message& m) const {
    return key(m.flow, m.source, m.service_level);
  }
  [[nodiscard]] std::uint32_t key_of(const fabric::Packet& ack) const {
    return key(ack.message, ack.destination, ack.service_level);
  }
  Time may_inject(FlowState& flow, Time now) const;
  [[nodiscard]] bool is_throttled(const FlowState& flow) const {
    return parts_.window.is_reduced(flow) || !parts_.delay->is_free(flow);
  }
  /// Adds to `load` what the flow has been from flow.changed to now.
  void account(const FlowState& flow, Time now, ReactionLoad& load) const;
  /// Accounts the flow, and brings its level to what it is now.
  void bring_to(FlowState& flow, Time now);
  void react(FlowState& flow, fabric::FlowHeat heat, ReactionCounters& counters);
  void begin_afresh(FlowState& flow);
  void keep_or_give_back(std::uint32_t key, const FlowState& flow);

  ReactionParts parts_;
  std::shared_ptr<const fabric::Marker> marker_;
  bool counts_packets_;    ///< every packet has an ACK
  bool has_sent_ = false;  ///< a packet
  std::shared_ptr<const topology::Graph> graph_;
  FlowStates<FlowState> states_;
  std::uint64_t on_their_way_ = 0;  ///< packets without ACK
  std::array<ReactionCounters, 256> counters_{};
  std::array<ReactionLoad, 256> loads_{};  ///< up to FlowState::changed of each flow
};

}  // namespace weir::reaction
