#include "weir/metrics/overhead_monitor.hpp"

#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kSource = "weir2026, docs/guide/using-weir.md";

const MetricTable kOverheadTable(
    {{"overhead_bytes", "B", kScalar, kSource,
      "bytes on links that are neither data nor its headers, in the whole run, each counted on "
      "every link that it takes. Label: acks (with notifications and set-up packets, when they "
      "have arrived), carried (what mechanisms add to data packets, likewise), control (messages "
      "of mechanisms on the links, pause frames among them); without label, all together. Lower "
      "is better"},
     {"overhead_share", "1", kScalar, kSource,
      "these bytes over all bytes on links, in the whole run. Lower is better"}},
    "something that sends such bytes");

}  // namespace

void OverheadMonitor::report(const fabric::Fabric& fabric, Time, RunResult& result) {
  const fabric::Counters& counters = fabric.counters();
  const auto acks = static_cast<double>(counters.ack_link_bytes);
  const auto carried = static_cast<double>(counters.data_links) *
                       static_cast<double>(fabric.settings().carried_data.count);
  const auto control = static_cast<double>(counters.control_link_bytes);
  const double all = acks + carried + control;
  if (all == 0) return;
  const auto on_links = static_cast<double>(fabric.sent().bytes);
  result.add_scalar("overhead_bytes", "", all);
  result.add_scalar("overhead_bytes", "acks", acks);
  result.add_scalar("overhead_bytes", "carried", carried);
  result.add_scalar("overhead_bytes", "control", control);
  result.add_scalar("overhead_share", "", all / on_links);
}

}  // namespace weir::metrics
