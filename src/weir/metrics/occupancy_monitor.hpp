#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/monitor.hpp"

namespace weir::metrics {

/// Bytes that wait in switches, and how full their buffers are on average: means over time, from
/// integrals that the fabric keeps packet by packet, whatever the sampling period.
class OccupancyMonitor final : public Monitor {
 public:
  void sample(const fabric::Fabric& fabric, Time now, Time period) override;
  void open_window(const fabric::Fabric& fabric, Time now) override;
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;
  /// Scalars are of the measuring window.
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override;

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
