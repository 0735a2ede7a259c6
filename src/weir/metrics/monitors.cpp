#include "weir/metrics/monitors.hpp"

#include "weir/metrics/isolation_monitor.hpp"
#include "weir/metrics/marking_monitor.hpp"
#include "weir/metrics/mechanism_monitor.hpp"
#include "weir/metrics/network_monitor.hpp"
#include "weir/metrics/occupancy_monitor.hpp"
#include "weir/metrics/overhead_monitor.hpp"

namespace weir::metrics {

namespace {

NetworkMonitorSettings network_settings(const RecorderSettings& settings) {
  NetworkMonitorSettings network{.links = settings.links,
                                 .trees = settings.trees,
                                 .has_series = settings.watch_links,
                                 .has_trees = settings.watch_links && settings.watch_trees,
                                 .max_tree_records = settings.max_tree_records};
  network.links.warm_up = settings.traffic.warm_up;
  network.links.detect_warm_up = settings.traffic.detect_warm_up;
  return network;
}

}  // namespace

std::vector<std::unique_ptr<Monitor>> make_monitors(const topology::Graph& graph,
                                                    const RecorderSettings& settings) {
  const TrafficRecorderSettings& traffic = settings.traffic;
  std::vector<std::unique_ptr<Monitor>> all;
  all.push_back(std::make_unique<NetworkMonitor>(graph, network_settings(settings)));
  all.push_back(std::make_unique<OccupancyMonitor>());
  all.push_back(std::make_unique<OverheadMonitor>());
  all.push_back(std::make_unique<IsolationMonitor>(
      graph, IsolationMonitorSettings{.gap = traffic.bin,
                                      .max_trees = settings.max_tree_records,
                                      .max_events = settings.max_set_aside_events,
                                      .events_from = settings.set_aside_events_from}));
  if (settings.watch_marks) {
    all.push_back(std::make_unique<MarkingMonitor>(
        MarkingMonitorSettings{.classes = traffic.classes,
                               .has_victims = static_cast<bool>(traffic.is_victim),
                               .warm_up = traffic.warm_up,
                               .detect_warm_up = traffic.detect_warm_up,
                               .bin = traffic.bin}));
  }
  all.push_back(std::make_unique<MechanismMonitors>(traffic.classes));
  return all;
}

}  // namespace weir::metrics
