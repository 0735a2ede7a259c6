// One simulation by several threads: wall time of the same work, threads and one in turn, and what
// dividing a network into so many parts comes to: meetings, the events that all wait for, what
// crosses. Prints a table, or lines of JSON for scripts/scaling.
//
//   bench_parallel [--rounds 5] [--json] [--counts] [--racks]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "bench/divided.hpp"
#include "weir/base/error.hpp"
#include "weir/fabric/parallel/meeting.hpp"

namespace weir::bench {
namespace {

void compare(const DividedCase& what, int rounds, bool is_json) {
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
      return static_cast<double>(last.hops) / median_of(seconds) / 1e6;
    };
    if (is_json) {
      nlohmann::json line = to_json(what, threads, last);
      line["seconds_alone"] = alone;
      line["seconds"] = together;
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<16} {:<14} {:>7} {:>8.2f} {:>8.2f} {:>8.2f} ({:.2f} to {:.2f})\n",
                 what.network.label, what.load.label(), threads, rate(alone), rate(together),
                 median_of(ratios), *std::min_element(ratios.begin(), ratios.end()),
                 *std::max_element(ratios.begin(), ratios.end()));
    }
    std::fflush(stdout);
  }
}

/// More parts than there are cores to run them: their number decides what is counted, not the time.
void count(DividedCase what, bool is_json) {
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

/// Of two threads that have nothing else to do.
double seconds_of_meeting() {
  constexpr int kTimes = 200'000;
  fabric::Meeting meeting(2);
  const auto meet = [&] {
    for (int i = 0; i < kTimes; ++i) meeting.meet([] {});
  };
  const auto begin = std::chrono::steady_clock::now();
  std::thread other(meet);
  meet();
  other.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return seconds.count() / kTimes;
}

int measure(int argc, char** argv) {
  CLI::App app("One simulation by several threads");
  int rounds = 5;
  bool is_json = false;
  bool counts = false;
  bool racks = false;
  int longer = 1;
  app.add_option("--rounds", rounds, "pairs of runs")->check(CLI::PositiveNumber);
  app.add_option("--longer", longer, "than usual, so many times")->check(CLI::PositiveNumber);
  app.add_flag("--json", is_json, "a line of JSON for each case");
  app.add_flag("--counts", counts, "what 2 to 256 parts come to, in place of times");
  app.add_flag("--racks", racks, "cables of 5, 10 and 100 ns by stage, not of 30 ns");
  CLI11_PARSE(app, argc, argv);
  if (!is_json && counts) {
    fmt::print("{:<16} {:<14} {:>7} {:>10} {:>10} {:>10} {:>10}\n", "network", "load", "parts",
               "meetings", "ev/part", "balance", "across/hop");
  } else if (!is_json) {
    fmt::print("{:<16} {:<14} {:>7} {:>8} {:>8} {:>8}\n", "network", "load", "threads", "Mhop/s 1",
               "Mhop/s n", "times");
  }
  if (is_json && !counts) {
    fmt::print("{}\n",
               nlohmann::json{{"meeting", "threads"}, {"seconds", seconds_of_meeting()}}.dump());
  }
  for (const DividedCase& what : divided_cases(racks, longer)) {
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
