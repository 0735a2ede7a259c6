#include "weir/routing/channel_dependency.hpp"

#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/routing/dependency_map.hpp"

namespace weir::routing {
namespace {

using topology::Graph;

constexpr std::size_t kMaxFaults = 10;
constexpr std::uint64_t kStepsPerQuestion = 4;

/// Walks the routes to one destination after another and notes what waits for what.
class Walker {
 public:
  Walker(const Graph& graph, const RoutingFunction& routing, const DependencyOptions& options,
         DependencyReport& report)
      : graph_(graph),
        routing_(routing),
        options_(options),
        report_(report),
        map_(graph, routing.lanes()),
        seen_default_(map_.channel_count(), 0),
        seen_candidates_(map_.channel_count(), 0),
        end_(map_.channel_count(), RouteEnd::delivered) {
    group_hosts();
  }

  void walk_all();
  [[nodiscard]] const DependencyMap& map() const { return map_; }

 private:
  /// Hosts that send into one switch.
  using Group = std::vector<HostId>;

  void group_hosts();
  void walk_to(HostId destination);
  void walk_shared(const Group& group, HostId destination);
  void walk_pair(HostId source, HostId destination, std::uint64_t pairs);
  RouteEnd follow_default(Channel channel, HostId source, HostId destination);
  void follow_candidates(const Channel& first, HostId source, HostId destination);
  void check(const Candidate& candidate) const;
  void fault(RouteEnd end, HostId source, HostId destination, const Channel& last);
  [[nodiscard]] NodeId next_node(const Channel& channel) const {
    return graph_.port(graph_.port(channel.port).to).node;
  }

  const Graph& graph_;
  const RoutingFunction& routing_;
  const DependencyOptions& options_;
  DependencyReport& report_;
  DependencyMap map_;
  std::vector<Group> groups_;
  std::uint32_t round_ = 0;  ///< changes when what has been seen no longer counts
  std::vector<std::uint32_t> seen_default_;
  std::vector<std::uint32_t> seen_candidates_;
  std::vector<RouteEnd> end_;  ///< of the default route behind a channel seen in this round
  std::vector<std::size_t> path_;
  std::vector<Channel> stack_;
  Channel last_;  ///< where the latest faulty default route ended
};

void Walker::group_hosts() {
  std::vector<std::size_t> group_of(graph_.node_count(), SIZE_MAX);
  for (std::size_t h = 0; h < graph_.host_count(); ++h) {
    const NodeId entry = next_node({graph_.host_port(HostId(h)), 0});
    std::size_t& group = group_of[entry.index()];
    if (group == SIZE_MAX) {
      group = groups_.size();
      groups_.emplace_back();
    }
    groups_[group].push_back(HostId(h));
  }
}

/// Destinations in steps of the golden ratio, so that those before the limit are spread evenly.
void Walker::walk_all() {
  const std::size_t hosts = graph_.host_count();
  report_.destinations = hosts;
  auto step = static_cast<std::size_t>(0.618033988749895 * static_cast<double>(hosts)) | 1U;
  while (std::gcd(step, hosts) != 1) step += 2;
  for (std::size_t i = 0, d = 0; i < hosts; ++i, d = (d + step) % hosts) {
    if (report_.work >= options_.work_limit) return;
    walk_to(HostId(d));
    ++report_.destinations_examined;
  }
}

void Walker::walk_to(HostId destination) {
  ++round_;
  for (const Group& group : groups_) {
    if (!routing_.depends_on_source()) {
      walk_shared(group, destination);
      continue;
    }
    for (const HostId source : group) {
      if (source == destination) continue;
      ++round_;
      walk_pair(source, destination, 1);
    }
  }
}

/// One host stands for all hosts of its switch that inject into the same lane.
void Walker::walk_shared(const Group& group, HostId destination) {
  std::array<std::uint32_t, 256> pairs{};
  std::array<HostId, 256> representative;
  const auto lanes = static_cast<std::size_t>(routing_.lanes());
  for (const HostId source : group) {
    if (source == destination) continue;
    const std::uint8_t lane =
        lanes == 1 ? std::uint8_t{0} : routing_.injection_lane(source, destination);
    if (pairs[lane]++ == 0) representative[lane] = source;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (pairs[lane] != 0) walk_pair(representative[lane], destination, pairs[lane]);
  }
}

void Walker::walk_pair(HostId source, HostId destination, std::uint64_t pairs) {
  const Channel first{graph_.host_port(source), routing_.injection_lane(source, destination)};
  const RouteEnd end = follow_default(first, source, destination);
  if (end != RouteEnd::delivered) {
    report_.faulty_pairs += pairs;
    fault(end, source, destination, last_);
  }
  if (options_.all_candidates) follow_candidates(first, source, destination);
}

void Walker::check(const Candidate& candidate) const {
  if (candidate.lane < routing_.lanes()) return;
  throw RunError(
      fmt::format("the routing function gave lane {} of {}", candidate.lane, routing_.lanes()));
}

RouteEnd Walker::follow_default(Channel channel, HostId source, HostId destination) {
  path_.clear();
  RouteEnd end = RouteEnd::delivered;
  while (true) {
    last_ = channel;
    const NodeId next = next_node(channel);
    if (graph_.is_host(next)) {
      if (graph_.host(next) != destination) end = RouteEnd::wrong_host;
      break;
    }
    const std::size_t c = map_.index(channel);
    if (seen_default_[c] == round_) {
      end = end_[c];
      break;
    }
    // Until the end is known: who comes back here is in a loop.
    seen_default_[c] = round_;
    end_[c] = RouteEnd::loop;
    path_.push_back(c);
    const RouteQuery query = query_after(graph_, channel, source, destination);
    const Candidate taken = routing_.default_route(query);
    report_.work += kStepsPerQuestion;
    check(taken);
    if (!is_cabled(graph_, query.at, taken)) {
      end = RouteEnd::no_route;
      break;
    }
    map_.add(query, taken);
    channel = {graph_.port(next, taken.port), taken.lane};
  }
  for (const std::size_t c : path_) end_[c] = end;
  return end;
}

void Walker::follow_candidates(const Channel& first, HostId source, HostId destination) {
  CandidateList list;
  stack_.assign(1, first);
  while (!stack_.empty()) {
    const Channel channel = stack_.back();
    stack_.pop_back();
    const NodeId next = next_node(channel);
    if (graph_.is_host(next)) {
      if (graph_.host(next) != destination) {
        fault(RouteEnd::wrong_host, source, destination, channel);
      }
      continue;
    }
    std::uint32_t& seen = seen_candidates_[map_.index(channel)];
    if (seen == round_) continue;
    seen = round_;
    const RouteQuery query = query_after(graph_, channel, source, destination);
    list.clear();
    routing_.candidates(query, list);
    report_.work += kStepsPerQuestion + list.size();
    if (list.empty()) fault(RouteEnd::no_route, source, destination, channel);
    for (const Candidate& candidate : list) {
      check(candidate);
      if (!is_cabled(graph_, query.at, candidate)) {
        fault(RouteEnd::no_route, source, destination, channel);
        continue;
      }
      map_.add(query, candidate);
      const Channel wanted{graph_.port(next, candidate.port), candidate.lane};
      if (seen_candidates_[map_.index(wanted)] != round_) stack_.push_back(wanted);
    }
  }
}

void Walker::fault(RouteEnd end, HostId source, HostId destination, const Channel& last) {
  for (const RoutingFault& known : report_.faults) {
    if (known.destination == destination && known.last == last) return;
  }
  if (report_.faults.size() < kMaxFaults) {
    report_.faults.push_back({end, source, destination, last});
  }
}

/// Channels between switches that take part in a dependency, and the number of dependencies.
void count(const DependencyMap& map, DependencyReport& report) {
  std::vector<bool> used(map.channel_count(), false);
  for (std::size_t c = 0; c < map.channel_count(); ++c) {
    if (!map.leads_to_switch(c)) continue;
    const bool from_host = !map.is_internal(c);
    map.for_each_wanted(c, [&](std::size_t wanted) {
      used[c] = !from_host;
      if (!map.is_internal(wanted)) return;
      used[wanted] = true;
      if (!from_host) ++report.dependencies;
    });
  }
  for (const bool is_used : used) report.channels += is_used ? 1 : 0;
}

}  // namespace

DependencyReport check_dependencies(const Graph& graph, const RoutingFunction& routing,
                                    const DependencyOptions& options) {
  DependencyReport report;
  if (options.takes_proof && routing.is_proven(graph)) {
    report.is_proven = true;
    report.destinations = report.destinations_examined = graph.host_count();
    return report;
  }
  Walker walker(graph, routing, options, report);
  walker.walk_all();
  count(walker.map(), report);
  report.cycle = find_cycle(walker.map());
  return report;
}

std::string describe(const Graph& graph, const DependencyReport& report) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (!report.cycle.empty()) {
    fmt::format_to(out, "cycle of {} channels, each waiting for the next:\n", report.cycle.size());
    for (const Channel& channel : report.cycle) {
      fmt::format_to(out, "  {}\n", name(graph, channel));
    }
    fmt::format_to(out, "  and again {}\n", name(graph, report.cycle.front()));
  }
  for (const RoutingFault& fault : report.faults) {
    fmt::format_to(out, "{} to {}: {} after {}\n", graph.name(graph.node(fault.source)),
                   graph.name(graph.node(fault.destination)), to_string(fault.end),
                   name(graph, fault.last));
  }
  if (report.faulty_pairs != 0) {
    fmt::format_to(out, "{} pairs of hosts have no working route\n", report.faulty_pairs);
  }
  if (report.is_proven) return "no cycle, as the routing itself shows\n";
  fmt::format_to(out, "{} channels between switches, {} dependencies, {}\n", report.channels,
                 report.dependencies,
                 report.cycle.empty() ? "no cycle" : "cyclic: packets can deadlock");
  if (!report.complete()) {
    fmt::format_to(out, "only {} of {} destinations were examined (work limit)\n",
                   report.destinations_examined, report.destinations);
  }
  return text;
}

}  // namespace weir::routing
