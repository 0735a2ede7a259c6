#include <gtest/gtest.h>

#include "support/small_network.hpp"

namespace weir::fabric::testing::link_failure_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

/// Counts what is lost and what is complete.
class Losses : public Observer {
 public:
  void on_lost(const Packet&, const Message&, PortId port, Time) override {
    ++lost;
    at = port;
  }
  void on_message_complete(const Message&, Time) override { ++complete; }
  int lost = 0;
  int complete = 0;
  PortId at;
};

/// Hosts 0 and 1 at switch 0, hosts 2 and 3 at switch 1; 100-byte packets.
struct TwoSwitches {
  explicit TwoSwitches(Architecture architecture) {
    graph = make_topology("line", "switches = 2\nhosts_per_switch = [2]", kLink);
    settings.architecture = architecture;
    settings.mtu = Bytes(100);
    settings.ingress_buffer = settings.egress_buffer = Bytes(1'000);
    Models models{graph, make_routing("shortest-path", *graph), make_selection("fixed"),
                  make_queueing(one_class(settings), *graph)};
    fabric = std::make_unique<Fabric>(models, Mechanisms{}, settings, losses);
  }
  void send(std::uint32_t from, std::uint32_t to, Time at, std::int64_t bytes) {
    fabric->add_source(
        HostId(from),
        std::make_unique<ListSource>(std::vector<MessageRequest>{{at, HostId(to), Bytes(bytes)}}));
  }
  [[nodiscard]] PortId middle() const { return graph->port(graph->node(SwitchId(0)), 2); }

  std::shared_ptr<const topology::Graph> graph;
  FabricSettings settings;
  Losses losses;
  std::unique_ptr<Fabric> fabric;
};

class LinkFailure : public ::testing::TestWithParam<Architecture> {};

TEST_P(LinkFailure, WhatIsOnTheWireArrivesAndTheRestIsLost) {
  TwoSwitches net(GetParam());
  net.send(0, 2, Time(0), 5'000);
  net.send(1, 0, Time(0), 5'000);
  net.fabric->change_cable(net.middle(), microseconds(2), false);
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  const Counters& c = net.fabric->counters();
  // 20 packets have left the first switch in 2 us; one more is on its way.
  EXPECT_NEAR(static_cast<double>(c.packets_delivered), 50 + 20, 1);
  EXPECT_EQ(c.packets_delivered + c.packets_lost, 100U);
  EXPECT_EQ(c.packets_lost, static_cast<std::uint64_t>(net.losses.lost));
  EXPECT_EQ(net.losses.at, net.middle());
  EXPECT_EQ(c.messages_lost, 1U);
  EXPECT_EQ(net.losses.complete, 1);
  EXPECT_EQ(net.fabric->packets_in_flight(), 0U);
}

TEST_P(LinkFailure, ACableFailsInBothDirectionsAndComesBack) {
  TwoSwitches net(GetParam());
  net.fabric->change_cable(net.middle(), Time(0), false);
  net.fabric->change_cable(net.middle(), microseconds(10), true);
  net.send(0, 2, microseconds(1), 1'000);
  net.send(2, 0, microseconds(1), 1'000);
  net.send(1, 3, microseconds(20), 2'000);
  net.send(3, 1, microseconds(20), 2'000);
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.fabric->counters().packets_lost, 20U);
  EXPECT_EQ(net.fabric->counters().packets_delivered, 40U);
  EXPECT_EQ(net.fabric->counters().messages_completed, 2U);
}

TEST_P(LinkFailure, AHostWithoutLinkKeepsItsMessages) {
  TwoSwitches net(GetParam());
  net.fabric->change_cable(net.graph->host_port(HostId(0)), Time(0), false);
  net.fabric->change_cable(net.graph->host_port(HostId(0)), microseconds(50), true);
  net.send(0, 2, microseconds(1), 1'000);
  EXPECT_TRUE(net.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.fabric->counters().packets_lost, 0U);
  EXPECT_EQ(net.fabric->counters().packets_delivered, 10U);
  EXPECT_GT(net.fabric->now(), microseconds(51));
}

INSTANTIATE_TEST_SUITE_P(Architectures, LinkFailure,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq,
                                           Architecture::output_queued));

}  // namespace
}  // namespace weir::fabric::testing::link_failure_test
