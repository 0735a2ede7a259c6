#pragma once

#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// Virtual lanes that are served by lanes (yan2012, sections 4.2 and 5.3): queues, lanes held,
/// what was refused. What happened between two samples is known exactly; intervals are by batch
/// means.
class LaneMonitor {
 public:
  void sample(Time at, const fabric::VlSharing& sharing);
  /// Means over the samples after `warm_up`, by port and VL. Call it once.
  void report(RunResult& result, const topology::Graph& graph, Time warm_up) const;

 private:
  struct Sample {
    Time at;
    std::vector<fabric::VlUse> uses;  ///< by port and VL
  };
  std::vector<Sample> samples_;
};

}  // namespace weir::metrics
