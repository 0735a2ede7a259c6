#include "weir/experiment/run/saturation_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace weir::experiment {
namespace {

/// Steps from the lowest load to the highest; the last one may be shorter.
std::uint64_t steps(const SaturationRange& range) {
  constexpr double kRounding = 1e-9;  // 0.3 / 0.1 is three steps
  return static_cast<std::uint64_t>(
      std::max(1.0, std::ceil((range.high - range.low) / range.resolution - kRounding)));
}

double load_at(const SaturationRange& range, std::uint64_t step) {
  return std::min(range.high, range.low + static_cast<double>(step) * range.resolution);
}

}  // namespace

std::size_t SaturationRange::probes() const {
  return 1 + static_cast<std::size_t>(std::bit_width(steps(*this) - 1));
}

std::optional<SaturationResult> search_saturation(
    const SaturationRange& range,
    const std::function<std::optional<SaturationProbe>(double load)>& probe) {
  if (!(range.low >= 0 && range.low < range.high && range.resolution > 0) ||
      range.probes() > SaturationRange::kMostProbes) {
    throw std::invalid_argument("a saturation search needs a range that twelve runs can cover");
  }
  SaturationResult result;
  // True, false: saturated or not; nothing: the search is to end.
  const auto is_saturated = [&](double load) -> std::optional<bool> {
    const auto seen = probe(load);
    if (!seen) return std::nullopt;
    result.probes.push_back(*seen);
    const bool saturated = seen->load - seen->delivered > range.resolution / 2;
    if (!saturated) result.sustained = result.probes.size() - 1;
    return saturated;
  };

  std::uint64_t sustained = 0;
  std::uint64_t saturated = steps(range);
  const auto at_top = is_saturated(range.high);
  if (!at_top) return std::nullopt;
  if (!*at_top) {
    result.verdict = SaturationVerdict::above_range;
    result.load = range.high;
    return result;
  }
  while (saturated - sustained > 1) {
    const std::uint64_t middle = sustained + (saturated - sustained) / 2;
    const auto is = is_saturated(load_at(range, middle));
    if (!is) return std::nullopt;
    (*is ? saturated : sustained) = middle;
  }
  const double below = load_at(range, sustained);
  const double above = load_at(range, saturated);
  if (!result.sustained) result.verdict = SaturationVerdict::at_lowest_load;
  result.half_width = (above - below) / 2;
  result.load = std::max(range.low, (below + above - range.resolution) / 2);
  return result;
}

}  // namespace weir::experiment
