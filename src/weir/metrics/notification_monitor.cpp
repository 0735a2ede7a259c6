#include "weir/metrics/notification_monitor.hpp"

#include <algorithm>
#include <cstdint>

namespace weir::metrics {

NotificationMonitor::Sample NotificationMonitor::read(Time at, const fabric::Fabric& fabric) {
  const fabric::SelectionFunction& selection = fabric.selection();
  return {at, fabric.counters(), selection.counters().value_or(fabric::NotificationCounters{}),
          selection.load()};
}

void NotificationMonitor::sample(Time at, Time period, const fabric::Fabric& fabric) {
  if (samples_.empty()) period_ = period;
  samples_.push_back(read(at, fabric));
}

void NotificationMonitor::report(RunResult& result, const fabric::Fabric& fabric,
                                 Time warm_up) const {
  const Sample end = read(fabric.now(), fabric);
  const auto series = [&](const char* metric, const char* label, std::vector<double> values) {
    if (!samples_.empty()) {
      result.add_series(metric, label, samples_.front().at - period_, period_, std::move(values));
    }
  };
  const auto count = [&](const char* metric, const char* label, auto get) {
    result.add_scalar(metric, label, static_cast<double>(get(end)));
    std::vector<double> values;
    std::uint64_t before = 0;
    for (const Sample& sample : samples_) {
      values.push_back(static_cast<double>(get(sample) - before));
      before = get(sample);
    }
    series(metric, label, std::move(values));
  };
  const auto state = [&](const char* metric, const char* largest_metric, auto get) {
    std::vector<double> values;
    double sum = 0;
    double measured = 0;
    double largest = 0;
    for (const Sample& sample : samples_) {
      values.push_back(static_cast<double>(get(sample)));
      largest = std::max(largest, values.back());
      if (sample.at <= warm_up) continue;
      sum += values.back();
      ++measured;
    }
    if (measured > 0) result.add_scalar(metric, "", sum / measured);
    if (largest_metric != nullptr) result.add_scalar(largest_metric, "", largest);
    series(metric, "", std::move(values));
  };
  count("diverted", "", [](const Sample& s) { return s.packets.diverted; });
  if (fabric.selection().isolates()) {
    count("adapted", "switch", [](const Sample& s) { return s.packets.adapted_in_switches; });
    count("adapted", "host", [](const Sample& s) { return s.packets.adapted_at_hosts; });
  }
  if (!fabric.selection().counters()) return;
  count("notifications", "", [](const Sample& s) { return s.notifications.sent; });
  result.add_scalar("notification_bytes", "", static_cast<double>(end.notifications.bytes_sent));
  count("roots_declared", "", [](const Sample& s) { return s.notifications.roots; });
  state("roots", nullptr, [](const Sample& s) { return s.notifications.roots_now; });
  result.add_scalar("roots_max", "", static_cast<double>(end.notifications.roots_max));
  state("notification_entries", "notification_entries_max",
        [](const Sample& s) { return s.load.entries; });
  state("notification_entries_consumed", nullptr, [](const Sample& s) { return s.load.consumed; });
  state("notification_entries_at_switch", "notification_entries_at_switch_max",
        [](const Sample& s) { return s.load.most; });
  state("notification_entries_at_hosts", "notification_entries_at_hosts_max",
        [](const Sample& s) { return s.load.host_entries; });
  result.add_scalar("notification_entries_made", "",
                    static_cast<double>(end.notifications.entries_made));
  result.add_scalar("notification_entries_evicted", "",
                    static_cast<double>(end.notifications.evicted));
  result.add_scalar("notification_entries_left", "", static_cast<double>(end.load.entries));
}

}  // namespace weir::metrics
