#include "weir/metrics/marking_monitor.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/archive.hpp"
#include "weir/metrics/statistics.hpp"

namespace weir::metrics {

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

void MarkingMonitor::add(const Monitor& part) {
  const auto& other = dynamic_cast<const MarkingMonitor&>(part);
  for (std::size_t i = 0; i < records_.size(); ++i) records_[i].merge(other.records_[i]);
}

void MarkingMonitor::add_other_ranks(Ranks& ranks) {
  const std::vector<Ranks::Parcel> all = ranks.gather(to_bytes(records_));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    std::vector<Record> theirs;
    from_bytes(all[rank], theirs);
    for (std::size_t i = 0; i < records_.size(); ++i) records_[i].merge(theirs[i]);
  }
}

void MarkingMonitor::Record::merge(const Record& other) {
  bins.merge(other.bins);
  window.merge(other.window);
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

void MarkingMonitor::report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) {
  for (const TrafficGroup& group : traffic_groups(settings_.classes, settings_.has_victims))
    report_group(group, warm_up, fabric.now(), result);
}

}  // namespace weir::metrics
