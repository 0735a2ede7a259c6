// How congestion trees form (lippens2010, section 3). Times
// are those of the fluid model of 3.3, in us: a queue that grows by g B/ns needs 4096 / g to be
// found by a mechanism and 32768 / g to fill its memory. An output is a root for the tracker when
// more than 8192 B wait for it, at ingress and egress together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/run/tree_run.hpp"

namespace weir::experiment::tree_formation_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::IsSupersetOf;
using ::testing::Not;
using Names = TreeRun::Names;
using Kind = fabric::SetAsideEvent::Kind;

constexpr Kind kAllocated = fabric::SetAsideEvent::allocated;
constexpr Kind kReleased = fabric::SetAsideEvent::released;
constexpr Kind kDetected = fabric::SetAsideEvent::detected;

class StaticTreeFormation : public ::testing::TestWithParam<const char*> {};
class SetAsideTreeFormation : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static bool is_basic() { return std::string(GetParam()) == "RECN"; }
};
INSTANTIATE_TEST_SUITE_P(Slow, StaticTreeFormation, ::testing::Values("FIFO", "VOQsw"),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Slow, SetAsideTreeFormation,
                         ::testing::Values("RECN", "enhanced RECN", "FBICM"), case_test_name);

// --- T1: five flows meet only at the root, 1.5 times what its link carries

// The root's egress grows by 0.5 and is full at 65.5 us; then each of c2 to c5 has 0.1 too much:
// their part of the root's ingress is full 327.7 us later, their own egress and ingress after as
// much each.
TEST_P(StaticTreeFormation, TraditionalTreeGrowsFromRootToLeaves) {
  const TreeRun run("t1-traditional", GetParam());
  expect_at(run.first_root("root[5]"), 16.4, 2);
  EXPECT_EQ(run.roots(us(0), us(1190)), Names{"root[5]"});
  const Names links{"c2[1]", "c3[1]", "c4[1]", "c5[1]"};
  const Names hosts{"f2", "f3", "f4", "f5"};
  for (const std::string& link : links)
    EXPECT_THAT(run.branches("root[5]", us(385), 1), Not(Contains(link)));
  EXPECT_THAT(run.branches("root[5]", us(402), 1), IsSupersetOf(links));
  for (const std::string& host : hosts)
    EXPECT_THAT(run.branches("root[5]", us(1040), 2), Not(Contains(host)));
  EXPECT_THAT(run.branches("root[5]", us(1062), 2), IsSupersetOf(hosts));
  expect_all_released(run);
}

TEST(TreeFormationSlow, VictimOfTraditionalTreeSuffersWithOneQueue) {
  const TreeRun run("t1-traditional", "FIFO");
  EXPECT_NEAR(run.rate("hot", us(200), us(1190)), 1, 0.01);
  EXPECT_LT(run.rate("victim", us(800), us(1190)), 0.4);
}

// Found at the root's egress after 8.2 us. Upstream only when the root's ingress queues exceed 1024
// B, at 75.8 us; then hop by hop.
TEST_P(SetAsideTreeFormation, FollowsTraditionalTreeFromRootToLeaves) {
  const TreeRun run("t1-traditional", GetParam());
  expect_at(run.first(kDetected, "root[5]"), 8.19, 0.8);
  EXPECT_THAT(run.notes(kDetected), Each(AllOf(Field(&SetAsideNote::root, "root[5]"),
                                               Field(&SetAsideNote::side, "root[5] out"))));
  EXPECT_EQ(run.line_roots(us(0), us(10'000)), Names{"root[5]"});
  for (const int flow : {2, 3, 4, 5}) {
    const std::string chain = "c" + std::to_string(flow);
    const std::vector<std::string> sides{"root[" + std::to_string(flow - 1) + "] in",
                                         chain + "[1] out", chain + "[0] in",
                                         "f" + std::to_string(flow) + " out"};
    expect_at(run.first(kAllocated, "root[5]", sides[1]), 75.8 - 2, 4);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
      const auto near = run.first(kAllocated, "root[5]", sides[i]);
      const auto far = run.first(kAllocated, "root[5]", sides[i + 1]);
      ASSERT_TRUE(near && far) << sides[i + 1];
      EXPECT_LT(*near, *far) << sides[i + 1];
      // Given back from the leaves (C11).
      EXPECT_GT(*run.last(kReleased, "root[5]", sides[i]),
                *run.last(kReleased, "root[5]", sides[i + 1]))
          << sides[i + 1];
    }
  }
  expect_all_released(run);
}

// C8, C9: who sends nothing to the congested output is not told of it.
TEST_P(SetAsideTreeFormation, LeavesVictimOfTraditionalTreeAlone) {
  const TreeRun run("t1-traditional", GetParam());
  for (const char* side : {"v out", "c1[2] in"})
    EXPECT_EQ(run.first(kAllocated, "root[5]", side), std::nullopt) << side;
  EXPECT_GE(run.rate("victim", us(200), us(1190)), 0.99 * 0.5);
  EXPECT_GE(run.rate("hot", us(100), us(1190)), 0.99);
}

// --- T2, T6, T7: eight flows, five switches at which more comes than leaves

const Names kAllRoots{"sw1[3]", "sw2[3]", "sw3[2]", "sw4[2]", "root[2]"};

void expect_one_tree(const TreeRun& run, Time at) {
  EXPECT_EQ(run.roots(at, at), Names{"root[2]"});
  EXPECT_EQ(run.branches("root[2]", at, 1), (Names{"sw3[2]", "sw4[2]"}));
  EXPECT_EQ(run.branches("root[2]", at, 2), (Names{"sw1[3]", "sw2[3]", "f7", "f8"}));
  EXPECT_EQ(run.branches("root[2]", at, 3), (Names{"f1", "f2", "f3", "f4", "f5", "f6"}));
}

/// Enhanced RECN and FBICM: all queues are for the last root, up to the hosts. Basic RECN: where
/// sw1 and sw2 have queues for their own output, they have none for the last root.
void expect_one_set_aside_tree(const TreeRun& run, bool is_basic, Time from, Time to) {
  EXPECT_EQ(run.sides("root[2]", from, to, 0), (Names{"root[0] in", "root[1] in"}));
  if (is_basic) {
    EXPECT_GT(run.counters().refusals_specific, 0U);
    EXPECT_THAT(run.line_roots(from, to), IsSupersetOf({"sw1[3]", "sw2[3]", "root[2]"}));
    for (const char* side :
         {"sw1[0] in", "sw1[1] in", "sw1[2] in", "sw2[0] in", "sw2[1] in", "sw2[2] in"})
      EXPECT_THAT(run.sides("root[2]", from, to, 2), Not(Contains(side)));
    return;
  }
  EXPECT_EQ(run.counters().refusals_specific, 0U);
  EXPECT_EQ(run.counters().refusals_full, 0U);
  EXPECT_EQ(run.line_roots(from, to), Names{"root[2]"});
  EXPECT_EQ(run.sides("root[2]", from, to, 1), (Names{"sw3[2] out", "sw4[2] out", "sw3[0] in",
                                                      "sw3[1] in", "sw4[0] in", "sw4[1] in"}));
  EXPECT_EQ(run.sides("root[2]", from, to, 2),
            (Names{"sw1[3] out", "sw2[3] out", "sw1[0] in", "sw1[1] in", "sw1[2] in", "sw2[0] in",
                   "sw2[1] in", "sw2[2] in", "f7 out", "f8 out"}));
  EXPECT_EQ(run.sides("root[2]", from, to, 3),
            (Names{"f1 out", "f2 out", "f3 out", "f4 out", "f5 out", "f6 out"}));
}

// Three times as much as leaves comes to sw1 and sw2, twice as much to the others: roots at 4.1
// and 8.2 us. The last branch is held up at 98.3 us, when ingress at root, which grows by 0.5
// from 32.8 us on, is full.
TEST_P(StaticTreeFormation, MultiPointTreeBecomesOne) {
  const TreeRun run("t2-multi-point", GetParam());
  EXPECT_EQ(run.roots(us(0), us(4)), Names{});
  EXPECT_EQ(run.roots(us(5), us(8)), (Names{"sw1[3]", "sw2[3]"}));
  EXPECT_EQ(run.roots(us(10), us(12)), kAllRoots);
  EXPECT_TRUE(run.tree("sw3[2]", us(97)) != nullptr);
  expect_one_tree(run, us(300));
  expect_all_released(run);
}

TEST_P(SetAsideTreeFormation, FindsAllPointsOfMultiPointTree) {
  const TreeRun run("t2-multi-point", GetParam());
  for (const std::string& root : kAllRoots) expect_at(run.first(kDetected, root), 4.1, 0.7);
  expect_one_set_aside_tree(run, is_basic(), us(300), us(399));
  EXPECT_GE(run.rate("", us(20), us(399)), 0.99);
  expect_all_released(run);
}

TEST_P(StaticTreeFormation, LocalTreesMerge) {
  const TreeRun run("t6-merging", GetParam());
  expect_at(run.first_root("sw1[3]"), 4.1, 1.3);
  EXPECT_EQ(run.roots(us(0), us(20)), Names{"sw1[3]"});
  expect_at(run.first_root("sw2[3]"), 24.1, 1.3);
  expect_at(run.first_root("root[2]"), 28.2, 1.3);
  expect_at(run.first_root("sw3[2]"), 48.2, 1.3);
  expect_at(run.first_root("sw4[2]"), 48.2, 1.3);
  expect_one_tree(run, us(300));
  expect_all_released(run);
}

TEST_P(SetAsideTreeFormation, LocalTreesMerge) {
  const TreeRun run("t6-merging", GetParam());
  EXPECT_EQ(run.line_roots(us(0), us(20)), Names{"sw1[3]"});
  expect_at(run.first(kDetected, "sw1[3]"), 4.1, 0.7);
  expect_at(run.first(kDetected, "sw2[3]"), 24.1, 0.7);
  expect_at(run.first(kDetected, "root[2]"), 24.1, 0.7);
  expect_at(run.first(kDetected, "sw3[2]"), 44.1, 0.7);
  expect_at(run.first(kDetected, "sw4[2]"), 44.1, 0.7);
  expect_one_set_aside_tree(run, is_basic(), us(300), us(399));
  expect_all_released(run);
}

TEST_P(StaticTreeFormation, SynchronisedStartMakesTheSameTree) {
  const TreeRun run("t7-synchronised", GetParam());
  EXPECT_EQ(run.roots(us(0), us(14)), Names{});
  EXPECT_EQ(run.roots(us(15), us(18)), (Names{"sw1[3]", "sw2[3]"}));
  EXPECT_EQ(run.roots(us(20), us(22)), kAllRoots);
  expect_one_tree(run, us(310));
  expect_all_released(run);
}

TEST_P(SetAsideTreeFormation, SynchronisedStartMakesTheSameTree) {
  const TreeRun run("t7-synchronised", GetParam());
  for (const std::string& root : kAllRoots) expect_at(run.first(kDetected, root), 14.1, 0.7);
  expect_one_set_aside_tree(run, is_basic(), us(310), us(409));
  expect_all_released(run);
}

}  // namespace
}  // namespace weir::experiment::tree_formation_test
