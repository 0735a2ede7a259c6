// What TrafficRecorder recorded, as named numbers.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "weir/metrics/statistics.hpp"
#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {

namespace {

/// Bytes over a time, in Gbps; NaN over no time.
double gbps(std::int64_t bytes, Time time) {
  return time.count <= 0 ? kNothing
                         : static_cast<double>(bytes) * 8e3 / static_cast<double>(time.count);
}

/// Writes the metrics of one group of traffic under one label.
class GroupReport {
 public:
  GroupReport(const ClassRecord& record, std::string label, const TrafficRecorderSettings& settings,
              Rate capacity, Time begin, Time end, RunResult& out)
      : record_(record),
        label_(std::move(label)),
        settings_(settings),
        capacity_(static_cast<double>(capacity.count) * 1e-9),
        begin_(begin),
        end_(end),
        window_(std::max(Time(0), end - begin)),
        out_(out) {}

  void write() {
    counts();
    rates();
    latency("latency", record_.window.latency);
    latency("network_latency", record_.window.network_latency);
    latency("message_latency", record_.window.message_latency);
    completions();
    sources();
    series();
  }

 private:
  void scalar(std::string_view metric, double value) { out_.add_scalar(metric, label_, value); }
  void count(std::string_view metric, std::int64_t value) {
    scalar(metric, static_cast<double>(value));
  }

  void counts() {
    const TrafficCounts& c = record_.counts;
    count("messages_generated", c.messages_generated);
    count("messages_completed", c.messages_completed);
    count("bytes_generated", c.bytes_generated);
    if (label_ != "victim") {  // a refused message has no flow yet
      count("messages_refused", c.messages_refused);
      count("bytes_refused", c.bytes_refused);
    }
    count("packets_injected", c.packets_injected);
    count("bytes_injected", c.bytes_injected);
    count("packets_delivered", c.packets_delivered);
    count("bytes_delivered", c.bytes_delivered);
    count("packets_measured", static_cast<std::int64_t>(record_.window.latency.count()));
    if (c.packets_lost > 0) count("packets_lost", c.packets_lost);
    if (c.adapted_delivered > 0) {
      count("adapted_delivered", c.adapted_delivered);
      if (!settings_.hot_destinations.empty()) count("adapted_innocent", c.adapted_innocent);
    }
    count("out_of_order", c.out_of_order);
    if (c.packets_delivered > 0) {
      scalar("out_of_order_share", per(c.out_of_order, c.packets_delivered));
    }
    if (c.out_of_order > 0 && label_ != "victim") {
      scalar("reorder_depth_mean", per(c.reorder_depth_sum, c.out_of_order));
      count("reorder_depth_max", c.reorder_depth_max);
    }
    if (c.packets_delivered > 0) scalar("completion_time", to_nanoseconds(Time(c.last_delivery)));
  }

  void rates() {
    scalar("offered", gbps(record_.window.generated, window_));
    scalar("injected", gbps(record_.window.injected, window_));
    scalar("throughput", gbps(record_.window.delivered, window_));
    scalar("efficiency", gbps(record_.window.delivered, window_) / capacity_);
  }

  void latency(const std::string& name, const Histogram& histogram) {
    if (histogram.empty()) return;
    scalar(name + "_mean", histogram.mean() * 1e-3);
    for (const auto& [suffix, percent] : {std::pair("_p50", 50.0), std::pair("_p90", 90.0),
                                          std::pair("_p99", 99.0), std::pair("_p999", 99.9)}) {
      scalar(name + suffix, histogram.percentile(percent) * 1e-3);
    }
    scalar(name + "_max", static_cast<double>(histogram.maximum()) * 1e-3);
    out_.add_histogram(name, label_, histogram);
  }

  /// Of all sizes, and of each size class where there are several.
  void completions() {
    const std::vector<CompletionRecord>& classes = record_.window.completions;
    if (classes.empty()) return;
    CompletionRecord all;
    for (const CompletionRecord& one : classes) all.merge(one);
    completion(label_, all);
    for (std::size_t s = 0; s < classes.size() && classes.size() > 1; ++s) {
      const std::string size = size_class_label(settings_.sizes, s);
      completion(label_.empty() ? size : label_ + ", " + size, classes[s]);
    }
  }

  void completion(const std::string& label, const CompletionRecord& record) {
    if (record.generated == 0) return;
    const auto complete = static_cast<std::int64_t>(record.time.count());
    out_.add_scalar("messages_unfinished", label, static_cast<double>(record.generated - complete));
    distribution("message_completion", label, record.time, 1e-3);
    if (!record.time.empty()) out_.add_histogram("message_completion", label, record.time);
    distribution("slowdown", label, record.slowdown, CompletionRecord::kSlowdownUnit);
  }

  void distribution(const std::string& name, const std::string& label, const Histogram& histogram,
                    double unit) {
    if (histogram.empty()) return;
    out_.add_scalar(name + "_mean", label, histogram.mean() * unit);
    for (const auto& [suffix, percent] : {std::pair("_p50", 50.0), std::pair("_p95", 95.0),
                                          std::pair("_p99", 99.0), std::pair("_p999", 99.9)}) {
      out_.add_scalar(name + suffix, label, histogram.percentile(percent) * unit);
    }
    out_.add_scalar(name + "_max", label, static_cast<double>(histogram.maximum()) * unit);
  }

  void sources() {
    std::vector<double> values;
    for (const std::int64_t bytes : record_.window.source_delivered) {
      if (bytes >= 0) values.push_back(gbps(bytes, window_));
    }
    if (values.empty() || window_.count <= 0) return;
    scalar("source_rate_min", minimum(values));
    scalar("source_rate_mean", mean(values));
    scalar("source_rate_max", maximum(values));
    scalar("fairness", jain_fairness(values));
  }

  template <class Value>
  std::vector<double> each_bin(Value value) const {
    const TimeBins bins(settings_.bin);
    std::vector<double> values;
    const std::size_t n = std::max<std::size_t>(bins.count(end_), 1);
    for (std::size_t k = 0; k < n; ++k)
      values.push_back(value(record_.bins.get(k), bins.length(k, end_)));
    return values;
  }
  void add(std::string_view metric, std::vector<double> values) {
    out_.add_series(metric, label_, Time(0), settings_.bin, std::move(values));
  }

  void series() {
    using Bin = TrafficBin;
    add("offered", each_bin([](const Bin& b, Time length) { return gbps(b.generated, length); }));
    add("injected", each_bin([](const Bin& b, Time length) { return gbps(b.injected, length); }));
    add("throughput",
        each_bin([](const Bin& b, Time length) { return gbps(b.delivered, length); }));
    std::vector<double> efficiency = each_bin(
        [this](const Bin& b, Time length) { return gbps(b.delivered, length) / capacity_; });
    lowest(efficiency);
    add("efficiency", std::move(efficiency));
    add("latency_mean",
        each_bin([](const Bin& b, Time) { return per(b.latency_sum, b.packets) * 1e-3; }));
    add("network_latency_mean",
        each_bin([](const Bin& b, Time) { return per(b.network_sum, b.packets) * 1e-3; }));
    const auto largest = [](std::int64_t value, std::int64_t packets) {
      return packets == 0 ? kNothing : static_cast<double>(value) * 1e-3;
    };
    add("latency_max",
        each_bin([&](const Bin& b, Time) { return largest(b.latency_max, b.packets); }));
    add("network_latency_max",
        each_bin([&](const Bin& b, Time) { return largest(b.network_max, b.packets); }));
  }

  /// Lowest whole bin inside the measuring window.
  void lowest(const std::vector<double>& efficiency) {
    const TimeBins bins(settings_.bin);
    double low = kNothing;
    for (std::size_t k = 0; k < efficiency.size(); ++k) {
      const bool inside = settings_.bin * static_cast<std::int64_t>(k) >= begin_;
      if (inside && bins.length(k, end_) == settings_.bin) low = std::fmin(low, efficiency[k]);
    }
    if (!std::isnan(low)) scalar("efficiency_min", low);
  }

  const ClassRecord& record_;
  std::string label_;
  const TrafficRecorderSettings& settings_;
  double capacity_;  ///< Gbps
  Time begin_;       ///< of the measuring window
  Time end_;
  Time window_;
  RunResult& out_;
};

}  // namespace

std::vector<TrafficGroup> TrafficRecorder::groups() const {
  return traffic_groups(settings_.classes, static_cast<bool>(settings_.is_victim));
}

void TrafficRecorder::report_flows(Time begin, Time end, const std::vector<std::int64_t>& delivered,
                                   RunResult& result) const {
  std::vector<double> rates;
  const Time window = end - begin;
  if (!settings_.per_flow || window.count <= 0) return;
  for (std::size_t f = 0; f < state_.flow_seen.size(); ++f) {
    if (!state_.flow_seen[f]) continue;
    rates.push_back(gbps(f < delivered.size() ? delivered[f] : 0, window));
  }
  if (rates.empty()) return;
  // Flows have numbers by who came first; sums of rounded numbers must not depend on that.
  std::sort(rates.begin(), rates.end());
  result.add_scalar("flow_rate_min", "", minimum(rates));
  result.add_scalar("flow_rate_mean", "", mean(rates));
  result.add_scalar("flow_rate_max", "", maximum(rates));
  result.add_scalar("flow_fairness", "", jain_fairness(rates));
}

void TrafficRecorder::report_victims(RunResult& result) const {
  if (!settings_.counts_victims || !settings_.is_victim) return;
  const auto is_one = [](std::uint8_t known) { return known == 2; };
  const auto flows =
      std::count_if(state_.victim_by_flow.begin(), state_.victim_by_flow.end(), is_one);
  result.add_scalar("victims_by_routes", "cold", static_cast<double>(flows));
}

void TrafficRecorder::report(Time end, RunResult& result) {
  keep_up(end);
  const std::vector<TrafficGroup> all = groups();
  const Window window = find_window(end);
  for (const TrafficGroup& group : all) {
    GroupReport(record_of(group, window), group.label, settings_, capacity_, window.begin, end,
                result)
        .write();
  }
  if (end <= window.begin) {
    result.notes.emplace_back("the run ended within the warm-up: nothing was measured");
  }
  report_flows(window.begin, end, flows_of(window), result);
  report_victims(result);
  if (has_slices()) report_estimates(all, window, end, result);
}

}  // namespace weir::metrics
