#include "weir/experiment/run/saturation_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace weir::experiment {
namespace {

/// A network that delivers up to `capacity` and not more.
auto ideal(double capacity) {
  return [capacity](double load) -> std::optional<SaturationProbe> {
    return SaturationProbe{load, std::min(load, capacity)};
  };
}

TEST(SaturationSearch, FindsTheCapacityToOneHundredthInTwelveRuns) {
  for (int k = 1; k <= 995; ++k) {
    const double capacity = k / 1000.0;
    const auto found = search_saturation({}, ideal(capacity));
    ASSERT_TRUE(found);
    EXPECT_LE(found->probes.size(), SaturationRange::kMostProbes);
    EXPECT_LE(std::abs(found->load - capacity), 0.0051) << capacity;
    // Beside the ends of the range there is nothing to compare with.
    if (k > 15 && k < 990) {
      EXPECT_EQ(found->verdict, SaturationVerdict::found) << capacity;
    }
  }
}

TEST(SaturationSearch, CountsItsRunsBeforehand) {
  EXPECT_EQ(SaturationRange{}.probes(), 8U);
  EXPECT_EQ((SaturationRange{0, 1, 0.5}.probes()), 2U);
  EXPECT_EQ((SaturationRange{0.2, 0.5, 0.1}.probes()), 3U);
  EXPECT_EQ((SaturationRange{0, 1, 2}.probes()), 1U);
  EXPECT_EQ((SaturationRange{0, 1, 1.0 / 2048}.probes()), 12U);
  EXPECT_EQ((SaturationRange{0, 1, 1.0 / 2049}.probes()), 13U);
}

TEST(SaturationSearch, SaysWhenEverythingIsDelivered) {
  const auto found = search_saturation({0, 0.8, 0.01}, ideal(0.9));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->verdict, SaturationVerdict::above_range);
  EXPECT_EQ(found->load, 0.8);
  EXPECT_EQ(found->probes.size(), 1U);
  EXPECT_EQ(found->sustained, 0U);
}

TEST(SaturationSearch, SaysWhenNothingIsDelivered) {
  const auto found = search_saturation({0.3, 1, 0.01}, ideal(0.1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->verdict, SaturationVerdict::at_lowest_load);
  EXPECT_FALSE(found->sustained);
  EXPECT_NEAR(found->load, 0.3, 0.01);
}

TEST(SaturationSearch, KeepsTheHighestLoadThatWasDelivered) {
  const auto found = search_saturation({}, ideal(0.586));
  ASSERT_TRUE(found && found->sustained);
  const double sustained = found->probes[*found->sustained].load;
  for (const SaturationProbe& probe : found->probes) {
    if (probe.load - probe.delivered <= 0.005) {
      EXPECT_LE(probe.load, sustained);
    }
  }
}

TEST(SaturationSearch, EndsWhenItIsTold) {
  int asked = 0;
  const auto found = search_saturation({}, [&](double load) -> std::optional<SaturationProbe> {
    if (++asked == 3) return std::nullopt;
    return SaturationProbe{load, 0};
  });
  EXPECT_FALSE(found);
  EXPECT_EQ(asked, 3);
}

TEST(SaturationSearch, RefusesRangesThatTwelveRunsCannotCover) {
  EXPECT_THROW((void)search_saturation({0, 1, 1e-4}, ideal(1)), std::invalid_argument);
  EXPECT_THROW((void)search_saturation({0.5, 0.5, 0.01}, ideal(1)), std::invalid_argument);
  EXPECT_THROW((void)search_saturation({0, 1, 0}, ideal(1)), std::invalid_argument);
}

RC_GTEST_PROP(SaturationSearch, NoTwoRunsHaveTheSameLoad, ()) {
  const double capacity = *rc::gen::inRange(0, 1200) / 1000.0;
  const double resolution = *rc::gen::inRange(1, 300) / 1000.0;
  const auto found = search_saturation({0, 1, resolution}, ideal(capacity));
  RC_ASSERT(found.has_value());
  std::vector<double> loads;
  for (const SaturationProbe& probe : found->probes) loads.push_back(probe.load);
  std::sort(loads.begin(), loads.end());
  RC_ASSERT(std::adjacent_find(loads.begin(), loads.end()) == loads.end());
  RC_ASSERT(loads.size() <= (SaturationRange{0, 1, resolution}.probes()));
}

}  // namespace
}  // namespace weir::experiment
