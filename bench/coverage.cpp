// How often the confidence intervals of single runs hold the truth. See docs/guide/statistics.md.
//
// Three queues whose mean wait is known, each as one link between two hosts, simulated as any
// experiment: M/M/1, M/D/1 and Geo/Geo/1 at loads of 0.3, 0.6 and 0.9, many times with different
// seeds. Of every run only the 95 % interval of latency_mean is looked at.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/metrics/statistics.hpp"

namespace weir::bench {
namespace {

constexpr const char* kUsage =
    "Usage: bench_coverage [--replications N] [--only TEXT] [--jobs N] [--until R] [--csv]\n"
    "  --replications N  runs of every queue and load (default 400)\n"
    "  --only TEXT       only cases whose name contains TEXT, such as \"M/D/1\" or \"0.9\"\n"
    "  --jobs N          runs at a time (default 1; 0: one a core)\n"
    "  --until R         runs end when the interval is known within R of the mean, at the latest\n"
    "                    after 16 times the length that they have otherwise\n"
    "  --csv             a line for every run in place of the table\n";

// 8 Gbps carry 1 B in 1 ns, so a message of 1000 B is served in 1000 ns.
constexpr double kService = 1'000;
constexpr double kDelay = 10;
constexpr double kSlot = 100;

struct Options {
  int replications = 400;
  unsigned jobs = 1;
  double until = 0;
  bool csv = false;
  bool help = false;
  std::string only;
};

template <class Number>
Number number(const std::string& word, const std::string& text, Number low, Number high) {
  Number value{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  if (is_number && value >= low && value <= high) return value;
  throw std::invalid_argument(fmt::format("{} must be between {} and {}", word, low, high));
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) throw std::invalid_argument(word + " needs a value");
      return argv[i];
    };
    if (word == "--replications") {
      options.replications = number(word, value(), 1, 1'000'000);
    } else if (word == "--only") {
      options.only = value();
    } else if (word == "--jobs") {
      options.jobs = number(word, value(), 0U, 1'024U);
    } else if (word == "--until") {
      options.until = number(word, value(), 1e-3, 1.0);
    } else if (word == "--csv") {
      options.csv = true;
    } else if (word == "--help" || word == "-h") {
      options.help = true;
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  return options;
}

enum class Queue { mm1, md1, geo_geo_1 };

struct Case {
  Queue queue;
  double load;
  double services;  ///< simulated time, in mean services

  [[nodiscard]] std::string name() const {
    const char* const names[] = {"M/M/1", "M/D/1", "Geo/Geo/1"};
    return fmt::format("{} at {}", names[static_cast<int>(queue)], load);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Queue queue : {Queue::mm1, Queue::md1, Queue::geo_geo_1}) {
    // The correlation of the waits reaches about (1 - sqrt(load))^-2 services: 5, 20 and 380.
    for (const auto& [load, services] : {std::pair(0.3, 5e4), {0.6, 1e5}, {0.9, 5e5}}) {
      all.push_back({queue, load, services});
    }
  }
  return all;
}

/// Mean time from generation to delivery, ns.
double closed_form(const Case& one) {
  const double rate = one.load / kService;  // messages a ns
  const auto pollaczek_khinchine = [&](double second_moment) {
    return rate * second_moment / (2 * (1 - one.load));
  };
  double wait = 0;
  switch (one.queue) {
    case Queue::mm1: {
      // Sizes are whole bytes: geometric, with E[S^2] = (2 - p) / p^2.
      const double p = 1 / kService;
      wait = pollaczek_khinchine((2 - p) / (p * p));
      break;
    }
    case Queue::md1:
      wait = pollaczek_khinchine(kService * kService);
      break;
    case Queue::geo_geo_1: {
      // In slots: W = load (1 - mu) / (mu - lambda) (Meisling 1958).
      const double mu = kSlot / kService;
      wait = kSlot * one.load * (1 - mu) / (mu - one.load * mu);
      break;
    }
  }
  return wait + kService + kDelay;
}

std::string experiment_of(const Case& one, const Options& options) {
  const char* sizes[] = {R"({ model = "geometric", mean = "1000 B" })",
                         R"({ model = "fixed", size = "1000 B" })",
                         R"({ model = "geometric", mean = "1000 B", unit = "100 B" })"};
  const std::string arrivals =
      one.queue == Queue::geo_geo_1
          ? fmt::format(R"({{ model = "bernoulli", slot = "{} ns", load = {} }})", kSlot, one.load)
          : fmt::format(R"({{ model = "poisson", load = {} }})", one.load);
  const double most = options.until > 0 ? 16 * one.services : one.services;
  const std::string until =
      options.until > 0
          ? fmt::format("until = {{ metric = \"latency_mean\", relative_half_width = {} }}\n",
                        options.until)
          : "";
  return fmt::format(R"(
[experiment]
name = "coverage"
duration = "{} ns"
warmup = "auto"
{}[topology]
model = "two-hosts"
[link]
rate = "8 Gbps"
delay = "{} ns"
[host]
mtu = "1 MiB"
[buffer]
ingress = "4 MiB"
[routing]
model = "shortest-path"
[metrics]
links = false
[replicate]
seeds = {}
[[traffic]]
name = "all"
sources = [0]
destinations = {{ model = "fixed", host = 1 }}
arrivals = {}
sizes = {}
)",
                     static_cast<std::int64_t>(most * kService), until, kDelay,
                     options.replications, arrivals, sizes[static_cast<int>(one.queue)]);
}

/// What the runs of one case found.
struct Found {
  int runs = 0;
  int with_interval = 0;
  int covered = 0;
  int not_stationary = 0;
  int too_short = 0;
  std::vector<double> means;
  std::vector<double> relative_half_widths;
  std::vector<double> warmup;    ///< share of the run
  std::vector<double> services;  ///< simulated time, in mean services
};

void add(const metrics::RunResult& result, double truth, Found& found) {
  ++found.runs;
  const double end = *result.scalar("simulated_time");
  found.services.push_back(end / kService);
  found.warmup.push_back(*result.scalar("warmup_detected") / end);
  for (const metrics::Scalar& scalar : result.scalars) {
    if (scalar.name.metric != "latency_mean" || !scalar.name.label.empty()) continue;
    if (scalar.quality == metrics::Quality::not_stationary) {
      ++found.not_stationary;
      continue;
    }
    found.means.push_back(scalar.value);
    if (scalar.quality == metrics::Quality::plain) {
      ++found.too_short;
      continue;
    }
    ++found.with_interval;
    if (std::abs(scalar.value - truth) <= scalar.half_width) ++found.covered;
    found.relative_half_widths.push_back(scalar.half_width / scalar.value);
  }
}

Found study(const Case& one, const Options& options) {
  const experiment::ExperimentFile file(
      experiment::parse_experiment(experiment_of(one, options), "coverage"), {});
  const double truth = closed_form(one);
  Found found;
  experiment::RunListener listener;
  listener.on_end = [&](std::size_t, const experiment::RunRecord& record) {
    if (record.status != "done") throw std::runtime_error(record.error);
    add(record.result, truth, found);
    if (!options.csv) return;
    for (const metrics::Scalar& scalar : record.result.scalars) {
      if (scalar.name.metric != "latency_mean") continue;
      std::cout << fmt::format("{},{},{},{},{},{}\n", one.name(), record.seed, scalar.value,
                               scalar.half_width, to_string(scalar.quality),
                               *record.result.scalar("warmup_detected"));
    }
  };
  experiment::RunOptions run;
  run.jobs = options.jobs;
  run.drop_results = true;
  (void)experiment::run_all(file.variants(), run, listener);
  return found;
}

void print(const Case& one, const Found& found) {
  const auto percent = [&](int count, int of) {
    return of == 0 ? std::nan("") : 100.0 * count / of;
  };
  std::cout << fmt::format(
                   "| {} | {:.0f} | {:.0f} | {:.1f} | {:.1f} % | {} of {} | {:.1f} % | {:.1f} % | "
                   "{:.1f} % | {:.1f} % |",
                   one.name(), metrics::mean(found.services), closed_form(one),
                   metrics::mean(found.means), percent(found.covered, found.with_interval),
                   found.covered, found.with_interval,
                   100 * metrics::mean(found.relative_half_widths),
                   100 * metrics::mean(found.warmup), percent(found.not_stationary, found.runs),
                   percent(found.too_short, found.runs))
            << std::endl;
}

int run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.help) {
    std::cout << kUsage;
    return 0;
  }
  std::cout << (options.csv
                    ? "case,seed,latency_mean,half_width,quality,warmup_detected\n"
                    : "| queue, load | services | truth, ns | mean of the runs, ns | covered | "
                      "runs | half width | warm-up | not stationary | too short |\n"
                      "|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Case& one : cases()) {
    if (one.name().find(options.only) == std::string::npos) continue;
    const Found found = study(one, options);
    if (!options.csv) print(one, found);
  }
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  try {
    return weir::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
