// One simulation by several threads: wall time of the same work, threads and one in turn.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "bench/network.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::bench {
namespace {

struct Timed {
  double seconds = 0;
  std::uint64_t hops = 0;
  std::uint64_t fingerprint = 0;
};

std::string experiment(const Network& network, const Load& load, unsigned threads,
                       std::int64_t microseconds) {
  return fmt::format(
             "experiment = {{ duration = \"{} us\", threads = {} }}\n"
             "topology = {{ model = \"{}\", {} }}\nlink = {{ delay = \"30 ns\" }}\n"
             "switch = {{ routing_delay = \"100 ns\" }}\nbuffer = {{ ingress = \"336 KiB\" }}\n"
             "host = {{ mtu = \"4 KiB\", backlog = \"64 KiB\" }}\nrouting = \"d-mod-k\"\n",
             microseconds, threads, network.model,
             [&] {
               std::string keys = network.settings;
               std::replace(keys.begin(), keys.end(), '\n', ',');
               return keys;
             }()) +
         traffic_toml(load);
}

/// The second half of a run: queues are full, memory is there.
Timed run(const Network& network, const Load& load, unsigned threads, std::int64_t microseconds) {
  using Clock = std::chrono::steady_clock;
  const experiment::Configuration configuration = experiment::resolve(
      experiment::parse_experiment(experiment(network, load, threads, microseconds), "bench"));
  experiment::Simulation simulation(configuration, experiment::make_network(configuration));
  const Time half = simulation.end() / 2;
  while (simulation.fabric().now() < half && simulation.advance(half)) continue;
  const std::uint64_t hops = simulation.fabric().counters().packet_hops;
  const Clock::time_point begin = Clock::now();
  while (simulation.advance(simulation.end())) continue;
  const std::chrono::duration<double> seconds = Clock::now() - begin;
  return {seconds.count(), simulation.fabric().counters().packet_hops - hops,
          simulation.fabric().fingerprint()};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(const Network& network, const Load& load, std::int64_t microseconds, int rounds) {
  const unsigned most = std::max(2U, std::thread::hardware_concurrency());
  for (unsigned threads = 2; threads <= most; threads *= 2) {
    std::vector<double> ratios;
    std::vector<double> alone;
    std::vector<double> together;
    for (int round = 0; round < rounds; ++round) {
      const Timed one = run(network, load, 1, microseconds);
      const Timed several = run(network, load, threads, microseconds);
      if (one.fingerprint != several.fingerprint || one.hops != several.hops) {
        fmt::print("the runs differ\n");
        std::exit(1);
      }
      alone.push_back(static_cast<double>(one.hops) / one.seconds / 1e6);
      together.push_back(static_cast<double>(several.hops) / several.seconds / 1e6);
      ratios.push_back(one.seconds / several.seconds);
    }
    fmt::print("{:<16} {:<14} {:>7} {:>8.2f} {:>8.2f} {:>8.2f} ({:.2f} to {:.2f})\n", network.label,
               load.label(), threads, median(alone), median(together), median(ratios),
               *std::min_element(ratios.begin(), ratios.end()),
               *std::max_element(ratios.begin(), ratios.end()));
  }
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  using namespace weir::bench;
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  fmt::print("{:<16} {:<14} {:>7} {:>8} {:>8} {:>8}\n", "network", "load", "threads", "Mhop/s 1",
             "Mhop/s n", "times");
  for (const Network& network : networks()) {
    const bool is_large = network.label == "16-ary 3-tree";
    if (!is_large && network.label != "8-ary 3-tree") continue;
    for (const Load& load : {Load{60}, Load{}})
      compare(network, load, is_large ? 200 : 1'000, rounds);
  }
  return 0;
}
