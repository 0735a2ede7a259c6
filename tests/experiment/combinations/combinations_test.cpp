// Every pair of parts that docs/reference/combinations.md says to work is run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include "experiment/one_run.hpp"
#include "weir/experiment/combinations/combinations.hpp"

namespace weir::experiment::combinations_test {
namespace {

using ::testing::HasSubstr;

const Part& part(const std::vector<Dimension>& all, const std::string& dimension,
                 const std::string& name) {
  for (const Dimension& one : all) {
    if (one.name != dimension) continue;
    for (const Part& each : one.parts) {
      if (each.name == name) return each;
    }
  }
  throw std::logic_error("no part " + dimension + " " + name);
}

/// Runs an experiment until all has been delivered. What is wrong with that; empty: nothing.
std::string failure_of(const ConfigTable& experiment) {
  try {
    const Configuration configuration = resolve(experiment);
    Simulation simulation(configuration, make_network(configuration));
    while (simulation.advance()) {
    }
    const fabric::Counters& counts = simulation.fabric().counters();
    if (counts.packets_delivered == 0) return "nothing was delivered";
    if (counts.packets_injected != counts.packets_delivered + counts.packets_lost)
      return "packets are left in the network";
    if (counts.acks_injected != counts.acks_delivered + counts.acks_lost)
      return "ACKs are left in the network";
    if (simulation.fabric().backlog() != Bytes(0)) return "bytes are left at hosts";
    if (counts.messages_generated != counts.messages_completed + counts.messages_lost)
      return "messages are not complete";
    if (configuration.failures.empty() && counts.packets_lost != 0) return "packets were lost";
    const metrics::RunResult result = simulation.finish(1);
    for (const char* name : {"hot", "cold"}) {
      if (number(result, "packets_delivered", name) <= 0)
        return fmt::format("nothing of '{}' was delivered", name);
    }
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// A new model that needs something to mean anything says so in dimension.cpp.
TEST(Combinations, EveryPartWorksByItself) {
  for (const Dimension& dimension : dimensions()) {
    EXPECT_FALSE(dimension.parts.empty()) << dimension.name;
    for (const Part& one : dimension.parts) {
      const Combination alone = check_combination({&one});
      EXPECT_EQ(alone.refusal.value_or(""), "") << dimension.name << " " << one.name;
    }
  }
}

TEST(Combinations, HoldAllModelsOfTheCatalogueThatASimulationCanHave) {
  std::set<std::string> names;
  for (const Dimension& one : dimensions()) names.insert(one.name);
  // What says which packets there are, what is no simulation, and what cables are like.
  const std::set<std::string> others = {"topology", "traffic",  "pattern", "arrivals",
                                        "sizes",    "workload", "queue",   "protocol",
                                        "rates",    "lengths",  "metric",  "experiment"};
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    EXPECT_TRUE(names.contains(kind->kind()) || others.contains(kind->kind()))
        << "a kind of models that no pair has: " << kind->kind();
  }
}

TEST(Combinations, NeedsGiveWayToWhatAnotherPartSays) {
  const std::vector<Dimension> all = dimensions();
  const Part& opm = part(all, "marking", "opm");
  const Part& iq = part(all, "switch.architecture", "iq");
  const Part& oq = part(all, "switch.architecture", "oq");
  EXPECT_EQ(
      check_combination({&opm}).experiment.find("switch")->table().find("architecture")->text(),
      "cioq");
  EXPECT_THAT(check_combination({&opm, &iq}).refusal.value_or("works"),
              HasSubstr("marking.model: opm looks at egress buffers"));
  const Combination works = check_combination({&opm, &oq});
  EXPECT_FALSE(works.refusal);
  EXPECT_EQ(works.experiment.find("switch")->table().find("architecture")->text(), "oq");
}

constexpr std::size_t kShares = 24;

/// The share of the pairs that one test runs.
class CombinationsSlow : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CombinationsSlow, WhatWorksDeliversEverything) {
  const std::vector<Dimension> all = dimensions();
  const auto pairs = pairs_of(all);
  int runs = 0;
  for (std::size_t i = GetParam(); i < pairs.size(); i += kShares) {
    const CombinationMatrix matrix = check_pair(*pairs[i].first, *pairs[i].second);
    for (std::size_t r = 0; r < matrix.cells.size(); ++r) {
      for (std::size_t c = 0; c < matrix.cells[r].size(); ++c) {
        const Combination& one = matrix.cells[r][c];
        if (one.refusal) continue;
        ++runs;
        EXPECT_EQ(failure_of(one.experiment), "")
            << matrix.rows->name << " " << matrix.rows->parts[r].name << " and "
            << matrix.columns->name << " " << matrix.columns->parts[c].name;
      }
    }
  }
  EXPECT_GT(runs, 20);
}

INSTANTIATE_TEST_SUITE_P(Shares, CombinationsSlow, ::testing::Range(std::size_t{0}, kShares));

}  // namespace
}  // namespace weir::experiment::combinations_test
