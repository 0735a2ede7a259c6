#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/traffic_class.hpp"

namespace weir::metrics {

/// What sources do on feedback (ferrer2012, section 8.4; yan2012, section 3.3): windows, waits and
/// rates of the flows that have something to send, as means over time, and how often they changed.
/// By traffic class, and together under no label. The mechanism counts and integrates; what it has
/// come to is read at samples, and where the measuring window begins.
class ReactionMonitor {
 public:
  explicit ReactionMonitor(std::vector<TrafficClass> classes) : classes_(std::move(classes)) {}

  /// `period`: since the sample before.
  void sample(Time at, Time period, const fabric::Reaction& reaction);
  /// The measuring window begins between two samples.
  void open_window(Time at, const fabric::Reaction& reaction);
  /// Means are of the measuring window, which begins at `warm_up`, or at the first sample after it
  /// where it was not opened; counts are of the whole run.
  /// Call it once.
  void report(RunResult& result, const fabric::Reaction& reaction, Time warm_up) const;

 private:
  struct Sample {
    Time at;
    std::vector<fabric::ReactionCounters> counters;  ///< per class
    std::vector<fabric::ReactionLoad> loads;
  };

  using Loads = std::vector<fabric::ReactionLoad>;  ///< per class

  [[nodiscard]] std::vector<fabric::ReactionCounters> read(const fabric::Reaction& reaction) const;
  [[nodiscard]] Loads loads(Time at, const fabric::Reaction& reaction) const;
  [[nodiscard]] Loads loads_before(Time warm_up) const;
  void report_counts(RunResult& result, const TrafficGroup& group,
                     const std::vector<fabric::ReactionCounters>& totals) const;
  void report_loads(RunResult& result, const TrafficGroup& group, const fabric::Reaction& reaction,
                    Time warm_up) const;
  void add_series(RunResult& result, const char* metric, const std::string& label,
                  std::vector<double> values) const;

  std::vector<TrafficClass> classes_;
  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  Time period_;
};

}  // namespace weir::metrics
