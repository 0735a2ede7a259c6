#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/huge_pages.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::reaction {

/// What a source knows of one flow. Times in ps.
struct FlowState {
  std::int64_t origin = INT64_MIN / 4;  ///< when the present wait begins to count
  std::int64_t changed = 0;             ///< the level is that of this time; loads are up to it
  float level = 0;                      ///< of the delay; what it means, the Delay says
  std::uint32_t outstanding = 0;        ///< packets injected, without ACK
  std::uint32_t waiting = 0;            ///< messages at the source that are not sent whole
  std::uint8_t window = 0;              ///< dynamic windows only
  std::uint8_t window_share = 0;        ///< of fractional windows: saved up, in 1/256
  std::uint8_t traffic_class = 0;       ///< of its latest message
  bool is_held : 1 = false;             ///< a packet waits because the flow is throttled
  bool is_in_use : 1 = false;           ///< an entry of a FlowStates table
};
static_assert(sizeof(FlowState) == 32);

/// The states of flows that are not in their initial state, behind an index of 4 bytes a flow: of
/// the flows of a large network, hosts squared, few are active at a time. A State has the members
/// `is_in_use` and `waiting`.
template <class State>
class FlowStates {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit FlowStates(const State& initial) : initial_(initial) { initial_.is_in_use = true; }

  /// Null: in its initial state.
  [[nodiscard]] State* find(std::uint32_t flow) {
    if (flow >= slot_of_.size() || slot_of_[flow] == kNone) return nullptr;
    return &states_[slot_of_[flow]];
  }
  /// The state of a flow, which is made when there is none. Valid until the next call.
  State& take(std::uint32_t flow) {
    if (flow >= slot_of_.size()) slot_of_.resize(std::size_t{flow} + flow / 2 + 64, kNone);
    std::uint32_t& slot = slot_of_[flow];
    if (slot == kNone) slot = make();
    return states_[slot];
  }
  /// The flow is back in its initial state.
  void give_back(std::uint32_t flow) {
    const std::uint32_t slot = slot_of_[flow];
    slot_of_[flow] = kNone;
    states_[slot].is_in_use = false;
    states_[slot].waiting = free_;
    free_ = slot;
    --in_use_;
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const State& state : states_) {
      if (state.is_in_use) visit(state);
    }
  }
  /// Of a node that has these flows.
  void checkpoint(fabric::NodeState& state, std::span<const std::uint32_t> flows) {
    for (const std::uint32_t flow : flows) {
      bool is_kept = !state.is_reading() && find(flow) != nullptr;
      state(is_kept);
      if (is_kept) state(take(flow));
    }
  }
  [[nodiscard]] const State& initial() const { return initial_; }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  [[nodiscard]] std::size_t memory() const {
    return states_.capacity() * sizeof(State) + slot_of_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::uint32_t make() {
    ++in_use_;
    if (free_ == kNone) {
      states_.push_back(initial_);
      return static_cast<std::uint32_t>(states_.size() - 1);
    }
    const std::uint32_t slot = free_;
    free_ = states_[slot].waiting;
    states_[slot] = initial_;
    return slot;
  }

  State initial_;
  HugeVector<State> states_;
  HugeVector<std::uint32_t> slot_of_;  ///< per flow
  std::uint32_t free_ = kNone;         ///< given back, in a list through `waiting`
  std::size_t in_use_ = 0;
};

}  // namespace weir::reaction
