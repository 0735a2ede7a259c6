#include "weir/metrics/marking_monitor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

namespace {

/// Ports with the most marks that are told.
constexpr std::size_t kMostPorts = 16;

void report_counts(const fabric::MarkCounts& counts, const char* bit, RunResult& result) {
  result.add_scalar("marks", bit, static_cast<double>(counts.set));
  result.add_scalar("marks_repeated", bit, static_cast<double>(counts.repeated));
  if (counts.set == 0) return;
  result.add_scalar("first_mark", bit, to_nanoseconds(counts.first));
  result.add_scalar("last_mark", bit, to_nanoseconds(counts.last));
}

void report_ports(const fabric::Marker& marker, const topology::Graph& graph, RunResult& result) {
  const std::vector<std::uint64_t>& a = marker.marks_a().by_port;
  const std::vector<std::uint64_t>& b = marker.marks_b().by_port;
  std::vector<std::pair<std::uint64_t, std::size_t>> ports;
  for (std::size_t p = 0; p < std::min(a.size(), b.size()); ++p) {
    if (a[p] + b[p] > 0) ports.emplace_back(a[p] + b[p], p);
  }
  std::sort(ports.begin(), ports.end(), [](const auto& one, const auto& other) {
    return one.first != other.first ? one.first > other.first : one.second < other.second;
  });
  if (ports.size() > kMostPorts) ports.resize(kMostPorts);
  for (const auto& [marks, port] : ports)
    result.add_scalar("marks_at_port", graph.name(PortId(port)), static_cast<double>(marks));
}

}  // namespace

void MarkingMonitor::Shares::merge(const Shares& other) {
  packets += other.packets;
  a += other.a;
  b += other.b;
  both += other.both;
}

MarkingMonitor::MarkingMonitor(const MarkingMonitorSettings& settings)
    : settings_(settings), bins_(settings.bin), records_(settings.classes.size() + 1) {}

void MarkingMonitor::on_delivered(const fabric::Packet& packet, bool is_victim, Time now) {
  const bool a = (packet.flags & fabric::packet_flag::kMarkA) != 0;
  const bool b = (packet.flags & fabric::packet_flag::kMarkB) != 0;
  const Shares one{1, a ? 1 : 0, b ? 1 : 0, a && b ? 1 : 0};
  const std::size_t bin = bins_.at(now);
  const auto add = [&](Record& record) {
    record.bins.at(bin).merge(one);
    if (now >= settings_.warm_up) record.window.merge(one);
  };
  add(records_[packet.traffic_class]);
  if (is_victim) add(records_.back());
}

void MarkingMonitor::sample(Time at, Time period, const fabric::Marker& marker) {
  if (samples_.empty()) period_ = period;
  samples_.push_back({at, marker.marks_a().set, marker.marks_b().set});
}

void MarkingMonitor::report_group(const TrafficGroup& group, Time window, Time end,
                                  RunResult& result) const {
  TimeSeries<Shares> bins;
  Shares all;
  for (const std::size_t member : group.members) {
    bins.merge(records_[member].bins);
    all.merge(records_[member].window);
  }
  const std::size_t count = std::max<std::size_t>(bins_.count(end), 1);
  if (settings_.detect_warm_up) {
    all = {};
    for (std::size_t k = 0; k < count; ++k) {
      if (settings_.bin * static_cast<std::int64_t>(k) >= window) all.merge(bins.get(k));
    }
  }
  const auto tell = [&](const char* metric, auto part) {
    if (all.packets > 0) result.add_scalar(metric, group.label, per(part(all), all.packets));
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k) {
      const Shares bin = bins.get(k);
      values.push_back(per(part(bin), bin.packets));
    }
    result.add_series(metric, group.label, Time(0), settings_.bin, std::move(values));
  };
  tell("marked_a", [](const Shares& s) { return s.a; });
  tell("marked_b", [](const Shares& s) { return s.b; });
  tell("marked_both", [](const Shares& s) { return s.both; });
  tell("marked_any", [](const Shares& s) { return s.a + s.b - s.both; });
}

void MarkingMonitor::report_marks(const fabric::Marker& marker, RunResult& result) const {
  report_counts(marker.marks_a(), "A", result);
  report_counts(marker.marks_b(), "B", result);
  if (samples_.empty()) return;
  const auto series = [&](const char* bit, auto get) {
    std::vector<double> values;
    std::uint64_t before = 0;
    for (const Sample& sample : samples_) {
      values.push_back(static_cast<double>(get(sample) - before));
      before = get(sample);
    }
    result.add_series("marks", bit, samples_.front().at - period_, period_, std::move(values));
  };
  series("A", [](const Sample& s) { return s.a; });
  series("B", [](const Sample& s) { return s.b; });
}

void MarkingMonitor::report(RunResult& result, const fabric::Fabric& fabric, Time window) const {
  for (const TrafficGroup& group : traffic_groups(settings_.classes, settings_.has_victims))
    report_group(group, window, fabric.now(), result);
  report_marks(*fabric.marker(), result);
  report_ports(*fabric.marker(), fabric.graph(), result);
}

}  // namespace weir::metrics
