#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "weir/fabric/hooks/control_traffic.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/rates/control_medium.hpp"
#include "weir/rates/protocol_run.hpp"
#include "weir/rates/rate_protocol.hpp"

namespace weir::rates {

/// A protocol on a simulated fabric: its control packets take their time on the links that data
/// uses. Elements and links of the plane are nodes and ports of the fabric's graph.
///
/// Preemptive packets find what they would find on ControlWires; others wait for the packet on the
/// wire, at most one a hop. Processing in switches is that of ControlTiming.
class FabricControl final : public fabric::ControlTraffic, public ControlMedium {
 public:
  explicit FabricControl(bool preempts) : preempts_(preempts) {}

  /// Before the fabric is made. `protocol` is on this medium and outlives it.
  void carry(RateProtocol& protocol) { protocol_ = &protocol; }
  void plan(const PartyChange& change) { planned_.push_back(change); }
  /// At `at` a flow wishes to start, of which on_wish is told.
  void plan_wish(Time at, FlowIndex flow) { wishes_.push_back({at, flow}); }
  void on_wish(std::function<void(FlowIndex)> on_wish) { on_wish_ = std::move(on_wish); }
  /// Once the fabric runs: in an event of this instant.
  void plan_now(std::uint32_t party, bool is_start) { schedule({now(), party, is_start}); }
  /// Likewise, at a later time.
  void plan_at(const PartyChange& change) { schedule(change); }
  void plan_wish_at(Time at, FlowIndex flow);
  // A flow whose first message rides on the packet that looks for its path, in events of this
  // instant: it starts, that packet is at its destination, its answer is back.
  void plan_ride(FlowIndex flow);
  void plan_turn(FlowIndex flow);
  void plan_alight(FlowIndex flow);
  /// It has started and not ended.
  [[nodiscard]] bool is_in(std::uint32_t party) const { return is_in_[party]; }

  /// What is planned has been told before, to the run that a checkpoint was made of.
  void drop_plan() {
    planned_.clear();
    wishes_.clear();
  }

  void attach(const fabric::FabricView& fabric) override;
  void on_control(PortId port, const fabric::ControlMessage& message) override;
  [[nodiscard]] bool is_quiet() const override;
  [[nodiscard]] std::size_t memory() const override {
    return planned_.capacity() * sizeof(PartyChange);
  }
  [[nodiscard]] bool has_checkpoints() const override { return protocol_->has_checkpoints(); }
  /// All of it, with the protocol, in one piece: the network is in one part. What is scheduled
  /// stands with the nodes.
  void checkpoint_all(StateArchive& state);

  [[nodiscard]] Time now() const override;
  void schedule(Time time, ControlEvent event, LinkIndex link, std::uint32_t payload) override;
  Time transmit(LinkIndex link, Bytes size) override;

  /// The rate of a flow has changed.
  void note_rate() { rate_at_ = now(); }
  /// How long rates took to settle after starts and ends: each time from the last of those that
  /// came before to the last rate that changed.
  struct Calculations {
    std::uint64_t count = 0;
    Time sum;
    Time longest;
  };
  [[nodiscard]] const Calculations& calculations() const { return calculations_; }

  /// Since when is_quiet() has held without a break; Time::max(): it does not.
  [[nodiscard]] Time quiet_since() const { return quiet_since_; }

 private:
  void schedule(const PartyChange& change);
  void schedule_change(Time at, std::uint16_t kind, std::uint32_t who);
  void start(std::uint32_t party, bool rides);
  void change(std::uint16_t kind, std::uint32_t who);
  void note_settled();

  bool preempts_;
  RateProtocol* protocol_ = nullptr;
  fabric::Clock clock_;
  fabric::BackgroundTraffic background_;
  struct Wish {
    Time at;
    FlowIndex flow = 0;
  };
  std::vector<PartyChange> planned_;
  std::vector<Wish> wishes_;
  std::function<void(FlowIndex)> on_wish_;
  std::vector<bool> is_in_;       ///< per party
  std::size_t changes_left_ = 0;  ///< starts, ends and wishes
  std::size_t pending_ = 0;       ///< messages that were scheduled
  std::size_t riding_ = 0;        ///< messages on packets that look for a path
  Time quiet_since_ = Time::max();
  Time changed_at_ = Time::max();  ///< last start or end of what is not settled yet
  Time rate_at_;
  Calculations calculations_;
};

}  // namespace weir::rates
