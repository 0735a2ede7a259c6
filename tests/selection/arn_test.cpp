#include <gmock/gmock.h>

#include <map>
#include <tuple>

#include "selection/arn_network.hpp"
#include "weir/topology/fat_tree.hpp"

namespace weir::selection::test {
namespace {

using Entry = NotificationTable::Entry;
using State = CongestionDetector::State;

constexpr const char* kKeys =
    "persistence = \"50 us\"\nswitch_lifetime = \"30 us\"\nrefresh = \"5 us\"\n"
    "host_lifetime = \"100 us\"\n";

/// Three stages of 6-port switches, 54 hosts: leaf switch l of pod p has hosts 9 p + 3 l to + 2.
/// Packets to host 0 go over ports of digit 0 everywhere.
struct Tree : ArnNetwork {
  explicit Tree(bool isolates, const std::string& more = "")
      : ArnNetwork("rlft", "ports = 6\nstages = 3",
                   kKeys + std::string(isolates ? "isolation = \"afi\"\n" : "") + more) {
    start();
  }
  [[nodiscard]] NodeId leaf(std::uint32_t pod, std::uint32_t l) const {
    return leaf_of(9 * pod + 3 * l);
  }
  /// Middle switch i of a pod, over up port i of any of its leaves.
  [[nodiscard]] NodeId middle(std::uint32_t pod, std::uint32_t i) const {
    return graph->port(graph->port(graph->port(leaf(pod, 0), 3 + i)).to).node;
  }
  [[nodiscard]] NodeId top(std::uint32_t i, std::uint32_t v) const {
    return graph->port(graph->port(graph->port(middle(0, i), 3 + v)).to).node;
  }
  /// All nodes with live entries about host 0.
  [[nodiscard]] std::vector<NodeId> informed() const {
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < graph->node_count(); ++n) {
      if (!entries(NodeId(n)).empty()) nodes.push_back(NodeId(n));
    }
    return nodes;
  }
};

// Figure 1, flow A: a root at a top switch, consumed by the middle switches of the sources.
TEST(Arn, ARootOnTheWayDownFromTheTopIsForTheMiddleStage) {
  Tree net(false);
  net.saturate(9, 0);
  net.saturate(18, 0);
  net.run_to(microseconds(68));
  const std::vector<Entry> root = net.entries(net.top(0, 0));
  ASSERT_EQ(root.size(), 1U);
  EXPECT_EQ(root[0].about.info, 2);
  EXPECT_EQ(root[0].about.port, 0);
  EXPECT_FALSE(root[0].is_consumed);
  EXPECT_EQ(root[0].about.destination, 0U);
  for (const std::uint32_t pod : {1U, 2U}) {
    const std::vector<Entry> consumed = net.entries(net.middle(pod, 0));
    ASSERT_EQ(consumed.size(), 1U) << pod;
    EXPECT_TRUE(consumed[0].is_consumed);
    EXPECT_EQ(consumed[0].about.port, 3);  // to top 0, 0
    EXPECT_EQ(consumed[0].about.id, root[0].about.id);
    const auto other = net.arn().table(net.middle(pod, 0)).alternative(0);
    ASSERT_TRUE(other);
    EXPECT_THAT(*other, ::testing::AnyOf(4, 5));
  }
  EXPECT_THAT(net.informed(),
              ::testing::UnorderedElementsAre(net.top(0, 0), net.middle(1, 0), net.middle(2, 0)));
}

// Flow B: a root at a middle switch on the way down, consumed by the leaf switches of the sources;
// what comes over the top is relayed.
TEST(Arn, ARootOnTheWayDownFromTheMiddleIsForTheLeaves) {
  Tree net(false);
  net.saturate(3, 0);
  net.saturate(6, 0);
  net.saturate(9, 0);
  net.run_to(microseconds(62));
  const std::vector<Entry> root = net.entries(net.middle(0, 0));
  ASSERT_EQ(root.size(), 1U);
  EXPECT_EQ(root[0].about.info, 1);
  EXPECT_FALSE(root[0].is_consumed);
  for (const NodeId leaf : {net.leaf(0, 1), net.leaf(0, 2), net.leaf(1, 0)}) {
    const std::vector<Entry> consumed = net.entries(leaf);
    ASSERT_EQ(consumed.size(), 1U) << leaf.value;
    EXPECT_TRUE(consumed[0].is_consumed);
    EXPECT_EQ(consumed[0].about.port, 3);
  }
  for (const NodeId relay : {net.top(0, 0), net.middle(1, 0)}) {
    ASSERT_EQ(net.entries(relay).size(), 1U);
    EXPECT_FALSE(net.entries(relay)[0].is_consumed);
  }
  EXPECT_EQ(net.informed().size(), 6U);
}

// Flow C: a root at the link to the destination. No switch consumes; hosts do, with isolation.
TEST(Arn, ARootAtTheDestinationIsForTheHosts) {
  for (const bool isolates : {false, true}) {
    Tree net(isolates);
    net.saturate(1, 0);
    net.saturate(2, 0);
    net.saturate(3, 0);
    net.run_to(microseconds(70));
    const std::vector<Entry> root = net.entries(net.leaf(0, 0));
    ASSERT_EQ(root.size(), 1U);
    EXPECT_EQ(root[0].about.info, 0);
    EXPECT_FALSE(root[0].is_consumed);
    for (const std::uint32_t host : {1U, 2U, 3U}) {
      const std::vector<Entry> here = net.entries(net.graph->node(HostId(host)));
      EXPECT_EQ(here.size(), isolates ? 1U : 0U) << host;
    }
    EXPECT_EQ(net.arn().counters().consumed, 0U);
    EXPECT_EQ(net.fabric->counters().diverted, 0U);
    EXPECT_EQ(net.fabric->counters().adapted_at_hosts > 0, isolates);
    // Only where packets to the destination come from.
    EXPECT_TRUE(net.entries(net.leaf(1, 0)).empty());
  }
}

// Both flows have been diverted and meet again at the middle switch of the destination: a root
// whose packets are adapted, for which no switch diverts. When the diversions have run out, other
// packets of the flows take the news to their hosts, which act on it or not.
TEST(Arn, HostsMayActOnAdaptedRootsFurtherUp) {
  for (const bool acts : {false, true}) {
    Tree net(true, acts ? "hosts = \"mark-adapted\"\n" : "");
    net.saturate(9, 0);
    net.saturate(18, 0);
    net.run_to(microseconds(400));
    EXPECT_GT(net.fabric->counters().adapted_in_switches, 0U);
    EXPECT_EQ(net.fabric->counters().adapted_at_hosts > 0, acts);
  }
}

// An output up is bypassed where it is: no message travels.
TEST(Arn, ARootOnTheWayUpIsConsumedOnTheSpot) {
  Tree net(false);
  // Three hosts of a leaf send to hosts whose packets take the same port up and part at the top.
  net.saturate(9, 0);
  net.saturate(10, 18);
  net.saturate(11, 27);
  net.run_to(microseconds(80));
  const std::vector<Entry> here = net.entries(net.leaf(1, 0));
  ASSERT_GE(here.size(), 1U);
  EXPECT_EQ(here[0].about.info, 1);
  EXPECT_TRUE(here[0].is_consumed);
  EXPECT_EQ(here[0].about.port, 3);
  EXPECT_EQ(net.arn().counters().sent, 0U);
  EXPECT_GT(net.fabric->counters().diverted, 0U);
}

/// Two stages of 4-port switches, 8 hosts. Hosts 2 and 4 send to host 0: over spine 0, whose link
/// down is the root; they have spine 1 instead (spec 3.16).
struct WorkedExample : ArnNetwork {
  WorkedExample()
      : ArnNetwork("rlft", "ports = 4\nstages = 2", std::string(kKeys) + "isolation = \"afi\"\n") {
    settings.ingress_buffer = Bytes(2 * kBuffer);  // 84 packets for each of the two classes
    start();
  }
  [[nodiscard]] NodeId spine(std::uint32_t i) const {
    return graph->port(graph->port(graph->port(leaf_of(0), 2 + i)).to).node;
  }
};

TEST(Arn, WorkedExample) {
  WorkedExample net;
  net.send(2, 0, Time(0), 90'000);
  net.send(4, 0, Time(0), 90'000);
  const std::uint32_t spine_out = net.graph->port(net.spine(0), 0).value;
  // 1, 2: default routes until the spine's output is a root.
  net.run_to(microseconds(63));
  EXPECT_EQ(net.fabric->counters().diverted, 0U);
  EXPECT_EQ(net.arn().detector().state(spine_out), State::pending);
  net.run_to(microseconds(64) + nanoseconds(500));
  // 3: the entry of the root.
  EXPECT_EQ(net.arn().detector().state(spine_out), State::root);
  ASSERT_EQ(net.entries(net.spine(0)).size(), 1U);
  EXPECT_FALSE(net.entries(net.spine(0))[0].is_consumed);
  EXPECT_EQ(net.entries(net.spine(0))[0].about.info, 1);
  // 4 to 6: both leaves hear of it, consume, and take the other spine.
  EXPECT_EQ(net.arn().counters().consumed, 2U);
  for (const std::uint32_t host : {2U, 4U}) {
    const auto entries = net.entries(net.leaf_of(host));
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_TRUE(entries[0].is_consumed);
    EXPECT_EQ(net.arn().table(net.leaf_of(host)).alternative(0), 3);
  }
  EXPECT_TRUE(net.entries(net.leaf_of(6)).empty());
  // 7, 8: adapted packets stand in the class for them, at the other spine.
  net.run_to(microseconds(75));
  EXPECT_GT(net.fabric->counters().diverted, 0U);
  EXPECT_EQ(net.fabric->counters().adapted_in_switches, net.fabric->counters().diverted);
  bool saw_adapted = false;
  net.fabric->for_each_stored([&](PortId where, const fabric::Packet& packet) {
    const NodeId node = net.graph->port(where).node;
    const bool left_spine = node == net.leaf_of(2) || node == net.leaf_of(4);
    if (!left_spine) {
      EXPECT_EQ(packet.buffer == 1, packet.is_adapted());
    }
    if (node == net.spine(1)) {
      EXPECT_TRUE(packet.is_adapted());
      saw_adapted = true;
    }
    if (node == net.spine(0)) {
      EXPECT_FALSE(packet.is_adapted());
    }
  });
  EXPECT_TRUE(saw_adapted);
  // 9, 10: all arrive, some late; then the tables are empty and packets take their default routes.
  net.run_to(microseconds(400));
  EXPECT_EQ(net.fabric->counters().packets_delivered, 1'800U);
  EXPECT_EQ(net.arn().load().entries, 0U);
  EXPECT_EQ(net.arn().load().host_entries, 0U);
  EXPECT_EQ(net.arn().counters().roots_now, 0U);
  const std::uint64_t diverted = net.fabric->counters().diverted;
  net.send(2, 0, microseconds(400), 1'000);
  net.run_to(microseconds(500));
  EXPECT_EQ(net.fabric->counters().packets_delivered, 1'810U);
  EXPECT_EQ(net.fabric->counters().diverted, diverted);
}

/// What one packet has been seen to do so far.
struct Sight {
  bool is_adapted = false;
  bool is_isolated = false;  ///< in the class for adapted packets
};

// Spec 3.5, I1 to I5, of every packet that stands in a switch, looked at every 200 ns: an incast
// whose packets hosts adapt, a root at a middle switch whose packets leaves adapt, and others.
TEST(Arn, IsolationKeepsItsInvariantsPacketByPacket) {
  Tree net(true);
  for (const std::uint32_t host : {3U, 6U, 9U, 18U}) net.saturate(host, 0);
  for (const std::uint32_t host : {12U, 21U, 30U}) net.saturate(host, 27);
  for (const std::uint32_t host : {10U, 19U, 31U, 40U}) {
    net.fabric->add_source(
        HostId(host), std::make_unique<fabric::testing::SaturatedSource>(
                          std::vector<HostId>{HostId(1), HostId(28), HostId(45)}, Bytes(kPacket)));
  }
  const auto routes = fabric::testing::make_routing("d-mod-k", *net.graph);
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Sight> seen;
  std::size_t at_deflection = 0;
  std::size_t isolated = 0;
  const auto look = [&](PortId where, const fabric::Packet& packet) {
    const bool is_isolated = packet.buffer == 1;
    Sight& before = seen[{packet.source, packet.destination, packet.sequence}];
    EXPECT_TRUE(packet.is_adapted() || !before.is_adapted) << "I1: adapted for good";
    EXPECT_TRUE(is_isolated || !before.is_isolated) << "I2, I5: never back to a regular class";
    EXPECT_TRUE(packet.is_adapted() || !is_isolated) << "I3: nobody else in that class";
    if (packet.is_adapted() && !is_isolated) {
      // I2: only where it was diverted, on its way up, and on from there in the other class.
      EXPECT_GE(packet.out, 3U);
      EXPECT_EQ(packet.next_buffer, 1U);
      ++at_deflection;
    }
    if (is_isolated) {
      const auto node = net.graph->port(where).node;
      const auto route = routes->default_route(
          {net.graph->switch_of(node), where, HostId(packet.source), HostId(packet.destination)});
      EXPECT_EQ(packet.out, route.port) << "I4: default routes from there on";
      ++isolated;
    }
    before = {packet.is_adapted(), is_isolated};
  };
  for (Time at = microseconds(40); at < microseconds(140); at = at + nanoseconds(200)) {
    net.run_to(at);
    net.fabric->for_each_stored(look);
    ASSERT_FALSE(HasFailure()) << at.count << " ps";
  }
  EXPECT_GT(at_deflection, 100U);
  EXPECT_GT(isolated, 1'000U);
  EXPECT_GT(net.fabric->counters().adapted_in_switches, 0U);
  EXPECT_GT(net.fabric->counters().adapted_at_hosts, 0U);
}

// A class holds 42 packets: from 57 us on, a packet of the flow every 200 ns through both inputs.
/// Two switches with hosts 0 and 1, and one with host 2; two ways between: a diamond without
/// stages.
std::shared_ptr<const topology::Graph> diamond() {
  topology::GraphBuilder builder("diamond");
  for (int h = 0; h < 3; ++h) builder.add_host();
  for (int s = 0; s < 5; ++s) builder.add_switch(3);
  for (std::uint32_t end = 0; end < 3; ++end) {
    builder.connect(HostId(end), SwitchId(end), 0, kLink);
    builder.connect(SwitchId(end), 1, SwitchId(3), end, kLink);
    builder.connect(SwitchId(end), 2, SwitchId(4), end, kLink);
  }
  return std::make_shared<topology::Graph>(builder.build());
}

// Without stages the first switch with another way diverts, when a packet of the flow comes by.
TEST(Arn, WithoutStagesTheFirstSwitchWithAnotherWayDiverts) {
  for (const bool fails : {false, true}) {
    ArnNetwork net("two-hosts", "", kKeys);
    net.graph = diamond();
    net.start();
    net.send(0, 2, Time(0), kPacket);
    net.run_to(microseconds(1));
    const bool first = net.fabric->port(net.graph->port(net.sw(0), 1)).packets > 0;
    const NodeId way = net.sw(first ? 3 : 4);
    if (fails) {
      net.fabric->change_cable(net.graph->port(way, 2), microseconds(10), false);
      net.send(0, 2, microseconds(1), 500 * kPacket);
    } else {
      net.saturate(0, 2);
      net.saturate(1, 2);
    }
    net.run_to(microseconds(67));
    const std::vector<Entry> root = net.entries(way);
    ASSERT_EQ(root.size(), 1U);
    EXPECT_FALSE(root[0].is_consumed);
    const std::vector<Entry> here = net.entries(net.sw(0));
    ASSERT_EQ(here.size(), 1U);
    EXPECT_TRUE(here[0].is_consumed);
    EXPECT_EQ(here[0].about.port, first ? 1 : 2);
    EXPECT_EQ(net.arn().table(net.sw(0)).alternative(2), first ? 2 : 1);
    EXPECT_GT(net.fabric->counters().diverted, 0U);
    EXPECT_LE(net.fabric->counters().packets_lost, 5U);
  }
}

TEST(Arn, NotificationsOfAnEntryKeepTheirDistance) {
  const auto sent = [](const std::string& gap) {
    Tree net(true, "hosts = \"ignore\"\nleast_gap = \"" + gap + "\"\n");
    net.saturate(1, 0);
    net.saturate(2, 0);
    net.run_to(microseconds(157));
    EXPECT_EQ(net.arn().counters().bytes_sent, 64 * net.arn().counters().sent);
    return static_cast<double>(net.arn().counters().sent);
  };
  EXPECT_NEAR(sent("0 ns"), 2 * 500, 20);
  EXPECT_NEAR(sent("1 us"), 2 * 100, 5);
  EXPECT_NEAR(sent("10 us"), 2 * 10, 2);
}

TEST(Arn, RefusesWhatCannotWork) {
  EXPECT_THROW(Tree(false, "low = 0.9\n"), InputError);
  EXPECT_THROW(Tree(false, "switch_lifetime = \"1 us\"\n"), InputError);
  ArnNetwork voqsw("rlft", "ports = 4\nstages = 2", std::string(kKeys) + "isolation = \"afi\"\n");
  voqsw.queueing = "voqsw";
  voqsw.queueing_toml = "flow_control = \"per-queue\"";
  EXPECT_THROW(voqsw.start(), InputError);
}

// Host queues: a host with an entry for one destination goes on sending to others.
TEST(Arn, ASourceWithSomeAdaptedPacketsIsNotStopped) {
  Tree net(true);
  for (const std::uint32_t host : {1U, 2U, 3U, 4U, 6U}) net.saturate(host, 0);
  net.fabric->add_source(HostId(5), std::make_unique<fabric::testing::SaturatedSource>(
                                        std::vector<HostId>{HostId(0), HostId(30), HostId(31),
                                                            HostId(32), HostId(33), HostId(34)},
                                        Bytes(kPacket)));
  net.run_to(microseconds(300));
  net.journal.bytes_from.clear();
  net.journal.count_from = microseconds(300);
  net.run_to(microseconds(500));
  // Five of six messages go to others; those to host 0 wait apart, without a bound.
  EXPECT_GT(net.journal.bytes_from[5], 200'000 * 0.9);
  EXPECT_GT(net.fabric->counters().adapted_at_hosts, 0U);
}

// A closed loop that sends nothing else keeps no more than its staged packets.
TEST(Arn, ASourceOfAdaptedPacketsOnlyStaysAClosedLoop) {
  Tree net(true);
  for (const std::uint32_t host : {1U, 2U, 3U, 4U, 6U}) net.saturate(host, 0);
  net.run_to(microseconds(400));
  EXPECT_GT(net.fabric->counters().adapted_at_hosts, 0U);
  EXPECT_LE(net.fabric->backlog().count, 5 * 3 * 8 * kPacket);
}

// Link failures (spec 3.18): found by the packets that would take the link, told upstream where the
// switch has no other way.
/// Packets lost of 1000, of which each selection may lose some when the link is found to be down.
std::uint64_t lost(const std::string& selection, bool isolates, std::uint32_t from_stage) {
  Tree net(isolates);
  net.selection = selection;
  if (selection != "arn") net.selection_toml.clear();
  net.start();
  // The route from host 9 to host 0: leaf 3 up, middle 3 up, top down, middle down.
  const PortId ports[] = {net.graph->port(net.leaf(1, 0), 3), net.graph->port(net.middle(1, 0), 3),
                          net.graph->port(net.top(0, 0), 0), net.graph->port(net.middle(0, 0), 0),
                          net.port_to(0)};
  net.fabric->change_cable(ports[from_stage], microseconds(10), false);
  net.send(9, 0, Time(0), 1'000 * kPacket);
  net.run_to(milliseconds(1));
  const fabric::Counters& counters = net.fabric->counters();
  EXPECT_EQ(counters.packets_delivered + counters.packets_lost, 1'000U);
  EXPECT_EQ(counters.adapted_in_switches, 0U);
  return counters.packets_lost;
}

TEST(Arn, RoutesAroundALinkThatIsDown) {
  for (const bool isolates : {false, true}) {
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
      // What stands at the link, and what is under way until the switch that can help has heard.
      EXPECT_LE(lost("arn", isolates, stage), 8U) << stage;
    }
    EXPECT_GT(lost("arn", isolates, 4), 890U);  // there is no other way to the host
  }
  for (const char* local : {"random", "most-credits", "adaptive-threshold", "omni-path", "bxi",
                            "slingshot", "two-choices"}) {
    EXPECT_LE(lost(local, false, 0), 2U) << local;
    EXPECT_LE(lost(local, false, 1), 2U) << local;
  }
  EXPECT_GT(lost("adaptive-threshold", false, 2), 890U);
  for (std::uint32_t stage = 0; stage < 5; ++stage) EXPECT_GT(lost("fixed", false, stage), 890U);
}

// The link that packets take instead fails as well.
TEST(Arn, ASecondFailureOnTheOtherWayIsAvoidedToo) {
  for (const bool isolates : {false, true}) {
    Tree net(isolates);
    const NodeId leaf = net.leaf(1, 0);
    net.fabric->change_cable(net.graph->port(leaf, 3), microseconds(10), false);
    net.send(9, 0, Time(0), 1'000 * kPacket);
    net.run_to(microseconds(20));
    const auto other = net.arn().table(leaf).alternative(0);
    ASSERT_TRUE(other);
    net.fabric->change_cable(net.graph->port(leaf, *other), microseconds(20), false);
    net.run_to(milliseconds(1));
    EXPECT_LE(net.fabric->counters().packets_lost, 16U);
  }
}

// All ways up fail; one that is not the default works again.
TEST(Arn, AnotherWayIsTakenAsSoonAsThereIsOne) {
  Tree net(false);
  const NodeId leaf = net.leaf(1, 0);
  for (const std::uint32_t up : {3U, 4U, 5U}) {
    net.fabric->change_cable(net.graph->port(leaf, up), microseconds(10), false);
  }
  net.fabric->change_cable(net.graph->port(leaf, 4), microseconds(50), true);
  net.send(9, 0, Time(0), 1'000 * kPacket);
  net.run_to(milliseconds(1));
  EXPECT_NEAR(static_cast<double>(net.fabric->counters().packets_lost), 400, 10);
  EXPECT_EQ(net.arn().table(leaf).alternative(0), 4);
}

TEST(Arn, ALinkThatIsUpAgainIsUsedAgain) {
  Tree net(false);
  const PortId up = net.graph->port(net.leaf(1, 0), 3);
  net.fabric->change_cable(up, microseconds(10), false);
  net.fabric->change_cable(up, microseconds(50), true);
  net.send(9, 0, Time(0), 1'000 * kPacket);
  net.run_to(microseconds(60));
  const std::uint64_t diverted = net.fabric->counters().diverted;
  EXPECT_GT(diverted, 350U);
  net.run_to(milliseconds(1));
  EXPECT_EQ(net.fabric->counters().diverted, diverted);
  EXPECT_EQ(net.arn().load().entries, 0U);
}

}  // namespace
}  // namespace weir::selection::test
