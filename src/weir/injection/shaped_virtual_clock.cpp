#include "weir/injection/flow_injection.hpp"

namespace weir::injection {

namespace {

/// A flow may send when size / r has passed since its last packet began to leave.
class SpacedFlows : public FlowInjection {
 public:
  using FlowInjection::FlowInjection;

 protected:
  [[nodiscard]] static double next(const RatedFlow& flow) {
    return ready(flow.base, flow.size, flow.rate);
  }
  void count(Host& host, RatedFlow& flow, double size, double now) const override {
    flow.base = start_of(host, next(flow), now);
    flow.size = size;
  }
};

/// Shaped virtual clock (zdornov2009, section 5.2): among the flows that may send, the one with the
/// smallest D / r. Flows leave without bursts, but packets of different flows back to back.
class ShapedVirtualClock final : public SpacedFlows {
 public:
  using SpacedFlows::SpacedFlows;

 protected:
  [[nodiscard]] Turn turn(const Host&, const RatedFlow& flow) const override {
    return {next(flow), flow.tag};
  }
};

/// The same without virtual clock: among the flows that may send, the one that could the longest.
class InterPacketDelay final : public SpacedFlows {
 public:
  using SpacedFlows::SpacedFlows;

 protected:
  [[nodiscard]] Turn turn(const Host&, const RatedFlow& flow) const override {
    return {next(flow), next(flow)};
  }
};

const Registration<fabric::InjectionFactory> kShapedVirtualClock(
    fabric::injection_registry(),
    {"shaped-virtual-clock",
     "Packets of a flow that are size / rate apart; of the flows that may send, the one that is "
     "farthest behind its rate goes first",
     "zdornov2009, section 5.2"},
    phase_keys(), make_scheme<ShapedVirtualClock>);

const Registration<fabric::InjectionFactory> kInterPacketDelay(
    fabric::injection_registry(),
    {"inter-packet-delay",
     "Packets of a flow that are size / rate apart; of the flows that may send, the one that could "
     "for the longest time goes first",
     "zdornov2009, section 5.2"},
    phase_keys(), make_scheme<InterPacketDelay>);

}  // namespace

}  // namespace weir::injection
