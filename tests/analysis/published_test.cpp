#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/analysis/support.hpp"
#include "weir/analysis/ge_queue.hpp"
#include "weir/analysis/max_entropy.hpp"
#include "weir/analysis/published_thresholds.hpp"
#include "weir/base/error.hpp"

// What the document's formulas give, printed and repaired, and how far that is from the chain.
// Source: yan2012, sections 5.2, 5.3 and 2.4.2, chapter 5.

namespace weir::analysis::published_test {
namespace {

EntryThresholdQueue entry(double lambda) { return {lambda, 5, 7, 8, 16, 8, 4}; }

double sum_of(const std::vector<double>& p) { return std::accumulate(p.begin(), p.end(), 0.0); }
double least_of(const std::vector<double>& p) { return *std::min_element(p.begin(), p.end()); }
double mean_of(const std::vector<double>& p) {
  double mean = 0;
  for (std::size_t n = 0; n < p.size(); ++n) mean += static_cast<double>(n) * p[n];
  return mean;
}

// The closures alone: a queue with a second, faster level would be longer than without it.
TEST(PublishedEntryThreshold, EstimatesALengthThatCannotBe) {
  const PublishedThreshold out = published_entry_threshold(entry(4), Text::repaired);
  EXPECT_NEAR(out.mean_length, 8.108, 5e-4);
  EXPECT_GT(out.mean_length, (GeQueue{4, 5, 8, 7}.solve().mean_length));
  EXPECT_NEAR(entry(4).solve().mean_length, 1.614451, kPrinted);
}

TEST(PublishedEntryThreshold, GivesNegativeProbabilitiesAsPrinted) {
  const PublishedThreshold out = published_entry_threshold(entry(4), Text::printed);
  EXPECT_NEAR(out.x2, -3.31, 5e-3);
  EXPECT_LT(least_of(out.distribution), 0);
}

TEST(PublishedEntryThreshold, IsNotSavedByRepairedEquations) {
  const PublishedThreshold four = published_entry_threshold(entry(4), Text::repaired);
  EXPECT_NEAR(four.y, 92, .5);
  EXPECT_NEAR(sum_of(four.distribution), 1, 1e-12);
  EXPECT_NEAR(mean_of(four.distribution), 1.2185, 5e-5);
  for (const double lambda : {1.0, 2.0}) {
    const auto low = published_entry_threshold(entry(lambda), Text::repaired);
    EXPECT_LT(low.distribution.back(), 0) << lambda;
  }
}

// The repaired equations 5.16 and 5.17 are right: from the exact load and length of a queue without
// bound they find its upper level.
TEST(PublishedEntryThreshold, RepairedUpperLevelIsExactForExactInput) {
  const LevelQueue long_queue{6, 5, 7, {{8, 4}, {16, 1500}}};
  const QueueMeasures exact = long_queue.solve();
  EXPECT_NEAR(exact.busy_probability, .506298, kPrinted);
  EXPECT_NEAR(exact.mean_length, 3.223726, kPrinted);
  const UpperLevel found = upper_level(entry(6), exact.busy_probability, exact.mean_length);
  EXPECT_NEAR(found.g2, .088147, kPrinted);
  EXPECT_NEAR(found.x2, .848485, kPrinted);
  EXPECT_NEAR(found.g2, exact.distribution[5] / exact.distribution[0] / found.x2, 1e-12);
  EXPECT_NEAR(found.x2, exact.distribution[6] / exact.distribution[5], 1e-12);
  const UpperLevel printed =
      upper_level(entry(6), exact.busy_probability, exact.mean_length, Text::printed);
  EXPECT_GT(std::abs(printed.x2 - found.x2), .1);
}

TEST(PublishedEntryThreshold, HasNoMeaningAtFullLoad) {
  EXPECT_THROW((void)published_entry_threshold(entry(8), Text::repaired), InputError);
}

TEST(PublishedJobThreshold, IsTheChainButForTheFullQueueOnceRepaired) {
  const ArrivalJobThresholdQueue queue{6, 5, 7, {8, 16, 12}, 8, {4, 4}};
  const std::vector<double> exact = queue.solve().distribution;
  const PublishedLevels out = published_job_threshold(queue, Text::repaired);
  for (std::size_t n = 0; n + 1 < exact.size(); ++n) {
    EXPECT_NEAR(out.distribution[n] / out.distribution[0], exact[n] / exact[0], 1e-12) << n;
  }
  EXPECT_GT(std::abs(out.distribution.back() / exact.back() - 1), .1);
}

TEST(PublishedJobThreshold, IsNoDistributionAsPrinted) {
  const ArrivalJobThresholdQueue queue{6, 5, 7, {8, 16, 12}, 8, {4, 4}};
  const PublishedLevels out = published_job_threshold(queue, Text::printed);
  EXPECT_GT(std::abs(sum_of(out.distribution) - 1), .01);
}

// Equation 2.10 makes the full queue so likely that as much arrives as is served and blocked with
// P(N).
TEST(PublishedBoundary, OfQueuesWithThresholdsKeepsTheFlowBalance) {
  const auto check = [](auto queue) {
    const QueueMeasures exact = queue.solve();
    queue.boundary = Boundary::published;
    const QueueMeasures out = queue.solve();
    EXPECT_NEAR(sum_of(out.distribution), 1, 1e-12);
    EXPECT_DOUBLE_EQ(out.blocking, out.distribution.back());
    EXPECT_NEAR(out.throughput, queue.arrival_rate * (1 - out.blocking), 1e-12);
    for (std::size_t n = 0; n + 1 < exact.distribution.size(); ++n) {
      EXPECT_NEAR(out.distribution[n] / out.distribution[0],
                  exact.distribution[n] / exact.distribution[0], 1e-12);
    }
    EXPECT_GT(out.mean_length, exact.mean_length);
  };
  check(entry(4));
  check(entry(7));
  check(ArrivalJobThresholdQueue{6, 5, 7, {8, 16, 12}, 8, {4, 4}});
}

TEST(PublishedBoundary, IsTheExactOneWithPoissonArrivals) {
  ArrivalJobThresholdQueue queue{6, 1, 7, {8, 16, 12}, 8, {4, 4}};
  const QueueMeasures exact = queue.solve();
  queue.boundary = Boundary::published;
  EXPECT_NEAR(queue.solve().mean_length, exact.mean_length, 1e-12);
  EXPECT_NEAR(queue.solve().blocking, exact.blocking, 1e-12);
}

TEST(MaximumEntropy, FindsTheQueueWithoutThreshold) {
  const QueueMeasures m = GeQueue{4, 5, 8, 7, 8}.solve();
  const EntropySolution out =
      maximize_entropy({8, {}, {m.busy_probability}, m.distribution.back(), m.mean_length});
  EXPECT_NEAR(out.x, .888889, kPrinted);
  EXPECT_NEAR(out.g.at(0), .125, kPrinted);
  EXPECT_NEAR(out.y, 3.0, kPrinted);
  EXPECT_NEAR(out.entropy, 1.520394, kPrinted);
  for (std::size_t n = 0; n < 9; ++n) EXPECT_NEAR(out.distribution[n], m.distribution[n], 1e-10);
}

// One mean length for both levels gives more entropy, and another distribution.
TEST(MaximumEntropy, OfTwoLevelsWithOneMeanIsNotTheChain) {
  struct Row {
    double lambda, x, g1, g2, y, entropy, exact_entropy, worst;
  };
  for (const Row& row : {Row{4, .820232, .150434, .103848, 2.050438, 1.508337, 1.507100, .0078},
                         Row{6, .863852, .189177, .145958, 2.404415, 1.942751, 1.940871, .0104}}) {
    const QueueMeasures m = entry(row.lambda).solve();
    const EntropySolution out =
        maximize_entropy({16, {4}, m.level_mass, m.distribution.back(), m.mean_length});
    EXPECT_NEAR(out.x, row.x, kPrinted);
    EXPECT_NEAR(out.g.at(0), row.g1, kPrinted);
    EXPECT_NEAR(out.g.at(1), row.g2, kPrinted);
    EXPECT_NEAR(out.y, row.y, kPrinted);
    EXPECT_NEAR(out.entropy, row.entropy, kPrinted);
    EXPECT_NEAR(entropy(m.distribution), row.exact_entropy, kPrinted);
    EXPECT_NEAR(mean_of(out.distribution), m.mean_length, 1e-10);
    double worst = 0;
    for (std::size_t n = 0; n <= 16; ++n) {
      worst = std::max(worst, std::abs(out.distribution[n] - m.distribution[n]));
    }
    EXPECT_NEAR(worst, row.worst, 5e-5);
  }
}

TEST(MaximumEntropy, RefusesWhatNoDistributionMeets) {
  EXPECT_THROW((void)maximize_entropy({8, {}, {.5}, .1, 7}), InputError);
  EXPECT_THROW((void)maximize_entropy({8, {}, {.5}, .6, 2}), InputError);
  EXPECT_THROW((void)maximize_entropy({8, {}, {1.5}, .1, 2}), InputError);
  EXPECT_THROW((void)maximize_entropy({8, {4}, {.5}, .1, 2}), InputError);
}

}  // namespace
}  // namespace weir::analysis::published_test
