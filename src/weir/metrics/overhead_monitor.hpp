#pragma once

#include "weir/metrics/monitor.hpp"

namespace weir::metrics {

/// What mechanisms put on links beside data and its headers, in the whole run.
class OverheadMonitor final : public Monitor {
 public:
  void sample(const fabric::Fabric&, Time, Time) override {}
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;
  /// Nothing for a run without any of it.
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override;
};

}  // namespace weir::metrics
