#include "weir/metrics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "weir/metrics/time_series.hpp"

namespace weir::metrics {
namespace {

TEST(Statistics, OfNothingIsNotANumber) {
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(minimum({})));
  EXPECT_TRUE(std::isnan(jain_fairness({})));
}

TEST(Statistics, MeanAndExtremes) {
  const std::vector<double> values{4, 1, 7};
  EXPECT_DOUBLE_EQ(mean(values), 4);
  EXPECT_DOUBLE_EQ(minimum(values), 1);
  EXPECT_DOUBLE_EQ(maximum(values), 7);
}

TEST(Statistics, JainIsOneForEqualsAndOneNthForASingleWinner) {
  EXPECT_DOUBLE_EQ(jain_fairness(std::vector<double>{3, 3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(jain_fairness(std::vector<double>{5, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_fairness(std::vector<double>{0, 0}), 1);
  EXPECT_DOUBLE_EQ(jain_fairness(std::vector<double>{1, 2, 3}), 36.0 / (3 * 14));
}

TEST(TimeBins, FindsBinsForwardsAndBackwards) {
  TimeBins bins(nanoseconds(10));
  EXPECT_EQ(bins.at(Time(0)), 0U);
  EXPECT_EQ(bins.at(picoseconds(9'999)), 0U);
  EXPECT_EQ(bins.at(nanoseconds(10)), 1U);
  EXPECT_EQ(bins.at(nanoseconds(75)), 7U);
  EXPECT_EQ(bins.at(nanoseconds(9)), 0U);
}

TEST(TimeBins, TheLastBinMayBeShort) {
  const TimeBins bins(nanoseconds(10));
  EXPECT_EQ(bins.count(nanoseconds(20)), 2U);
  EXPECT_EQ(bins.count(nanoseconds(25)), 3U);
  EXPECT_EQ(bins.length(1, nanoseconds(25)), nanoseconds(10));
  EXPECT_EQ(bins.length(2, nanoseconds(25)), nanoseconds(5));
  EXPECT_EQ(bins.length(3, nanoseconds(25)), Time(0));
}

}  // namespace
}  // namespace weir::metrics
