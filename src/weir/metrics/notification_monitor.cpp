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

void NotificationMonitor::open_window(Time at, const fabric::Fabric& fabric) {
  opening_ = read(at, fabric);
}

void NotificationMonitor::report_roots(RunResult& result, const Sample& end, Time warm_up) const {
  const auto mean = [](const Sample& from, const Sample& to) {
    return (to.notifications.root_time - from.notifications.root_time) /
           static_cast<double>((to.at - from.at).count);
  };
  Sample begin;
  if (warm_up > Time(0)) {
    const auto first = std::find_if(samples_.begin(), samples_.end(),
                                    [&](const Sample& sample) { return sample.at >= warm_up; });
    if (opening_ && opening_->at == warm_up) {
      begin = *opening_;
    } else if (first != samples_.end()) {
      begin = *first;
    }
  }
  if (end.at > begin.at) result.add_scalar("roots", "", mean(begin, end));
  result.add_scalar("roots_max", "", static_cast<double>(end.notifications.roots_max));
  if (samples_.empty()) return;
  std::vector<double> values;
  Sample before;
  for (const Sample& sample : samples_) {
    values.push_back(mean(before, sample));
    before = sample;
  }
  result.add_series("roots", "", samples_.front().at - period_, period_, std::move(values));
}

void NotificationMonitor::report(RunResult& result, const fabric::Fabric& fabric,
                                 Time warm_up) const {
  const Sample end = read(fabric.now(), fabric);
  const auto series = [&](const char* metric, const char* label, std::vector<double> values,
                          Reading reading = Reading::exact) {
    if (!samples_.empty()) {
      result.add_series(metric, label, samples_.front().at - period_, period_, std::move(values),
                        reading);
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
    if (measured > 0) result.add_scalar(metric, "", sum / measured, Reading::sampled);
    if (largest_metric != nullptr) {
      result.add_scalar(largest_metric, "", largest, Reading::sampled);
    }
    series(metric, "", std::move(values), Reading::sampled);
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
  report_roots(result, end, warm_up);
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
