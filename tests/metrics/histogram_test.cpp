#include "weir/metrics/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::metrics {
namespace {

TEST(Histogram, IsEmptyAtFirst) {
  const Histogram h;
  EXPECT_TRUE(h.empty());
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.minimum(), 0);
  EXPECT_EQ(h.maximum(), 0);
  EXPECT_EQ(h.percentile(50), 0);
}

TEST(Histogram, IsExactForSmallValues) {
  Histogram h;
  for (int v = 1; v <= 100; ++v) h.record(v);
  EXPECT_EQ(h.percentile(0), 1);
  EXPECT_EQ(h.percentile(50), 50);
  EXPECT_EQ(h.percentile(90), 90);
  EXPECT_EQ(h.percentile(99), 99);
  EXPECT_EQ(h.percentile(100), 100);
  EXPECT_DOUBLE_EQ(h.mean(), 50.5);
}

/// Beyond the whole numbers that a double holds, too.
TEST(Histogram, HasTheSameSumInWhateverOrderValuesCome) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 55;
  Histogram up;
  Histogram down;
  Histogram halves;
  Histogram other;
  up.record(kLarge);
  for (int i = 0; i < 1'000; ++i) {
    up.record(1);
    down.record(1);
    (i % 2 == 0 ? halves : other).record(1);
  }
  down.record(kLarge);
  halves.record(kLarge);
  halves.merge(other);
  EXPECT_EQ(up.stored().sum, static_cast<double>(kLarge + 1'000));
  EXPECT_EQ(up.stored(), down.stored());
  EXPECT_EQ(up.stored(), halves.stored());
}

TEST(Histogram, KeepsExtremesAndMeanExact) {
  Histogram h;
  h.record(1'000'000'007);
  h.record(3, 3);
  EXPECT_EQ(h.minimum(), 3);
  EXPECT_EQ(h.maximum(), 1'000'000'007);
  EXPECT_EQ(h.percentile(100), 1'000'000'007);
  EXPECT_DOUBLE_EQ(h.mean(), (1'000'000'007 + 9) / 4.0);
  EXPECT_EQ(h.count(), 4U);
}

TEST(Histogram, TakesTheWholeRange) {
  Histogram h;
  h.record(0);
  h.record(-5);
  h.record(INT64_MAX);
  EXPECT_EQ(h.minimum(), 0);
  EXPECT_EQ(h.maximum(), INT64_MAX);
}

TEST(Histogram, BucketsTileTheNumbers) {
  for (std::size_t b = 0; b + 1 < Histogram::bucket_of(INT64_MAX); ++b) {
    const std::int64_t low = Histogram::lower_bound(b);
    const std::int64_t next = Histogram::lower_bound(b + 1);
    ASSERT_LT(low, next);
    ASSERT_EQ(Histogram::bucket_of(low), b);
    ASSERT_EQ(Histogram::bucket_of(next - 1), b);
    if (low >= 128) {
      ASSERT_LE(static_cast<double>(next - low), static_cast<double>(low) / 128);
    }
  }
}

RC_GTEST_PROP(Histogram, PercentilesAreWithinOnePercentOfSortedValues, ()) {
  auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::inRange<std::int64_t>(0, 10'000'000'000)));
  Histogram h;
  for (const auto v : values) h.record(v);
  std::sort(values.begin(), values.end());
  for (const double percent : {1.0, 50.0, 90.0, 99.0}) {
    const auto rank = static_cast<std::size_t>(
        std::max(1.0, std::ceil(percent / 100 * static_cast<double>(values.size()) - 1e-9)));
    const auto exact = static_cast<double>(values[rank - 1]);
    RC_ASSERT(std::abs(h.percentile(percent) - exact) <= 0.01 * exact);
  }
}

RC_GTEST_PROP(Histogram, MergingIsRecordingBoth, ()) {
  const auto range =
      rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1'000'000));
  const auto a = *range;
  const auto b = *range;
  Histogram first;
  Histogram second;
  Histogram both;
  for (const auto v : a) first.record(v), both.record(v);
  for (const auto v : b) second.record(v), both.record(v);
  first.merge(second);
  RC_ASSERT(first.stored() == both.stored());
}

TEST(Histogram, ComesBackFromStorage) {
  Histogram h;
  for (std::int64_t v = 1; v < 1'000'000'000; v *= 3)
    h.record(v, static_cast<std::uint64_t>(v % 7 + 1));
  const Histogram back = Histogram::restore(h.stored());
  EXPECT_EQ(back.stored(), h.stored());
  EXPECT_EQ(back.count(), h.count());
  EXPECT_EQ(back.percentile(99), h.percentile(99));
  EXPECT_TRUE(Histogram::restore(Histogram().stored()).empty());
  Histogram::Stored wrong;
  wrong.buckets.emplace_back(1'000'000, 1);
  EXPECT_THROW(Histogram::restore(wrong), std::invalid_argument);
}

}  // namespace
}  // namespace weir::metrics
