#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks.hpp"
#include "weir/metrics/class_record.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/time_series.hpp"
#include "weir/metrics/traffic_class.hpp"
#include "weir/topology/graph.hpp"

namespace weir::metrics {

struct TrafficRecorderSettings {
  std::vector<TrafficClass> classes;  ///< at least one
  Time warm_up;                       ///< the measuring window is [warm_up, end of the run)
  Time foreseen_end;                  ///< for memory in advance; 0: unknown
  Time bin = microseconds(100);       ///< of the series
  Bytes header;                       ///< of a packet on the wire; not payload
  bool per_flow = false;              ///< rates per flow too: 8 bytes a flow
  /// Ground truth for the label "victim": may be empty (then victims are not told apart).
  std::function<bool(HostId source, HostId destination)> is_victim;
};

/// Counts, latencies, rates and fairness of data packets, per traffic class, for all traffic
/// together, for the roles "hot" and "cold", and for the victims among the cold. Constant time per
/// call; no allocation once every flow has been seen and the series have their foreseen length.
/// Latencies and rates are of what is delivered in the measuring window.
class TrafficRecorder : public fabric::Observer {
 public:
  TrafficRecorder(const topology::Graph& graph, TrafficRecorderSettings settings);

  void on_generated(const fabric::Message& message) override;
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override;
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override;
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override;
  void on_message_complete(const fabric::Message& message, Time now) override;

  /// Adds scalars, series and histograms to `result`. `end`: simulated time at the end of the run.
  void report(Time end, RunResult& result) const;

  /// Record of one class of the settings, for tests and for ending rules.
  [[nodiscard]] const ClassRecord& record(std::size_t traffic_class) const {
    return records_[traffic_class];
  }

 private:
  [[nodiscard]] bool victim(const fabric::Message& message);
  static void note_late(const fabric::Packet& packet, const fabric::Message& message,
                        TrafficCounts& counts);
  void report_flows(Time end, RunResult& result) const;
  /// Records to report with their labels: all (""), every class, "hot", "cold", "victim".
  [[nodiscard]] std::vector<std::pair<std::string, ClassRecord>> groups() const;

  TrafficRecorderSettings settings_;
  TimeBins bins_;
  Rate capacity_;  ///< of all links into hosts
  std::vector<ClassRecord> records_;
  ClassRecord victims_;
  std::vector<std::uint8_t> victim_by_flow_;  ///< 0 unknown, 1 no, 2 yes
  std::vector<std::int64_t> flow_delivered_;  ///< per flow, payload in the window
  std::vector<bool> flow_seen_;               ///< per flow, generated something
};

}  // namespace weir::metrics
