#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/metrics/histogram.hpp"
#include "weir/metrics/monitor.hpp"
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

/// Set-aside queues of a run with an isolation mechanism (lippens2010, section 5.1), seen from
/// outside: where they are in use, for which roots and for how long. What the mechanism counts and
/// integrates it tells itself. Events are taken in constant time and without allocation, those of
/// an instant by node; what is where is read at samples.
class IsolationMonitor final : public Monitor {
 public:
  IsolationMonitor(const topology::Graph& graph, const IsolationMonitorSettings& settings);

  void on_set_aside(const fabric::SetAsideEvent& event) override;
  void sample(const fabric::Fabric& fabric, Time now, Time period) override;
  void open_window(const fabric::Fabric& fabric, Time now) override;
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;
  /// Means and series of sides are of the measuring window; maxima and lifetimes are of the whole
  /// run. Nothing without an isolation mechanism.
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override;

  /// The same without a fabric.
  void sample(const fabric::Isolation& isolation, Time now, Time period);
  void report(Time now, Time warm_up, RunResult& result);

 private:
  struct Sample {
    Time at;
    double root_time = 0;  ///< integral over time since the start, ps
    std::uint32_t hops = 0;
    std::uint32_t side_max = 0;
  };
  struct Point {
    std::uint32_t sample = 0;
    std::uint32_t side = 0;
    std::uint32_t queues = 0;
  };

  /// Takes the events of the present instant.
  void take_events();
  void take(const fabric::SetAsideEvent& event);
  /// `lines_` are those of all sides.
  void sample_lines(Time now, Time period);
  void keep_sides();
  /// Where the measuring window begins.
  [[nodiscard]] Sample opening(Time warm_up) const;
  [[nodiscard]] std::size_t first_measured(Time warm_up) const;
  void report_states(RunResult& result, Time warm_up) const;
  void report_lifetimes(RunResult& result) const;
  void report_sides(RunResult& result, Time warm_up) const;
  void report_events(RunResult& result) const;
  void add_series(RunResult& result, std::string_view metric, std::string_view label,
                  std::vector<double> values, Reading reading = Reading::exact) const;

  const topology::Graph& graph_;
  IsolationMonitorSettings settings_;
  SetAsideTrees trees_;
  Histogram lifetimes_;
  std::vector<fabric::SetAsideEvent> instant_;  ///< events of one instant, not yet taken
  std::vector<fabric::SetAsideEvent> events_;   ///< the first ones
  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  std::uint32_t hops_max_ = 0;
  Time period_;
  std::vector<fabric::SetAsideLine> lines_;  ///< of the present sample
  std::vector<Point> history_;               ///< sides with queues in use, sample by sample
  bool history_given_up_ = false;
};

}  // namespace weir::metrics
