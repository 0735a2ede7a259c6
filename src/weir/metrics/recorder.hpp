#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weir/fabric/fabric.hpp"
#include "weir/metrics/congestion_tree.hpp"
#include "weir/metrics/entry_monitor.hpp"
#include "weir/metrics/isolation_monitor.hpp"
#include "weir/metrics/lane_monitor.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/metrics/marking_monitor.hpp"
#include "weir/metrics/mechanism_monitor.hpp"
#include "weir/metrics/network_snapshot.hpp"
#include "weir/metrics/occupancy_monitor.hpp"
#include "weir/metrics/recovery.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {

/// Counters of every port now, and which port waits for which. Its cost grows with the packets
/// stored, so it is for samples, not for every event.
void take_snapshot(const fabric::Fabric& fabric, NetworkSnapshot& out);
/// The counters alone, which does not depend on what is stored.
void take_counters(const fabric::Fabric& fabric, NetworkSnapshot& out);

struct RecorderSettings {
  TrafficRecorderSettings traffic;
  LinkMonitorSettings links;  ///< the warm-up is that of `traffic`
  TreeThresholds trees;
  bool watch_links = true;   ///< series of links and buffers; else means over the window alone
  bool watch_trees = true;   ///< needs watch_links
  bool watch_marks = false;  ///< needs a marker
  std::size_t max_tree_records = 20'000;
  std::size_t max_set_aside_events = 2'000;
  Time set_aside_events_from;
  std::optional<RecoverySettings> recovery;  ///< of the efficiency
};

/// Everything that weir measures by default of one run: traffic, links, congestion trees, and what
/// the mechanisms of the run do. Series need FabricSettings::sample_period, the width of their
/// bins.
///
///   Recorder recorder(graph, settings);
///   Fabric fabric(models, mechanisms, fabric_settings, recorder);
///   fabric.run_until(warm_up);
///   recorder.begin_window(fabric);
///   fabric.run_until(end);
///   RunResult result = recorder.finish(fabric, wall_seconds);
class Recorder final : public fabric::Observer {
 public:
  Recorder(const topology::Graph& graph, const RecorderSettings& settings);

  void on_generated(const fabric::Message& message) override { traffic_.on_generated(message); }
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override {
    traffic_.on_refused(source, request, traffic_class);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    traffic_.on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    traffic_.on_delivered(packet, message, now, in_order);
    if (marks_ && !packet.is_ack()) {
      marks_->on_delivered(packet, traffic_.is_victim(message), now);
    }
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    traffic_.on_lost(packet, message, port, now);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    traffic_.on_message_complete(message, now);
  }
  void on_sample(const fabric::Fabric& fabric, Time now) override;
  /// The measuring window begins now. Without this call it begins, for what samples read, at the
  /// first sample at or after the warm-up.
  void begin_window(const fabric::Fabric& fabric);
  void on_set_aside(const fabric::SetAsideEvent& event) override {
    if (!isolation_) watch_isolation();
    isolation_->on_event(event);
  }

  /// Takes a last sample at fabric.now() and hands over the numbers of the run. Call it once.
  [[nodiscard]] RunResult finish(const fabric::Fabric& fabric, double wall_seconds);

  [[nodiscard]] const TrafficRecorder& traffic() const { return traffic_; }
  /// See TrafficRecorder::estimate().
  [[nodiscard]] std::optional<BatchMeans> estimate(const MetricName& name, Time now,
                                                   double confidence) {
    return traffic_.estimate(name, now, confidence);
  }

 private:
  void watch_isolation();
  std::vector<MechanismMonitor>& mechanisms(const fabric::Fabric& fabric);
  void sample_links(const fabric::Fabric& fabric, Time now);

  const topology::Graph& graph_;
  IsolationMonitorSettings isolation_settings_;
  TrafficRecorder traffic_;
  LinkMonitor links_;
  OccupancyMonitor occupancy_;
  TreeTracker trees_;
  std::optional<MarkingMonitor> marks_;  ///< with watch_marks
  EntryMonitor entries_;
  LaneMonitor lanes_;
  std::vector<TrafficClass> classes_;
  std::vector<MechanismMonitor> mechanisms_;   ///< of the run; known from the first call on
  std::optional<IsolationMonitor> isolation_;  ///< in runs with an isolation mechanism
  bool watch_links_;
  bool watch_trees_;
  bool detects_warm_up_;
  std::size_t max_tree_records_;
  std::optional<RecoverySettings> recovery_;
  NetworkSnapshot snapshot_;
  Time sampled_;  ///< time of the last sample
};

}  // namespace weir::metrics
