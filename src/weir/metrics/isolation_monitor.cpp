#include "weir/metrics/isolation_monitor.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::metrics {

using fabric::SetAsideEvent;
using fabric::SetAsideLine;

namespace {

std::string_view to_string(SetAsideEvent::Kind kind) {
  switch (kind) {
    case SetAsideEvent::allocated:
      return "allocated";
    case SetAsideEvent::released:
      return "released";
    case SetAsideEvent::refused_full:
      return "full";
    case SetAsideEvent::refused_specific:
      return "specific";
    case SetAsideEvent::detected:
      return "detected";
  }
  return "";
}

}  // namespace

IsolationMonitor::IsolationMonitor(const topology::Graph& graph,
                                   const IsolationMonitorSettings& settings)
    : graph_(graph), settings_(settings), trees_(graph, settings.gap, settings.max_trees) {
  events_.reserve(settings.max_events);
}

void IsolationMonitor::on_set_aside(const SetAsideEvent& event) {
  if (!instant_.empty() && instant_.front().at != event.at) take_events();
  instant_.push_back(event);
}

void IsolationMonitor::take_events() {
  // Which node is the first within an instant says nothing, and differs with the parts of a network
  // that are simulated side by side.
  const auto node = [this](const SetAsideEvent& event) {
    return graph_.port(PortId(event.side.port())).node;
  };
  if (instant_.size() > 1) {
    std::stable_sort(
        instant_.begin(), instant_.end(),
        [&](const SetAsideEvent& a, const SetAsideEvent& b) { return node(a) < node(b); });
  }
  for (const SetAsideEvent& event : instant_) take(event);
  instant_.clear();
}

void IsolationMonitor::take(const SetAsideEvent& event) {
  if (event.kind == SetAsideEvent::released) lifetimes_.record(event.lifetime.count);
  if (event.kind == SetAsideEvent::allocated) hops_max_ = std::max(hops_max_, event.hops);
  trees_.on_event(event);
  if (events_.size() < settings_.max_events && event.at >= settings_.events_from) {
    events_.push_back(event);
  }
}

void IsolationMonitor::open_window(const fabric::Fabric&, Time now) {
  take_events();
  opening_ = Sample{};
  opening_->at = now;
  opening_->root_time = trees_.root_time(now);
}

IsolationMonitor::Sample IsolationMonitor::opening(Time warm_up) const {
  if (warm_up == Time(0)) return {};
  if (opening_ && opening_->at == warm_up) return *opening_;
  const auto first = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const Sample& sample) { return sample.at >= warm_up; });
  return first == samples_.end() ? Sample{} : *first;
}

void IsolationMonitor::sample(const fabric::Fabric& fabric, Time now, Time period) {
  if (fabric.isolation() == nullptr) return;
  lines_.clear();
  fabric.for_each_line([this](const SetAsideLine& line) { lines_.push_back(line); });
  if (fabric.parts() > 1 || fabric.ranks() != nullptr) {
    std::stable_sort(
        lines_.begin(), lines_.end(), [](const SetAsideLine& a, const SetAsideLine& b) {
          return std::tie(a.side.index, a.side.buffer) < std::tie(b.side.index, b.side.buffer);
        });
  }
  sample_lines(now, period);
}

void IsolationMonitor::sample(const fabric::Isolation& isolation, Time now, Time period) {
  lines_.clear();
  isolation.for_each_line([this](const SetAsideLine& line) { lines_.push_back(line); });
  sample_lines(now, period);
}

void IsolationMonitor::sample_lines(Time at, Time period) {
  take_events();
  if (samples_.empty()) period_ = period;
  Sample now;
  now.at = at;
  now.root_time = trees_.root_time(at);
  now.hops = trees_.sample(lines_);
  std::sort(lines_.begin(), lines_.end(), [](const SetAsideLine& a, const SetAsideLine& b) {
    return a.side.index < b.side.index;
  });
  for (std::size_t first = 0; first < lines_.size();) {
    std::size_t last = first;
    while (last < lines_.size() && lines_[last].side.index == lines_[first].side.index) ++last;
    now.side_max = std::max(now.side_max, static_cast<std::uint32_t>(last - first));
    first = last;
  }
  keep_sides();
  samples_.push_back(now);
}

/// `lines_` stand by side.
void IsolationMonitor::keep_sides() {
  if (history_given_up_) return;
  if (history_.size() + lines_.size() > settings_.max_history) {
    history_given_up_ = true;
    history_ = {};
    return;
  }
  const auto sample = static_cast<std::uint32_t>(samples_.size());
  for (const SetAsideLine& line : lines_) {
    const bool is_new = history_.empty() || history_.back().sample != sample ||
                        history_.back().side != line.side.index;
    if (is_new) history_.push_back({sample, line.side.index, 0});
    ++history_.back().queues;
  }
}

void IsolationMonitor::add_series(RunResult& result, std::string_view metric,
                                  std::string_view label, std::vector<double> values,
                                  Reading reading) const {
  result.add_series(metric, label, samples_.front().at - period_, period_, std::move(values),
                    reading);
}

std::size_t IsolationMonitor::first_measured(Time warm_up) const {
  const auto first = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const Sample& sample) { return sample.at > warm_up; });
  return static_cast<std::size_t>(first - samples_.begin());
}

void IsolationMonitor::report_states(RunResult& result, Time warm_up) const {
  result.add_scalar("set_aside_hops", "", hops_max_);
  result.add_scalar("set_aside_roots_max", "", trees_.roots_max());
  result.add_scalar("set_aside_trees", "", static_cast<double>(trees_.count()));
  if (samples_.empty()) return;
  const auto mean = [](const Sample& from, const Sample& to) {
    return (to.root_time - from.root_time) / static_cast<double>((to.at - from.at).count);
  };
  const Sample begin = opening(warm_up);
  if (samples_.back().at > begin.at)
    result.add_scalar("set_aside_roots", "", mean(begin, samples_.back()));
  std::vector<double> roots;
  std::vector<double> hops;
  std::vector<double> side_max;
  Sample before;
  for (const Sample& sample : samples_) {
    roots.push_back(mean(before, sample));
    hops.push_back(sample.hops);
    side_max.push_back(sample.side_max);
    before = sample;
  }
  add_series(result, "set_aside_roots", "", std::move(roots));
  add_series(result, "set_aside_hops", "", std::move(hops), Reading::sampled);
  add_series(result, "set_aside_at_side_max", "", std::move(side_max), Reading::sampled);
}

void IsolationMonitor::report_lifetimes(RunResult& result) const {
  if (lifetimes_.empty()) return;
  constexpr double kPsPerNs = 1e3;
  result.add_histogram("set_aside_lifetime", "", lifetimes_);
  result.add_scalar("set_aside_lifetime_mean", "", lifetimes_.mean() / kPsPerNs);
  result.add_scalar("set_aside_lifetime_max", "",
                    static_cast<double>(lifetimes_.maximum()) / kPsPerNs);
  for (const auto& [metric, percent] :
       {std::pair("set_aside_lifetime_p50", 50.0), std::pair("set_aside_lifetime_p90", 90.0),
        std::pair("set_aside_lifetime_p99", 99.0)}) {
    result.add_scalar(metric, "", lifetimes_.percentile(percent) / kPsPerNs);
  }
}

void IsolationMonitor::report_sides(RunResult& result, Time warm_up) const {
  if (history_given_up_) {
    result.notes.emplace_back(
        "series of the set-aside queues of single ports would need too much memory and were given "
        "up");
    return;
  }
  const std::size_t first = first_measured(warm_up);
  std::vector<std::uint64_t> sum(2 * graph_.port_count(), 0);
  for (const Point& point : history_) {
    if (point.sample >= first) sum[point.side] += point.queues;
  }
  std::vector<std::uint32_t> sides;
  for (std::uint32_t side = 0; side < sum.size(); ++side) {
    if (sum[side] > 0) sides.push_back(side);
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sum[a] > sum[b]; });
  sides.resize(std::min(sides.size(), settings_.top_sides));
  for (const std::uint32_t side : sides) {
    std::vector<double> values(samples_.size(), 0.0);
    for (const Point& point : history_) {
      if (point.side == side) values[point.sample] = point.queues;
    }
    add_series(result, "set_aside_at_side", side_name(graph_, {side}), std::move(values),
               Reading::sampled);
  }
}

void IsolationMonitor::report_events(RunResult& result) const {
  for (const SetAsideEvent& event : events_) {
    result.set_aside_events.push_back({event.at, side_name(graph_, event.side),
                                       graph_.name(event.root), static_cast<int>(event.hops),
                                       std::string(to_string(event.kind)), event.lifetime});
  }
}

void IsolationMonitor::report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) {
  if (fabric.isolation() != nullptr) report(fabric.now(), warm_up, result);
}

void IsolationMonitor::report(Time now, Time warm_up, RunResult& result) {
  take_events();
  report_states(result, warm_up);
  report_lifetimes(result);
  report_sides(result, warm_up);
  report_events(result);
  trees_.report(result, now);
}

}  // namespace weir::metrics
