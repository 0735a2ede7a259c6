#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// Bytes that wait in switches, and how full their buffers are on average: means over time, from
/// integrals that the fabric keeps packet by packet, whatever the sampling period.
class OccupancyMonitor {
 public:
  /// `period`: since the sample before.
  void sample(Time at, Time period, const fabric::Fabric& fabric);
  /// The measuring window begins between two samples.
  void open_window(Time at, const fabric::Fabric& fabric);
  /// Scalars are of the measuring window, which begins at `warm_up`, or at the first sample after
  /// it where it was not opened. Call it once.
  void report(RunResult& result, const fabric::Fabric& fabric, Time warm_up) const;

 private:
  /// Integrals over time since the start, byte ps.
  struct Sample {
    Time at;
    double ingress = 0;
    double egress = 0;
  };
  /// Reads on: the integrals are known modulo 2^64 from one call to the next.
  Sample read(Time at, const fabric::Fabric& fabric);

  std::vector<Sample> samples_;
  std::optional<Sample> opening_;
  Time period_;
  Sample now_;
  fabric::Fabric::Waited before_;
};

}  // namespace weir::metrics
