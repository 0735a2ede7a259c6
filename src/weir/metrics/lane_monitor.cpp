#include "weir/metrics/lane_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "weir/metrics/batch_means.hpp"
#include "weir/metrics/vl_label.hpp"

namespace weir::metrics {

namespace {

using fabric::VlUse;

/// Of the same VL in a sample; nothing has happened to it where it is not there.
VlUse use_of(const VlUse& vl, const std::vector<VlUse>& uses) {
  const auto it = std::find_if(uses.begin(), uses.end(), [&](const VlUse& other) {
    return other.port == vl.port && other.vl == vl.vl;
  });
  if (it != uses.end()) return *it;
  VlUse none;
  none.lanes.assign(vl.lanes.size(), 0);
  return none;
}

void add(RunResult& result, const char* metric, const std::string& label,
         const std::vector<RatioSlice>& slices) {
  const BatchMeans means = batch_means(slices);
  result.add_scalar(metric, label, means.mean);
  if (means.verdict != Verdict::estimated) return;
  result.scalars.back().half_width = means.half_width;
  result.scalars.back().quality = Quality::estimated;
}

}  // namespace

void LaneMonitor::sample(Time at, const fabric::VlSharing& sharing) {
  samples_.push_back({at, sharing.uses()});
}

void LaneMonitor::report(RunResult& result, const topology::Graph& graph, Time warm_up) const {
  if (samples_.empty()) return;
  for (const VlUse& vl : samples_.back().uses) {
    std::vector<VlUse> at;  ///< since the end of the warm-up
    std::vector<double> times;
    for (const Sample& sample : samples_) {
      if (sample.at < warm_up) continue;
      at.push_back(use_of(vl, sample.uses));
      times.push_back(static_cast<double>(sample.at.count));
    }
    if (at.size() < 2) continue;
    const std::string label = vl_label(graph, vl.port, vl.vl);
    const auto ratio = [&](const char* metric, const std::string& of, auto part, auto whole) {
      std::vector<RatioSlice> slices;
      for (std::size_t i = 1; i < at.size(); ++i) {
        const double time = times[i] - times[i - 1];
        slices.push_back({part(at[i]) - part(at[i - 1]), whole(at[i], time) - whole(at[i - 1], 0)});
      }
      add(result, metric, of, slices);
    };
    const auto over_time = [](const VlUse&, double time) { return time; };
    ratio(
        "vl_queue_length", label, [](const VlUse& u) { return u.packets; }, over_time);
    ratio(
        "vl_busy", label, [](const VlUse& u) { return u.busy; }, over_time);
    ratio(
        "vl_stalled", label, [](const VlUse& u) { return u.stalled; }, over_time);
    ratio(
        "vl_lane_wait", label, [](const VlUse& u) { return u.waiting; }, over_time);
    ratio(
        "vl_throughput", label, [](const VlUse& u) { return 1e12 * static_cast<double>(u.sent); },
        over_time);
    ratio(
        "vl_blocking", label, [](const VlUse& u) { return static_cast<double>(u.refused); },
        [](const VlUse& u, double) { return static_cast<double>(u.offered); });
    for (std::size_t k = 0; vl.lanes.size() > 1 && k < vl.lanes.size(); ++k) {
      ratio(
          "vl_lanes", fmt::format("{}: {}", label, k + 1),
          [k](const VlUse& u) { return u.lanes[k]; }, over_time);
    }
  }
}

}  // namespace weir::metrics
