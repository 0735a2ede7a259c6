#pragma once

#include <utility>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/metrics/traffic_class.hpp"

namespace weir::metrics {

/// Connections that were asked for and what they have reserved (yan2012, section 3.2).
/// Connections are told by traffic class and together; reservations of the most reserved link are
/// read at samples.
class AdmissionMonitor {
 public:
  explicit AdmissionMonitor(std::vector<TrafficClass> classes) : classes_(std::move(classes)) {}

  /// `period`: since the sample before.
  void sample(Time at, Time period, const fabric::Admission& admission);
  /// Counts are of the whole run. Call it once.
  void report(RunResult& result, const fabric::Admission& admission) const;

 private:
  std::vector<TrafficClass> classes_;
  std::vector<double> shares_;  ///< of the most reserved link, per sample
  Time first_;                  ///< when the first bin began
  Time period_;
};

}  // namespace weir::metrics
