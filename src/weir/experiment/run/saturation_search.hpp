#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace weir::experiment {

/// What came out at one load that was tried.
struct SaturationProbe {
  double load = 0;       ///< share of capacity
  double delivered = 0;  ///< of the load, in the same measure
};

/// Where a saturation search looks: at loads `low` + k * `resolution`, up to `high`.
struct SaturationRange {
  double low = 0;
  double high = 1;
  double resolution = 0.01;

  /// A search takes at most so many runs.
  static constexpr std::size_t kMostProbes = 12;
  /// Runs that a search takes at most in this range.
  [[nodiscard]] std::size_t probes() const;
};

enum class SaturationVerdict {
  found,           ///< between two loads that were tried
  above_range,     ///< the highest load is still delivered
  at_lowest_load,  ///< not even the lowest load that was tried is delivered
};

struct SaturationResult {
  SaturationVerdict verdict = SaturationVerdict::found;
  double load = 0;        ///< estimate; the range's end where it was not found inside
  double half_width = 0;  ///< it lies within load +- half_width, but for the noise of the runs
  std::vector<SaturationProbe> probes;   ///< in the order in which they were run
  std::optional<std::size_t> sustained;  ///< the probe with the highest load that was delivered
};

/// Finds the load from which on what waits at the sources grows without end, so that latency
/// diverges: by bisection, first asking the highest load.
///
/// A load is saturated when more than half a `resolution` of it does not come out. Just above
/// saturation the shortfall grows with the load, so the load that is found is half a resolution too
/// high; the estimate takes that off. `probe` runs one load; nothing ends the search without a
/// result. The range must be sensible: 0 <= low < high, probes() <= kMostProbes
/// (std::invalid_argument).
std::optional<SaturationResult> search_saturation(
    const SaturationRange& range,
    const std::function<std::optional<SaturationProbe>(double load)>& probe);

}  // namespace weir::experiment
