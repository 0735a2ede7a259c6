// The most of something at one moment, in one part of a network and over several.
#include "weir/fabric/parallel/peak.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weir/base/random.hpp"

namespace weir::fabric {
namespace {

TEST(Peak, CountsWhatIsThereWhenAnInstantIsOver) {
  Peak peak;
  peak.change(5, 10);
  peak.change(-3, 10);
  EXPECT_EQ(peak.most(), 2);
  peak.change(-2, 20);
  peak.change(3, 20);
  EXPECT_EQ(peak.level(), 3);
  EXPECT_EQ(peak.most(), 3);
  peak.change(-3, 30);
  EXPECT_EQ(peak.most(), 3);
}

TEST(Peak, OfSharesIsNotTheSumOfTheirs) {
  Peak one;
  Peak two;
  Peaks peaks;
  std::vector<Peak*> parts{&one};
  peaks.add(parts);
  parts = {&two};
  peaks.add(parts);
  one.change(4, 10);
  one.change(-4, 20);
  two.change(5, 20);
  peaks.merge_all();
  EXPECT_EQ(one.most(), 5);
  two.change(1, 30);
  one.change(2, 30);
  peaks.merge_all();
  EXPECT_EQ(one.most(), 8);
  EXPECT_EQ(two.most(), 0) << "the first one tells";
}

TEST(Peak, OfPartsIsThatOfTheWhole) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, 0, StreamPurpose::test);
    const std::size_t count = 1 + random.below(4);
    Peak whole;
    std::vector<Peak> shares(count);
    Peaks peaks;
    for (Peak& share : shares) {
      std::vector<Peak*> part{&share};
      peaks.add(part);
    }
    std::int64_t now = 0;
    for (int i = 0; i < 2'000; ++i) {
      if (random.below(3) == 0) {
        if (random.below(20) == 0) peaks.merge_all();
        if (random.below(2) == 0) peaks.merge_some(now + 1);
        // As where some parts have gone further than others.
        if (random.below(20) == 0)
          peaks.merge_all(nullptr, now - static_cast<std::int64_t>(random.below(40)));
        now += 1 + static_cast<std::int64_t>(random.below(5));
      }
      Peak& share = shares[random.below(count)];
      const auto by = static_cast<std::int64_t>(random.below(9)) - 4;
      if (share.level() + by < 0) continue;
      share.change(by, now);
      whole.change(by, now);
    }
    peaks.merge_all();
    EXPECT_EQ(shares.front().most(), whole.most()) << seed;
  }
}

}  // namespace
}  // namespace weir::fabric
