// One simulation by several threads: wall time of the same work, threads and one in turn, and what
// dividing a network into so many parts comes to: meetings, the events that all wait for, what
// crosses. Prints a table, or lines of JSON for scripts/scaling.
//
//   bench_parallel [--rounds 5] [--json] [--counts]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/network.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::bench {
namespace {

struct Case {
  Network network;
  Load load;
  std::int64_t microseconds;
};

Network tree(int k) {
  return {fmt::format("{}-ary 3-tree", k), "k-ary-n-tree", fmt::format("k = {}\nn = 3", k)};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int k : {8, 10, 13, 16}) {
    for (const Load& load : {Load{60}, Load{}})
      all.push_back({tree(k), load, k == 8 ? 1'000 : k == 10 ? 500 : k == 13 ? 300 : 200});
  }
  return all;
}

std::string experiment(const Case& what, unsigned threads) {
  std::string keys = what.network.settings;
  std::replace(keys.begin(), keys.end(), '\n', ',');
  return fmt::format(
             "experiment = {{ duration = \"{} us\", threads = {} }}\n"
             "topology = {{ model = \"{}\", {} }}\nlink = {{ delay = \"30 ns\" }}\n"
             "switch = {{ routing_delay = \"100 ns\" }}\nbuffer = {{ ingress = \"336 KiB\" }}\n"
             "host = {{ mtu = \"4 KiB\", backlog = \"64 KiB\" }}\nrouting = \"d-mod-k\"\n",
             what.microseconds, threads, what.network.model, keys) +
         traffic_toml(what.load);
}

/// What the second half of a run is: queues are full, memory is there.
struct Half {
  std::uint64_t hosts = 0;
  double seconds = 0;
  std::uint64_t hops = 0;
  std::uint64_t events = 0;
  std::uint64_t fingerprint = 0;
  fabric::Fabric::Division division;
};

Half run(const Case& what, unsigned threads) {
  using Clock = std::chrono::steady_clock;
  const experiment::Configuration configuration =
      experiment::resolve(experiment::parse_experiment(experiment(what, threads), "bench"));
  experiment::Simulation simulation(configuration, experiment::make_network(configuration));
  const fabric::Fabric& fabric = simulation.fabric();
  const Time half = simulation.end() / 2;
  while (fabric.now() < half && simulation.advance(half)) continue;
  const fabric::Counters before = fabric.counters();
  const fabric::Fabric::Division first = fabric.division();
  const Clock::time_point begin = Clock::now();
  while (simulation.advance(simulation.end())) continue;
  const std::chrono::duration<double> seconds = Clock::now() - begin;
  Half out;
  out.hosts = fabric.graph().host_count();
  out.seconds = seconds.count();
  out.hops = fabric.counters().packet_hops - before.packet_hops;
  out.events = fabric.counters().events - before.events;
  out.fingerprint = fabric.fingerprint();
  out.division = fabric.division();
  out.division.meetings -= first.meetings;
  out.division.busiest_events -= first.busiest_events;
  out.division.packets_across -= first.packets_across;
  out.division.feedback_across -= first.feedback_across;
  out.division.others_across -= first.others_across;
  return out;
}

nlohmann::json to_json(const Case& what, unsigned threads, const Half& half) {
  return {{"network", what.network.label},
          {"load", what.load.label()},
          {"hosts", half.hosts},
          {"threads", threads},
          {"simulated_us", static_cast<double>(what.microseconds) / 2},
          {"hops", half.hops},
          {"events", half.events},
          {"parts", half.division.parts},
          {"meetings", half.division.meetings},
          {"busiest_events", half.division.busiest_events},
          {"packets_across", half.division.packets_across},
          {"feedback_across", half.division.feedback_across}};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(const Case& what, int rounds, bool is_json) {
  const unsigned most = std::max(2U, std::thread::hardware_concurrency());
  for (unsigned threads = 2; threads <= most; threads *= 2) {
    std::vector<double> ratios;
    std::vector<double> alone;
    std::vector<double> together;
    Half last;
    for (int round = 0; round < rounds; ++round) {
      const Half one = run(what, 1);
      last = run(what, threads);
      if (one.fingerprint != last.fingerprint || one.hops != last.hops)
        throw RunError("the runs differ");
      alone.push_back(one.seconds);
      together.push_back(last.seconds);
      ratios.push_back(one.seconds / last.seconds);
    }
    const auto rate = [&](const std::vector<double>& seconds) {
      return static_cast<double>(last.hops) / median(seconds) / 1e6;
    };
    if (is_json) {
      nlohmann::json line = to_json(what, threads, last);
      line["seconds_alone"] = alone;
      line["seconds"] = together;
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<16} {:<14} {:>7} {:>8.2f} {:>8.2f} {:>8.2f} ({:.2f} to {:.2f})\n",
                 what.network.label, what.load.label(), threads, rate(alone), rate(together),
                 median(ratios), *std::min_element(ratios.begin(), ratios.end()),
                 *std::max_element(ratios.begin(), ratios.end()));
    }
    std::fflush(stdout);
  }
}

/// More parts than there are cores to run them: their number decides what is counted, not the time.
void count(Case what, bool is_json) {
  what.microseconds = what.microseconds / 5;
  for (const unsigned parts : {2U, 4U, 16U, 64U, 256U}) {
    const Half half = run(what, parts);
    if (half.division.parts < parts) return;
    if (is_json) {
      fmt::print("{}\n", to_json(what, parts, half).dump());
    } else {
      const auto share = [&](std::uint64_t part, std::uint64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
      };
      fmt::print("{:<16} {:<14} {:>7} {:>10} {:>10.0f} {:>10.3f} {:>10.3f}\n", what.network.label,
                 what.load.label(), parts, half.division.meetings,
                 share(half.events, half.division.meetings * parts),
                 share(half.events, half.division.busiest_events * parts),
                 share(half.division.packets_across, half.hops));
    }
    std::fflush(stdout);
  }
}

int measure(int argc, char** argv) {
  CLI::App app("One simulation by several threads");
  int rounds = 5;
  bool is_json = false;
  bool counts = false;
  app.add_option("--rounds", rounds, "pairs of runs")->check(CLI::PositiveNumber);
  app.add_flag("--json", is_json, "a line of JSON for each case");
  app.add_flag("--counts", counts, "what 2 to 256 parts come to, in place of times");
  CLI11_PARSE(app, argc, argv);
  if (!is_json && counts) {
    fmt::print("{:<16} {:<14} {:>7} {:>10} {:>10} {:>10} {:>10}\n", "network", "load", "parts",
               "meetings", "ev/part", "balance", "across/hop");
  } else if (!is_json) {
    fmt::print("{:<16} {:<14} {:>7} {:>8} {:>8} {:>8}\n", "network", "load", "threads", "Mhop/s 1",
               "Mhop/s n", "times");
  }
  for (const Case& what : cases()) {
    if (counts) {
      count(what, is_json);
    } else {
      compare(what, rounds, is_json);
    }
  }
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) { return weir::bench::measure(argc, argv); }
