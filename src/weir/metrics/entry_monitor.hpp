#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// Entries of VL arbitration tables that connections fill, and the lanes that are lent for them,
/// over time (yan2012, section 5.2). Entries are read at samples; how long lanes were lent between
/// two samples is exact.
class EntryMonitor {
 public:
  /// `period`: since the sample before.
  void sample(Time at, Time period, const fabric::Fabric& fabric);
  /// Of the VLs that have had entries at a sample, or have borrowed. Call it once.
  void report(RunResult& result, const topology::Graph& graph) const;

 private:
  /// Values of the samples so far, by port and VL; 0 before the first that is not.
  using Series = std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<double>>;
  void sample_entries(const fabric::ConnectionTables& tables);
  void sample_lanes(const fabric::VlSharing& sharing, Time period);

  Series entries_;
  Series borrowed_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, double> lent_;  ///< ps, up to the last sample
  std::size_t samples_ = 0;
  Time first_;  ///< when the first bin began
  Time period_;
};

}  // namespace weir::metrics
