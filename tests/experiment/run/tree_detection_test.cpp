// Congestion trees that form from their leaves to their root (lippens2010, section 3), and
// where congestion that only ingress shows is found. Times as in
// tree_formation_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/run/tree_run.hpp"
#include "weir/routing/trace.hpp"

namespace weir::experiment {
namespace {

using ::testing::IsSupersetOf;
using Names = TreeRun::Names;
using Kind = fabric::SetAsideEvent::Kind;

constexpr Kind kAllocated = fabric::SetAsideEvent::allocated;
constexpr Kind kDetected = fabric::SetAsideEvent::detected;

class StaticTreeDetection : public ::testing::TestWithParam<const char*> {};
class SetAsideTreeDetection : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static bool is_basic() { return std::string(GetParam()) == "RECN"; }
};
INSTANTIATE_TEST_SUITE_P(Slow, StaticTreeDetection, ::testing::Values("FIFO", "VOQsw"),
                         case_test_name);
INSTANTIATE_TEST_SUITE_P(Slow, SetAsideTreeDetection,
                         ::testing::Values("RECN", "enhanced RECN", "FBICM"), case_test_name);

// --- T8: flows merge at the leaf switches, above them, and at the top

/// Outputs on the way to host 0: of leaf switches, of the switches above, of the top.
struct Stages {
  Names leaf;
  Names middle;
  Names top;
  std::vector<std::vector<std::string>> paths;  ///< the three, for every host
};
Stages stages_of(const Network& network) {
  Stages out;
  for (std::uint32_t host = 16; host < 64; ++host) {
    const routing::Route route =
        routing::trace(*network.graph, *network.routing, HostId(host), HostId(0));
    std::vector<std::string> path;
    for (std::size_t i = 1; i <= 3; ++i)
      path.push_back(network.graph->name(route.channels[i].port));
    out.leaf.insert(path[0]);
    out.middle.insert(path[1]);
    out.top.insert(path[2]);
    out.paths.push_back(path);
  }
  return out;
}

Names hosts_16_to_63() {
  Names names;
  for (int host = 16; host < 64; ++host) names.insert("h" + std::to_string(host));
  return names;
}

// Four times as much as leaves comes to the outputs of the lower stages, three times to that of the
// top.
TEST_P(StaticTreeDetection, LocalTreesFromLeavesToRootBecomeOne) {
  const TreeRun run("t8-leaves-to-root", GetParam());
  const Stages stages = stages_of(run.network());
  ASSERT_EQ(stages.leaf.size(), 12U);
  ASSERT_EQ(stages.middle.size(), 3U);
  ASSERT_EQ(stages.top.size(), 1U);
  const std::string top = *stages.top.begin();
  Names lower = stages.leaf;
  lower.insert(stages.middle.begin(), stages.middle.end());
  Names all = lower;
  all.insert(top);
  EXPECT_EQ(run.roots(us(0), us(4)), lower);
  EXPECT_EQ(run.roots(us(8), us(8)), all);
  EXPECT_EQ(run.roots(us(248), us(248)), stages.top);
  EXPECT_EQ(run.branches(top, us(248), 1), stages.middle);
  EXPECT_EQ(run.branches(top, us(248), 2), stages.leaf);
  EXPECT_EQ(run.branches(top, us(248), 3), hosts_16_to_63());
  expect_all_released(run);
}

TEST_P(SetAsideTreeDetection, FindsTreeFromLeavesToRoot) {
  const TreeRun run("t8-leaves-to-root", GetParam());
  const Stages stages = stages_of(run.network());
  for (const std::vector<std::string>& path : stages.paths) {
    expect_at(run.first(kDetected, path[0]), 4.1, 0.7);
    EXPECT_LT(*run.first(kDetected, path[0]), *run.first(kDetected, path[1])) << path[1];
    EXPECT_LT(*run.first(kDetected, path[1]), *run.first(kDetected, path[2])) << path[2];
  }
  const std::string top = *stages.top.begin();
  if (is_basic()) {
    EXPECT_GT(run.counters().refusals_specific, 0U);
    EXPECT_THAT(run.line_roots(us(250), us(299)), IsSupersetOf(stages.leaf));
  } else {
    EXPECT_EQ(run.counters().refusals_specific, 0U);
    EXPECT_EQ(run.counters().refusals_full, 0U);
    EXPECT_EQ(run.line_roots(us(250), us(299)), stages.top);
    Names hosts;
    for (const std::string& host : hosts_16_to_63()) hosts.insert(host + " out");
    EXPECT_EQ(run.sides(top, us(250), us(299), 3), hosts);
  }
  expect_all_released(run);
}

// 3.5.11: in basic RECN they share the queue for the nearer point with packets to the farther one.
TEST_P(SetAsideTreeDetection, SharesWayUpWithTreeFromLeavesToRoot) {
  const TreeRun run("t8-leaves-to-root", GetParam());
  EXPECT_GE(run.rate("hot", us(48), us(599)), 0.99);
  const double victims = run.rate("victims", us(352), us(599));
  if (is_basic()) {
    EXPECT_LT(victims, 0.5 * 0.4);
  } else {
    EXPECT_GE(victims, 0.98 * 0.4);
  }
}

// --- Congestion that only ingress shows (C7, C13)

// Without speedup two flows of 1: ingress at the root grows by 0.5.
TEST(TreeDetectionSlow, EnhancedRecnFindsIngressCongestionAtTheRoot) {
  const TreeRun run("detection", "enhanced RECN");
  EXPECT_EQ(run.line_roots(us(0), us(1'000)), Names{"root[2]"});
  for (const char* input : {"0", "1"}) {
    const std::string side = std::string("root[") + input + "] in";
    expect_at(run.first(kDetected, "root[2]", side), 8.19, 0.5);
    // At once with the queue, and the neighbour is asked.
    EXPECT_EQ(run.first(kAllocated, "root[2]", side), run.first(kDetected, "root[2]", side));
    const std::string upstream = std::string("c") + (input[0] == '0' ? "1" : "2") + "[1] out";
    const auto told = run.first(kAllocated, "root[2]", upstream);
    ASSERT_TRUE(told.has_value());
    EXPECT_LE(*told, *run.first(kAllocated, "root[2]", side) + us(0.2));
  }
  expect_all_released(run);
}

TEST(TreeDetectionSlow, FbicmFindsIngressCongestionAtTheRoot) {
  const TreeRun run("detection", "FBICM");
  EXPECT_EQ(run.line_roots(us(0), us(1'000)), Names{"root[2]"});
  expect_at(run.first(kDetected, "root[2]", "root[0] in"), 8.19, 0.5);
  expect_at(run.first(kAllocated, "root[2]", "c1[1] out"), 8.19, 0.7);
  expect_all_released(run);
}

// Ingress at the root is full at 65.5 us, egress before it exceeds 4096 B 8.2 us later.
TEST(TreeDetectionSlow, BasicRecnFindsIngressCongestionUpstreamOnly) {
  const TreeRun run("detection", "RECN");
  expect_at(run.first(kDetected, "c1[1]", "c1[1] out"), 73.7, 0.5);
  expect_at(run.first(kDetected, "c2[1]", "c2[1] out"), 73.7, 0.5);
  EXPECT_EQ(run.line_roots(us(0), us(1'000)), (Names{"c1[1]", "c2[1]"}));
  expect_all_released(run);
}

}  // namespace
}  // namespace weir::experiment
