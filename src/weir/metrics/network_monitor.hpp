#pragma once

#include <cstddef>
#include <vector>

#include "weir/metrics/congestion_tree.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/metrics/link_sums.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/network_snapshot.hpp"

namespace weir::metrics {

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
    LinkSums sums;
    std::vector<Waiting> waiting;
    std::vector<CongestedPort> congested;
  };
  void prepare(const fabric::Fabric& fabric, Time now);
  /// What the parts have found; of all processes, which tell each other the states of watched
  /// ports, too.
  void sum_up(const fabric::Fabric& fabric);
  void sample_trees(const fabric::Fabric& fabric, Time now, Time period);

  NetworkMonitorSettings settings_;
  LinkMonitor links_;
  TreeTracker trees_;
  NetworkSnapshot snapshot_;
  std::vector<OfPart> by_part_;
  LinkSums sums_;
  bool has_roots_ = false;  ///< of trees
  Time sampled_;
};

}  // namespace weir::metrics
