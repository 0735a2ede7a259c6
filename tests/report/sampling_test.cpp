#include "weir/report/figure/sampling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace weir::report {
namespace {

metrics::Series series(std::vector<double> values) {
  return {{"efficiency", ""}, nanoseconds(5), nanoseconds(10), std::move(values)};
}

TEST(Sampling, ShortSeriesStayAsTheyAre) {
  const auto same = thinned(series({1, 2, 3, 4}), 4);
  EXPECT_EQ(same.values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(same.bin, nanoseconds(10));
}

TEST(Sampling, ExtremesStayInTheirOrder) {
  const auto half = thinned(series({5, 1, 7, 6, 2, 2, 0, 9}), 4);
  EXPECT_EQ(half.values, (std::vector<double>{1, 7, 0, 9}));
  EXPECT_EQ(half.bin, nanoseconds(20));
  EXPECT_EQ(half.start, nanoseconds(5));
  EXPECT_EQ(thinned(series({9, 0, 1, 2}), 2).values, (std::vector<double>{9, 0}));
}

TEST(Sampling, BinsInWhichNothingHappenedStayEmptyTogether) {
  const double none = std::nan("");
  const auto half = thinned(series({none, none, none, none, 3, none, none, 4}), 4);
  ASSERT_EQ(half.values.size(), 4U);
  EXPECT_TRUE(std::isnan(half.values[0]) && std::isnan(half.values[1]));
  EXPECT_EQ(half.values[2], 3);
  EXPECT_EQ(half.values[3], 4);
}

RC_GTEST_PROP(Sampling, LosesNeitherHighestNorLowest, (std::vector<double> values)) {
  const auto most = *rc::gen::inRange<std::size_t>(2, 40);
  RC_PRE(!values.empty());
  const auto kept = thinned(series(values), most);
  RC_ASSERT(kept.values.size() <= std::max<std::size_t>(most, 2));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto [kept_low, kept_high] = std::minmax_element(kept.values.begin(), kept.values.end());
  RC_ASSERT(*low == *kept_low);
  RC_ASSERT(*high == *kept_high);
  // All of the time is covered, and hardly more.
  const auto end = kept.bin * static_cast<std::int64_t>(kept.values.size());
  RC_ASSERT(end + kept.bin * 2 > nanoseconds(10) * static_cast<std::int64_t>(values.size()));
}

TEST(Sampling, BucketsKeepCountAndMean) {
  metrics::Histogram histogram;
  for (std::int64_t v = 0; v < 100; ++v) histogram.record(v, static_cast<std::uint64_t>(v + 1));
  const auto buckets = buckets_of(histogram, 10);
  ASSERT_EQ(buckets.size(), 10U);
  std::uint64_t count = 0;
  double sum = 0;
  for (const auto& [middle, times] : buckets) {
    count += times;
    sum += middle * static_cast<double>(times);
  }
  EXPECT_EQ(count, histogram.count());
  EXPECT_NEAR(sum / static_cast<double>(count), histogram.mean(), 1e-9);
  EXPECT_TRUE(buckets_of(metrics::Histogram(), 10).empty());
}

TEST(Sampling, SixDigits) {
  EXPECT_EQ(rounded(0.123456789), 0.123457);
  EXPECT_EQ(rounded(-12345678.0), -12345700.0);
  EXPECT_DOUBLE_EQ(rounded(1.5e-20), 1.5e-20);
  EXPECT_EQ(rounded(0), 0);
  EXPECT_EQ(rounded(999999.7), 1e6);
  EXPECT_TRUE(std::isnan(rounded(std::nan(""))));
}

}  // namespace
}  // namespace weir::report
