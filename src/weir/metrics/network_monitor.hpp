#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/metrics/congestion_tree.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/network_snapshot.hpp"

namespace weir::metrics {

/// Counters of every port now, but not what is stored.
void take_counters(const fabric::Fabric& fabric, NetworkSnapshot& out);

struct NetworkMonitorSettings {
  LinkMonitorSettings links;
  TreeThresholds trees;
  bool has_series = true;  ///< of links and buffers; else means over the window alone
  bool has_trees = true;   ///< needs has_series
  std::size_t max_tree_records = 20'000;
};

/// Links, buffers and the congestion trees in them, from a snapshot of the network at each sample.
class NetworkMonitor final : public Monitor {
 public:
  NetworkMonitor(const topology::Graph& graph, const NetworkMonitorSettings& settings);
  void sample(const fabric::Fabric& fabric, Time now, Time period) override;
  void open_window(const fabric::Fabric& fabric, Time now) override;
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override;

 private:
  /// What is found out in a part of the network, in a cache line of its own.
  struct alignas(64) OfPart {
    std::vector<Waiting> waiting;
    bool has_roots = false;
  };
  void take_all_ports(const fabric::Fabric& fabric);
  /// The share of all ports that the thread of `part` looks at when they are known: where all parts
  /// are here, those of the part.
  [[nodiscard]] std::span<const std::uint32_t> ports_to_look_at(const fabric::Fabric& fabric,
                                                                std::size_t part) const;
  void sample_trees(const fabric::Fabric& fabric, Time now, Time period);

  NetworkMonitorSettings settings_;
  LinkMonitor links_;
  TreeTracker trees_;
  std::vector<std::uint32_t> all_ports_;
  NetworkSnapshot snapshot_;
  std::vector<OfPart> by_part_;
  Time sampled_;
};

}  // namespace weir::metrics
