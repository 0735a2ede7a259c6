#include "weir/metrics/reaction_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace weir::metrics {

namespace {

using fabric::ReactionCounters;
using fabric::ReactionLoad;

struct ReactionCount {
  const char* metric;
  std::uint64_t ReactionCounters::*member;
};

constexpr ReactionCount kReactionCounts[] = {
    {"window_reductions", &ReactionCounters::window_reductions},
    {"window_increases", &ReactionCounters::window_increases},
    {"delay_increases", &ReactionCounters::delay_increases},
    {"delay_reductions", &ReactionCounters::delay_reductions},
    {"fresh_starts", &ReactionCounters::resets},
    {"packets_held", &ReactionCounters::packets_held}};

double share(double part, double whole) {
  return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<ReactionCounters> ReactionMonitor::read(const fabric::Reaction& reaction) const {
  std::vector<ReactionCounters> all;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    all.push_back(reaction.counters(static_cast<std::uint8_t>(c)));
  }
  return all;
}

ReactionMonitor::Loads ReactionMonitor::loads(Time at, const fabric::Reaction& reaction) const {
  Loads all(classes_.size());
  reaction.add_loads(at, all);
  return all;
}

void ReactionMonitor::sample(Time at, Time period, const fabric::Reaction& reaction) {
  if (samples_.empty()) period_ = period;
  samples_.push_back({at, read(reaction), loads(at, reaction)});
}

void ReactionMonitor::open_window(Time at, const fabric::Reaction& reaction) {
  opening_ = Sample{at, {}, loads(at, reaction)};
}

ReactionMonitor::Loads ReactionMonitor::loads_before(Time warm_up) const {
  if (warm_up == Time(0)) return Loads(classes_.size());
  if (opening_ && opening_->at == warm_up) return opening_->loads;
  const auto first = std::find_if(samples_.begin(), samples_.end(),
                                  [&](const Sample& sample) { return sample.at >= warm_up; });
  return first == samples_.end() ? samples_.back().loads : first->loads;
}

void ReactionMonitor::add_series(RunResult& result, const char* metric, const std::string& label,
                                 std::vector<double> values) const {
  if (samples_.empty()) return;
  result.add_series(metric, label, samples_.front().at - period_, period_, std::move(values));
}

void ReactionMonitor::report_counts(RunResult& result, const TrafficGroup& group,
                                    const std::vector<ReactionCounters>& totals) const {
  for (const ReactionCount& count : kReactionCounts) {
    const auto sum = [&](const std::vector<ReactionCounters>& counters) {
      std::uint64_t all = 0;
      for (const std::size_t c : group.members) all += counters[c].*count.member;
      return all;
    };
    result.add_scalar(count.metric, group.label, static_cast<double>(sum(totals)));
    std::vector<double> values;
    std::uint64_t before = 0;
    for (const Sample& sample : samples_) {
      const std::uint64_t now = sum(sample.counters);
      values.push_back(static_cast<double>(now - before));
      before = now;
    }
    add_series(result, count.metric, group.label, std::move(values));
  }
}

void ReactionMonitor::report_loads(RunResult& result, const TrafficGroup& group,
                                   const fabric::Reaction& reaction, Time warm_up) const {
  if (samples_.empty()) return;
  const Loads begin = loads_before(warm_up);
  const auto add = [&](const char* metric, double ReactionLoad::*part) {
    const auto mean = [&](const Loads& from, const Loads& to) {
      double these = 0;
      double flows = 0;
      for (const std::size_t c : group.members) {
        these += to[c].*part - from[c].*part;
        flows += to[c].flows - from[c].flows;
      }
      return share(these, flows);
    };
    const double in_window = mean(begin, samples_.back().loads);
    if (!std::isnan(in_window)) result.add_scalar(metric, group.label, in_window);
    std::vector<double> values;
    const Loads none(classes_.size());
    const Loads* before = &none;
    for (const Sample& sample : samples_) {
      values.push_back(mean(*before, sample.loads));
      before = &sample.loads;
    }
    add_series(result, metric, group.label, std::move(values));
  };
  add("throttled_flows", &ReactionLoad::throttled);
  if (reaction.has_windows()) add("window", &ReactionLoad::windows);
  if (reaction.has_rates()) add("injection_rate", &ReactionLoad::rates);
}

void ReactionMonitor::report(RunResult& result, const fabric::Reaction& reaction,
                             Time warm_up) const {
  const std::vector<ReactionCounters> totals = read(reaction);
  for (const TrafficGroup& group : traffic_groups(classes_, false)) {
    report_counts(result, group, totals);
    report_loads(result, group, reaction, warm_up);
  }
}

}  // namespace weir::metrics
