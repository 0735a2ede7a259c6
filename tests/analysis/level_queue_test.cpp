#include "weir/analysis/level_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/analysis/reference_rows.hpp"
#include "tests/analysis/support.hpp"
#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/threshold_queue.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

using testing::HasSubstr;

EntryThresholdQueue entry(double lambda, std::int64_t t = 4, double ca2 = 5, double cs2 = 7) {
  return {lambda, ca2, cs2, 8, 16, 8, t};
}

ArrivalJobThresholdQueue jobs(double lambda, std::int64_t t1 = 4, std::int64_t t2 = 4,
                              double ca2 = 5, double cs2 = 7) {
  return {lambda, ca2, cs2, {8, 16, 12}, 8, {t1, t2}};
}

TEST(LevelQueue, GivesTheReferenceTables) {
  const std::vector<ReferenceRow> rows = read_reference_rows();
  ASSERT_EQ(rows.size(), 95U);
  for (const ReferenceRow& row : rows) {
    SCOPED_TRACE(row.text);
    const QueueMeasures out = row.queue.solve();
    const QueueMeasures closed = row.queue.levels().solve_closed_form();
    const auto expect = [&](const char* name, double value, double other) {
      const auto it = row.expected.find(name);
      if (it == row.expected.end()) return;
      EXPECT_NEAR(value, it->second, kPrinted) << name;
      EXPECT_NEAR(other, it->second, kPrinted) << name << ", closed form";
    };
    expect("L", out.mean_length, closed.mean_length);
    expect("pi", out.blocking, closed.blocking);
    expect("T", out.throughput, closed.throughput);
    expect("R", out.response_time, closed.response_time);
    expect("busy", out.busy_probability, closed.busy_probability);
    expect("P0", out.distribution.front(), 1 - closed.busy_probability);
    expect("PM", out.distribution.back(), out.distribution.back());
    for (std::size_t k = 0; k < out.level_mass.size(); ++k) {
      expect(("U" + std::to_string(k + 1)).c_str(), out.level_mass[k], closed.level_mass[k]);
    }
  }
}

void expect_states(const QueueMeasures& out, const std::vector<double>& expected) {
  ASSERT_EQ(out.distribution.size(), expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_NEAR(out.distribution[n], expected[n], kPrinted) << n;
  }
}

TEST(LevelQueue, GivesTheDistributionsOfTheExamples) {
  expect_states(entry(4).solve(),
                {.634975, .070553, .062714, .055745, .049551, .026427, .021142, .016914, .013531,
                 .010825, .008660, .006928, .005542, .004434, .003547, .002838, .005675});
  expect_states(jobs(6).solve(),
                {.465658, .066523, .063355, .060338, .057465, .034827, .029550, .025073, .021274,
                 .022062, .019611, .017432, .015495, .013773, .012243, .010883, .009673, .008599,
                 .007643, .006794, .006039, .005368, .004772, .004241, .011310});
}

TEST(LevelQueue, IsABirthDeathProcessWithoutBursts) {
  const QueueMeasures out = entry(4, 4, 1, 1).solve();
  EXPECT_NEAR(out.distribution[0], .510638, kPrinted);
  for (std::size_t n = 0; n < 16; ++n) {
    EXPECT_NEAR(out.distribution[n + 1] / out.distribution[n], n < 4 ? .5 : .25, 1e-14) << n;
  }
  EXPECT_NEAR(out.mean_length, .886525, kPrinted);
  EXPECT_NEAR(out.throughput, 4, kPrinted);
}

TEST(LevelQueue, SystemsAgreeWhereTheyAreTheSame) {
  const ArrivalJobThresholdQueue two{6, 5, 7, {8, 16}, 8, {4}};
  EXPECT_EQ(entry(6).solve().distribution, two.solve().distribution);  // to the last bit
  const LevelQueue equal{6, 5, 7, {{8, 3}, {8, 10}, {8, 16}}};
  EXPECT_EQ(equal.solve().distribution, (GeQueue{6, 5, 8, 7, 16}.solve().distribution));
}

/// A queue with up to four levels, any load from 1e-3 to 1e2, SCVs from 1 to 51, up to 40 packets.
LevelQueue any_queue() {
  const auto any = [](double low, double high) {
    const double share = static_cast<double>(*rc::gen::inRange(0, 1'000'001)) / 1e6;
    return low * std::pow(high / low, share);
  };
  LevelQueue queue;
  queue.arrival_rate = any(.1, 10);
  queue.arrival_scv = *rc::gen::inRange(0, 4) == 0 ? 1 : any(1, 51);
  queue.service_scv = *rc::gen::inRange(0, 4) == 0 ? 1 : any(1, 51);
  const int levels = *rc::gen::inRange(1, 5);
  std::int64_t last = 0;
  for (int k = 0; k < levels; ++k) {
    last += *rc::gen::inRange(1, 11);
    // Every eighth level has a load of 1.
    const double rate = *rc::gen::inRange(0, 8) == 0 ? queue.arrival_rate : any(.1, 10);
    queue.levels.push_back({rate, last});
  }
  return queue;
}

void check_against_chain() {
  const LevelQueue queue = any_queue();
  const QueueMeasures out = queue.solve();
  const std::vector<double> chain = generator(queue).stationary(ChainMethod::elimination);
  double mean = 0;
  for (std::size_t n = 0; n < chain.size(); ++n) {
    RC_ASSERT(std::abs(out.distribution[n] - chain[n]) < 1e-12);
    RC_ASSERT(std::abs(out.distribution[n] / chain[n] - 1) < 1e-11);
    mean += static_cast<double>(n) * chain[n];
  }
  RC_ASSERT(std::abs(out.mean_length / mean - 1) < 1e-12);
  // A packet of a batch that k packets precede meets what those before it left.
  const double s = 2 / (queue.arrival_scv + 1);
  const double r = 2 / (queue.service_scv + 1);
  double lost = 0;
  for (std::size_t n = 0; n < chain.size(); ++n) {
    const double first = n == 0 ? r / (r * (1 - s) + s) : 1;
    lost += first * std::pow(1 - s, static_cast<double>(chain.size() - 1 - n)) * chain[n];
  }
  RC_ASSERT(std::abs(out.blocking - lost) < 1e-12);

  const QueueMeasures closed = queue.solve_closed_form();
  RC_ASSERT(std::abs(closed.mean_length / mean - 1) < 1e-12);
  RC_ASSERT(std::abs(closed.blocking - lost) < 1e-12);
  for (std::size_t k = 0; k < queue.levels.size(); ++k) {
    RC_ASSERT(std::abs(closed.level_mass[k] - out.level_mass[k]) < 1e-12);
  }
  // Totals, flow and Little's law.
  const double sum = std::accumulate(out.distribution.begin(), out.distribution.end(), 0.0);
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
  RC_ASSERT(std::abs(queue.arrival_rate * (1 - out.blocking) - out.throughput) <
            1e-12 * queue.arrival_rate);
  RC_ASSERT(std::abs(out.response_time * out.throughput / out.mean_length - 1) < 1e-12);
}

TEST(LevelQueue, IsTheExactChainOnAThousandRandomQueues) {
  ASSERT_TRUE(rc::check("ten queues a round", [] {
    for (int i = 0; i < 10; ++i) check_against_chain();
  }));
}

TEST(LevelQueue, ClosedFormAndRecursionAgreeOnLongQueues) {
  for (const double rho : {1e-6, .1, .9999, 1.0, 1.0001, 10.0}) {
    const LevelQueue queue{rho, 5, 7, {{1, 3000}, {1.00001, 7000}, {2, 10'000}}};
    const QueueMeasures a = queue.solve();
    const QueueMeasures b = queue.solve_closed_form();
    EXPECT_NEAR(b.mean_length / a.mean_length, 1, 1e-9) << rho;
    EXPECT_NEAR(b.throughput / a.throughput, 1, 1e-11) << rho;
    EXPECT_NEAR(b.blocking, a.blocking, 1e-11) << rho;
  }
}

std::string error_of(const EntryThresholdQueue& queue) {
  try {
    (void)queue.solve();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LevelQueue, SaysWhatIsWrong) {
  EXPECT_THAT(error_of(entry(4, 9)), HasSubstr("threshold: must be 0 to 8"));
  EXPECT_THAT(error_of(entry(4, -1)), HasSubstr("threshold: must be 0 to 8"));
  EntryThresholdQueue queue = entry(4, 0);
  queue.mode = ThresholdMode::at_or_above;
  EXPECT_THAT(error_of(queue), HasSubstr("threshold: must be 1 to 8"));
  queue = entry(4);
  queue.borrowed_rate = -1;
  EXPECT_THAT(error_of(queue), HasSubstr("borrowed_rate: must be greater than 0"));
  queue = entry(4);
  queue.capacity = 0;
  EXPECT_THAT(error_of(queue), HasSubstr("capacity: must be 1 to"));
  ArrivalJobThresholdQueue job = jobs(4);
  job.thresholds = {4};
  EXPECT_THROW((void)job.solve(), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {}}.solve()), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {{8, 5}, {8, 4}}}.solve()), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {{8, 5}, {8, 5}}}.solve()), InputError);
}

}  // namespace
}  // namespace weir::analysis
