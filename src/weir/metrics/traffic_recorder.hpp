#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/message_timing.hpp"
#include "weir/metrics/class_record.hpp"
#include "weir/metrics/ideal_times.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/steady_state.hpp"
#include "weir/metrics/time_series.hpp"
#include "weir/metrics/traffic_class.hpp"
#include "weir/metrics/traffic_slices.hpp"
#include "weir/metrics/traffic_state.hpp"
#include "weir/topology/graph.hpp"

namespace weir::metrics {

struct TrafficRecorderSettings {
  std::vector<TrafficClass> classes;  ///< at least one
  Time warm_up;                       ///< the measuring window is [warm_up, end of the run)
  Time foreseen_end;                  ///< for memory in advance; 0: unknown
  Time bin = microseconds(100);       ///< of the series
  Bytes header;                       ///< of a packet on the wire; not payload
  bool per_flow = false;              ///< rates per flow too: 8 bytes a flow
  bool estimate = false;              ///< confidence intervals of steady-state means
  /// Where the measuring window begins is found at the end, by MSER-5: `warm_up` is 0. Estimates
  /// are made, too.
  bool detect_warm_up = false;
  /// Ground truth for the label "victim": may be empty (then victims are not told apart).
  std::function<bool(HostId source, HostId destination)> is_victim;
  bool counts_victims = false;           ///< flows of them, too
  std::vector<HostId> hot_destinations;  ///< sorted; adapted packets to others are counted
  /// How long a message takes alone from one host to another, asked once for each flow. Empty:
  /// completion times and slowdowns are not measured.
  std::function<fabric::MessageTiming(HostId source, HostId destination)> timing;
  std::vector<Bytes> sizes;  ///< largest payloads of size classes, ascending; one more for the rest
};

/// Counts, latencies, rates and fairness of data packets, per traffic class, for all traffic
/// together, for the roles "hot" and "cold", and for the victims among the cold. Constant time per
/// call; no allocation once every flow has been seen and the series have their foreseen length.
/// Latencies and rates are of what is delivered in the measuring window; completion times and
/// slowdowns of messages are of those generated in it, whenever they are complete.
///
/// For estimates, sums are cut into slices of time, at the end of each slice, not per packet. A
/// mean that has a confidence interval gets the quality `estimated`; one that drifts is NaN and
/// `not_stationary`; where the run is too short to tell, the number stays `plain`.
class TrafficRecorder : public fabric::Observer {
 public:
  TrafficRecorder(const topology::Graph& graph, TrafficRecorderSettings settings);
  TrafficRecorder(const TrafficRecorder&) = delete;
  TrafficRecorder& operator=(const TrafficRecorder&) = delete;

  void on_generated(const fabric::Message& message, Time now) override;
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override;
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override;
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override;
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override;
  void on_message_complete(const fabric::Message& message, Time now) override;

  /// Adds scalars, series and histograms to `result`. `end`: simulated time at the end of the run.
  void report(Time end, RunResult& result);
  /// Where the measuring window begins in a run that ends now: the warm-up that was set or, when it
  /// is detected, the next limit of sixteenths to eighths of the run after it.
  [[nodiscard]] Time window_start(Time now);
  /// Estimate of a steady-state mean over the measuring window, in the metric's unit; needs
  /// `estimate` or `detect_warm_up`. Nothing when there is no such metric or label.
  [[nodiscard]] std::optional<BatchMeans> estimate(const MetricName& name, Time now,
                                                   double confidence);

  /// By ground truth; false where that is not known.
  [[nodiscard]] bool is_victim(const fabric::Message& message);
  /// Numbers of flows are of use to it.
  [[nodiscard]] bool tells_flows_apart() const override {
    return settings_.per_flow || static_cast<bool>(settings_.is_victim) ||
           static_cast<bool>(settings_.timing);
  }

  /// Record of one class of the settings, for tests and for ending rules.
  [[nodiscard]] const ClassRecord& record(std::size_t traffic_class) const {
    return state_.records[traffic_class];
  }
  /// What it knows of single flows is of use at the end.
  [[nodiscard]] bool reports_flows() const {
    return settings_.per_flow || (settings_.counts_victims && settings_.is_victim);
  }
  /// What has been seen, all of it up to `now`.
  [[nodiscard]] const TrafficState& state(Time now) {
    keep_up(now);
    return state_;
  }
  /// Goes on from `seen`, what recorders with the same settings have seen in all parts of a
  /// network: from all of it or, where another one does that, from the same moment. `numbers`: of
  /// its flows here; kNotHere: another one goes on with the flow.
  void resume(const TrafficState& seen, bool takes_totals, std::span<const std::uint32_t> numbers);
  static constexpr std::uint32_t kNotHere = TrafficState::kNotHere;
  /// In place of what it has seen itself: what recorders with the same settings have seen in parts
  /// of a network. `numbers`: per part, of its flows in the whole network; empty: what is known of
  /// single flows is left out.
  void unite(std::span<const TrafficState* const> parts,
             std::span<const std::vector<std::uint32_t>> numbers);

 private:
  /// The same, found out anew, by the hosts of the message alone.
  [[nodiscard]] bool is_found_a_victim(const fabric::Message& message) const;
  void note_late(const fabric::Packet& packet, const fabric::Message& message);
  /// Calls add(record) with the record of the message's class, and with that of the victims if it
  /// is one.
  template <class Add>
  void add_to_records(const fabric::Message& message, Add add);
  /// The window to which a message generated at `at` belongs.
  [[nodiscard]] WindowRecord& window_at(std::size_t record, Time at);
  void count_generated(const fabric::Message& message);
  void count_completed(const fabric::Message& message, std::int64_t time);
  /// Calls `count` with the record of the message's size class in its traffic class, and in the
  /// victims if it is one. Messages generated before the measuring window are left out.
  template <class Count>
  void count_message(const fabric::Message& message, Count count);
  /// The measuring window, when the run is over.
  struct Window {
    Time begin;
    std::size_t first_slice = 0;
    std::size_t first_group = 0;
    bool is_settled = true;  ///< false: the start-up had not ended
  };
  [[nodiscard]] ClassRecord& victims() { return state_.records.back(); }
  [[nodiscard]] bool has_slices() const { return state_.slices.has_value(); }
  /// Ends the slices that are over by `now`. Called before anything that happens now is counted.
  void keep_up(Time now) {
    if (now >= next_slice_) end_slices(now);
  }
  void end_slices(Time now);
  [[nodiscard]] Window find_window(Time now) const;
  [[nodiscard]] SliceSequence slices_of(const TrafficGroup& group, Time now) const;
  [[nodiscard]] ClassRecord record_of(const TrafficGroup& group, const Window& window) const;
  [[nodiscard]] std::vector<std::int64_t> flows_of(const Window& window) const;
  void report_flows(Time begin, Time end, const std::vector<std::int64_t>& delivered,
                    RunResult& result) const;
  void report_estimates(const std::vector<TrafficGroup>& groups, const Window& window, Time end,
                        RunResult& result) const;
  void report_victims(RunResult& result) const;
  /// Their members are those of TrafficState::records.
  [[nodiscard]] std::vector<TrafficGroup> groups() const;

  TrafficRecorderSettings settings_;
  TimeBins bins_;
  Rate capacity_;  ///< of all links into hosts
  TrafficState state_;
  std::optional<IdealTimes> ideal_times_;  ///< where completions are measured
  std::vector<TrafficTotals> totals_;      ///< of all records, while slices end
  Time next_slice_ = Time::max();
};

}  // namespace weir::metrics
