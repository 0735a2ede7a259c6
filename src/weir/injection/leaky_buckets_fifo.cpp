#include <algorithm>

#include "weir/injection/flow_injection.hpp"

namespace weir::injection {

namespace {

/// A leaky bucket for every flow and a common FIFO behind them (zdornov2009, section 5.2). Buckets
/// let a packet through each size / r, whether the FIFO moves or not: what back-pressure has held
/// up leaves in a burst. The FIFO has no bound; it is not stored, because packets in it are those
/// whose time has come, in the order of these times.
class LeakyBucketsFifo final : public FlowInjection {
 public:
  using FlowInjection::FlowInjection;

 protected:
  [[nodiscard]] Turn turn(const Host&, const RatedFlow& flow) const override {
    const double at = ready(flow.base, flow.size, flow.rate);
    return {at, at};
  }
  void count(Host&, RatedFlow& flow, double size, double) const override {
    flow.base = ready(flow.base, flow.size, flow.rate);
    flow.size = size;
  }
  /// The FIFO keeps what is in it.
  void settle(RatedFlow& flow, double now) const override {
    const double at = ready(flow.base, flow.size, flow.rate);
    if (at > now) {
      FlowInjection::settle(flow, now);
    } else {
      flow.base = at;
      flow.size = 0;
    }
  }
  void welcome(RatedFlow& flow, double now) const override {
    if (ready(flow.base, flow.size, flow.rate) >= now) return;
    flow.base = now;
    flow.size = 0;
  }
};

const Registration<fabric::InjectionFactory> kLeakyBucketsFifo(
    fabric::injection_registry(),
    {"leaky-buckets-fifo",
     "A leaky bucket for each flow at its rate, with a common FIFO of the host behind them",
     "zdornov2009, section 5.2"},
    phase_keys(), make_scheme<LeakyBucketsFifo>);

}  // namespace

}  // namespace weir::injection
