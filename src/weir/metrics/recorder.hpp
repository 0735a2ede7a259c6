#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weir/fabric/fabric.hpp"
#include "weir/metrics/congestion_tree.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/part_recorder.hpp"
#include "weir/metrics/recovery.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {

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
  Ranks* ranks = nullptr;  ///< processes that see a part of the network each; null: all is here
};

/// Everything that weir measures by default of one run: traffic, and what its monitors see (see
/// make_monitors()). Series need FabricSettings::sample_period, the width of their
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

  void on_generated(const fabric::Message& message, Time now) override {
    traffic_.on_generated(message, now);
  }
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
    if (watch_deliveries_.empty() || packet.is_ack()) return;
    for (Monitor* monitor : watch_deliveries_)
      monitor->on_delivered(packet, traffic_.is_victim(message), now);
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    traffic_.on_lost(packet, message, port, now);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    traffic_.on_message_complete(message, now);
  }
  [[nodiscard]] bool tells_flows_apart() const override { return traffic_.tells_flows_apart(); }
  /// A recorder for each part; what is measured of set-aside queues is told in the order of time.
  [[nodiscard]] fabric::Observer* of_part(std::size_t number, std::size_t parts,
                                          fabric::Observer& in_order) override;
  void on_sample(const fabric::Fabric& fabric, Time now) override;
  /// The measuring window begins now. Without this call it begins, for what samples read, at the
  /// first sample at or after the warm-up.
  void begin_window(const fabric::Fabric& fabric);
  void on_set_aside(const fabric::SetAsideEvent& event) override {
    for (const auto& monitor : monitors_) monitor->on_set_aside(event);
  }

  /// Takes a last sample at fabric.now() and hands over the numbers of the run. Call it once.
  [[nodiscard]] RunResult finish(const fabric::Fabric& fabric, double wall_seconds);

  /// Writes down all that has been seen, of several processes the first one all of it; or reads it
  /// back, before anything has happened. The fabric goes on from the same moment.
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric);

  /// Of one class of the settings, so far: counts and sums over the whole run.
  [[nodiscard]] TrafficCounts counts(std::size_t traffic_class) const;
  [[nodiscard]] TrafficTotals totals(std::size_t traffic_class) const;
  /// See TrafficRecorder::estimate().
  [[nodiscard]] std::optional<BatchMeans> estimate(const MetricName& name, Time now,
                                                   double confidence) {
    unite(now, {});
    return traffic_.estimate(name, now, confidence);
  }

 private:
  /// Gives `traffic_` what has been seen in all parts; see TrafficRecorder::unite().
  void unite(Time now, std::span<const std::vector<std::uint32_t>> numbers);
  void add_watchers();
  /// One number for each flow of a divided network, whose parts number theirs for themselves.
  /// `flows`: by these numbers.
  static std::vector<std::vector<std::uint32_t>> flow_numbers(
      const fabric::Fabric& fabric, std::vector<fabric::Flow>* flows = nullptr);
  void checkpoint_traffic(StateArchive& state, const fabric::Fabric& fabric);
  void checkpoint_watcher(StateArchive& state, Monitor& monitor, std::size_t number,
                          const fabric::Fabric& fabric);

  const topology::Graph& graph_;
  TrafficRecorderSettings settings_;  ///< for recorders of parts
  TrafficRecorder traffic_;
  std::vector<std::unique_ptr<PartRecorder>> parts_;  ///< empty: all is told here
  std::vector<std::unique_ptr<Monitor>> monitors_;
  std::vector<Monitor*> watch_deliveries_;  ///< of these
  std::optional<RecoverySettings> recovery_;
  Ranks* ranks_;
  Time sampled_;  ///< time of the last sample
};

}  // namespace weir::metrics
