#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/support.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::topology {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Names of the hosts of a switch, by port.
std::vector<std::string> hosts_on(const Graph& graph, SwitchId s) {
  std::vector<std::string> names;
  for (const Port& port : graph.ports(graph.node(s))) {
    const NodeId peer = graph.port(port.to).node;
    if (graph.is_host(peer)) names.push_back(graph.name(peer));
  }
  return names;
}

TEST(SingleSwitch, HostIsOnThePortOfItsNumber) {
  const Graph graph = make("single-switch", "hosts = 5");
  EXPECT_EQ(graph.switch_count(), 1U);
  for (std::size_t h = 0; h < 5; ++h) {
    EXPECT_EQ(leads_to(graph, SwitchId(0), h), "h" + std::to_string(h));
  }
  EXPECT_THAT(refusal("single-switch", "hosts = 257"), HasSubstr("topology.hosts"));
  EXPECT_THAT(refusal("single-switch", ""), HasSubstr("hosts"));
}

TEST(TwoHosts, AreJoinedDirectly) {
  const TopologyStatistics numbers = statistics(make("two-hosts", ""));
  EXPECT_EQ(numbers.switches, 0U);
  EXPECT_EQ(numbers.links, 1U);
  EXPECT_EQ(numbers.diameter, 0);
  EXPECT_EQ(numbers.by_hops.at(0).pairs, 2U);
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
}

TEST(Line, HostsAreAsManySwitchesApartAsTheyStand) {
  const Graph graph = make("line", "switches = 4\nhosts_per_switch = [2]\nhost_delay = '1 ns'");
  const TopologyStatistics numbers = statistics(graph);
  EXPECT_EQ(numbers.hosts, 8U);
  EXPECT_EQ(numbers.diameter, 4);
  EXPECT_EQ(numbers.by_hops[4].pairs, 8U);
  EXPECT_EQ(leads_to(graph, SwitchId(1), 2), "s0[2]");
  EXPECT_EQ(leads_to(graph, SwitchId(1), 3), "s2[2]");
  EXPECT_EQ(graph.port(graph.host_port(HostId(0))).link.delay, nanoseconds(1));
  EXPECT_EQ(graph.port(graph.port(graph.node(SwitchId(1)), 3)).link.delay, nanoseconds(30));
}

TEST(Line, TakesHostsPerSwitch) {
  const Graph graph = make("line", "switches = 3\nhosts_per_switch = [3, 0, 1]");
  EXPECT_THAT(hosts_on(graph, SwitchId(0)), ElementsAre("h0", "h1", "h2"));
  EXPECT_THAT(hosts_on(graph, SwitchId(1)), ElementsAre());
  EXPECT_THAT(hosts_on(graph, SwitchId(2)), ElementsAre("h3"));
  EXPECT_THAT(refusal("line", "switches = 3\nhosts_per_switch = [1, 1]"),
              HasSubstr("has 2 entries; give one for all or one for each of the 3 switches"));
  EXPECT_THAT(refusal("line", "switches = 2\nhosts_per_switch = [-1]"), HasSubstr("0 to 254"));
  EXPECT_THAT(refusal("line", "switches = 2\nhosts_per_switch = [0]"),
              HasSubstr("at least one host"));
}

// Zdornov 2009, figure 1.1.
TEST(WorkedExamples, CongestionSpreading) {
  const Graph graph = make("congestion-spreading", "");
  EXPECT_THAT(hosts_on(graph, SwitchId(0)), ElementsAre("s1", "s2", "s3", "s4"));
  EXPECT_THAT(hosts_on(graph, SwitchId(1)), ElementsAre("s5", "s6", "d1", "d2"));
  EXPECT_EQ(leads_to(graph, SwitchId(0), 4), "sw2[4]");
  EXPECT_EQ(graph.name(graph.node(HostId(7))), "d2");
  EXPECT_EQ(statistics(graph).links, 9U);
}

// Ferrer 2012, figures 3.4 and 3.5.
TEST(WorkedExamples, SharedLink) {
  const Graph graph = make("shared-link", "");
  EXPECT_THAT(hosts_on(graph, SwitchId(0)), ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(hosts_on(graph, SwitchId(1)), ElementsAre("y1", "y2", "z", "v"));
  EXPECT_EQ(leads_to(graph, SwitchId(0), 3), "Y[4]");
}

// Yan 2012, chapter 3.
TEST(WorkedExamples, TwoSwitches) {
  const Graph graph = make("two-switches", "middle_rate = '8 Gbps'\nmiddle_delay = '0 ns'");
  EXPECT_THAT(hosts_on(graph, SwitchId(0)), ElementsAre("ar1", "ar2", "av1"));
  EXPECT_THAT(hosts_on(graph, SwitchId(1)), ElementsAre("bl1", "bl2", "c1", "bv1"));
  const Port& middle = graph.port(graph.port(graph.node(SwitchId(0)), 3));
  EXPECT_EQ(middle.link.rate, gigabits_per_second(8));
  EXPECT_EQ(middle.link.delay, Time(0));
  EXPECT_EQ(graph.name(middle.to), "B[4]");
  EXPECT_THAT(refusal("two-switches", "remote = 254\nvictims = 2"),
              HasSubstr("more than 255 hosts"));
}

}  // namespace
}  // namespace weir::topology
