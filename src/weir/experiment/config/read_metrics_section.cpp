#include "weir/experiment/config/read_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weir::experiment {
namespace {

/// 1, 2 or 5 times a power of ten, at most a hundredth of `duration`; of runs below 100 us 1 us, as
/// a sample looks at all ports, however little has happened since the last one.
Time default_bin(const std::optional<Time>& duration) {
  if (!duration) return microseconds(10);
  const std::int64_t least = std::min(duration->count, microseconds(1).count);
  const std::int64_t most = std::max({std::int64_t{1}, least, duration->count / 100});
  std::int64_t step = 1;
  while (step <= most / 10) step *= 10;
  for (const std::int64_t factor : {5, 2}) {
    if (step <= most / factor) return Time(step * factor);
  }
  return Time(step);
}

Bytes read_size_class(const Checked<MetricsKeys>& keys, const std::string& text) {
  try {
    return parse_bytes(text);
  } catch (const std::invalid_argument& problem) {
    throw keys.error(&MetricsKeys::sizes, problem.what());
  }
}

void read_size_classes(Configuration& out) {
  const Checked<MetricsKeys>& keys = out.metrics;
  if (!keys->sizes) return;
  if (!keys->slowdown) {
    throw keys.error(&MetricsKeys::sizes,
                     "are size classes of slowdowns: it needs slowdown = true");
  }
  Bytes last;
  for (const std::string& text : *keys->sizes) {
    const Bytes size = read_size_class(keys, text);
    if (size <= last) {
      throw keys.error(&MetricsKeys::sizes,
                       "must be at least 1 B and ascend: " + text + " does not");
    }
    out.size_classes.push_back(last = size);
  }
}

}  // namespace

void read_metrics(const ConfigTable& table, Configuration& out) {
  out.metrics = read_with_default(metrics_keys(), table, "metrics", "bin",
                                  to_string(default_bin(out.duration)));
  const MetricsKeys& keys = *out.metrics;
  out.bin = keys.bin;
  if (keys.link_series && !keys.watches_links)
    throw out.metrics.error(&MetricsKeys::link_series, "needs links = true");
  if (keys.victim_wait > Time(0) && !keys.waiting)
    throw out.metrics.error(&MetricsKeys::victim_wait, "needs waiting = true");
  out.intervals = keys.intervals || out.detect_warmup || out.until_precise.has_value();
  constexpr std::int64_t kMostBins = 10'000'000;
  if (out.duration && out.duration->count / out.bin.count > kMostBins) {
    throw out.metrics.error(&MetricsKeys::bin, fmt::format("{} makes more than {} bins",
                                                           to_string(out.bin), kMostBins));
  }
  if (keys.disturbed_until) {
    if (!keys.disturbed_from) {
      throw out.metrics.error(&MetricsKeys::disturbed_until, "needs disturbed_from");
    }
    if (*keys.disturbed_until <= *keys.disturbed_from) {
      throw out.metrics.error(&MetricsKeys::disturbed_until, "must be later than disturbed_from");
    }
  }
  read_size_classes(out);
  out.resolved.set("metrics", ConfigValue(out.metrics.settings().resolved(), table.position));
}

}  // namespace weir::experiment
