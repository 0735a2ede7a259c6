#include "weir/metrics/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "support/small_network.hpp"

namespace weir::metrics {
namespace {

namespace ft = fabric::testing;

/// Hosts 0, 1, 2 at s0, host 3 and 4 at s1, one cable between; hosts 0 and 1 send to 3 without end,
/// and host 2 sends to 4: it shares the cable, so it is their victim.
class Incast : public testing::Test {
 protected:
  Incast() {
    topology::GraphBuilder b("incast");
    for (int h = 0; h < 5; ++h) b.add_host();
    const SwitchId s0 = b.add_switch(4);
    const SwitchId s1 = b.add_switch(3);
    const topology::LinkSpec link;
    for (int h = 0; h < 3; ++h) b.connect(HostId(h), s0, static_cast<std::size_t>(h), link);
    b.connect(HostId(3), s1, 0, {gigabits_per_second(25), link.delay});  // a slow host: the root
    b.connect(HostId(4), s1, 1, link);
    b.connect(s0, 3, s1, 2, link);
    graph_ = std::make_shared<topology::Graph>(b.build());
    settings_.sample_period = microseconds(10);
    settings_.mtu = Bytes(4'096);
    settings_.ingress_buffer = Bytes(32'768);
    recorder_settings_.traffic.classes = {{"incast", Role::hot}, {"other", Role::cold}};
    recorder_settings_.traffic.warm_up = microseconds(50);
    recorder_settings_.traffic.bin = microseconds(10);
    recorder_settings_.traffic.foreseen_end = microseconds(200);
    recorder_settings_.links.hot_destinations = {HostId(3)};
  }

  static std::unique_ptr<fabric::MessageSource> source(int destination,
                                                       std::uint8_t traffic_class) {
    auto made = std::make_unique<ft::SaturatedSource>(std::vector<HostId>{HostId(destination)},
                                                      Bytes(4'096));
    made->traffic_class = traffic_class;
    return made;
  }

  RunResult run() {
    Recorder recorder(*graph_, recorder_settings_);
    fabric::Models models{graph_, ft::make_routing("shortest-path", *graph_),
                          ft::make_selection("fixed"),
                          ft::make_queueing(ft::one_class(settings_), *graph_)};
    fabric::Fabric fabric(models, {}, settings_, recorder);
    fabric.add_source(HostId(0), source(3, 0));
    fabric.add_source(HostId(1), source(3, 0));
    fabric.add_source(HostId(2), source(4, 1));
    fabric.run_until(microseconds(200));
    delivered_ = fabric.counters().packets_delivered;
    return recorder.finish(fabric, 1.0);
  }

  std::shared_ptr<const topology::Graph> graph_;
  fabric::FabricSettings settings_;
  RecorderSettings recorder_settings_;
  std::uint64_t delivered_ = 0;
};

TEST_F(Incast, SeesTheTreeFromTheSlowHostToTheSources) {
  const RunResult result = run();
  EXPECT_NEAR(*result.scalar("hot_link_utilization"), 1, 0.01);
  EXPECT_NEAR(*result.scalar("throughput", "hot"), 25, 0.5);
  EXPECT_DOUBLE_EQ(*result.scalar("tree_roots"), 1);
  EXPECT_DOUBLE_EQ(*result.scalar("tree_depth"), 2);
  EXPECT_GE(*result.scalar("tree_hosts"), 2);
  ASSERT_FALSE(result.trees.empty());
  const TreeRecord& tree = result.trees.back();
  EXPECT_EQ(tree.root, "s1[0]");
  ASSERT_GE(tree.branches.size(), 3U);
  EXPECT_EQ(tree.branches[0], "s0[3]");
  EXPECT_EQ(std::count(tree.leaves.begin(), tree.leaves.end(), "h0"), 1);
  EXPECT_EQ(std::count(tree.leaves.begin(), tree.leaves.end(), "h1"), 1);
}

TEST_F(Incast, CountsAgreeWithTheFabric) {
  const RunResult result = run();
  EXPECT_DOUBLE_EQ(*result.scalar("packets_delivered"), static_cast<double>(delivered_));
  EXPECT_DOUBLE_EQ(
      *result.scalar("packets_delivered"),
      *result.scalar("packets_delivered", "hot") + *result.scalar("packets_delivered", "cold"));
  EXPECT_DOUBLE_EQ(*result.scalar("simulated_time"), 200'000);
  EXPECT_NEAR(*result.scalar("fairness", "hot"), 1, 0.01);
  // The links' own counters say the same as the hosts: 25 of 425 Gbps and what host 4 gets.
  const auto link = [&](const char* name) {
    return *std::find_if(result.links.begin(), result.links.end(),
                         [&](const LinkSummary& l) { return l.name == name; });
  };
  const double into_hosts = static_cast<double>(link("s1[0]").bytes + link("s1[1]").bytes);
  EXPECT_NEAR(into_hosts * 8e3 / 150e6, *result.scalar("throughput"),
              0.01 * *result.scalar("throughput"));
  EXPECT_GT(link("s0[3]").wait, 0.3);
  EXPECT_EQ(link("s0[3]").group, "switch");
  EXPECT_GT(*result.scalar("buffer_occupancy_max"), 0.8);
  EXPECT_LE(*result.scalar("buffer_occupancy_max"), 1.0);
}

TEST_F(Incast, EveryNameIsDescribedAndNamedOnce) {
  const RunResult result = run();
  std::set<MetricName> scalars;
  for (const Scalar& s : result.scalars)
    EXPECT_TRUE(scalars.insert(s.name).second) << to_string(s.name);
  std::set<MetricName> series;
  for (const Series& s : result.series) {
    EXPECT_TRUE(series.insert(s.name).second) << to_string(s.name);
    EXPECT_EQ(parse_metric_name(to_string(s.name)), s.name);
    EXPECT_EQ(s.values.size(), 20U) << to_string(s.name);
  }
}

TEST_F(Incast, CanLeaveOutLinksAndTrees) {
  recorder_settings_.watch_links = false;
  const RunResult result = run();
  EXPECT_TRUE(result.links.empty());
  EXPECT_TRUE(result.trees.empty());
  EXPECT_EQ(result.scalar("tree_roots"), nullptr);
  EXPECT_NE(result.scalar("latency_mean"), nullptr);
  EXPECT_NE(result.scalar("queued"), nullptr);
  EXPECT_EQ(result.scalar("queued_max"), nullptr);
}

TEST_F(Incast, RefusesToPassASampleOffAsExact) {
  RunResult result;
  EXPECT_THROW(result.add_scalar("queued_max", "", 1), std::logic_error);
  EXPECT_THROW(result.add_scalar("queued", "", 1, Reading::sampled), std::logic_error);
  result.add_scalar("set_aside_hops", "", 1);  // its series is sampled, the scalar is not
  EXPECT_THROW(result.add_series("set_aside_hops", "", Time(0), Time(1), {1}), std::logic_error);
}

}  // namespace
}  // namespace weir::metrics
