#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/metrics/histogram.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/set_aside_trees.hpp"
#include "weir/topology/graph.hpp"

namespace weir::metrics {

struct IsolationMonitorSettings {
  Time gap;                             ///< see SetAsideTrees
  std::size_t max_trees = 20'000;       ///< RunResult::set_aside_trees
  std::size_t max_events = 2'000;       ///< RunResult::set_aside_events: the first ones
  Time events_from;                     ///< before, none is kept
  std::size_t top_sides = 32;           ///< series of single sides are kept for the fullest ones
  std::size_t max_history = 8'000'000;  ///< (sample, side) pairs kept in memory for these series
};

/// Set-aside queues of a run with an isolation mechanism (lippens2010, section 5.1): how many are
/// in use where, for which roots and for how long, what was refused, and what the control messages
/// cost. Events are counted in constant time and without allocation; queues, bytes and roots are
/// integrated over time between them. What is where is read at samples.
class IsolationMonitor {
 public:
  IsolationMonitor(const topology::Graph& graph, const IsolationMonitorSettings& settings);

  void on_event(const fabric::SetAsideEvent& event);
  /// `period`: since the sample before. `link_bytes`: on all links since the start.
  void sample(Time at, Time period, const fabric::Isolation& isolation, std::int64_t link_bytes);
  /// The measuring window begins between two samples.
  void open_window(Time at, const fabric::Isolation& isolation, std::int64_t link_bytes);
  /// Means, overhead and series of sides are of the measuring window, which begins at `warm_up`, or
  /// at the first sample after it where it was not opened; counts, maxima and lifetimes are of the
  /// whole run. Call it once.
  void report(RunResult& result, const fabric::Isolation& isolation, std::int64_t link_bytes,
              Time warm_up, Time end);

 private:
  struct Sample {
    Time at;
    std::int64_t link_bytes = 0;
    double queue_time = 0;  ///< integrals over time since the start, ps
    double byte_time = 0;
    double root_time = 0;
    std::uint32_t hops = 0;
    std::uint32_t side_max = 0;
    fabric::IsolationCounters counters;
  };
  struct Point {
    std::uint32_t sample = 0;
    std::uint32_t side = 0;
    std::uint32_t queues = 0;
  };

  [[nodiscard]] Sample read(Time at, const fabric::Isolation& isolation,
                            std::int64_t link_bytes) const;
  void keep_sides();
  /// Where the measuring window begins.
  [[nodiscard]] Sample opening(Time warm_up) const;
  [[nodiscard]] std::size_t first_measured(Time warm_up) const;
  void report_states(RunResult& result, Time warm_up) const;
  void report_counts(RunResult& result, const fabric::IsolationCounters& totals) const;
  void report_overhead(RunResult& result, const fabric::IsolationCounters& totals,
                       std::int64_t link_bytes, Time warm_up) const;
  void report_lifetimes(RunResult& result) const;
  void report_sides(RunResult& result, Time warm_up) const;
  void report_events(RunResult& result) const;
  void add_series(RunResult& result, std::string_view metric, std::string_view label,
                  std::vector<double> values, Reading reading = Reading::exact) const;

  const topology::Graph& graph_;
  IsolationMonitorSettings settings_;
  SetAsideTrees trees_;
  Histogram lifetimes_;
  std::vector<fabric::SetAsideEvent> events_;  ///< the first ones
  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  std::uint32_t hops_max_ = 0;
  Time period_;
  std::vector<fabric::SetAsideLine> lines_;  ///< of the present sample
  std::vector<Point> history_;               ///< sides with queues in use, sample by sample
  bool history_given_up_ = false;
};

}  // namespace weir::metrics
