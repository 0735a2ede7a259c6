// Memory that classes share: by hand, and beside a naive reckoning that looks at all classes each
// time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/fabric/shared_pools.hpp"

namespace weir::fabric::testing::shared_pools_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint32_t> listed(std::span<const std::uint32_t> classes) {
  return {classes.begin(), classes.end()};
}

SharedPools two_classes(const SharedPools::Rules& rules, std::int64_t bytes) {
  SharedPools pools(rules, 2);
  pools.add(0, 2, bytes);
  return pools;
}

// A class may have as much as is free: half of the pool when it is alone.
TEST(SharedPools, DynamicThresholdLeavesMemoryFree) {
  SharedPools::Rules rules;
  rules.hysteresis = 200;
  SharedPools pools = two_classes(rules, 1'000);
  EXPECT_THAT(pools.come(0, 500), IsEmpty());
  EXPECT_EQ(pools.free_for(0), 500);
  // 501 of 1000 would leave 499.
  EXPECT_THAT(pools.come(0, 1), ElementsAre(0));
  EXPECT_EQ(pools.headroom_used(0), 1);
  EXPECT_EQ(pools.free_for(0), 500);
  // 400 may have 400, but 200 less than the threshold of 600 is the first that lets it go.
  EXPECT_THAT(pools.leave(0, 1), IsEmpty());
  EXPECT_THAT(pools.leave(0, 99), IsEmpty());
  EXPECT_THAT(pools.leave(0, 1), ElementsAre(0));
  EXPECT_EQ(pools.free_for(0), 600);
}

// Class 0 stands still with 400, which is all right beside 600 that are free. Class 1 takes 201:
// 399 are left, and class 0 has too much. When class 1 has gone 400 is below the threshold again.
TEST(SharedPools, ThresholdThatFallsStopsWhoStandsStill) {
  SharedPools pools = two_classes({}, 1'000);
  EXPECT_THAT(pools.come(0, 400), IsEmpty());
  EXPECT_THAT(pools.come(1, 200), IsEmpty());
  EXPECT_THAT(pools.come(1, 1), ElementsAre(0));
  EXPECT_EQ(pools.headroom_used(0), 0);
  EXPECT_FALSE(pools.is_stopped(1));
  // What is on its way to class 0 takes nothing from class 1.
  EXPECT_THAT(pools.come(0, 70), IsEmpty());
  EXPECT_EQ(pools.free_for(0), 399);
  EXPECT_THAT(pools.leave(1, 1), IsEmpty());  // 400 are free, but the headroom is not empty
  EXPECT_THAT(pools.leave(0, 70), ElementsAre(0));
}

// The reservation is filled first and counts for nobody else.
TEST(SharedPools, ReservationIsNotShared) {
  SharedPools::Rules rules;
  rules.reserved = 300;
  SharedPools pools = two_classes(rules, 100);
  EXPECT_THAT(pools.come(0, 350), IsEmpty());
  EXPECT_EQ(pools.free_for(0), 50);
  EXPECT_THAT(pools.come(1, 300), IsEmpty());
  EXPECT_THAT(pools.come(1, 26), ElementsAre(1));  // 26 of 100 where 24 would be left
}

// A class that has nothing of the shared memory may always go.
TEST(SharedPools, EmptyClassGoesWhateverOthersHold) {
  SharedPools::Rules rules;
  rules.is_dynamic = false;
  SharedPools pools = two_classes(rules, 1'000);
  EXPECT_THAT(pools.come(0, 1'000), IsEmpty());
  EXPECT_THAT(pools.come(1, 10), ElementsAre(1));
  EXPECT_THAT(pools.leave(1, 10), ElementsAre(1));
}

// A static threshold of all: the pool runs out, and 100 have to be free before the class goes on.
TEST(SharedPools, StaticThresholdWaitsForRoom) {
  SharedPools::Rules rules;
  rules.is_dynamic = false;
  rules.hysteresis = 100;
  SharedPools pools = two_classes(rules, 1'000);
  EXPECT_THAT(pools.come(1, 500), IsEmpty());
  EXPECT_THAT(pools.come(0, 500), IsEmpty());
  EXPECT_THAT(pools.come(0, 1), ElementsAre(0));
  EXPECT_THAT(pools.leave(0, 1), IsEmpty());
  EXPECT_THAT(pools.leave(1, 99), IsEmpty());
  EXPECT_THAT(pools.leave(1, 1), ElementsAre(0));
}

// Stop and go: stopped above three quarters of what is free, on at a half of it.
TEST(SharedPools, SharesOfTheThreshold) {
  SharedPools::Rules rules;
  rules.stop = 0.75;
  rules.go = 0.5;
  SharedPools pools = two_classes(rules, 700);
  EXPECT_THAT(pools.come(0, 300), IsEmpty());  // 300 = 3/4 of 400
  EXPECT_THAT(pools.come(0, 4), ElementsAre(0));
  EXPECT_THAT(pools.leave(0, 4), IsEmpty());
  EXPECT_THAT(pools.leave(0, 66), IsEmpty());      // 234 of 466
  EXPECT_THAT(pools.leave(0, 2), ElementsAre(0));  // 232 of 468
}

/// The rules once more, without bounds: every class is looked at each time.
class Naive {
 public:
  struct One {
    std::int64_t fill = 0;
    std::int64_t base = 0;
    bool is_stopped = false;
  };
  Naive(const SharedPools::Rules& rules, std::size_t classes, std::int64_t bytes)
      : all(classes), rules_(rules), bytes_(bytes) {}

  [[nodiscard]] std::int64_t free() const {
    std::int64_t bytes = bytes_;
    for (const One& one : all) bytes -= above(one.base);
    return bytes;
  }
  std::vector<std::uint32_t> come(std::size_t i, std::int64_t bytes) {
    std::vector<std::uint32_t> stopped;
    One& one = all[i];
    one.fill += bytes;
    if (one.is_stopped) return stopped;
    const std::int64_t before = one.base;
    one.base = one.fill;
    if (free() < 0 || above(one.base) > threshold(rules_.stop)) {
      one.base = before;
      one.is_stopped = true;
      return {static_cast<std::uint32_t>(i)};
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].is_stopped || above(all[k].base) <= threshold(rules_.stop)) continue;
      all[k].is_stopped = true;
      stopped.push_back(static_cast<std::uint32_t>(k));
    }
    return stopped;
  }
  std::vector<std::uint32_t> leave(std::size_t i, std::int64_t bytes) {
    std::vector<std::uint32_t> gone;
    all[i].fill -= bytes;
    all[i].base = std::min(all[i].base, all[i].fill);
    for (std::size_t k = 0; k < all.size(); ++k) {
      One& one = all[k];
      if (!one.is_stopped || one.fill > one.base) continue;
      const std::int64_t go = threshold(rules_.go) - rules_.hysteresis;
      const bool has_room = rules_.is_dynamic || threshold(rules_.stop) - go <= free();
      if (above(one.base) != 0 && (above(one.base) > go || !has_room)) continue;
      one.is_stopped = false;
      gone.push_back(static_cast<std::uint32_t>(k));
    }
    return gone;
  }
  std::vector<One> all;

 private:
  [[nodiscard]] std::int64_t above(std::int64_t bytes) const {
    return std::max<std::int64_t>(0, bytes - rules_.reserved);
  }
  [[nodiscard]] std::int64_t threshold(double share) const {
    return static_cast<std::int64_t>(share *
                                     static_cast<double>(rules_.is_dynamic ? free() : bytes_));
  }
  SharedPools::Rules rules_;
  std::int64_t bytes_;
};

// Classes 2 to n + 1 are the pool; those beside it are another one that stays as it is.
RC_GTEST_PROP(SharedPools, DecideAsWhoLooksAtAllClasses, ()) {
  SharedPools::Rules rules;
  rules.reserved = *rc::gen::element<std::int64_t>(0, 0, 50, 200);
  rules.is_dynamic = *rc::gen::arbitrary<bool>();
  const double share = rules.is_dynamic ? *rc::gen::element(0.0625, 0.5, 1.0, 3.0, 8.0)
                                        : *rc::gen::element(0.25, 0.7, 1.0);
  rules.stop = share * *rc::gen::element(0.75, 1.0);
  rules.go = rules.stop * *rc::gen::element(0.5, 1.0);
  rules.hysteresis = *rc::gen::element<std::int64_t>(0, 1, 100);
  const auto classes = static_cast<std::size_t>(*rc::gen::inRange(1, 7));
  const auto bytes = static_cast<std::int64_t>(*rc::gen::inRange(0, 2'000));
  SharedPools pools(rules, classes + 3);
  pools.add(0, 2, 777);
  pools.add(2, classes + 2, bytes);
  Naive naive(rules, classes, bytes);
  std::vector<std::vector<std::int64_t>> held(classes);
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 1'000), rc::gen::inRange(1, 150)));
  const auto shifted = [](std::vector<std::uint32_t> all) {
    for (std::uint32_t& one : all) one += 2;
    return all;
  };
  for (const auto& [what, size] : steps) {
    const std::size_t i = static_cast<std::size_t>(what) % classes;
    // More comes than goes, so that the pool fills; a few leaves in a row empty it.
    if (what % 5 < 3 || held[i].empty()) {
      held[i].push_back(size);
      RC_ASSERT(listed(pools.come(i + 2, size)) == shifted(naive.come(i, size)));
    } else {
      for (int k = 0; k < 3 && !held[i].empty(); ++k) {
        const std::int64_t gone = held[i].front();
        held[i].erase(held[i].begin());
        RC_ASSERT(listed(pools.leave(i + 2, gone)) == shifted(naive.leave(i, gone)));
      }
    }
    RC_ASSERT(pools.free_for(2) == naive.free());
    RC_ASSERT(pools.free_for(2) >= 0);
    for (std::size_t k = 0; k < classes; ++k) {
      RC_ASSERT(pools.is_stopped(k + 2) == naive.all[k].is_stopped);
      RC_ASSERT(pools.headroom_used(k + 2) == naive.all[k].fill - naive.all[k].base);
      RC_ASSERT(pools.is_stopped(k + 2) || pools.headroom_used(k + 2) == 0);
    }
  }
  // Whatever is held goes: nobody waits for ever.
  for (std::size_t i = 0; i < classes; ++i) {
    for (const std::int64_t gone : held[i]) pools.leave(i + 2, gone);
  }
  for (std::size_t k = 0; k < classes; ++k) RC_ASSERT(!pools.is_stopped(k + 2));
  RC_ASSERT(pools.free_for(2) == bytes);
  RC_ASSERT(pools.free_for(0) == 777);
}

}  // namespace
}  // namespace weir::fabric::testing::shared_pools_test
