#include <gtest/gtest.h>

#include <cmath>

#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/level_simulation.hpp"
#include "weir/analysis/tandem_simulation.hpp"
#include "weir/analysis/threshold_queue.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

using Simulated = std::vector<SimulatedMeasure>;

constexpr std::int64_t kArrivals = 2'000'000;

double value_of(const Simulated& all, const std::string& metric, const std::string& label = "") {
  Slice sum;
  for (const SimulatedMeasure& one : all) {
    if (one.metric != metric || one.label != label) continue;
    for (const Slice& slice : one.slices) {
      sum.sum += slice.sum;
      sum.weight += slice.weight;
    }
  }
  return sum.sum / sum.weight;
}

/// Within `share` of what the model says.
void expect_close(const Simulated& all, const QueueMeasures& model, double share) {
  EXPECT_LT(error_measure(value_of(all, "queue_length"), model.mean_length), share);
  EXPECT_LT(error_measure(value_of(all, "response_time"), model.response_time), share);
  EXPECT_LT(error_measure(value_of(all, "queue_throughput"), model.throughput), share);
  EXPECT_LT(error_measure(value_of(all, "busy_probability"), model.busy_probability), share);
  EXPECT_LT(error_measure(value_of(all, "blocking_probability"), model.blocking), 4 * share);
  for (std::size_t k = 0; model.level_mass.size() > 1 && k < model.level_mass.size(); ++k) {
    const double level = value_of(all, "level_probability", std::to_string(k + 1));
    EXPECT_LT(error_measure(level, model.level_mass[k]), 2 * share) << k;
  }
}

// yan2012, section 4.3: 1 % (5 million arrivals there).
TEST(LevelSimulation, IsTheModel) {
  const EntryThresholdQueue entry{4, 5, 7, 8, 16, 8, 4};
  expect_close(*simulate(entry.levels(), {1, kArrivals}), entry.solve(), .015);
  const ArrivalJobThresholdQueue jobs{6, 5, 7, {8, 16, 12}, 8, {4, 4}};
  expect_close(*simulate(jobs.levels(), {2, kArrivals}), jobs.solve(), .015);
  const LevelQueue none{6, 5, 7, {{8, 8}}};
  expect_close(*simulate(none, {3, kArrivals}), none.solve(), .015);
}

TEST(LevelSimulation, IsMM1NWithoutBursts) {
  const LevelQueue queue{2, 1, 1, {{3, 5}}};
  expect_close(*simulate(queue, {1, kArrivals}), queue.solve(), .01);
}

TEST(LevelSimulation, RepeatsItselfAndDiffersBySeed) {
  const LevelQueue queue{4, 5, 7, {{8, 8}}};
  const auto length = [&](std::uint64_t seed) {
    return value_of(*simulate(queue, {seed, 20'000}), "queue_length");
  };
  EXPECT_EQ(length(1), length(1));
  EXPECT_NE(length(1), length(2));
}

TEST(LevelSimulation, HasEqualSlicesAndCanBeStopped) {
  const LevelQueue queue{4, 5, 7, {{8, 8}}};
  const auto all = simulate(queue, {1, 100'000, 100});
  for (const SimulatedMeasure& one : *all) EXPECT_EQ(one.slices.size(), 100U);
  EXPECT_FALSE(simulate(queue, {1, 100'000, 100, [](double) { return false; }}).has_value());
}

/// Claim V4.4: 1 % for throughput and response time, 2 % for lengths.
TEST(TandemSimulation, IsTheChain) {
  for (const auto& [n, m] : {std::pair{12, 2}, {12, 6}, {8, 8}}) {
    SCOPED_TRACE(testing::Message() << n << ", " << m);
    const CreditTandem tandem{5, 6, 8, n, m};
    const Simulated all = *simulate(tandem, 0, {1, kArrivals});
    const TandemMeasures model = tandem.solve();
    EXPECT_LT(error_measure(value_of(all, "queue_throughput"), model.throughput), .01);
    EXPECT_LT(error_measure(value_of(all, "response_time"), model.response_time), .01);
    EXPECT_LT(error_measure(value_of(all, "queue_length", "1"), model.mean_length_1), .02);
    EXPECT_LT(error_measure(value_of(all, "queue_length", "2"), model.mean_length_2), .02);
    EXPECT_NEAR(value_of(all, "credit_stall"), model.credit_stall, .005);
    EXPECT_NEAR(value_of(all, "blocking_probability"), model.blocking, .005);
  }
}

// A credit that takes its time is a place downstream that nobody can use meanwhile.
TEST(TandemSimulation, LateCreditsCostThroughput) {
  const CreditTandem tandem{5, 6, 8, 12, 2};
  double before = tandem.solve().throughput * 1.01;
  for (const double delay : {.1, .5, 2.0}) {
    const double now = value_of(*simulate(tandem, delay, {1, 200'000}), "queue_throughput");
    EXPECT_LT(now, before);
    // Two packets in a service and the way back of the credit at the least.
    EXPECT_LT(now, 2 / (1 / tandem.rate_2 + delay));
    before = now;
  }
}

}  // namespace
}  // namespace weir::analysis
