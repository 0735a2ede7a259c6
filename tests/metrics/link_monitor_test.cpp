#include "weir/metrics/link_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::metrics {
namespace {

/// Two hosts at one switch.
topology::Graph pair() {
  topology::GraphBuilder b("pair");
  b.add_host("a");
  b.add_host("b");
  const SwitchId s = b.add_switch(3);
  b.connect(HostId(0), s, 0, {});
  b.connect(HostId(1), s, 1, {});
  return b.build();
}

class LinkMonitorTest : public testing::Test {
 protected:
  LinkMonitorTest() : graph_(pair()) {
    snapshot_.counters.ports.resize(graph_.port_count());
    snapshot_.buffers.resize(graph_.port_count());
    into_b_ = graph_.port(graph_.node(SwitchId(0)), 1);
  }
  PortCounters& into_b() { return snapshot_.counters.ports[into_b_.index()]; }
  PortBuffers& buffers_of_b() { return snapshot_.buffers[into_b_.index()]; }

  topology::Graph graph_;
  NetworkSnapshot snapshot_;
  PortId into_b_;
};

TEST_F(LinkMonitorTest, GroupsLinksByWhereTheyLead) {
  EXPECT_EQ(link_group(graph_, graph_.host_port(HostId(0))), "injection");
  EXPECT_EQ(link_group(graph_, into_b_), "ejection");
  EXPECT_EQ(link_group(graph_, graph_.port(graph_.node(SwitchId(0)), 2)), "");  // no cable
}

TEST_F(LinkMonitorTest, SharesAreOfThePeriod) {
  LinkMonitor monitor(graph_, {});
  snapshot_.counters.at = nanoseconds(100);
  into_b().busy = nanoseconds(60).count;
  into_b().wait = nanoseconds(40).count;
  EXPECT_DOUBLE_EQ(monitor.sample(snapshot_)[into_b_.index()].utilization, 0.6);
  snapshot_.counters.at = nanoseconds(200);
  into_b().busy += nanoseconds(90).count;
  buffers_of_b().queued = 4'096;
  const PortState state = monitor.sample(snapshot_)[into_b_.index()];
  EXPECT_DOUBLE_EQ(state.utilization, 0.9);
  EXPECT_DOUBLE_EQ(state.wait, 0);
  EXPECT_EQ(state.queued, 4'096);
}

TEST_F(LinkMonitorTest, ScalarsAreOfTheWindowAndSeriesOfTheWholeRun) {
  LinkMonitorSettings settings;
  settings.warm_up = nanoseconds(100);
  settings.hot_destinations = {HostId(1)};
  settings.has_link_series = true;
  LinkMonitor monitor(graph_, settings);
  snapshot_.ingress_capacity = 100;
  snapshot_.egress_capacity = 80;
  snapshot_.counters.at = nanoseconds(100);
  into_b().busy = nanoseconds(100).count;
  into_b().bytes = 1'250;
  monitor.sample(snapshot_);
  snapshot_.counters.at = nanoseconds(200);
  into_b().busy += nanoseconds(50).count;
  into_b().wait += nanoseconds(25).count;
  into_b().bytes += 625;
  into_b().packets += 1;
  buffers_of_b().queued = 777;
  buffers_of_b().ingress = 50;
  buffers_of_b().egress = 60;
  monitor.sample(snapshot_);
  monitor.sample(snapshot_);  // the end falls on a sample: counted once
  RunResult result;
  monitor.report(result);
  EXPECT_DOUBLE_EQ(*result.scalar("hot_link_utilization"), 0.5);
  EXPECT_EQ(result.find_series("hot_link_utilization")->values, (std::vector<double>{1, 0.5}));
  EXPECT_DOUBLE_EQ(*result.scalar("link_utilization_max", "ejection"), 0.5);
  EXPECT_DOUBLE_EQ(*result.scalar("link_utilization_mean", "ejection"), 0.25);
  EXPECT_DOUBLE_EQ(*result.scalar("link_wait_max", "ejection"), 0.25);
  EXPECT_DOUBLE_EQ(*result.scalar("link_utilization_max", "injection"), 0);
  EXPECT_DOUBLE_EQ(*result.scalar("queued_max"), 777);
  EXPECT_DOUBLE_EQ(*result.scalar("hot_link_queued"), 777);
  EXPECT_EQ(result.find_series("hot_link_queued")->values, (std::vector<double>{0, 777}));
  EXPECT_DOUBLE_EQ(*result.scalar("buffer_occupancy_max"), 0.5);
  EXPECT_DOUBLE_EQ(*result.scalar("egress_occupancy_max"), 0.75);
  EXPECT_DOUBLE_EQ(*result.scalar("egress_occupancy_used"), 0.75);
  EXPECT_DOUBLE_EQ(*result.scalar("buffer_occupancy_used"), 0.5);
  const auto link = std::find_if(result.links.begin(), result.links.end(),
                                 [](const LinkSummary& l) { return l.name == "s0[1]"; });
  ASSERT_NE(link, result.links.end());
  EXPECT_EQ(link->bytes, 625);
  EXPECT_EQ(link->packets, 1);
  EXPECT_EQ(link->queued_max, 777);
  EXPECT_EQ(result.links.size(), 4U);
  EXPECT_EQ(result.find_series("link_queued", "s0[1]")->values, (std::vector<double>{0, 777}));
  EXPECT_EQ(result.find_series("egress_queued", "s0[1]")->values, (std::vector<double>{0, 60}));
}

/// Whoever adds up which ports, the sums are the same.
TEST_F(LinkMonitorTest, PortsCanBeAddedUpInShares) {
  snapshot_.counters.at = nanoseconds(100);
  snapshot_.ingress_capacity = 7;
  for (std::size_t p = 0; p < graph_.port_count(); ++p) {
    const auto n = static_cast<std::int64_t>(p);
    snapshot_.counters.ports[p] = {n * 1'003, n * 7'001, n, n};
    snapshot_.buffers[p] = {n * 10, n, 0};
  }
  LinkMonitor whole(graph_, {});
  whole.sample(snapshot_);
  LinkMonitor shared(graph_, {});
  ASSERT_TRUE(shared.begin_sample(snapshot_));
  LinkSums sums;
  for (std::uint32_t p = static_cast<std::uint32_t>(graph_.port_count()); p-- > 0;) {
    LinkSums of_one;
    shared.sample_ports(snapshot_, std::array{p}, of_one);
    sums += of_one;
  }
  shared.end_sample(snapshot_, sums);
  RunResult expected;
  whole.report(expected);
  RunResult found;
  shared.report(found);
  ASSERT_GT(expected.series.size(), 8U);
  ASSERT_EQ(found.series.size(), expected.series.size());
  for (std::size_t k = 0; k < expected.series.size(); ++k)
    EXPECT_EQ(found.series[k].values, expected.series[k].values) << expected.series[k].name.metric;
  EXPECT_EQ(found.frames, expected.frames);
  EXPECT_EQ(*expected.scalar("queued_max"), 10 * (2 + 3 + 4));  // of the switch
}

// The window begins between two samples, or nothing is sampled at all.
TEST_F(LinkMonitorTest, TheWindowNeedNotBeginAtASample) {
  for (const bool samples : {true, false}) {
    LinkMonitorSettings settings;
    settings.warm_up = nanoseconds(150);
    snapshot_.counters.ports.assign(graph_.port_count(), {});
    LinkMonitor monitor(graph_, settings);
    snapshot_.counters.at = nanoseconds(100);
    into_b().busy = nanoseconds(100).count;
    if (samples) monitor.sample(snapshot_);
    snapshot_.counters.at = nanoseconds(150);
    into_b().busy += nanoseconds(40).count;
    monitor.open_window(snapshot_.counters);
    snapshot_.counters.at = nanoseconds(200);
    into_b().busy += nanoseconds(10).count;
    samples ? (void)monitor.sample(snapshot_) : monitor.count(snapshot_.counters);
    RunResult result;
    monitor.report(result);
    EXPECT_DOUBLE_EQ(*result.scalar("link_utilization_max", "ejection"), 0.2);
    EXPECT_EQ(result.find_series("link_utilization_max", "ejection") != nullptr, samples);
    EXPECT_EQ(result.links.empty(), !samples);
  }
}

TEST_F(LinkMonitorTest, AnAimCountsWhileItIsOne) {
  LinkMonitorSettings settings;
  settings.warm_up = nanoseconds(100);
  settings.hot_destinations = {HostId(0), HostId(1)};
  settings.hot_aims = {{HostId(1), nanoseconds(0), nanoseconds(250)},
                       {HostId(0), nanoseconds(300), nanoseconds(400)}};
  LinkMonitor monitor(graph_, settings);
  PortCounters& into_a = snapshot_.counters.ports[graph_.port(graph_.node(SwitchId(0)), 0).index()];
  for (int k = 1; k <= 5; ++k) {
    snapshot_.counters.at = nanoseconds(100 * k);
    into_b().busy += nanoseconds(k == 1 ? 100 : 70).count;
    into_a.busy += nanoseconds(k == 4 ? 50 : 10).count;
    monitor.sample(snapshot_);
  }
  RunResult result;
  monitor.report(result);
  const std::vector<double>& series = result.find_series("hot_link_utilization", "aimed")->values;
  ASSERT_EQ(series.size(), 5U);
  EXPECT_DOUBLE_EQ(series[0], 1);
  EXPECT_DOUBLE_EQ(series[1], 0.7);
  EXPECT_TRUE(std::isnan(series[2]));  // the first aim ends within it
  EXPECT_DOUBLE_EQ(series[3], 0.5);
  EXPECT_TRUE(std::isnan(series[4]));
  EXPECT_DOUBLE_EQ(*result.scalar("hot_link_utilization", "aimed"), 0.6);
}

TEST_F(LinkMonitorTest, LargeNetworksKeepTheWorstWaitersOnly) {
  LinkMonitorSettings settings;
  settings.has_link_series = true;
  settings.all_ports_up_to = 1;
  settings.top_ports = 1;
  LinkMonitor monitor(graph_, settings);
  snapshot_.counters.at = nanoseconds(100);
  into_b().wait = nanoseconds(10).count;
  monitor.sample(snapshot_);
  RunResult result;
  monitor.report(result);
  const auto single = std::count_if(result.series.begin(), result.series.end(),
                                    [](const Series& s) { return s.name.metric == "link_wait"; });
  EXPECT_EQ(single, 1);
  EXPECT_NE(result.find_series("link_wait", "s0[1]"), nullptr);
}

TEST_F(LinkMonitorTest, SeriesOfSingleLinksAreOnlyKeptOnRequest) {
  LinkMonitor monitor(graph_, {});
  snapshot_.counters.at = nanoseconds(100);
  into_b().wait = nanoseconds(10).count;
  monitor.sample(snapshot_);
  RunResult result;
  monitor.report(result);
  EXPECT_EQ(result.find_series("link_wait", "s0[1]"), nullptr);
  EXPECT_NE(result.find_series("link_wait_max", "ejection"), nullptr);
  EXPECT_EQ(result.links.size(), 4U);
}

TEST_F(LinkMonitorTest, HistoryThatWouldBeTooLargeIsGivenUpWithANote) {
  LinkMonitorSettings settings;
  settings.has_link_series = true;
  settings.max_history = 12;
  LinkMonitor monitor(graph_, settings);
  for (int k = 1; k <= 2; ++k) {
    snapshot_.counters.at = nanoseconds(100 * k);
    monitor.sample(snapshot_);
  }
  RunResult result;
  monitor.report(result);
  EXPECT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.find_series("link_wait", "s0[1]"), nullptr);
  EXPECT_EQ(result.links.size(), 4U);
}

}  // namespace
}  // namespace weir::metrics
