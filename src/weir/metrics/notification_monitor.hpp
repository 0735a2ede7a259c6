#pragma once

#include <optional>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// Adaptive routing of a run: packets that left their default routes, and, of selections that send
/// notifications, roots, messages and table entries (rocher2021, section 4.3). Read at
/// samples and at the end.
class NotificationMonitor {
 public:
  /// `period`: since the sample before.
  void sample(Time at, Time period, const fabric::Fabric& fabric);
  /// The measuring window begins between two samples.
  void open_window(Time at, const fabric::Fabric& fabric);
  /// Means are of the measuring window, which begins at `warm_up`, or at the first sample after it
  /// where it was not opened; counts and maxima are of the whole run. Call it once.
  void report(RunResult& result, const fabric::Fabric& fabric, Time warm_up) const;

 private:
  struct Sample {
    Time at;
    fabric::Counters packets;
    fabric::NotificationCounters notifications;
    fabric::NotificationLoad load;
  };
  static Sample read(Time at, const fabric::Fabric& fabric);
  void report_roots(RunResult& result, const Sample& end, Time warm_up) const;

  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  Time period_;
};

}  // namespace weir::metrics
