// Selections that spread load without looking at it: ecmp, spray, flowlet.
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "fabric/test_network.hpp"

namespace weir::selection::test::load_balancing_test {
namespace {

using fabric::testing::ListSource;
using fabric::testing::TestNetwork;
using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Gt;
using testing::Le;
using testing::Lt;
using testing::Not;

constexpr std::int64_t kPacket = 1'000;

/// A tree of 64 hosts and switches of 4 ports down and 4 up, in three stages; 1 B/ns.
TestNetwork tree(const std::string& selection, const std::string& toml = "") {
  TestNetwork net;
  net.graph = fabric::testing::make_topology("k-ary-n-tree", "k = 4\nn = 3",
                                             {Rate(8'000'000'000), Time(2'000)});
  net.selection = selection;
  net.selection_toml = toml;
  net.settings.mtu = Bytes(kPacket);
  net.settings.ingress_buffer = Bytes(100 * kPacket);
  return net;
}

/// A message every `gap` for each destination in turn.
void send(fabric::Fabric& network, std::uint32_t from, const std::vector<std::uint32_t>& to,
          int messages, Time gap, Bytes size = Bytes(kPacket), Time first = Time(0)) {
  std::vector<fabric::MessageRequest> all;
  for (int i = 0; i < messages; ++i) {
    for (const std::uint32_t destination : to) {
      all.push_back(
          {first + gap * static_cast<std::int64_t>(all.size()), HostId(destination), size});
    }
  }
  network.add_source(HostId(from), std::make_unique<ListSource>(std::move(all)));
}

/// Packets by each port up of the switches of a stage, 1 being that of the hosts.
std::map<std::uint32_t, std::vector<std::int64_t>> sent_up(const fabric::Fabric& network,
                                                           int stage) {
  std::map<std::uint32_t, std::vector<std::int64_t>> sent;
  const topology::Graph& graph = network.graph();
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    if (graph.stage(NodeId(n)) != stage) continue;
    for (std::size_t p = 0; p < graph.ports(NodeId(n)).size(); ++p) {
      if (graph.ports(NodeId(n))[p].role != topology::PortRole::up) continue;
      sent[static_cast<std::uint32_t>(n)].push_back(network.port(graph.port(NodeId(n), p)).packets);
    }
  }
  return sent;
}

/// All hosts send to all hosts of another quarter of the tree: through the topmost stage.
std::unique_ptr<fabric::Fabric> all_to_the_next_quarter(TestNetwork& net) {
  auto network = net.build();
  for (std::uint32_t host = 0; host < 64; ++host) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < 16; ++i) others.push_back((host / 16 * 16 + 16 + i) % 64);
    send(*network, host, others, 4, microseconds(20));
  }
  network->run_until(milliseconds(10));
  return network;
}

/// Ports up of a stage that carried packets.
int ports_used(const fabric::Fabric& network, int stage) {
  int used = 0;
  for (const auto& [node, ports] : sent_up(network, stage)) {
    for (const std::int64_t packets : ports) used += packets > 0 ? 1 : 0;
  }
  return used;
}

// 64 connections through each leaf switch, of 4 packets each: 16 a port in the mean, with a
// standard deviation of 3.5 if the hash is even.
TEST(Ecmp, SpreadsConnectionsEvenlyAndKeepsEachOnItsRoute) {
  TestNetwork net = tree("ecmp");
  const auto network = all_to_the_next_quarter(net);
  for (const auto& [node, ports] : sent_up(*network, 1)) {
    EXPECT_THAT(ports, Each(AllOf(Gt(4), Lt(128)))) << node;
    for (const std::int64_t packets : ports) EXPECT_EQ(packets % 4, 0) << "whole connections";
  }
  for (const fabric::Flow& flow : network->flows()) EXPECT_EQ(flow.out_of_order, 0U);
  EXPECT_EQ(ports_used(*network, 2), 64);
}

// Flows that reach a switch of the second stage have chosen the port that leads to it by the same
// hash: they choose the same number once more, and three of four ports stay idle.
TEST(Ecmp, TheSameSaltEverywhereLeavesPortsIdle) {
  TestNetwork net = tree("ecmp", "salt = \"same\"");
  const auto network = all_to_the_next_quarter(net);
  EXPECT_EQ(ports_used(*network, 1), 64);
  EXPECT_EQ(ports_used(*network, 2), 16);
}

// 64 connections: 16 a port in the mean, with a standard deviation of 3.5.
TEST(Ecmp, TellsConnectionsOfTheSameHostsApart) {
  TestNetwork net = tree("ecmp");
  const auto network = net.build();
  for (std::uint16_t number = 0; number < 64; ++number) {
    auto source = std::make_unique<ListSource>(
        std::vector<fabric::MessageRequest>{{microseconds(number), HostId(63), Bytes(kPacket)}});
    source->connection = number;
    network->add_source(HostId(0), std::move(source));
  }
  network->run_until(milliseconds(1));
  const auto ports = sent_up(*network, 1).begin()->second;
  EXPECT_THAT(ports, Each(AllOf(Gt(4), Lt(40))));
}

TEST(Ecmp, TheSeedSaltsTheHash) {
  std::set<std::vector<std::int64_t>> spreads;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    TestNetwork net = tree("ecmp");
    net.settings.seed = seed;
    spreads.insert(sent_up(*all_to_the_next_quarter(net), 1).begin()->second);
  }
  EXPECT_EQ(spreads.size(), 3U);
}

/// 100 packets of one host for a host of another quarter of the tree.
std::unique_ptr<fabric::Fabric> one_connection(TestNetwork& net) {
  auto network = net.build();
  send(*network, 0, {63}, 100, microseconds(10));
  network->run_until(milliseconds(10));
  return network;
}

// The leaf switch has four outputs, each of which leads to a switch with four more.
TEST(Spray, InTurnEveryOutputCarriesTheSame) {
  TestNetwork net = tree("spray", "order = \"round-robin\"");
  const auto network = one_connection(net);
  EXPECT_THAT(sent_up(*network, 1).begin()->second, Each(25));
  for (const auto& [node, ports] : sent_up(*network, 2)) {
    if (ports[0] == 0) continue;  // of another quarter of the tree
    EXPECT_THAT(ports, Each(AllOf(Ge(6), Le(7)))) << node;
  }
}

// 25 packets in the mean, with a standard deviation of 4.3.
TEST(Spray, AtRandomEveryOutputIsEquallyLikely) {
  TestNetwork net = tree("spray");
  const auto network = one_connection(net);
  const auto ports = sent_up(*network, 1).begin()->second;
  EXPECT_THAT(ports, Each(AllOf(Gt(3), Lt(47))));
  EXPECT_THAT(ports, Not(Each(25)));
  EXPECT_EQ(ports_used(*network, 2), 16);
}

TEST(Spray, PacketsOfAConnectionOvertakeEachOther) {
  TestNetwork net = tree("spray");
  const auto network = net.build();
  // Packets of the first two hosts meet at random in the queues of their leaf switch.
  for (const std::uint32_t from : {0U, 1U}) send(*network, from, {63 - from}, 200, Time(1'000'000));
  network->run_until(milliseconds(10));
  EXPECT_GT(network->flows()[0].out_of_order + network->flows()[1].out_of_order, 0U);
}

/// Packets of each of two connections that left their default routes at the leaf switch, or at the
/// one behind it. Each host sends 200 packets, one every 10 us, the second 5 us after the first.
std::uint64_t diverted(const std::string& toml) {
  TestNetwork net = tree("flowlet", toml);
  const auto network = net.build();
  send(*network, 0, {63}, 200, microseconds(10));
  send(*network, 1, {62}, 200, microseconds(10), Bytes(kPacket), microseconds(5));
  network->run_until(milliseconds(10));
  return network->counters().diverted;
}

// While a connection keeps its outputs all of its packets are diverted at a switch, or none.
TEST(Flowlet, ChoosesAnewAfterAPauseOnly) {
  EXPECT_EQ(diverted("gap = \"10 us\"") % 200, 0U);
  // Of 400 packets at each of two switches three in four: 600, with a standard deviation of 12.
  EXPECT_NEAR(static_cast<double>(diverted("gap = \"9 us\"")), 600, 5 * 12);
}

// Both connections find the entry used 5 us ago: neither of them pauses.
TEST(Flowlet, ConnectionsOfOneEntryShareTheirPauses) {
  EXPECT_EQ(diverted("gap = \"7 us\"\nentries = 1") % 200, 0U);
  EXPECT_NEAR(static_cast<double>(diverted("gap = \"7 us\"")), 600, 5 * 12);
}

// 4 packets leave back to back every 20 us.
TEST(Flowlet, PacketsOfABurstStayTogether) {
  TestNetwork net = tree("flowlet", "gap = \"5 us\"");
  const auto network = net.build();
  send(*network, 0, {63}, 100, microseconds(20), Bytes(4 * kPacket));
  network->run_until(milliseconds(10));
  const auto ports = sent_up(*network, 1).begin()->second;
  for (const std::int64_t packets : ports) {
    EXPECT_GT(packets, 0);
    EXPECT_EQ(packets % 4, 0);
  }
  EXPECT_EQ(network->flows()[0].out_of_order, 0U);
}

}  // namespace
}  // namespace weir::selection::test::load_balancing_test
