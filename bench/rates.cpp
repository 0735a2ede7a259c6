// Time of rate calculations on a 16-ary 3-tree of 4096 hosts. See docs/results/performance.md.

#include "bench/heap_count.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/cpu_clock.hpp"
#include "bench/measure.hpp"
#include "weir/base/random.hpp"
#include "weir/rates/algorithm.hpp"
#include "weir/rates/certificate.hpp"
#include "weir/rates/flow_routes.hpp"

namespace weir::bench {
namespace {

constexpr const char* kUsage =
    "Usage: bench_rates [--flows N] [--algorithm NAME] [--applications A]\n"
    "  --flows N         only N flows (default: 1 000 000, then 10 000 000)\n"
    "  --algorithm NAME  only this one\n"
    "  --applications A  flows belong to A applications in turn (default: 32)\n";

struct Options {
  std::vector<std::size_t> flows{1'000'000, 10'000'000};
  std::vector<std::string> algorithms{"ffa", "saa", "saa-m", "afa", "afa-by-flows"};
  std::uint32_t applications = 32;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (++i == argc) throw std::invalid_argument(word + " needs a value\n" + kUsage);
    if (word == "--flows") {
      options.flows = {std::stoul(argv[i])};
    } else if (word == "--algorithm") {
      options.algorithms = {argv[i]};
    } else if (word == "--applications") {
      options.applications = static_cast<std::uint32_t>(std::stoul(argv[i]));
    } else {
      throw std::invalid_argument("unknown option " + word + "\n" + kUsage);
    }
  }
  return options;
}

std::vector<rates::FlowRequest> random_flows(std::size_t count, std::size_t hosts,
                                             std::uint32_t applications) {
  RandomStream random(1, 0, StreamPurpose::test);
  std::vector<rates::FlowRequest> flows(count);
  for (std::size_t f = 0; f < count; ++f) {
    const auto source = random.below(hosts);
    const auto step = 1 + random.below(hosts - 1);
    flows[f].source = HostId(static_cast<std::size_t>(source));
    flows[f].destination = HostId(static_cast<std::size_t>((source + step) % hosts));
    flows[f].application = rates::ApplicationId(static_cast<std::uint32_t>(f) % applications);
  }
  return flows;
}

void measure(const Options& options) {
  const topology::Graph graph = make_model(topology::topology_registry(), "k-ary-n-tree",
                                           "k = 16\nn = 3", topology::LinkSpec{});
  const auto routing = make_model(routing::routing_registry(), "d-mod-k", "", graph);
  for (const std::size_t count : options.flows) {
    double start = cpu_seconds();
    const rates::FlowSet set = rates::route_flows(
        graph, *routing, random_flows(count, graph.host_count(), options.applications));
    fmt::print("{} flows, {:.2f} links a path: drawn and routed in {:.3f} s\n", count,
               static_cast<double>(set.total_length()) / static_cast<double>(count),
               cpu_seconds() - start);
    for (const std::string& name : options.algorithms) {
      const rates::Algorithm& algorithm = rates::algorithm_registry().find(name, {}, "").make;
      reset_peaks();
      start = cpu_seconds();
      const rates::Assignment assignment = algorithm.run(set, 1);
      const double calculated = cpu_seconds();
      const auto wrong = rates::find_violation(set, assignment, algorithm.promise);
      fmt::print("  {:<13} {:7.3f} s, {:6} levels, verified in {:.3f} s, peak {:.0f} MiB{}\n", name,
                 calculated - start, assignment.levels.size(), cpu_seconds() - calculated,
                 resident_peak() / (1 << 20), wrong ? ": " + *wrong : "");
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    weir::bench::measure(weir::bench::parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_rates: %s\n", error.what());
    return 2;
  }
  return 0;
}
