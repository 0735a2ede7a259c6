#include "weir/queueing/lane_lender.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weir/base/error.hpp"
#include "weir/queueing/lane_simulation.hpp"

namespace weir::queueing {
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

RC_GTEST_PROP(LaneLender, KeepsItsBooks, ()) {
  const auto vls = static_cast<std::size_t>(*rc::gen::inRange(1, 7));
  std::vector<bool> may_lend(vls);
  for (std::size_t vl = 0; vl < vls; ++vl) may_lend[vl] = *rc::gen::arbitrary<bool>();
  LaneLender lender(may_lend);
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

double mean(const std::vector<SimulatedMeasure>& all, const std::string& metric) {
  Slice sum;
  for (const SimulatedMeasure& one : all) {
    if (one.metric != metric || !one.label.empty()) continue;
    for (const Slice& slice : one.slices) {
      sum.sum += slice.sum;
      sum.weight += slice.weight;
    }
  }
  return sum.sum / sum.weight;
}

LaneSharing four_lanes(double others) {
  return {{4, others, 0, 0}, {false, false, true, true}, 5, 7, {8, 16, 24}, 8, {4, 4}};
}

// infiniband-queueing 5.4, case (i): nobody else wants the shared lanes.
TEST(LaneSimulation, IsTheModelWhereOthersAreSilent) {
  const LaneSharing sharing = four_lanes(0);
  const auto all = *simulate(sharing, {1, 1'000'000});
  const QueueMeasures model = sharing.without_others().solve();
  EXPECT_LT(error_measure(mean(all, "queue_length"), model.mean_length), .02);
  EXPECT_LT(error_measure(mean(all, "response_time"), model.response_time), .02);
  EXPECT_NEAR(mean(all, "blocking_probability"), model.blocking, 3e-4);
  EXPECT_EQ(mean(all, "lane_wait"), 0);
}

// Case (ii): another VL borrows the same lanes.
TEST(LaneSimulation, OthersCostLanes) {
  const auto alone = *simulate(four_lanes(0), {1, 400'000});
  const auto beside = *simulate(four_lanes(7), {1, 400'000});
  EXPECT_GT(mean(beside, "lane_wait"), .01);
  EXPECT_GT(mean(beside, "queue_length"), mean(alone, "queue_length"));
  EXPECT_GT(mean(beside, "blocking_probability"), mean(alone, "blocking_probability"));
}

TEST(LaneSimulation, SaysWhatIsWrong) {
  LaneSharing sharing = four_lanes(0);
  sharing.arrival_rates[1] = -1;
  EXPECT_THROW(sharing.check(), InputError);
  sharing = four_lanes(0);
  sharing.thresholds = {4, 9};
  EXPECT_THROW(sharing.check(), InputError);
}

}  // namespace
}  // namespace weir::queueing
