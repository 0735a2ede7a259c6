#include "weir/metrics/entry_monitor.hpp"

#include "weir/fabric/connection_tables.hpp"
#include "weir/metrics/vl_label.hpp"

namespace weir::metrics {

void EntryMonitor::sample(Time at, Time period, const fabric::Fabric& fabric) {
  const fabric::ConnectionTables* tables = fabric.admission()->tables();
  if (tables == nullptr) return;
  if (samples_ == 0) {
    first_ = at - period;
    period_ = period;
  }
  sample_entries(*tables);
  if (fabric.vl_sharing() != nullptr) sample_lanes(*fabric.vl_sharing(), period);
  ++samples_;
}

void EntryMonitor::sample_entries(const fabric::ConnectionTables& tables) {
  for (auto& [where, values] : entries_) values.push_back(0);
  for (std::uint32_t port = 0; port < tables.port_count(); ++port) {
    for (std::uint16_t vl = 0; vl < fabric::ConnectionTables::kDataVls; ++vl) {
      const int entries = tables.entries(PortId(port), vl);
      if (entries == 0) continue;
      std::vector<double>& values = entries_[{port, vl}];
      values.resize(samples_ + 1, 0);
      values.back() = entries;
    }
  }
}

void EntryMonitor::sample_lanes(const fabric::VlSharing& sharing, Time period) {
  for (auto& [where, values] : borrowed_) values.push_back(0);
  for (const fabric::VlUse& use : sharing.uses()) {
    double lent = 0;
    for (std::size_t more = 1; more < use.lanes.size(); ++more) lent += use.lanes[more];
    double& before = lent_[{use.port.value, use.vl}];
    if (lent == before) continue;
    std::vector<double>& values = borrowed_[{use.port.value, use.vl}];
    values.resize(samples_ + 1, 0);
    values.back() = (lent - before) / static_cast<double>(period.count);
    before = lent;
  }
}

void EntryMonitor::report(RunResult& result, const topology::Graph& graph) const {
  for (const auto& [where, values] : entries_) {
    result.add_series("vl_entries", vl_label(graph, PortId(where.first), where.second), first_,
                      period_, values, Reading::sampled);
  }
  for (const auto& [where, values] : borrowed_) {
    result.add_series("vl_borrowed", vl_label(graph, PortId(where.first), where.second), first_,
                      period_, values);
  }
}

}  // namespace weir::metrics
