// Cost of a packet-hop beside this machine's floor. See docs/results/performance.md.

#include "bench/heap_count.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "bench/report.hpp"

namespace weir::bench {
namespace {

constexpr const char* kUsage =
    "Usage: bench_fabric [--quick] [--only TEXT] [--bare] [--huge] [--json FILE]\n"
    "  --quick      fewer cases, shorter windows: under a minute\n"
    "  --only TEXT  only cases whose line contains TEXT, such as \"8-ary\" or \"H10, cioq\",\n"
    "               or \"events\" for the event sets alone\n"
    "  --bare       without metrics\n"
    "  --huge       also 65,536 hosts\n"
    "  --json FILE  also write all numbers to FILE\n";

struct Options {
  bool quick = false;
  bool bare = false;
  bool huge = false;
  bool help = false;
  std::string only;
  std::string json;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw std::invalid_argument(word + " needs a value");
      return argv[i];
    };
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--bare") {
      options.bare = true;
    } else if (word == "--huge") {
      options.huge = true;
    } else if (word == "--only") {
      options.only = value();
    } else if (word == "--json") {
      options.json = value();
    } else if (word == "--help" || word == "-h") {
      options.help = true;
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  return options;
}

Effort effort_of(const Options& options) {
  Effort effort;
  if (!options.quick) return effort;
  effort.windows = 5;
  effort.window_hops = 2.5e5;
  effort.warm_up_hops = 1.5e6;
  effort.warm_up = microseconds(200);
  effort.floor_reads = 100'000;
  effort.holds = 100'000;
  return effort;
}

void measure_holds(const Effort& effort, bool quick, Report& report) {
  print_hold_header();
  for (const std::size_t pending : {1'000UL, 100'000UL, 1'000'000UL}) {
    if (quick && pending == 1'000'000) continue;
    for (const Delays delays : {Delays::network, Delays::random}) {
      report.holds.push_back(measure_hold(pending, delays, effort));
      print_hold(report.holds.back());
    }
  }
}

int run(const Options& options) {
  const Effort effort = effort_of(options);
  Floor floor(effort.floor_reads);
  Report report;
  report.floor = &floor;
  floor.measure();
  if (options.only.empty() || options.only == "events")
    measure_holds(effort, options.quick, report);
  print_case_header();
  const Choice choice{options.quick, options.bare, options.huge, options.only};
  for (const Case& c : cases_of(choice)) {
    report.cases.push_back(measure_case(c, effort, floor));
    print_case(report.cases.back());
  }
  for (const Comparison& comparison : comparisons_of(choice)) {
    report.comparisons.push_back({comparison, measure_comparison(comparison, effort, floor)});
    for (const CaseResult& r : report.comparisons.back().cases) print_case(r);
  }
  print_aims(report);
  if (options.json.empty()) return 0;
  std::ofstream out(options.json);
  out << to_json(report).dump(2) << '\n';
  out.flush();
  if (!out) throw std::runtime_error("cannot write " + options.json);
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    const auto options = weir::bench::parse(argc, argv);
    if (options.help) {
      std::cout << weir::bench::kUsage;
      return 0;
    }
    return weir::bench::run(options);
  } catch (const std::invalid_argument& problem) {
    std::cerr << "bench_fabric: " << problem.what() << '\n' << weir::bench::kUsage;
    return 2;
  } catch (const std::exception& problem) {
    std::cerr << "bench_fabric: " << problem.what() << '\n';
    return 1;
  }
}
