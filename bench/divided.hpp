#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/network.hpp"
#include "weir/base/ranks.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::bench {

/// A run that several threads or processes share.
struct DividedCase {
  Network network;
  Load load;
  std::int64_t microseconds;
};

inline Network tree(int k, bool in_racks) {
  const char* delays = in_racks ? "\nstage_delays = [\"5 ns\", \"10 ns\", \"100 ns\"]" : "";
  return {fmt::format("{}-ary 3-tree{}", k, in_racks ? ", racks" : ""), "k-ary-n-tree",
          fmt::format("k = {}\nn = 3{}", k, delays)};
}

/// All cables of the same length, or short ones in racks and long ones between them. `longer`: than
/// usual, so many times.
inline std::vector<DividedCase> divided_cases(bool in_racks = false, int longer = 1) {
  std::vector<DividedCase> all;
  for (const int k : {8, 10, 13, 16}) {
    for (const Load& load : {Load{60}, Load{}})
      all.push_back({tree(k, in_racks), load,
                     longer * (k == 8    ? 1'000
                               : k == 10 ? 500
                               : k == 13 ? 300
                                         : 200)});
  }
  return all;
}

inline std::string experiment(const DividedCase& what, unsigned threads) {
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

inline Half run(const DividedCase& what, unsigned threads, Ranks* ranks = nullptr) {
  using Clock = std::chrono::steady_clock;
  experiment::Configuration configuration =
      experiment::resolve(experiment::parse_experiment(experiment(what, threads), "bench"));
  configuration.ranks = ranks;
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

inline nlohmann::json to_json(const DividedCase& what, unsigned threads, const Half& half) {
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

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace weir::bench
