#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/metrics/batch_means.hpp"
#include "weir/metrics/mser.hpp"
#include "weir/metrics/slices.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::metrics {
namespace {

/// Draws that are uniform between 0 and 1.
std::vector<double> noise(std::size_t count, std::uint32_t entity) {
  RandomStream random(7, entity, StreamPurpose::sizes);
  std::vector<double> out(count);
  for (double& x : out) x = random.unit();
  return out;
}

/// x_n = persistence x_(n-1) + noise, around `level`.
std::vector<RatioSlice> autoregressive(std::size_t count, double persistence, double level,
                                       std::uint32_t entity = 1) {
  std::vector<RatioSlice> out;
  double x = 0;
  for (const double e : noise(count, entity)) {
    x = persistence * x + e - 0.5;
    out.push_back({level + x, 1});
  }
  return out;
}

TEST(StudentT, HasTheQuantilesOfTheTables) {
  EXPECT_NEAR(student_t(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t(0.95, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_t(0.90, 9), 1.833, 5e-4);
  EXPECT_NEAR(student_t(0.99, 29), 2.756, 5e-4);
}

TEST(StudentT, IntervalOfAMeanByHand) {
  // Mean 3, sample variance 2.5, so 2.776 sqrt(2.5 / 5).
  const MeanInterval interval = mean_interval(std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(interval.mean, 3);
  EXPECT_NEAR(interval.half_width, 2.776445 * std::sqrt(0.5), 1e-5);
  EXPECT_EQ(interval.count, 5U);
}

TEST(StudentT, OneValueHasNoInterval) {
  EXPECT_DOUBLE_EQ(mean_interval(std::vector<double>{4}).mean, 4);
  EXPECT_TRUE(std::isnan(mean_interval(std::vector<double>{4}).half_width));
  EXPECT_TRUE(std::isnan(mean_interval({}).mean));
}

TEST(Mser, CutsAwayWhatIsUnlikeTheRest) {
  // Without the first two: squares 14 / 4, over 14 x 14; without three: 3.23 over 13 x 13.
  const std::vector<double> values{20, 15, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  const Truncation cut = mser(values);
  EXPECT_EQ(cut.first, 2U);
  EXPECT_TRUE(cut.is_settled);
}

TEST(Mser, MinimizesTheMarginalStandardErrorOverAllCandidates) {
  std::vector<double> values = noise(60, 3);
  for (std::size_t i = 0; i < 20; ++i) values[i] += 2 * std::exp(-static_cast<double>(i) / 6);
  std::size_t best = 0;
  double least = 1e300;
  for (std::size_t d = 0; d + 5 < values.size(); ++d) {
    double sum = 0;
    double squares = 0;
    const auto left = static_cast<double>(values.size() - d);
    for (std::size_t i = d; i < values.size(); ++i) sum += values[i];
    for (std::size_t i = d; i < values.size(); ++i) {
      squares += (values[i] - sum / left) * (values[i] - sum / left);
    }
    if (squares / (left * left) < least) {
      least = squares / (left * left);
      best = d;
    }
  }
  EXPECT_GT(best, 0U);
  EXPECT_EQ(mser(values).first, best);
}

TEST(Mser, WithATolerancePrefersTheEarlierCut) {
  // Squared errors: 0.0298 without the first value, 0.0250 without the first two, then more.
  const std::vector<double> values{9, 2.6, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  ASSERT_EQ(mser(values).first, 2U);
  EXPECT_EQ(mser(values, 0.1).first, 2U);
  EXPECT_EQ(mser(values, 0.2).first, 1U);
  EXPECT_EQ(mser(values, 1e9).first, 0U);
}

TEST(Mser, ConstantSeriesKeepsEverything) {
  EXPECT_EQ(mser(std::vector<double>(40, 3.0)).first, 0U);
  EXPECT_TRUE(mser(std::vector<double>(40, 3.0)).is_settled);
}

TEST(Mser, GrowingSeriesIsNotSettled) {
  std::vector<double> ramp;
  for (int i = 0; i < 200; ++i) ramp.push_back(i);
  EXPECT_FALSE(mser(ramp).is_settled);
  EXPECT_FALSE(mser5(ramp).is_settled);
}

TEST(Mser, TooFewValuesAreNotSettled) {
  EXPECT_FALSE(mser(std::vector<double>{1, 1, 1, 1}).is_settled);
  EXPECT_FALSE(mser5(std::vector<double>(49, 1.0)).is_settled);
  EXPECT_TRUE(mser5(std::vector<double>(50, 1.0)).is_settled);
}

TEST(Mser5, CutsAtAMultipleOfFive) {
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(i < 12 ? 30 : i % 2);
  const Truncation cut = mser5(values);
  EXPECT_EQ(cut.first, 15U);
  EXPECT_TRUE(cut.is_settled);
}

TEST(VonNeumann, RatioByHand) {
  // 1 2 3 4: differences 3, squares 5, ratio 0.6; variance 4 * 2 / 15.
  EXPECT_NEAR(von_neumann_deviate(std::vector<double>{1, 2, 3, 4}), (0.6 - 2) / std::sqrt(8.0 / 15),
              1e-12);
  EXPECT_EQ(von_neumann_deviate(std::vector<double>{2, 2, 2, 2}), 0);
}

TEST(VonNeumann, IsAStandardNormalDeviateForIndependentValues) {
  double sum = 0;
  double squares = 0;
  constexpr int kSamples = 2'000;
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    const double z = von_neumann_deviate(noise(40, 100 + k));
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kSamples, 0, 0.1);
  EXPECT_NEAR(squares / kSamples, 1, 0.15);
}

TEST(Trend, OfAStraightLineIsCertain) {
  const Trend line = trend(std::vector<double>{1, 3, 5, 7});
  EXPECT_GT(line.t, 1e6);
  EXPECT_DOUBLE_EQ(line.rise, 6);
  EXPECT_EQ(trend(std::vector<double>{2, 2, 2}).t, 0);
}

TEST(Trend, OfSomePointsByHand) {
  // Slope 1.75 / 5; sum of squares 1.6875, of which the line explains 0.35 x 1.75.
  const Trend line = trend(std::vector<double>{1, 2, 1, 2.5});
  EXPECT_NEAR(line.rise, 3 * 0.35, 1e-12);
  EXPECT_NEAR(line.t, 0.35 / std::sqrt((1.6875 - 0.35 * 1.75) / 2 / 5), 1e-12);
}

/// Of the quarters of 30 batches: small values mean that 30 are too many.
double von_neumann_deviate_of_quarters(const std::vector<RatioSlice>& slices) {
  std::vector<double> quarters;
  for (std::size_t q = 0; q < 120; ++q) {
    double sum = 0;
    for (std::size_t i = 0; i < slices.size() / 120; ++i) {
      sum += slices[q * slices.size() / 120 + i].sum;
    }
    quarters.push_back(sum);
  }
  return von_neumann_deviate(quarters);
}

/// Student's interval over `count` batches of as many slices each.
MeanInterval over_batches(const std::vector<RatioSlice>& slices, std::size_t count) {
  std::vector<double> batches;
  const std::size_t length = slices.size() / count;
  for (std::size_t b = 0; b < count; ++b) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += slices[b * length + i].sum;
    batches.push_back(sum / static_cast<double>(length));
  }
  return mean_interval(batches);
}

TEST(BatchMeans, IndependentSlicesGiveTheWidestOfStudentsIntervals) {
  std::set<std::size_t> counts;
  for (std::uint32_t run = 0; run < 80; ++run) {
    const std::vector<RatioSlice> slices = autoregressive(1'200, 0, 10, run);
    const BatchMeans estimate = batch_means(slices);
    if (von_neumann_deviate_of_quarters(slices) <= -1.2815) continue;
    ASSERT_EQ(estimate.verdict, Verdict::estimated);
    double widest = 0;
    for (const std::size_t count : {std::size_t{30}, std::size_t{20}, std::size_t{10}}) {
      widest = std::max(widest, over_batches(slices, count).half_width);
    }
    EXPECT_NEAR(estimate.mean, over_batches(slices, 30).mean, 1e-12);
    EXPECT_NEAR(estimate.half_width, widest, 1e-12);
    EXPECT_NEAR(over_batches(slices, estimate.batches).half_width, widest, 1e-12);
    counts.insert(estimate.batches);
  }
  EXPECT_EQ(counts.size(), 3U);
}

TEST(BatchMeans, WeightsMakeItARatio) {
  std::vector<RatioSlice> slices;
  for (int i = 0; i < 120; ++i) {
    const double packets = i % 2 == 0 ? 1 : 3;
    slices.push_back({5 * packets, packets});
  }
  const BatchMeans estimate = batch_means(slices);
  EXPECT_EQ(estimate.verdict, Verdict::estimated);
  EXPECT_DOUBLE_EQ(estimate.mean, 5);
  EXPECT_NEAR(estimate.half_width, 0, 1e-12);
}

TEST(BatchMeans, CorrelatedSlicesGetWideIntervals) {
  // The variance of the mean of an autoregressive series is (1 / (1 - a))^2 that of its noise.
  const BatchMeans plain = batch_means(autoregressive(40'000, 0, 10));
  const BatchMeans correlated = batch_means(autoregressive(40'000, 0.95, 10));
  ASSERT_EQ(correlated.verdict, Verdict::estimated);
  EXPECT_NEAR(correlated.half_width / plain.half_width, 20, 8);
}

TEST(BatchMeans, TooShortForItsCorrelation) {
  const BatchMeans estimate = batch_means(autoregressive(400, 0.97, 100));
  EXPECT_EQ(estimate.verdict, Verdict::too_short);
  EXPECT_TRUE(std::isnan(estimate.half_width));
  EXPECT_NEAR(estimate.mean, 100, 2);
}

TEST(BatchMeans, TooFewSlices) {
  EXPECT_EQ(batch_means(autoregressive(39, 0, 10)).verdict, Verdict::too_short);
  EXPECT_EQ(batch_means(autoregressive(40, 0, 10)).verdict, Verdict::estimated);
  EXPECT_TRUE(std::isnan(batch_means({}).mean));
}

TEST(BatchMeans, DriftIsNotStationary) {
  std::vector<RatioSlice> slices = autoregressive(1'000, 0.3, 10);
  for (std::size_t i = 0; i < slices.size(); ++i) slices[i].sum += 0.01 * static_cast<double>(i);
  EXPECT_EQ(batch_means(slices).verdict, Verdict::not_stationary);
}

TEST(BatchMeans, StepIsNotStationary) {
  std::vector<RatioSlice> slices = autoregressive(1'000, 0, 10);
  for (std::size_t i = 600; i < slices.size(); ++i) slices[i].sum += 4;
  EXPECT_EQ(batch_means(slices).verdict, Verdict::not_stationary);
}

TEST(BatchMeans, SmallDriftHasNoInterval) {
  std::vector<RatioSlice> slices = autoregressive(1'000, 0, 10);
  for (std::size_t i = 0; i < slices.size(); ++i) slices[i].sum += 5e-4 * static_cast<double>(i);
  const BatchMeans estimate = batch_means(slices);
  EXPECT_EQ(estimate.verdict, Verdict::too_short);
  EXPECT_NEAR(estimate.mean, 10.25, 0.1);
}

TEST(BatchMeansSlow, CoverTheTruthAsOftenAsTheySay) {
  int covered = 0;
  int estimated = 0;
  constexpr std::uint32_t kRuns = 1'000;
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    const BatchMeans estimate = batch_means(autoregressive(8'000, 0.8, 10, run));
    if (estimate.verdict != Verdict::estimated) continue;
    ++estimated;
    if (std::abs(estimate.mean - 10) <= estimate.half_width) ++covered;
  }
  EXPECT_GT(estimated, 0.95 * kRuns);
  EXPECT_GT(covered, 0.93 * estimated);
  EXPECT_LT(covered, 0.985 * estimated);
}

struct Sum {
  int value = 0;
  void merge(const Sum& other) { value += other.value; }
};

TEST(CollapsingSlices, MergeNeighboursWhenFull) {
  CollapsingSlices<Sum> slices(4);
  for (int i = 1; i <= 3; ++i) EXPECT_FALSE(slices.push({i}));
  EXPECT_TRUE(slices.push({4}));
  ASSERT_EQ(slices.closed().size(), 2U);
  EXPECT_EQ(slices.closed()[0].value, 3);
  EXPECT_EQ(slices.closed()[1].value, 7);
  EXPECT_EQ(slices.scale(), 2);
  EXPECT_FALSE(slices.push({11}));
  EXPECT_TRUE(slices.push({15}));
  EXPECT_EQ(slices.closed()[0].value, 10);
  EXPECT_EQ(slices.closed()[1].value, 26);
  EXPECT_EQ(slices.scale(), 4);
}

TEST(CollapsingSlices, NeverTakeMoreMemory) {
  CollapsingSlices<Sum> slices(64);
  slices.push({1});
  const Sum* place = slices.closed().data();
  int slice = 0;
  for (int i = 1; i < 100'000; ++i) {
    if (++slice < slices.scale()) continue;
    slices.push({slice});
    slice = 0;
    ASSERT_LT(slices.closed().size(), 64U);
    ASSERT_TRUE(i < 32 || slices.closed().size() >= 32U);
  }
  EXPECT_EQ(slices.closed().data(), place);
  EXPECT_EQ(slices.closed().front().value, slices.scale());
  EXPECT_EQ(slices.closed().back().value, slices.scale());
  EXPECT_THROW(CollapsingSlices<Sum>(3), std::invalid_argument);
}

}  // namespace
}  // namespace weir::metrics
