// Times of distributed rate calculations on 16-ary 3-trees of 4096 hosts, in simulated time
// (explicit-rates E11 to E15) and in that of this machine. See docs/mechanisms/explicit-rates.md.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/flow_routing/flow_paths.hpp"
#include "weir/rates/protocol_run.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/modified_tree.hpp"

namespace weir::bench {
namespace {

using rates::ControlPlane;
using rates::LinkIndex;

constexpr const char* kUsage =
    "Usage: bench_rate_protocols [--only NAME] [--flows N] [--runs R] [--k K] [--width W]\n"
    "  --only NAME  dffa-star, dffa, dffa-late, saa-m or dafa\n"
    "  --flows N    only N flows a source (default 1 to 5; dafa: frag_coeff 1 to 128)\n"
    "  --runs R     random draws (default 1)\n"
    "  --k K        K-ary 3-tree (default 16)\n"
    "  --width W    horizontal cables between neighbours (default 2; 0: static routes)\n";

struct Options {
  std::string only;
  std::uint32_t flows = 0;
  std::uint32_t runs = 1;
  std::uint32_t k = 16;
  std::uint32_t width = 2;
};

std::uint32_t number(const std::string& word, const std::string& text) {
  std::uint32_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size()) return value;
  throw std::invalid_argument(word + " needs a number");
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (++i == argc) throw std::invalid_argument(word + " needs a value\n" + kUsage);
    if (word == "--only") {
      options.only = argv[i];
    } else if (word == "--flows") {
      options.flows = number(word, argv[i]);
    } else if (word == "--runs") {
      options.runs = number(word, argv[i]);
    } else if (word == "--k") {
      options.k = number(word, argv[i]);
    } else if (word == "--width") {
      options.width = number(word, argv[i]);
    } else {
      throw std::invalid_argument("unknown option " + word + "\n" + kUsage);
    }
  }
  return options;
}

/// Paths in a modified tree: flows are set up one after another with ForcedDir(8), ties at random.
/// With width 0: static, by digits of the destination, which is the way of answers always.
class Paths {
 public:
  Paths(const topology::Graph& graph, const routing::RoutingFunction& defaults, bool is_adaptive,
        std::uint64_t seed)
      : graph_(graph),
        defaults_(defaults),
        tables_(graph, defaults, {flow_routing::FlowRules::Sideways::forced, 8, false}),
        finder_(tables_, seed),
        is_adaptive_(is_adaptive) {}

  void add(ControlPlane& plane, std::uint32_t source, std::uint32_t destination,
           std::uint32_t application = 0) {
    std::vector<LinkIndex> there;
    if (is_adaptive_) {
      finder_.set_up(HostId(source), HostId(destination), 1, path_);
      for (const PortId port : path_) there.push_back(port.value);
    } else {
      there = by_default(source, destination);
    }
    plane.add_flow(there, 1, application, by_default(destination, source));
  }

 private:
  std::vector<LinkIndex> by_default(std::uint32_t source, std::uint32_t destination) {
    routing::follow(graph_, defaults_, HostId(source), HostId(destination), route_);
    std::vector<LinkIndex> links;
    for (const routing::Channel& channel : route_.channels) links.push_back(channel.port.value);
    return links;
  }

  const topology::Graph& graph_;
  const routing::RoutingFunction& defaults_;
  flow_routing::FlowTables tables_;
  flow_routing::FlowPathFinder finder_;
  bool is_adaptive_;
  std::vector<PortId> path_;
  routing::Route route_;
};

std::unique_ptr<routing::RoutingFunction> make_defaults(const topology::Graph& graph) {
  const auto& model = routing::routing_registry().find("d-mod-k", {}, "routing");
  return model.make(Settings::check({}, model.info.parameters, "routing"), graph);
}

template <class Item>
void shuffle(std::vector<Item>& items, RandomStream& random) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[static_cast<std::size_t>(random.below(i))]);
  }
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        graph_(topology::make_modified_tree(
            static_cast<int>(options.k), 3, static_cast<int>(options.width), links_,
            topology::LinkSpec{gigabits_per_second(10), nanoseconds(15)})),
        hosts_(static_cast<std::uint32_t>(graph_.host_count())) {}

  void run() {
    for (const char* name : {"dffa-star", "dffa", "dffa-late", "saa-m"}) {
      if (!options_.only.empty() && options_.only != name) continue;
      fmt::print("\n{}: {} hosts, {}\n", name, hosts_,
                 options_.width > 0 ? "least-contention paths" : "static paths");
      fmt::print("{:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9} {:>7} {:>8} {:>9} {:>8}\n", "flows",
                 "mean us", "max us", "mean msg", "max msg", "trip us", "bcasts M", "rounds",
                 "levels", "mean rate", "wall s");
      for (std::uint32_t n = 1; n <= 5; ++n) {
        if (options_.flows != 0 && options_.flows != n) continue;
        for (std::uint32_t r = 0; r < options_.runs; ++r) flows(name, n, r + 1);
      }
    }
    if (!options_.only.empty() && options_.only != "dafa") return;
    fmt::print("\ndafa: {} hosts, 32 applications\n{:>6} {:>6} {:>9} {:>10} {:>9} {:>9} {:>8}\n",
               hosts_, "frag", "I", "found us", "formula us", "settled", "informed", "wall s");
    for (std::uint32_t frag = 1; frag <= hosts_ / 32; frag *= 2) {
      if (options_.flows != 0 && options_.flows != frag) continue;
      for (std::uint32_t r = 0; r < options_.runs; ++r) applications(frag, r + 1);
    }
  }

 private:
  void flows(const std::string& name, std::uint32_t n, std::uint64_t seed) {
    ControlPlane plane(graph_);
    Paths paths(graph_, *defaults_, options_.width > 0, seed);
    RandomStream random(seed, 1, StreamPurpose::destinations);
    std::vector<std::uint32_t> sources;
    for (std::uint32_t i = 0; i < n * hosts_; ++i) sources.push_back(i % hosts_);
    shuffle(sources, random);
    for (const std::uint32_t source : sources) {
      const auto step = 1 + static_cast<std::uint32_t>(random.below(hosts_ - 1));
      paths.add(plane, source, (source + step) % hosts_);
    }
    rates::ProtocolRun run;
    for (std::size_t f = 0; f < plane.flow_count(); ++f) {
      run.starts.push_back(Time(static_cast<std::int64_t>(random.below(10'000))));
    }
    if (name == "dffa-late") run.late = {static_cast<rates::FlowIndex>(random.below(n * hosts_))};
    const auto begin = std::chrono::steady_clock::now();
    const rates::ProtocolOutcome out = name == "saa-m"       ? rates::run_saa_m(plane, run)
                                       : name == "dffa-star" ? rates::run_dffa_star(plane, run)
                                                             : rates::run_dffa(plane, run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    std::set<std::int64_t> levels;
    for (const double rate : out.rates) levels.insert(static_cast<std::int64_t>(rate * 1e9 + 0.5));
    const double rate = std::accumulate(out.rates.begin(), out.rates.end(), 0.0) /
                        static_cast<double>(out.rates.size());
    fmt::print(
        "{:>6} {:>9.1f} {:>9.1f} {:>9.1f} {:>9} {:>8.2f} {:>9.2f} {:>7} {:>8} {:>9.4f} "
        "{:>8.1f}{}\n",
        n, out.mean_time_us(), out.longest_time_us(), out.mean_messages(), out.most_messages(),
        to_nanoseconds(out.counters.longest_trip) / 1e3,
        static_cast<double>(out.counters.over) / 1e6, out.rounds, levels.size(), rate, wall.count(),
        out.is_settled ? "" : "  (not settled)");
    std::fflush(stdout);
  }

  /// 32 applications in groups of neighbours, each with 1 to 5 permutations of its hosts.
  void applications(std::uint32_t frag, std::uint64_t seed) {
    constexpr std::uint32_t kApplications = 32;
    ControlPlane plane(graph_);
    Paths paths(graph_, *defaults_, options_.width > 0, seed);
    RandomStream random(seed, 2, StreamPurpose::placement);
    const std::uint32_t size = hosts_ / kApplications / frag;
    std::vector<std::uint32_t> groups(hosts_ / size);
    std::iota(groups.begin(), groups.end(), 0U);
    shuffle(groups, random);
    struct Flow {
      std::uint32_t source, destination, application;
    };
    std::vector<Flow> all;
    for (std::uint32_t a = 0; a < kApplications; ++a) {
      std::vector<std::uint32_t> nodes;
      for (std::uint32_t g = 0; g < frag; ++g) {
        for (std::uint32_t i = 0; i < size; ++i) nodes.push_back(groups[a * frag + g] * size + i);
      }
      const std::uint64_t permutations = 1 + random.below(5);
      for (std::uint64_t q = 0; q < permutations; ++q) {
        std::vector<std::uint32_t> to = nodes;
        shuffle(to, random);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          if (to[i] != nodes[i]) all.push_back({nodes[i], to[i], a});
        }
      }
    }
    shuffle(all, random);
    for (const Flow& flow : all) paths.add(plane, flow.source, flow.destination, flow.application);
    const auto begin = std::chrono::steady_clock::now();
    // A root switch.
    const NodeId leader = graph_.node(SwitchId(graph_.switch_count() - 1));
    const rates::DafaOutcome out = rates::run_dafa_star(plane, {}, leader.value);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const auto us = [](Time time) { return to_nanoseconds(time) / 1e3; };
    fmt::print("{:>6} {:>6} {:>9.1f} {:>10.1f} {:>9.1f} {:>9.1f} {:>8.1f}{}\n", frag,
               out.iterations, us(out.found), us(rates::dafa_latency(out.iterations, 4)),
               us(out.settled), us(out.informed), wall.count(),
               out.is_settled ? "" : "  (not settled)");
    std::fflush(stdout);
  }

  Options options_;
  std::vector<topology::LinkSpec> links_ = std::vector<topology::LinkSpec>(
      3, topology::LinkSpec{gigabits_per_second(10), nanoseconds(15)});
  topology::Graph graph_;
  std::unique_ptr<routing::RoutingFunction> defaults_ = make_defaults(graph_);
  std::uint32_t hosts_;
};

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    weir::bench::Bench(weir::bench::parse(argc, argv)).run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
