// How congestion trees move and overlap (lippens2010, section 3). Times as in
// tree_formation_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/run/tree_run.hpp"

namespace weir::experiment::tree_movement_test {
namespace {

using ::testing::Contains;
using ::testing::Not;
using Names = TreeRun::Names;
using Kind = fabric::SetAsideEvent::Kind;

constexpr Kind kDetected = fabric::SetAsideEvent::detected;

class SetAsideTreeMovement : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static bool is_basic() { return std::string(GetParam()) == "RECN"; }
};
INSTANTIATE_TEST_SUITE_P(Slow, SetAsideTreeMovement,
                         ::testing::Values("RECN", "enhanced RECN", "FBICM"), case_test_name);

// --- T3: two flows of 0.6 at A; two more join at B at 250 us

// A's egress grows by 0.2. From 250 us on what waits for B's output grows by 1.2, and its egress is
// full at 282.8 us; what comes from A has by then 6.6 KB at B's ingress, gets a third of the link,
// and fills it 39 us later: A's output is held up.
TEST(TreeMovementSlow, RootMovesDownstream) {
  const TreeRun run("t3-root-downstream", "FIFO");
  expect_at(run.first_root("A[2]"), 41, 2);
  EXPECT_EQ(run.roots(us(0), us(250)), Names{"A[2]"});
  expect_at(run.first_root("B[3]"), 256.8, 2);
  EXPECT_EQ(run.roots(us(261), us(320)), (Names{"A[2]", "B[3]"}));
  EXPECT_EQ(run.roots(us(330), us(449)), Names{"B[3]"});
  EXPECT_THAT(run.branches("B[3]", us(330), 1), Contains("A[2]"));
  EXPECT_EQ(run.branches("B[3]", us(440), 1), (Names{"A[2]", "g1", "g2"}));
  EXPECT_EQ(run.branches("B[3]", us(440), 2), (Names{"f1", "f2"}));
  EXPECT_LT(run.rate("victim", us(500), us(699)), 0.25);
  expect_all_released(run);
}

TEST_P(SetAsideTreeMovement, FollowsRootDownstream) {
  const TreeRun run("t3-root-downstream", GetParam());
  expect_at(run.first(kDetected, "A[2]"), 20.5, 1);
  EXPECT_EQ(run.line_roots(us(0), us(250)), Names{"A[2]"});
  EXPECT_EQ(run.sides("A[2]", us(200), us(250)), (Names{"A[0] in", "A[1] in", "f1 out", "f2 out"}));
  // Up to a third later: the crossbar is held for as long as a packet that crosses is still
  // arriving.
  expect_at(run.first(kDetected, "B[3]"), 254.1, 1.5);
  EXPECT_THAT(run.sides("B[3]", us(400), us(449)), Contains("A[2] out"));
  const Names below = run.sides("B[3]", us(400), us(449));
  if (is_basic()) {
    EXPECT_GT(run.counters().refusals_specific, 0U);
    EXPECT_THAT(run.line_roots(us(400), us(449)), Contains("A[2]"));
    EXPECT_THAT(below, Not(Contains("A[0] in")));
    EXPECT_THAT(below, Not(Contains("A[1] in")));
  } else {
    EXPECT_EQ(run.counters().refusals_specific, 0U);
    EXPECT_EQ(run.line_roots(us(400), us(449)), Names{"B[3]"});
    EXPECT_EQ(below, (Names{"B[0] in", "B[1] in", "B[2] in", "g1 out", "g2 out", "A[2] out",
                            "A[0] in", "A[1] in", "f1 out", "f2 out"}));
  }
  expect_all_released(run);
}

// 3.5.11: packets over A but not over B's congested output.
TEST_P(SetAsideTreeMovement, PassesFormerRoot) {
  const TreeRun run("t3-root-downstream", GetParam());
  const double victim = run.rate("victim", us(500), us(699));
  if (is_basic()) {
    EXPECT_LT(victim, 0.25);
  } else {
    EXPECT_GE(victim, 0.99 * 0.4);
  }
  EXPECT_GE(run.rate("first", us(500), us(699)) + run.rate("joining", us(500), us(699)), 0.99);
}

// --- T4: the flows of B stop at 250 us

TEST(TreeMovementSlow, RootMovesUpstream) {
  const TreeRun run("t4-root-upstream", "FIFO");
  EXPECT_EQ(run.roots(us(200), us(250)), Names{"B[3]"});
  EXPECT_THAT(run.branches("B[3]", us(250), 1), Contains("A[2]"));
  EXPECT_EQ(run.roots(us(800), us(999)), Names{"A[2]"});
  expect_all_released(run);
}

TEST_P(SetAsideTreeMovement, FollowsRootUpstream) {
  const TreeRun run("t4-root-upstream", GetParam());
  if (!is_basic()) {
    EXPECT_EQ(run.line_roots(us(150), us(250)), Names{"B[3]"});
  } else {
    EXPECT_THAT(run.line_roots(us(150), us(250)), Contains("B[3]"));
  }
  // At B 32 KiB drain by 0.3 from 250 us on; then it finds nothing any more. But the queues of A's
  // flows, set aside for B, are not empty before the flows pause.
  for (const SetAsideNote& note : run.notes(kDetected))
    EXPECT_TRUE(note.root == "A[2]" || note.at < us(400)) << to_string(note.at);
  EXPECT_THAT(run.line_roots(us(400), us(499)), Contains("B[3]"));
  EXPECT_EQ(run.line_roots(us(540), us(999)), Names{"A[2]"});
  EXPECT_EQ(run.sides("A[2]", us(850), us(999), 1), (Names{"f1 out", "f2 out"}));
  EXPECT_GE(run.rate("aside", us(50), us(499)), 0.99 * 0.3);
  EXPECT_GE(run.rate("aside", us(650), us(999)), 0.99 * 0.3);  // A's egress is full from 616 us on
  expect_all_released(run);
}

// --- T5: two trees over one link

TEST(TreeMovementSlow, TreesOverlap) {
  const TreeRun run("t5-overlap", "FIFO");
  EXPECT_EQ(run.roots(us(300), us(499)), (Names{"L[5]", "L[6]"}));
  EXPECT_EQ(run.branches("L[5]", us(340), 1), (Names{"U[3]", "q1", "q2"}));
  EXPECT_EQ(run.branches("L[6]", us(340), 1), (Names{"U[3]", "q3", "q4"}));
  EXPECT_LT(run.rate("victim", us(400), us(499)), 0.14);
  expect_all_released(run);
}

TEST_P(SetAsideTreeMovement, KeepsOverlappingTreesApart) {
  const TreeRun run("t5-overlap", GetParam());
  EXPECT_EQ(run.line_roots(us(0), us(10'000)), (Names{"L[5]", "L[6]"}));
  EXPECT_EQ(run.sides("L[5]", us(200), us(499)),
            (Names{"L[0] in", "L[1] in", "L[2] in", "q1 out", "q2 out", "U[3] out", "U[0] in",
                   "p1 out"}));
  EXPECT_EQ(run.sides("L[6]", us(200), us(499)),
            (Names{"L[0] in", "L[3] in", "L[4] in", "q3 out", "q4 out", "U[3] out", "U[1] in",
                   "p2 out"}));
  expect_all_released(run);
}

// C20: a third of each hot link is due to the flow over the shared link. The victim gets what it
// sends.
TEST_P(SetAsideTreeMovement, SharesOverlappingTreesFairly) {
  const TreeRun run("t5-overlap", GetParam());
  EXPECT_NEAR(run.rate("p1", us(200), us(349)), 1.0 / 3, 0.02 / 3);
  EXPECT_NEAR(run.rate("p2", us(200), us(349)), 1.0 / 3, 0.02 / 3);
  EXPECT_GE(run.rate("victim", us(400), us(499)), 0.99 * 0.15);
}

}  // namespace
}  // namespace weir::experiment::tree_movement_test
