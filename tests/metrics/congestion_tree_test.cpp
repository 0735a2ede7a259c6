#include "weir/metrics/congestion_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace weir::metrics {
namespace {

/// A line of three switches: hosts 0, 1 at s0; host 2 at s1; host 3 at s2. Ports of s0: 0, 1 hosts,
/// 2 to s1; of s1: 0 to s0, 1 host 2, 2 to s2; of s2: 0 to s1, 1 host 3.
class LineTrees : public testing::Test {
 protected:
  LineTrees() : graph_(build()), ports_(graph_.port_count()) {}

  static topology::Graph build() {
    topology::GraphBuilder b("line");
    for (int h = 0; h < 4; ++h) b.add_host();
    const SwitchId s0 = b.add_switch(3);
    const SwitchId s1 = b.add_switch(3);
    const SwitchId s2 = b.add_switch(2);
    const topology::LinkSpec link;
    b.connect(HostId(0), s0, 0, link);
    b.connect(HostId(1), s0, 1, link);
    b.connect(s0, 2, s1, 0, link);
    b.connect(HostId(2), s1, 1, link);
    b.connect(s1, 2, s2, 0, link);
    b.connect(HostId(3), s2, 1, link);
    return b.build();
  }
  PortId at(int s, std::size_t port) { return graph_.port(graph_.node(SwitchId(s)), port); }
  PortId host(int h) { return graph_.host_port(HostId(h)); }
  void root(PortId p) { ports_[p.index()] = {1.0, 0.0, 100'000}; }
  void branch(PortId p) { ports_[p.index()] = {0.5, 0.5, 50'000}; }
  void waits(PortId blocked, PortId wanted) { waiting_.push_back({blocked, wanted, 8'192}); }
  /// Roots and branches, with the last port first: their order does not matter.
  std::vector<CongestedPort> congested() {
    std::vector<std::uint32_t> all(ports_.size());
    std::iota(all.rbegin(), all.rend(), 0U);
    std::vector<CongestedPort> found;
    find_congested(graph_, ports_, all, {}, found);
    return found;
  }
  std::vector<CongestionTree> find() { return find_trees(graph_, congested(), waiting_); }

  topology::Graph graph_;
  std::vector<PortState> ports_;
  std::vector<Waiting> waiting_;
};

TEST_F(LineTrees, NothingQueuedIsNoTree) { EXPECT_TRUE(find().empty()); }

TEST_F(LineTrees, ABusyPortWithFewPacketsIsNoRoot) {
  ports_[at(2, 1).index()] = {1.0, 0.0, 8'192};
  EXPECT_TRUE(find().empty());
  ports_[at(2, 1).index()].queued = 8'193;
  EXPECT_EQ(find().size(), 1U);
}

TEST_F(LineTrees, AHostPortIsNeverARoot) {
  root(host(0));
  EXPECT_TRUE(find().empty());
}

TEST_F(LineTrees, IncastToAHostGrowsToTheSources) {
  root(at(2, 1));
  branch(at(1, 2));
  branch(at(0, 2));
  branch(host(0));
  branch(host(1));
  waits(at(1, 2), at(2, 1));
  waits(at(0, 2), at(1, 2));
  waits(host(0), at(0, 2));
  waits(host(1), at(0, 2));
  const auto trees = find();
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].root, at(2, 1));
  EXPECT_EQ(trees[0].size(), 5U);
  EXPECT_EQ(trees[0].depth, 3);
  EXPECT_EQ(trees[0].branches[0], (TreeBranch{at(1, 2), 1, false}));
  EXPECT_EQ(trees[0].branches[1], (TreeBranch{at(0, 2), 2, false}));
  EXPECT_EQ(trees[0].branches[2], (TreeBranch{host(0), 3, true}));
  EXPECT_EQ(trees[0].branches[3], (TreeBranch{host(1), 3, true}));
}

TEST_F(LineTrees, APortThatWaitsForNothingOfTheTreeIsLeftOut) {
  root(at(2, 1));
  branch(at(1, 2));
  branch(at(0, 2));
  waits(at(1, 2), at(2, 1));
  waits(at(0, 2), at(1, 1));  // wants host 2, which is clear
  const auto trees = find();
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].size(), 2U);
  EXPECT_TRUE(trees[0].branches[0].is_leaf);
}

TEST_F(LineTrees, AnUnblockedPortEndsTheTree) {
  root(at(2, 1));
  ports_[at(1, 2).index()] = {0.95, 0.05, 4'096};  // hardly held up
  branch(at(0, 2));
  waits(at(1, 2), at(2, 1));
  waits(at(0, 2), at(1, 2));
  const auto trees = find();
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].size(), 1U);
  EXPECT_EQ(trees[0].depth, 0);
}

TEST_F(LineTrees, ABranchOfTwoRootsIsInBothTrees) {
  root(at(1, 1));
  root(at(2, 1));
  branch(at(1, 2));
  branch(at(0, 2));
  waits(at(1, 2), at(2, 1));
  waits(at(0, 2), at(1, 2));
  waits(at(0, 2), at(1, 1));
  const auto trees = find();
  ASSERT_EQ(trees.size(), 2U);
  EXPECT_EQ(trees[0].size(), 2U);
  EXPECT_EQ(trees[1].size(), 3U);
}

TEST_F(LineTrees, BlockedCyclesWithoutRootAreNoTree) {
  branch(at(0, 2));
  branch(at(1, 0));
  waits(at(0, 2), at(1, 0));
  waits(at(1, 0), at(0, 2));
  EXPECT_TRUE(find().empty());
}

TEST_F(LineTrees, TrackerReportsSeriesScalarsAndRecords) {
  TreeTracker tracker(graph_, {}, nanoseconds(10));
  tracker.sample(nanoseconds(10), nanoseconds(10), congested(), waiting_);
  root(at(2, 1));
  branch(host(3));
  branch(at(1, 2));
  waits(at(1, 2), at(2, 1));
  tracker.sample(nanoseconds(20), nanoseconds(10), congested(), waiting_);
  branch(host(2));
  waits(host(2), at(1, 2));
  tracker.sample(nanoseconds(30), nanoseconds(10), congested(), waiting_);
  RunResult result;
  tracker.report(result, 10);
  EXPECT_EQ(result.find_series("tree_roots")->values, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(result.find_series("tree_ports")->values, (std::vector<double>{0, 2, 3}));
  EXPECT_EQ(result.find_series("tree_hosts")->values, (std::vector<double>{0, 0, 1}));
  EXPECT_DOUBLE_EQ(*result.scalar("tree_roots"), 1);
  EXPECT_DOUBLE_EQ(*result.scalar("tree_ports"), 2.5);
  EXPECT_DOUBLE_EQ(*result.scalar("tree_size"), 3);
  EXPECT_DOUBLE_EQ(*result.scalar("tree_depth"), 2);
  ASSERT_EQ(result.trees.size(), 2U);
  EXPECT_EQ(result.trees[1].root, "s2[1]");
  EXPECT_EQ(result.trees[1].branches, (std::vector<std::string>{"s1[2]", "h2"}));
  EXPECT_EQ(result.trees[1].leaves, (std::vector<std::string>{"h2"}));
  RunResult cut;
  tracker.report(cut, 1);
  EXPECT_EQ(cut.trees.size(), 1U);
  EXPECT_EQ(cut.notes.size(), 1U);
}

}  // namespace
}  // namespace weir::metrics
