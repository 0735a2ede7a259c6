#include "weir/vl_sharing/lane_lender.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::vl_sharing {
namespace {

TEST(LaneLender, LendsIdleLanesInTurnAndTakesThemBack) {
  LaneLender lender({false, false, true, true});
  lender.update(0, 5, 2);
  EXPECT_EQ(lender.lanes(0), 2U);
  EXPECT_EQ(lender.borrower(2), 0U);
  lender.update(0, 9, 3);
  EXPECT_EQ(lender.lanes(0), 3U);
  EXPECT_EQ(lender.borrower(3), 0U);
  lender.update(1, 5, 2);  // nothing is left
  EXPECT_EQ(lender.lanes(1), 1U);
  ASSERT_EQ(lender.waiting().size(), 1U);
  lender.update(0, 8, 2);  // the newest goes back, and on to the one who waits
  EXPECT_EQ(lender.lanes(0), 2U);
  EXPECT_EQ(lender.borrower(3), 1U);
  EXPECT_TRUE(lender.waiting().empty());
  lender.update(0, 0, 1);
  lender.update(1, 0, 1);
  for (const std::size_t vl : {2U, 3U}) EXPECT_FALSE(lender.borrower(vl).has_value());
}

TEST(LaneLender, DoesNotLendLanesWithPacketsOrThatBorrow) {
  LaneLender lender({true, true, true});
  lender.update(2, 1, 1);
  lender.update(0, 5, 2);
  EXPECT_EQ(lender.borrower(1), 0U);
  lender.update(0, 9, 3);
  EXPECT_FALSE(lender.borrower(2).has_value()) << "it has packets of its own";
  lender.update(1, 3, 1);  // its own packets wait until it is returned
  EXPECT_EQ(lender.lanes(1), 0U);
  lender.update(2, 0, 1);
  EXPECT_EQ(lender.borrower(2), 0U) << "idle now: to the one who waits";
  lender.update(0, 1, 1);
  EXPECT_EQ(lender.lanes(1), 1U);
}

TEST(LaneLender, WaitingIsFirstComeFirstServed) {
  LaneLender lender({false, false, false, true});
  lender.update(2, 1, 2);
  lender.update(0, 1, 2);
  lender.update(1, 1, 2);
  lender.update(0, 2, 2);
  EXPECT_EQ(lender.waiting(), (std::deque<std::size_t>{0, 1}));
  lender.update(2, 0, 1);
  EXPECT_EQ(lender.borrower(3), 0U);
  lender.update(0, 0, 1);
  EXPECT_EQ(lender.borrower(3), 1U);
}

TEST(LaneLender, AskingWhileTheOwnLaneIsLentKeepsTheTurn) {
  LaneLender lender({true, true, true});
  lender.update(2, 5, 1);
  lender.update(0, 5, 2);
  ASSERT_EQ(lender.borrower(1), 0U);
  lender.update(1, 6, 2);  // its own lane is away
  EXPECT_EQ(lender.waiting(), (std::deque<std::size_t>{1}));
  lender.update(2, 0, 1);
  EXPECT_FALSE(lender.borrower(2).has_value()) << "one that has lent its lane does not borrow";
  lender.update(0, 0, 1);
  EXPECT_EQ(lender.lanes(1), 2U) << "its lane is back, and what it waited for comes with it";
  EXPECT_TRUE(lender.waiting().empty());
}

TEST(LaneLender, WhoNoLongerLacksALaneLeavesTheLine) {
  LaneLender lender({false, false, false, true});
  lender.update(2, 1, 2);
  lender.update(0, 1, 2);
  lender.update(1, 1, 2);
  lender.update(1, 1, 1);  // not the first in line
  EXPECT_EQ(lender.waiting(), (std::deque<std::size_t>{0}));
}

TEST(LaneLender, PoolsShareALineButNoLanes) {
  LaneLender lender({false, true, false, true}, {1, 1, 0, 0});
  lender.update(0, 5, 3);
  EXPECT_EQ(lender.lanes(0), 2U);
  EXPECT_EQ(lender.borrower(1), 0U);
  EXPECT_FALSE(lender.borrower(3)) << "VL 0 lacks a lane, but not of that pool";
  EXPECT_EQ(lender.waiting(), (std::deque<std::size_t>{0}));
  lender.update(2, 5, 2);
  EXPECT_EQ(lender.borrower(3), 2U) << "who waits for the other pool holds up nobody";
  lender.check();
  lender.update(2, 0, 1);
  EXPECT_FALSE(lender.borrower(3));
  lender.check();
}

RC_GTEST_PROP(LaneLender, KeepsItsBooks, ()) {
  const auto vls = static_cast<std::size_t>(*rc::gen::inRange(1, 7));
  std::vector<bool> may_lend(vls);
  for (std::size_t vl = 0; vl < vls; ++vl) may_lend[vl] = *rc::gen::arbitrary<bool>();
  std::vector<int> pools(vls);
  for (int& pool : pools) pool = *rc::gen::inRange(0, 2);
  LaneLender lender(may_lend, pools);
  for (int step = 0; step < 50; ++step) {
    const auto vl = *rc::gen::inRange<std::size_t>(0, vls);
    const std::int64_t packets = *rc::gen::inRange(0, 12);
    lender.update(vl, packets, packets == 0 ? 1U : static_cast<std::size_t>(packets / 4 + 1));
    lender.check();
  }
  for (std::size_t vl = 0; vl < vls; ++vl) lender.update(vl, 0, 1);
  lender.check();
  for (std::size_t vl = 0; vl < vls; ++vl) RC_ASSERT(lender.lanes(vl) == 1U);
  RC_ASSERT(lender.waiting().empty());
}

}  // namespace
}  // namespace weir::vl_sharing
