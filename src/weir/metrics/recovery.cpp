#include "weir/metrics/recovery.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>

#include "weir/metrics/run_result.hpp"

namespace weir::metrics {
namespace {

std::size_t floor_of(Time time, Time bin) {
  return static_cast<std::size_t>(std::max<std::int64_t>(time.count, 0) / bin.count);
}
std::size_t ceil_of(Time time, Time bin) {
  return static_cast<std::size_t>((std::max<std::int64_t>(time.count, 0) + bin.count - 1) /
                                  bin.count);
}

}  // namespace

std::optional<Recovery> find_recovery(std::span<const double> bins, Time bin, Time end,
                                      const RecoverySettings& settings) {
  const std::size_t until = std::min(bins.size(), floor_of(std::min(end, settings.until), bin));
  const std::size_t since = ceil_of(settings.from, bin);
  const std::size_t reference = ceil_of(settings.from - settings.before, bin);
  const std::size_t reference_end = std::min(until, floor_of(settings.from, bin));
  if (reference >= reference_end || since >= until) return std::nullopt;

  Recovery found;
  const auto before = bins.subspan(reference, reference_end - reference);
  found.before =
      std::accumulate(before.begin(), before.end(), 0.0) / static_cast<double>(before.size());
  const auto after = bins.subspan(since, until - since);
  found.low = *std::min_element(after.begin(), after.end());

  const auto is_low = [&](double value) { return value < settings.level * found.before; };
  const auto drop = std::find_if(after.begin(), after.end(), is_low);
  if (drop == after.end()) {
    found.is_recovered = true;
    return found;
  }
  const std::size_t hold = std::max<std::size_t>(1, ceil_of(settings.hold, bin));
  std::size_t kept = 0;
  std::size_t k = static_cast<std::size_t>(drop - after.begin());
  while (k < after.size() && kept < hold) kept = is_low(after[k++]) ? 0 : kept + 1;
  found.is_recovered = kept == hold;
  const std::size_t last = found.is_recovered ? k - hold : after.size();
  found.time = bin * static_cast<std::int64_t>(since + last) - settings.from;
  return found;
}

void report_recovery(Time end, const RecoverySettings& settings, RunResult& result) {
  bool has_any = false;
  for (const Series& series : result.series) {
    if (series.name.metric != "efficiency") continue;
    const auto recovery = find_recovery(series.values, series.bin, end, settings);
    if (!recovery) continue;
    has_any = true;
    const std::string& label = series.name.label;
    result.add_scalar("efficiency_before", label, recovery->before);
    result.add_scalar("efficiency_low", label, recovery->low);
    result.add_scalar("recovered", label, recovery->is_recovered ? 1 : 0);
    result.add_scalar("recovery_time", label, to_nanoseconds(recovery->time));
  }
  if (has_any) return;
  result.notes.emplace_back(
      "no recovery was measured: there is no whole bin before or after metrics.disturbed_from");
}

}  // namespace weir::metrics
