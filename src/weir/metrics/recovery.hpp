#pragma once

#include <optional>
#include <span>

#include "weir/base/units.hpp"

namespace weir::metrics {

/// When something disturbs the network, and what counts as recovered from it (spec
/// rocher2021, section 4.3).
struct RecoverySettings {
  Time from;                      ///< the disturbance begins
  Time until = Time::max();       ///< and ends: later bins do not count
  Time before = milliseconds(2);  ///< so long before it is what it is compared with
  Time hold = milliseconds(3);    ///< so long it must last
  double level = 0.95;            ///< share of what it was before
};

struct Recovery {
  double before = 0;  ///< mean of the bins before
  double low = 0;     ///< lowest bin since
  /// From the begin of the disturbance to that of the first bin after the drop from which on all
  /// bins are at the level for long enough; 0: no drop; up to the last bin where there is no such
  /// bin.
  Time time;
  bool is_recovered = false;
};

/// Reads a series of bins from time 0 on. Only whole bins count: those that end by `end` (of the
/// run). Nothing when there is none before or none since.
[[nodiscard]] std::optional<Recovery> find_recovery(std::span<const double> bins, Time bin,
                                                    Time end, const RecoverySettings& settings);

struct RunResult;

/// Adds `efficiency_before`, `efficiency_low`, `recovered` and `recovery_time` of every efficiency
/// that `result` has a series of. `end`: of the run.
void report_recovery(Time end, const RecoverySettings& settings, RunResult& result);

}  // namespace weir::metrics
