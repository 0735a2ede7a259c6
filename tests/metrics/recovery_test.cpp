#include "weir/metrics/recovery.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weir::metrics {
namespace {

/// Bins of 1 ms; disturbed from 3 ms on; 0.95 for 3 ms.
std::optional<Recovery> recovery(const std::vector<double>& bins, RecoverySettings settings = {}) {
  if (settings.from == Time(0)) settings.from = milliseconds(3);
  return find_recovery(bins, milliseconds(1), milliseconds(static_cast<std::int64_t>(bins.size())),
                       settings);
}

TEST(Recovery, IsTheFirstBinOfAStretchThatLastsLongEnough) {
  //                                    3 ms           7             10
  const auto found = recovery({0.2, 0.8, 1.0, 0.9, 0.1, 0.3, 0.9, 0.86, 0.5, 0.8, 0.9, 0.9, 0.86});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->before, 0.9) << "1 to 3 ms";
  EXPECT_DOUBLE_EQ(found->low, 0.1);
  EXPECT_TRUE(found->is_recovered);
  EXPECT_EQ(found->time, milliseconds(7)) << "two good bins at 6 ms do not last";
}

TEST(Recovery, WithoutOneTimeIsAllThatWasSeen) {
  const auto found = recovery({0.9, 0.9, 0.9, 0.1, 0.2, 0.2, 0.9, 0.9});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_recovered) << "two bins at the end are not three";
  EXPECT_EQ(found->time, milliseconds(5));
}

TEST(Recovery, BinsAfterTheDisturbanceDoNotCount) {
  const std::vector<double> bins{0.9, 0.9, 0.9, 0.4, 0.3, 0.3, 0.9, 0.9, 0.9, 0.1};
  RecoverySettings settings{.from = milliseconds(3), .until = milliseconds(6)};
  auto found = recovery(bins, settings);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_recovered);
  EXPECT_EQ(found->time, milliseconds(3));
  EXPECT_DOUBLE_EQ(found->low, 0.3);
  settings.until = milliseconds(9);
  found = recovery(bins, settings);
  EXPECT_TRUE(found->is_recovered);
  EXPECT_EQ(found->time, milliseconds(3));
}

TEST(Recovery, NoDropTakesNoTime) {
  const auto found = recovery({0.9, 0.9, 0.9, 0.86, 0.9});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_recovered);
  EXPECT_EQ(found->time, Time(0));
  EXPECT_DOUBLE_EQ(found->low, 0.86);
}

TEST(Recovery, PartsOfBinsCountNeitherBeforeNorAfter) {
  RecoverySettings settings{.from = microseconds(3'400), .hold = milliseconds(1)};
  //                              1.4     3       4
  const auto found = recovery({0.0, 0.0, 0.9, 0.5, 0.2, 0.9, 0.9}, settings);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->before, 0.9) << "the bin at 2 ms only";
  EXPECT_DOUBLE_EQ(found->low, 0.2);
  EXPECT_EQ(found->time, microseconds(1'600));
  // The last bin of a run may be a part of one.
  const std::vector<double> bins{0.9, 0.9, 0.9, 0.9, 0.1};
  EXPECT_DOUBLE_EQ(
      find_recovery(bins, milliseconds(1), microseconds(4'500), {.from = milliseconds(3)})->low,
      0.9);
}

TEST(Recovery, NothingToCompareWith) {
  EXPECT_FALSE(recovery({0.9, 0.9, 0.9})) << "ends with the begin";
  EXPECT_FALSE(recovery({0.9, 0.9, 0.9}, {.from = microseconds(500)})) << "no whole bin before";
}

}  // namespace
}  // namespace weir::metrics
