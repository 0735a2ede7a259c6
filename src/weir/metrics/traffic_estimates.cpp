// When the run is over: where the measuring window begins, and how well steady-state means are
// known.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {

namespace {

constexpr double kConfidence = 0.95;

Scalar* find_scalar(RunResult& result, std::string_view metric, std::string_view label) {
  const auto it =
      std::find_if(result.scalars.begin(), result.scalars.end(), [&](const Scalar& scalar) {
        return scalar.name.metric == metric && scalar.name.label == label;
      });
  return it == result.scalars.end() ? nullptr : &*it;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

TrafficRecorder::Window TrafficRecorder::find_window(Time now) const {
  Window window;
  window.begin = settings_.warm_up;
  if (!state_.earlier) return window;
  std::size_t first = 0;
  for (std::size_t c = 0; c < settings_.classes.size(); ++c) {
    const Truncation cut = find_warm_up(slices_of({"", {c}}, now));
    first = std::max(first, cut.first);
    window.is_settled = window.is_settled && cut.is_settled;
  }
  // Histograms can only be cut between groups of slices; the last one has not ended.
  window.first_group = std::min((first + WindowGroups::kSlices - 1) / WindowGroups::kSlices,
                                state_.earlier->closed().size());
  window.first_slice = window.first_group * WindowGroups::kSlices;
  window.begin += state_.slices->length() * static_cast<std::int64_t>(window.first_slice);
  return window;
}

Time TrafficRecorder::window_start(Time now) {
  keep_up(now);
  return find_window(now).begin;
}

SliceSequence TrafficRecorder::slices_of(const TrafficGroup& group, Time now) const {
  SliceSequence sum;
  for (const std::size_t member : group.members) {
    state_.slices->add_to(sum, member, state_.records[member].totals(), now);
  }
  return sum;
}

ClassRecord TrafficRecorder::record_of(const TrafficGroup& group, const Window& window) const {
  ClassRecord sum(0);
  for (const std::size_t member : group.members) {
    sum.merge(state_.records[member]);
    if (!state_.earlier) continue;
    const auto closed = state_.earlier->closed();
    for (std::size_t g = 0; g < closed.size(); ++g) {
      const WindowRecord& part = closed[g].records[member];
      if (g >= window.first_group) {
        sum.window.merge(part);
        continue;
      }
      // Sources that were seen before the window belong to it, with nothing delivered.
      for (std::size_t h = 0; h < part.source_delivered.size(); ++h) {
        std::int64_t& delivered = sum.window.source_delivered[h];
        if (part.source_delivered[h] >= 0) delivered = std::max<std::int64_t>(delivered, 0);
      }
    }
  }
  return sum;
}

std::vector<std::int64_t> TrafficRecorder::flows_of(const Window& window) const {
  std::vector<std::int64_t> sum = state_.flow_delivered;
  if (!state_.earlier) return sum;
  for (std::size_t g = window.first_group; g < state_.earlier->closed().size(); ++g) {
    const std::vector<std::int64_t>& part = state_.earlier->closed()[g].flow_delivered;
    if (sum.size() < part.size()) sum.resize(part.size());
    for (std::size_t f = 0; f < part.size(); ++f) sum[f] += part[f];
  }
  return sum;
}

std::optional<BatchMeans> TrafficRecorder::estimate(const MetricName& name, Time now,
                                                    double confidence) {
  keep_up(now);
  if (!has_slices() || !is_estimated(name.metric)) return std::nullopt;
  for (const TrafficGroup& group : groups()) {
    if (group.label != name.label) continue;
    return estimate_mean(name.metric, slices_of(group, now), find_window(now).first_slice,
                         capacity_, confidence);
  }
  return std::nullopt;
}

void TrafficRecorder::report_estimates(const std::vector<TrafficGroup>& all, const Window& window,
                                       Time end, RunResult& result) const {
  std::vector<std::string> drifting;
  std::vector<std::string> unknown;
  for (const TrafficGroup& group : all) {
    const SliceSequence slices = slices_of(group, end);
    for (const std::string_view metric : estimated_metrics()) {
      Scalar* scalar = find_scalar(result, metric, group.label);
      if (scalar == nullptr || std::isnan(scalar->value)) continue;
      const BatchMeans found =
          estimate_mean(metric, slices, window.first_slice, capacity_, kConfidence);
      switch (found.verdict) {
        case Verdict::estimated:
          scalar->half_width = found.half_width;
          scalar->quality = Quality::estimated;
          break;
        case Verdict::not_stationary:
          scalar->value = std::numeric_limits<double>::quiet_NaN();
          scalar->quality = Quality::not_stationary;
          drifting.push_back(to_string(scalar->name));
          break;
        case Verdict::too_short:
          unknown.push_back(to_string(scalar->name));
          break;
      }
    }
  }
  if (state_.earlier) {
    result.add_scalar("warmup_detected", "", to_nanoseconds(window.begin));
    if (!window.is_settled) {
      result.notes.emplace_back(
          "no end of the warm-up was found: what is measured is the second half of the run");
    }
  }
  if (!drifting.empty()) result.notes.push_back("not stationary: " + listed(drifting));
  if (!unknown.empty()) {
    result.notes.push_back("the run is too short for intervals of " + listed(unknown));
  }
}

}  // namespace weir::metrics
