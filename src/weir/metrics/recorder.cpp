#include "weir/metrics/recorder.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "weir/base/archive.hpp"
#include "weir/metrics/monitors.hpp"

namespace weir::metrics {

namespace {

/// Lists of each part here, and of those in other processes, in the order of the parts.
template <class Plain>
std::vector<std::vector<Plain>> of_all_ranks(Ranks* ranks, std::vector<std::vector<Plain>> here) {
  if (ranks == nullptr) return here;
  std::vector<std::uint64_t> sizes;
  std::vector<Plain> values;
  for (const std::vector<Plain>& one : here) {
    sizes.push_back(one.size());
    values.insert(values.end(), one.begin(), one.end());
  }
  const auto all_sizes = gathered(ranks, std::move(sizes));
  const auto all_values = gathered(ranks, std::move(values));
  std::vector<std::vector<Plain>> all;
  for (std::size_t rank = 0; rank < all_sizes.size(); ++rank) {
    auto at = all_values[rank].begin();
    for (const std::uint64_t size : all_sizes[rank]) {
      const auto end = at + static_cast<std::ptrdiff_t>(size);
      all.emplace_back(at, end);
      at = end;
    }
  }
  return all;
}

/// What recorders of the same settings have seen in all parts, in their order.
std::vector<TrafficState> states_of_all(Ranks& ranks,
                                        const std::vector<const TrafficState*>& here) {
  std::vector<std::vector<std::byte>> bytes;
  for (const TrafficState* one : here) bytes.push_back(to_bytes(*one));
  std::vector<TrafficState> all;
  for (const std::vector<std::byte>& one : of_all_ranks(&ranks, std::move(bytes)))
    from_bytes(one, all.emplace_back(*here.front()));
  return all;
}

template <class Plain>
Plain merged(Ranks* ranks, const Plain& here) {
  if (ranks == nullptr) return here;
  Plain sum;
  for (const auto& one : gathered(ranks, std::vector<Plain>{here})) sum.merge(one.front());
  return sum;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> Recorder::flow_numbers(const fabric::Fabric& fabric,
                                                               std::vector<fabric::Flow>* flows) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
  std::vector<std::vector<fabric::Flow>> parts;
  for (std::size_t part = 0; part < fabric.parts(); ++part) {
    parts.push_back(fabric.flows_of(part));
  }
  parts = of_all_ranks(fabric.ranks(), std::move(parts));
  std::vector<std::vector<std::uint32_t>> numbers(parts.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const fabric::Flow& flow : parts[part]) {
      if (flow.source == fabric::kNone) {
        numbers[part].push_back(TrafficState::kNotHere);
        continue;
      }
      const std::uint32_t kind = std::uint32_t{flow.connection} << 1 | (flow.keeps_rate ? 1U : 0U);
      const auto number = known.try_emplace({flow.source, flow.destination, kind},
                                            static_cast<std::uint32_t>(known.size()));
      numbers[part].push_back(number.first->second);
      if (number.second && flows != nullptr) flows->push_back(flow);
    }
  }
  return numbers;
}

Recorder::Recorder(const topology::Graph& graph, const RecorderSettings& settings)
    : graph_(graph),
      settings_(settings.traffic),
      traffic_(graph, settings.traffic),
      monitors_(make_monitors(graph, settings)),
      recovery_(settings.recovery),
      ranks_(settings.ranks) {
  for (const auto& monitor : monitors_)
    if (monitor->watches_deliveries()) watch_deliveries_.push_back(monitor.get());
}

fabric::Observer* Recorder::of_part(std::size_t, std::size_t, fabric::Observer& in_order) {
  std::vector<std::unique_ptr<Monitor>> watchers;
  for (const Monitor* monitor : watch_deliveries_) watchers.push_back(monitor->of_part());
  parts_.push_back(
      std::make_unique<PartRecorder>(graph_, settings_, std::move(watchers), in_order));
  return parts_.back().get();
}

void Recorder::unite(Time now, std::span<const std::vector<std::uint32_t>> numbers) {
  if (parts_.empty()) return;
  std::vector<const TrafficState*> states;
  for (const auto& part : parts_) states.push_back(&part->traffic().state(now));
  std::vector<TrafficState> elsewhere;
  if (ranks_ != nullptr) {
    elsewhere = states_of_all(*ranks_, states);
    states.clear();
    for (const TrafficState& one : elsewhere) states.push_back(&one);
  }
  traffic_.unite(states, numbers);
}

void Recorder::add_watchers() {
  for (std::size_t i = 0; i < watch_deliveries_.size(); ++i) {
    for (const auto& part : parts_) watch_deliveries_[i]->add(*part->watchers()[i]);
    if (ranks_ != nullptr) watch_deliveries_[i]->add_other_ranks(*ranks_);
  }
}

TrafficCounts Recorder::counts(std::size_t traffic_class) const {
  TrafficCounts sum = parts_.empty() ? traffic_.record(traffic_class).counts : TrafficCounts{};
  for (const auto& part : parts_) sum.merge(part->traffic().record(traffic_class).counts);
  return merged(ranks_, sum);
}

TrafficTotals Recorder::totals(std::size_t traffic_class) const {
  TrafficTotals sum = parts_.empty() ? traffic_.record(traffic_class).totals() : TrafficTotals{};
  for (const auto& part : parts_) sum.merge(part->traffic().record(traffic_class).totals());
  return merged(ranks_, sum);
}

void Recorder::on_sample(const fabric::Fabric& fabric, Time now) {
  if (now <= sampled_) return;
  for (const auto& monitor : monitors_) monitor->sample(fabric, now, now - sampled_);
  sampled_ = now;
}

void Recorder::begin_window(const fabric::Fabric& fabric) {
  for (const auto& monitor : monitors_) monitor->open_window(fabric, fabric.now());
}

RunResult Recorder::finish(const fabric::Fabric& fabric, double wall_seconds) {
  on_sample(fabric, fabric.now());
  RunResult result;
  unite(fabric.now(), !parts_.empty() && traffic_.reports_flows()
                          ? flow_numbers(fabric)
                          : std::vector<std::vector<std::uint32_t>>());
  add_watchers();
  traffic_.report(fabric.now(), result);
  if (recovery_) report_recovery(fabric.now(), *recovery_, result);
  const Time warm_up = traffic_.window_start(fabric.now());
  for (const auto& monitor : monitors_) monitor->report(fabric, warm_up, result);
  result.add_run(fabric.counters().events, fabric.counters().packet_hops, fabric.now(),
                 wall_seconds);
  result.fingerprint = fabric.fingerprint();
  return result;
}

}  // namespace weir::metrics
