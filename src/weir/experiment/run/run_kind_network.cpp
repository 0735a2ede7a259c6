#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/resources.hpp"
#include "weir/experiment/run/source_storage.hpp"
#include "weir/fabric/zero_load.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/routing/route_balance.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment {
namespace {

using topology::Graph;

struct Pair {
  HostId source;
  HostId destination;
};

std::optional<Pair> pair_of(const Configuration& configuration, const Graph& graph) {
  if (!configuration.network->pair) return std::nullopt;
  const std::vector<std::int64_t>& pair = *configuration.network->pair;
  if (pair.size() != 2) {
    throw configuration.network.error(&NetworkKeys::pair,
                                      "must be source and destination, as in [0, 5]");
  }
  const auto hosts = static_cast<std::int64_t>(graph.host_count());
  for (const std::int64_t host : pair) {
    if (host >= 0 && host < hosts) continue;
    throw configuration.network.error(
        &NetworkKeys::pair,
        fmt::format("there is no host {}: the network has 0 to {}", host, hosts - 1));
  }
  if (pair[0] == pair[1])
    throw configuration.network.error(&NetworkKeys::pair, "are the same host");
  return Pair{HostId(static_cast<std::uint32_t>(pair[0])),
              HostId(static_cast<std::uint32_t>(pair[1]))};
}

/// Fewest, most and mean of what comes in.
class Spread {
 public:
  void add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
    sum_ += value;
    ++count_;
  }
  void write(metrics::RunResult& out, const std::string& metric, const std::string& label) const {
    if (count_ == 0) return;
    out.add_scalar(metric + "_min", label, low_);
    out.add_scalar(metric + "_mean", label, sum_ / static_cast<double>(count_));
    out.add_scalar(metric + "_max", label, high_);
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
  std::size_t count_ = 0;
};

/// Measures one network.
class NetworkRun {
 public:
  NetworkRun(const Configuration& configuration, const Network& network, const GoOn& go_on)
      : configuration_(configuration),
        network_(network),
        graph_(*network.graph),
        routing_(*network.routing),
        go_on_(go_on) {
    const fabric::FabricSettings& settings = configuration.fabric;
    packet_ = settings.mtu + settings.header;
    pair_ = pair_of(configuration, graph_);
  }

  std::optional<metrics::RunResult> run(RunKind::Clock::time_point start) {
    count_parts();
    count_shortest_paths();
    count_dependencies();
    add_resources(out_, resource_report(configuration_, network_));
    add_source_storage(out_, source_storage(configuration_, network_));
    const bool follows = configuration_.network->follows_routes;
    if (follows && (!count_paths() || !follow_routes())) return std::nullopt;
    if (pair_) measure_pair();
    out_.wall_seconds = seconds_since(start);
    return std::move(out_);
  }

 private:
  void add(std::string_view metric, double value, std::string_view label = {}) {
    out_.add_scalar(metric, label, value);
  }

  void count_parts() {
    add("hosts", static_cast<double>(graph_.host_count()));
    add("switches", static_cast<double>(graph_.switch_count()));
    std::map<int, std::size_t> by_stage;
    std::size_t ports = 0;
    std::size_t built = 0;
    for (std::size_t s = 0; s < graph_.switch_count(); ++s) {
      const NodeId node = graph_.node(SwitchId(s));
      if (graph_.stage(node) > 0) ++by_stage[graph_.stage(node)];
      const auto all = graph_.ports(node);
      built += all.size();
      ports += static_cast<std::size_t>(std::count_if(
          all.begin(), all.end(),
          [](const topology::Port& port) { return port.to.valid() || port.from.valid(); }));
    }
    add("ports", static_cast<double>(ports));
    add("ports_built", static_cast<double>(built));
    if (!by_stage.empty()) add("stages", static_cast<double>(by_stage.rbegin()->first));
    for (const auto& [stage, count] : by_stage) {
      add("switches", static_cast<double>(count), std::to_string(stage));
    }
  }

  void count_shortest_paths() {
    const topology::TopologyStatistics s = topology::statistics(graph_);
    add("cables", static_cast<double>(s.links));
    add("switch_ports_min", static_cast<double>(s.fewest_ports));
    add("switch_ports_max", static_cast<double>(s.most_ports));
    add("diameter", s.diameter + 1);
    add("distance_mean", s.mean_hops + 1);
    if (s.bisection) add("bisection", static_cast<double>(*s.bisection));
    topology::HopClass all;
    double sum = 0;
    for (std::size_t hops = 0; hops < s.by_hops.size(); ++hops) {
      const topology::HopClass& one = s.by_hops[hops];
      if (one.pairs == 0) continue;
      add_shortest(one, std::to_string(hops + 1));
      all.fewest_paths =
          all.pairs == 0 ? one.fewest_paths : std::min(all.fewest_paths, one.fewest_paths);
      all.most_paths = std::max(all.most_paths, one.most_paths);
      all.pairs += one.pairs;
      sum += one.mean_paths * static_cast<double>(one.pairs);
    }
    if (all.pairs > 0) {
      all.mean_paths = sum / static_cast<double>(all.pairs);
      add_shortest(all, "");
    }
    if (s.is_sampled()) {
      out_.notes.push_back(fmt::format("distances and shortest paths from {} of {} switches",
                                       s.sampled_sources, s.source_switches));
    }
  }

  void add_shortest(const topology::HopClass& hops, const std::string& label) {
    add("shortest_paths_min", static_cast<double>(hops.fewest_paths), label);
    add("shortest_paths_mean", hops.mean_paths, label);
    add("shortest_paths_max", static_cast<double>(hops.most_paths), label);
  }

  void count_dependencies() {
    routing::DependencyReport report = network_.dependencies;
    if (report.is_proven) {
      routing::DependencyOptions options;
      options.all_candidates = !network_.is_fixed;
      report = routing::check_dependencies(graph_, routing_, options);
    }
    add("channels", static_cast<double>(report.channels));
    add("dependencies", static_cast<double>(report.dependencies));
    add("dependency_cycle", static_cast<double>(report.cycle.size()));
    if (report.complete()) return;
    out_.notes.push_back(fmt::format("channel dependencies of the routes to {} of {} hosts",
                                     report.destinations_examined, report.destinations));
  }

  /// False: interrupted.
  bool count_paths() {
    const std::uint64_t hosts = graph_.host_count();
    const std::uint64_t all = hosts * (hosts - 1);
    const std::uint64_t most = configuration_.network->path_pairs;
    const std::uint64_t asked = std::min(all, most);
    Spread paths;
    for (std::uint64_t i = 0; i < asked; ++i) {
      if (i % 1024 == 0 && !go_on_({})) return false;
      // i * all / asked without overflow; the step also changes the destination.
      const std::uint64_t place = asked == all ? i : i * (all / asked) + i * (all % asked) / asked;
      const auto source = static_cast<std::uint32_t>(place / (hosts - 1));
      const auto other = static_cast<std::uint32_t>(place % (hosts - 1));
      const HostId destination(other < source ? other : other + 1);
      paths.add(
          static_cast<double>(routing::path_count(graph_, routing_, HostId(source), destination)));
    }
    paths.write(out_, "paths", "");
    if (asked < all) {
      out_.notes.push_back(
          fmt::format("allowed paths of {} of {} pairs of hosts (network.path_pairs)", asked, all));
    }
    return true;
  }

  [[nodiscard]] Time latency(const routing::Route& route, Bytes size) const {
    return fabric::zero_load_latency(graph_, route, configuration_.fabric, size);
  }
  /// Of a full packet and of its ACK back.
  [[nodiscard]] Time round_trip(const Pair& pair, const routing::Route& there) const {
    const routing::Route back = routing::trace(graph_, routing_, pair.destination, pair.source);
    return latency(there, packet_) + latency(back, configuration_.fabric.ack_size);
  }

  bool follow_routes() {
    const auto hosts = static_cast<std::int64_t>(graph_.host_count());
    bool is_whole = true;
    Time farthest;
    Time longest_trip;
    double sum = 0;
    const routing::RouteBalance balance = routing::route_balance(
        graph_, routing_,
        [&](HostId source, HostId destination, const routing::Route& route) {
          const Time here = latency(route, packet_);
          sum += to_nanoseconds(here);
          if (here <= farthest) return;
          longest_trip = round_trip({source, destination}, route);
          farthest = here;
        },
        [&](std::size_t destinations) {
          is_whole = go_on_({Time(static_cast<std::int64_t>(destinations)), Time(hosts), 0});
          return is_whole;
        });
    if (!is_whole) return false;
    add("route_links_mean", balance.mean_length);
    add("route_links_max", static_cast<double>(balance.longest));
    add("zero_load_latency_mean", sum / static_cast<double>(balance.pairs));
    add("zero_load_latency_max", to_nanoseconds(farthest));
    add("round_trip_time_max", to_nanoseconds(longest_trip));
    add_balance(balance);
    return true;
  }

  struct Group {
    std::size_t links = 0;
    Spread routes;
    Spread destinations;
  };

  void add_balance(const routing::RouteBalance& balance) {
    std::map<std::string, Group> groups;
    for (std::size_t i = 0; i < graph_.port_count(); ++i) {
      const std::string group = metrics::link_group(graph_, PortId(i));
      if (group.empty()) continue;
      const int stage = graph_.stage(graph_.port(PortId(i)).node);
      std::vector<std::string> names{group};
      if (stage > 0) names.push_back(fmt::format("{} {}", group, stage));
      for (const std::string& name : names) {
        Group& one = groups[name];
        ++one.links;
        one.routes.add(static_cast<double>(balance.routes[i]));
        one.destinations.add(balance.destinations[i]);
      }
    }
    for (const auto& [name, group] : groups) {
      add("links", static_cast<double>(group.links), name);
      group.routes.write(out_, "link_routes", name);
      group.destinations.write(out_, "link_destinations", name);
    }
  }

  void measure_pair() {
    const routing::Route route =
        routing::trace(graph_, routing_, pair_->source, pair_->destination);
    add("route_links", static_cast<double>(route.channels.size()));
    add("paths", static_cast<double>(
                     routing::path_count(graph_, routing_, pair_->source, pair_->destination)));
    add("zero_load_latency", to_nanoseconds(latency(route, packet_)));
    add("round_trip_time", to_nanoseconds(round_trip(*pair_, route)));
  }

  const Configuration& configuration_;
  const Network& network_;
  const Graph& graph_;
  const routing::RoutingFunction& routing_;
  const GoOn& go_on_;
  Bytes packet_;  ///< full packet on the wire
  std::optional<Pair> pair_;
  metrics::RunResult out_;
};

std::optional<metrics::RunResult> run_network(const Configuration& configuration,
                                              const std::shared_ptr<const Network>& network,
                                              const GoOn& go_on, RunKind::Clock::time_point start) {
  return NetworkRun(configuration, *network, go_on).run(start);
}

/// Graph and tables are there already; the counts need little besides.
KindNeeds needs_of_network(const Configuration& configuration,
                           const std::shared_ptr<const Network>& network,
                           const std::function<double()>&) {
  (void)pair_of(configuration, *network->graph);
  constexpr double kBytesOfPort = sizeof(topology::Port) + 3 * sizeof(std::uint64_t);
  return {0, static_cast<double>(network->graph->port_count()) * kBytesOfPort};
}

const Registration<RunKind> kNetworkKind(run_kind_registry(),
                                         {"network",
                                          "topology and routing are measured; no packet moves",
                                          "weir2026, docs/architecture.md",
                                          {}},
                                         RunKind{false, run_network, needs_of_network, nullptr,
                                                 false, true, "packet-hops", nullptr,
                                                 [](const Configuration&) { return false; }});

}  // namespace
}  // namespace weir::experiment
