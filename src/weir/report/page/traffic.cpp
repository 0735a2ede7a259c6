#include <algorithm>
#include <utility>

#include "weir/experiment/run/rate_calculation.hpp"
#include "weir/report/page/run.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::report {

using experiment::Configuration;
using nlohmann::json;

namespace {

std::vector<std::uint32_t> numbers_of(const std::vector<std::vector<HostId>>& lists) {
  std::vector<std::uint32_t> numbers;
  for (const std::vector<HostId>& hosts : lists) {
    for (const HostId host : hosts) numbers.push_back(host.value);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// From the first start of a class of [[flow]]s to its last stop.
struct FlowTimes {
  Time start;
  Time stop;
  bool is_always = false;  ///< or nobody knows beforehand
};

FlowTimes times_of(const experiment::RateInput& input, const experiment::FlowClass& its, Time end) {
  FlowTimes out{end, Time(), false};
  for (const experiment::FlowEntry& entry : input.flows) {
    if (&input.classes[entry.number_of_class] != &its) continue;
    // Those of a later phase begin when the one before is over.
    if (!entry.is_named || entry.keys->phase > 1) return {Time(), end, true};
    out.start = std::min(out.start, entry.keys->start);
    out.stop = std::max(out.stop, std::min(entry.keys->stop, end));
  }
  out.is_always = out.start == Time() && out.stop == end;
  return out;
}

}  // namespace

json marks_of(const Configuration& configuration, Time end) {
  json marks = json::array();
  for (const traffic::TrafficEntry& entry : configuration.traffic) {
    const bool always =
        entry.phases.size() == 1 && entry.phases[0].start == Time(0) && entry.phases[0].stop >= end;
    if (always) continue;
    for (const traffic::Phase& phase : entry.phases) {
      const Time stop = std::min(phase.stop, end);
      if (phase.start >= stop) continue;
      marks.push_back({{"from_ns", to_nanoseconds(phase.start)},
                       {"to_ns", to_nanoseconds(stop)},
                       {"label", entry.name}});
    }
  }
  for (const experiment::FlowClass& one : configuration.rates->classes) {
    const FlowTimes its = times_of(*configuration.rates, one, end);
    if (its.is_always || its.start >= its.stop) continue;
    marks.push_back({{"from_ns", to_nanoseconds(its.start)},
                     {"to_ns", to_nanoseconds(its.stop)},
                     {"label", one.name}});
  }
  return marks;
}

json hosts_of(const Configuration& configuration, const topology::Graph& graph) {
  const auto is_hot = [](const auto& one) { return one.role == traffic::Role::hot; };
  const auto some_are_hot = [&](const auto& all) {
    return std::any_of(all.begin(), all.end(), is_hot);
  };
  const std::vector<experiment::FlowClass>& flows = configuration.rates->classes;
  if (!some_are_hot(configuration.traffic) && !some_are_hot(flows)) return nullptr;
  std::vector<traffic::TrafficClass> classes =
      experiment::make_traffic(configuration, graph).classes;
  if (some_are_hot(flows)) {
    const experiment::FlowList list = experiment::list_flows(configuration, graph);
    classes.insert(classes.end(), list.classes.begin(), list.classes.end());
  }
  std::vector<std::vector<HostId>> sources;
  std::vector<std::vector<HostId>> targets;
  for (const traffic::TrafficClass& one : classes) {
    if (!is_hot(one)) continue;
    sources.push_back(one.sources);
    targets.push_back(one.targets);
  }
  return {{"hot_sources", numbers_of(sources)}, {"hot_destinations", numbers_of(targets)}};
}

}  // namespace weir::report
