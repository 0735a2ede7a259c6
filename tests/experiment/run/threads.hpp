// One run by several threads, for tests that compare it with one by one thread.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "experiment/support.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::threads {

inline Configuration with(const std::string& text, const std::string& override) {
  const ExperimentFile file(parse_experiment(text, "x.toml"), {parse_override(override)});
  return resolve(file.variants().front().table);
}

inline metrics::RunResult run(const Configuration& configuration) {
  const auto network = make_network(configuration);
  Simulation simulation(configuration, network);
  while (simulation.advance()) continue;
  return simulation.finish(1);
}

/// All numbers with their names, as they are.
inline std::vector<std::string> lines(const metrics::RunResult& result) {
  std::vector<std::string> out;
  const auto add = [&](const MetricName& name, const char* what, double value) {
    out.push_back(to_string(name) + " " + what + " " +
                  std::to_string(std::bit_cast<std::uint64_t>(value)));
  };
  for (const metrics::Scalar& scalar : result.scalars) {
    add(scalar.name, "is", scalar.value);
    add(scalar.name, "within", scalar.half_width);
  }
  for (const metrics::NamedHistogram& one : result.histograms) {
    const metrics::Histogram::Stored stored = one.histogram.stored();
    add(one.name, "sum", stored.sum);
    add(one.name, "from", static_cast<double>(stored.minimum));
    add(one.name, "to", static_cast<double>(stored.maximum));
    for (const auto& [bucket, count] : stored.buckets)
      out.push_back(to_string(one.name) + " " + std::to_string(bucket) + " x " +
                    std::to_string(count));
  }
  add({"frames", ""}, "utilization",
      static_cast<double>(std::hash<std::string>{}(result.frames.utilization)));
  add({"frames", ""}, "wait", static_cast<double>(std::hash<std::string>{}(result.frames.wait)));
  for (const metrics::Series& series : result.series)
    for (const double value : series.values) add(series.name, "series", value);
  for (const metrics::LinkSummary& link : result.links) {
    out.push_back(link.name + " " + std::to_string(link.bytes) + " " +
                  std::to_string(link.queued_max) + " " + std::to_string(link.wait));
  }
  for (const metrics::SetAsideTree& tree : result.set_aside_trees) {
    out.push_back(tree.root + " from " + to_string(tree.from) + " until " + to_string(tree.until) +
                  ", " + std::to_string(tree.allocations) + ", " + std::to_string(tree.queues_max) +
                  ", " + std::to_string(tree.bytes_max) + ", " + std::to_string(tree.sides.size()));
  }
  for (const metrics::SetAsideRecord& event : result.set_aside_events) {
    out.push_back(event.side + " for " + event.root + " " + event.kind + " at " +
                  to_string(event.at) + " after " + to_string(event.lifetime));
  }
  for (const metrics::TreeRecord& tree : result.trees) {
    out.push_back(tree.root + " at " + to_string(tree.at) + ", depth " +
                  std::to_string(tree.depth) + ", " + std::to_string(tree.branches.size()));
  }
  for (const std::string& note : result.notes) out.push_back(note);
  out.push_back(std::to_string(result.fingerprint));
  return out;
}

inline std::vector<std::string> results(const std::string& text, const std::string& override) {
  return lines(run(with(text, override)));
}

/// A run by several threads has all numbers of one by one thread, which is handed back.
inline metrics::RunResult expect_the_same(const std::string& text, std::size_t at_least = 1'000) {
  const metrics::RunResult alone = run(with(text, "experiment.threads=1"));
  const std::vector<std::string> one = lines(alone);
  EXPECT_GT(one.size(), at_least);
  for (const char* threads : {"2", "3", "4"}) {
    const auto several = results(text, std::string("experiment.threads=") + threads);
    EXPECT_EQ(several.size(), one.size()) << threads;
    for (std::size_t i = 0; i < std::min(one.size(), several.size()); ++i) {
      EXPECT_EQ(several[i], one[i]) << threads << " threads";
      if (several[i] != one[i]) return alone;
    }
  }
  return alone;
}

/// What making the simulation by two threads says.
inline std::string refused(const std::string& text) {
  const Configuration configuration = with(text, "experiment.threads=2");
  const auto network = make_network(configuration);
  return refusal([&] { Simulation(configuration, network); });
}

}  // namespace weir::experiment::threads
