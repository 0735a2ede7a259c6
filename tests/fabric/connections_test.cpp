// Several connections between the same two hosts: each has an order, a source queue, a route and
// ACKs of its own (zdornov2009, sections 1.3 and 3.2.1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "support/small_network.hpp"
#include "weir/fabric/host/flow_table.hpp"
#include "weir/routing/explicit_routes.hpp"

namespace weir::fabric::testing::connections_test {
namespace {

using ::testing::ElementsAre;

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns
constexpr std::int64_t kPacket = 100;                                  // bytes, so 100 ns

// Up to 4096 hosts connections 0 are in a table of all pairs, beyond in the same one as all others.
TEST(FlowTable, FindsEveryConnectionOfAPairAgain) {
  for (const std::size_t hosts : {16U, 5'000U}) {
    FlowTable table(hosts);
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool, std::uint32_t>, std::uint32_t> known;
    std::set<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < 65'536; number += number < 300 ? 1 : 1'087) {
      for (const std::uint32_t destination : {1U, 2U, 15U}) {
        for (const bool keeps_rate : {false, true}) {
          const auto connection = static_cast<std::uint16_t>(number);
          EXPECT_EQ(table.find(0, destination, keeps_rate, connection), kNone);
          const std::uint32_t flow = table.find_or_add(0, destination, keeps_rate, connection);
          known[{0, destination, keeps_rate, number}] = flow;
          EXPECT_TRUE(numbers.insert(flow).second);
          EXPECT_EQ(table.connections(), number + 1);
        }
      }
    }
    for (const auto& [name, flow] : known) {
      const auto& [source, destination, keeps_rate, number] = name;
      const auto connection = static_cast<std::uint16_t>(number);
      ASSERT_EQ(table.find(source, destination, keeps_rate, connection), flow);
      ASSERT_EQ(table.find_or_add(source, destination, keeps_rate, connection), flow);
      ASSERT_EQ(table.name(flow).destination, destination);
      ASSERT_EQ(table.whole(flow).keeps_rate, keeps_rate);
      ASSERT_EQ(table.whole(flow).connection, connection);
      ASSERT_EQ(table.connection_of(flow), connection);
    }
    EXPECT_EQ(table.size(), known.size());
    EXPECT_EQ(table.find(1, 0, false, 7), kNone) << "the other direction is another pair";
  }
}

// Names take 4 bytes up to 65,536 hosts and 8 beyond: hosts whose last 16 bits are the same are
// two.
TEST(FlowTable, TellsHostsWithLargeNumbersApart) {
  FlowTable table(70'000);
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> known;
  for (const std::uint32_t host : {65'535U, 65'536U, 69'999U, 69'999U - 65'536U}) {
    known[table.find_or_add(host, 3)] = {host, 3};
    known[table.find_or_add(3, host)] = {3, host};
  }
  EXPECT_EQ(known.size(), 8U);
  for (const auto& [flow, hosts] : known) {
    EXPECT_EQ(table.name(flow).source, hosts.first);
    EXPECT_EQ(table.name(flow).destination, hosts.second);
    EXPECT_EQ(table.find(hosts.first, hosts.second), flow);
  }
}

// Packets that are received in order, overtake each other, and are lost.
TEST(FlowTable, CountsWhatIsReceived) {
  FlowTable table(16);
  const std::uint32_t first = table.find_or_add(0, 1);
  const std::uint32_t second = table.find_or_add(0, 2);
  const std::size_t memory = table.memory();
  for (std::uint32_t sequence = 0; sequence < 3; ++sequence)
    EXPECT_TRUE(table.receive(first, sequence));
  EXPECT_EQ(table.memory(), memory) << "flows in order take no more";
  for (const std::uint32_t sequence : {0U, 3U, 5U}) EXPECT_TRUE(table.receive(second, sequence));
  for (const std::uint32_t sequence : {1U, 4U}) EXPECT_FALSE(table.receive(second, sequence));
  table.lose(second);  // number 2
  EXPECT_TRUE(table.receive(second, 6));

  const Flow in_order = table.whole(first);
  EXPECT_EQ(in_order.delivered, 3U);
  EXPECT_EQ(in_order.highest, 3U);
  EXPECT_EQ(in_order.out_of_order, 0U);
  const Flow other = table.whole(second);
  EXPECT_EQ(other.source, 0U);
  EXPECT_EQ(other.destination, 2U);
  EXPECT_EQ(other.delivered, 6U);
  EXPECT_EQ(other.highest, 7U);
  EXPECT_EQ(other.out_of_order, 2U);
  EXPECT_EQ(other.lost, 1U);

  // One that is skipped counts as lost, and not as delivered.
  table.lose(first);
  table.skip(first);
  EXPECT_EQ(table.whole(first).delivered, 3U);
  EXPECT_EQ(table.whole(first).highest, 4U);
  EXPECT_TRUE(table.receive(first, 4));
  EXPECT_EQ(table.whole(first).delivered, 4U);

  FlowTable again(16);
  for (const std::uint32_t flow : {first, second}) {
    const Flow was = table.whole(flow);
    again.restore(again.find_or_add(was.source, was.destination), was);
    EXPECT_EQ(again.whole(flow).delivered, was.delivered);
    EXPECT_EQ(again.whole(flow).highest, was.highest);
    EXPECT_EQ(again.whole(flow).out_of_order, was.out_of_order);
    EXPECT_EQ(again.whole(flow).lost, was.lost);
  }
}

// Flows to another part have numbers among those to it, in the order in which they begin.
TEST(FlowTable, OfAPartNumbersWhatGoesToOthers) {
  const std::vector<std::uint16_t> part_of{1, 0, 1, 2, 0, 2};
  FlowTable table(part_of.size(), part_of, 1, 3);
  std::array<std::uint32_t, 3> next{};
  for (std::uint16_t connection = 0; connection < 2; ++connection) {
    for (const std::uint32_t source : {2U, 0U}) {
      for (std::uint32_t destination = 0; destination < part_of.size(); ++destination) {
        if (source == destination) continue;
        const std::uint32_t flow = table.find_or_add(source, destination, false, connection);
        ASSERT_EQ(table.find(source, destination, false, connection), flow);
        if (part_of[destination] == 1) {
          EXPECT_EQ(table.highest(flow), 0U);
        } else {
          EXPECT_EQ(table.across(flow), next[part_of[destination]]++);
          EXPECT_EQ(table.whole(flow).highest, 0U) << "known where it ends";
        }
        EXPECT_EQ(table.injected(flow)++, 0U);
        EXPECT_EQ(table.whole(flow).injected, 1U);
      }
    }
  }
  EXPECT_EQ(next, (std::array<std::uint32_t, 3>{8, 0, 8}));
}

Flow named(std::uint32_t source, std::uint32_t destination, std::uint16_t connection) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.connection = connection;
  return flow;
}

// By their numbers, which come in any order, and from several parts.
TEST(FlowTable, OfAPartFindsWhatComesFromOthers) {
  for (const std::size_t hosts : {64U, 5'000U}) {
    std::vector<std::uint16_t> part_of(hosts);
    for (std::size_t host = 0; host < hosts; ++host)
      part_of[host] = static_cast<std::uint16_t>(host % 3);
    FlowTable table(hosts, part_of, 0, 3);
    std::set<std::uint32_t> numbers;
    for (const std::uint32_t across : {7U, 0U, 300U, 8U}) {
      for (std::uint16_t from = 1; from <= 2; ++from) {
        const Flow name = named(from + 3 * across / 20, 3, from);
        const std::uint32_t flow = table.find_or_add_incoming(from, across, name);
        EXPECT_TRUE(numbers.insert(flow).second);
        EXPECT_LT(flow, table.end());
        EXPECT_EQ(table.name(flow).source, name.source);
        EXPECT_EQ(table.name(flow).destination, name.destination);
        EXPECT_EQ(table.connection_of(flow), name.connection);
        EXPECT_EQ(table.find_or_add_incoming(from, across, name), flow);
        EXPECT_TRUE(table.receive(flow, 0));
        EXPECT_EQ(table.find_or_add_incoming(from, across, {}), flow) << "it has its name";
        EXPECT_EQ(table.whole(flow).delivered, 1U);
        EXPECT_EQ(table.whole(flow).injected, 0U);
      }
    }
    EXPECT_EQ(table.size(), numbers.size());
    // Those of its own are numbered among them.
    const std::uint32_t own = table.find_or_add(0, 3);
    EXPECT_TRUE(numbers.insert(own).second);
    std::set<std::uint32_t> known;
    table.for_each_number([&](std::uint32_t flow) { known.insert(flow); });
    EXPECT_EQ(known, numbers);
    EXPECT_EQ(table.size(), numbers.size());
  }
}

// 8 bytes a flow that comes from elsewhere, 12 one of its own, beside what is there for any.
TEST(FlowTable, OfAPartTakesLittleForAFlow) {
  constexpr std::uint32_t kHosts = 4'096;
  std::vector<std::uint16_t> part_of(kHosts);
  for (std::size_t host = 0; host < kHosts; ++host)
    part_of[host] = static_cast<std::uint16_t>(host % 2);
  FlowTable table(kHosts, part_of, 0, 2);
  const auto come = [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i)
      table.find_or_add_incoming(1, i, named(2 * (i / 2'048) + 1, i % 2'048 * 2, 0));
  };
  const auto begin = [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i)
      table.find_or_add(2 * (i / 2'048), 2 * (i % 2'048) + 1);
  };
  constexpr std::uint32_t kChunk = 1 << 19;  // the first of each kind is there from the beginning
  come(0, kChunk);
  begin(0, kChunk);
  const std::size_t first = table.memory();
  come(kChunk, 3 * kChunk);
  const std::size_t with_incoming = table.memory();
  EXPECT_NEAR(static_cast<double>(with_incoming - first) / (2 * kChunk), 8, 0.1);
  begin(kChunk, 3 * kChunk);
  EXPECT_NEAR(static_cast<double>(table.memory() - with_incoming) / (2 * kChunk), 12, 0.1);
  EXPECT_EQ(table.size(), 6 * kChunk);
}

// Beyond 4096 hosts flows of its own are found by open addressing, beside which what comes from
// others takes no place.
TEST(FlowTable, OfAPartWithManyHostsKeepsItsOwnApart) {
  std::vector<std::uint16_t> part_of(5'000);
  for (std::size_t host = 0; host < part_of.size(); ++host)
    part_of[host] = static_cast<std::uint16_t>(host % 2);
  FlowTable table(part_of.size(), part_of, 0, 2);
  constexpr std::uint32_t kFlows = 3'000;
  std::vector<std::uint32_t> own;
  std::vector<std::uint32_t> incoming;
  for (std::uint32_t i = 0; i < kFlows; ++i) {
    own.push_back(table.find_or_add(2 * (i % 2'500), (7 * i + 1) % 5'000));
    incoming.push_back(table.find_or_add_incoming(1, i, named(2 * (i % 2'500) + 1, 4, 0)));
  }
  for (std::uint32_t i = 0; i < kFlows; ++i) {
    ASSERT_EQ(table.find(2 * (i % 2'500), (7 * i + 1) % 5'000), own[i]);
    ASSERT_EQ(table.find_or_add_incoming(1, i, {}), incoming[i]);
  }
  EXPECT_EQ(table.size(), 2 * kFlows);
  FlowTable of_own(part_of.size(), part_of, 0, 2);
  for (std::uint32_t i = 0; i < kFlows; ++i)
    of_own.find_or_add(2 * (i % 2'500), (7 * i + 1) % 5'000);
  EXPECT_LE(table.memory(), of_own.memory() + 64) << "hashed are own flows alone";
}

// A checkpoint has flows whose numbers are those of other parts.
TEST(FlowTable, OfAPartFindsFlowsOfACheckpointByTheirNames) {
  const std::vector<std::uint16_t> part_of{0, 1, 0, 1};
  FlowTable table(part_of.size(), part_of, 0, 2);
  table.find_incoming_by_name();
  const std::uint32_t known = table.find_or_add(1, 2, false, 5);
  EXPECT_EQ(table.find_or_add_incoming(1, kNone, named(1, 2, 5)), known);  // it was on its way
  EXPECT_EQ(table.find_or_add_incoming(1, 9, named(1, 2, 5)), known);
  // One that is new comes under both names, too.
  const std::uint32_t later = table.find_or_add_incoming(1, 4, named(3, 0, 0));
  EXPECT_EQ(table.find_or_add_incoming(1, kNone, named(3, 0, 0)), later);
  // Many more find their places again when the table grows.
  for (std::uint16_t connection = 10; connection < 1'000; ++connection)
    table.find_or_add_incoming(1, connection, named(1, 0, connection));
  EXPECT_EQ(table.find(1, 2, false, 5), known);
  EXPECT_EQ(table.find(3, 0), later);
  EXPECT_EQ(table.size(), 992U);
}

/// A window of one packet for each flow.
class Windows : public Reaction {
 public:
  Time may_inject(const Message& message, Time now) override {
    return outstanding[message.flow] == 0 ? now : Time::max();
  }
  void on_injected(const Message& message, const Packet&, Time) override {
    ++outstanding[message.flow];
    most[message.flow] = std::max(most[message.flow], outstanding[message.flow]);
  }
  void on_ack(const Packet& ack, Time) override {
    --outstanding[ack.message];
    ++acks[ack.message];
  }
  std::map<std::uint32_t, int> outstanding;
  std::map<std::uint32_t, int> most;
  std::map<std::uint32_t, int> acks;
};

/// Four hosts at two switches below two roots, and messages of some connections from 0 to 3.
class TwoRoots : public ::testing::Test {
 protected:
  TwoRoots() : graph_(make_topology("k-ary-n-tree", "k = 2\nn = 2", kLink)) {
    settings_.mtu = Bytes(kPacket);
    settings_.source_queues = SourceQueueKind::per_destination;
    routing_ = make_routing("d-mod-k", *graph_);
  }
  void start() {
    Models models{graph_, routing_, make_selection("fixed"),
                  make_queueing(one_class(settings_), *graph_)};
    fabric_ = std::make_unique<Fabric>(models, mechanisms_, settings_, seen_);
  }
  void send(std::uint16_t connection, std::int64_t packets) {
    auto source = std::make_unique<ListSource>(
        std::vector<MessageRequest>{{Time(), HostId(3), Bytes(packets * kPacket), connection}});
    source->connection = connection;
    fabric_->add_source(HostId(0), std::move(source));
  }
  /// From host 0 to host 3 over the up port `up` of its switch.
  [[nodiscard]] std::vector<PortId> path(std::uint16_t up) const {
    std::vector<PortId> out{graph_->host_port(HostId(0))};
    const auto next = [&](std::uint16_t port) {
      out.push_back(graph_->port(graph_->port(graph_->port(out.back()).to).node, port));
    };
    next(up);
    next(1);  // to the second switch
    next(1);  // to its second host
    return out;
  }
  [[nodiscard]] std::int64_t packets_over(std::uint16_t up) const {
    return fabric_->port(path(up)[1]).packets;
  }
  [[nodiscard]] std::map<std::uint16_t, Flow> flows() const {
    std::map<std::uint16_t, Flow> out;
    for (const Flow& flow : fabric_->flows()) out[flow.connection] = flow;
    return out;
  }

  std::shared_ptr<const topology::Graph> graph_;
  std::shared_ptr<const routing::RoutingFunction> routing_;
  FabricSettings settings_;
  Mechanisms mechanisms_;
  Journal seen_;
  std::unique_ptr<Fabric> fabric_;
};

TEST_F(TwoRoots, ConnectionsTakeTurnsAndCountForThemselves) {
  start();
  send(0, 20);
  send(7, 10);
  fabric_->run_until(milliseconds(1));
  ASSERT_EQ(fabric_->flows().size(), 2U);
  EXPECT_EQ(flows()[0].delivered, 20U);
  EXPECT_EQ(flows()[7].delivered, 10U);
  EXPECT_EQ(flows()[0].out_of_order + flows()[7].out_of_order, 0U);
  // They do not wait behind each other: sequence numbers of both run side by side.
  EXPECT_EQ(seen_.deliveries[0].sequence, seen_.deliveries[1].sequence);
  EXPECT_EQ(seen_.deliveries[18].sequence, seen_.deliveries[19].sequence);
}

TEST_F(TwoRoots, AcksGoToTheirConnection) {
  const auto windows = std::make_shared<Windows>();
  mechanisms_.reaction = windows;
  settings_.acks = AckMode::in_band;
  start();
  send(0, 5);
  send(1, 9);
  fabric_->run_until(milliseconds(1));
  ASSERT_EQ(fabric_->flows().size(), 2U);
  for (std::uint32_t f = 0; f < 2; ++f) {
    EXPECT_EQ(windows->acks[f], fabric_->flows()[f].connection == 0 ? 5 : 9);
    EXPECT_EQ(windows->outstanding[f], 0);
    EXPECT_EQ(windows->most[f], 1);
  }
}

TEST_F(TwoRoots, EachConnectionFollowsItsRoute) {
  ASSERT_NE(path(2), path(3));
  for (const bool swapped : {false, true}) {
    auto routes =
        std::make_shared<routing::ExplicitRoutes>(*graph_, make_routing("d-mod-k", *graph_));
    ASSERT_TRUE(routes->add(HostId(0), HostId(3), path(swapped ? 3 : 2), 0));
    ASSERT_TRUE(routes->add(HostId(0), HostId(3), path(swapped ? 2 : 3), 4));
    EXPECT_EQ(routes->path_count(), 2U);
    EXPECT_FALSE(routes->add(HostId(0), HostId(3), path(swapped ? 3 : 2), 4));
    routing_ = routes;
    start();
    routes->tell([this](std::uint32_t message) { return fabric_->connection_of(message); });
    send(0, 30);
    send(4, 12);
    fabric_->run_until(milliseconds(1));
    EXPECT_EQ(packets_over(2), swapped ? 12 : 30);
    EXPECT_EQ(packets_over(3), swapped ? 30 : 12);
    EXPECT_EQ(flows()[4].delivered, 12U);
  }
}

TEST_F(TwoRoots, ConnectionsWithoutRouteTakeTheDefault) {
  auto routes =
      std::make_shared<routing::ExplicitRoutes>(*graph_, make_routing("d-mod-k", *graph_));
  start();
  send(0, 1);
  fabric_->run_until(milliseconds(1));
  const std::uint16_t usual = packets_over(2) == 1 ? 2 : 3;
  const auto other = static_cast<std::uint16_t>(5 - usual);
  ASSERT_TRUE(routes->add(HostId(0), HostId(3), path(other), 0));
  routing_ = routes;
  start();
  routes->tell([this](std::uint32_t message) { return fabric_->connection_of(message); });
  send(0, 30);
  send(1, 12);
  fabric_->run_until(milliseconds(1));
  EXPECT_EQ(packets_over(other), 30);
  EXPECT_EQ(packets_over(usual), 12);
}

}  // namespace
}  // namespace weir::fabric::testing::connections_test
