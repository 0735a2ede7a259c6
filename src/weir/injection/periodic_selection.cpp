#include <algorithm>

#include "weir/injection/flow_injection.hpp"

namespace weir::injection {

namespace {

/// Periodic selection (zdornov2009, section 5.2): a host that sends a packet of d bytes waits d /
/// R, R being the sum of its flows' rates, and then takes the flow with the smallest D / r. So
/// neither a flow nor all of them together leave in bursts. A packet that back-pressure holds up
/// begins a new period when it leaves; lost time is never made up for.
///
/// Packets of k times a size count as k periods in a row, and so do sizes of any kind. While R
/// changes, the period is over when R has accumulated to d.
class PeriodicSelection final : public FlowInjection {
 public:
  using FlowInjection::FlowInjection;

 protected:
  [[nodiscard]] Turn turn(const Host& host, const RatedFlow& flow) const override {
    return {ready(host.base, host.size, host.rate), flow.tag};
  }
  void count(Host& host, RatedFlow&, double size, double now) const override {
    host.base = start_of(host, ready(host.base, host.size, host.rate), now);
    host.size = size;
  }
};

const Registration<fabric::InjectionFactory> kPeriodicSelection(
    fabric::injection_registry(),
    {"periodic-selection",
     "A packet each time that the rates of a host's flows add up to one, of the flow that is "
     "farthest behind its rate",
     "zdornov2009, section 5.2"},
    phase_keys(), make_scheme<PeriodicSelection>);

}  // namespace

}  // namespace weir::injection
