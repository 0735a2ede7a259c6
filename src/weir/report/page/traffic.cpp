#include <algorithm>
#include <utility>

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
  return marks;
}

json hosts_of(const Configuration& configuration, const topology::Graph& graph) {
  const auto is_hot = [](const auto& one) { return one.role == traffic::Role::hot; };
  if (std::none_of(configuration.traffic.begin(), configuration.traffic.end(), is_hot)) {
    return nullptr;
  }
  const traffic::Traffic traffic = experiment::make_traffic(configuration, graph);
  std::vector<std::vector<HostId>> sources;
  std::vector<std::vector<HostId>> targets;
  for (const traffic::TrafficClass& one : traffic.classes) {
    if (!is_hot(one)) continue;
    sources.push_back(one.sources);
    targets.push_back(one.targets);
  }
  return {{"hot_sources", numbers_of(sources)}, {"hot_destinations", numbers_of(targets)}};
}

}  // namespace weir::report
