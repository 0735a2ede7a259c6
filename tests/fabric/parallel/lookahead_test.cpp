// How far parts of a network may go before they have to hear of each other.
#include "weir/fabric/parallel/lookahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/parallel/slack.hpp"

namespace weir::fabric::testing {
namespace {

topology::LinkSpec cable(std::int64_t delay) { return {gigabits_per_second(8), Time(delay)}; }

/// A host at each switch, 5 ps away, and cables between switches.
topology::Graph graph_of(
    std::size_t switches,
    const std::vector<std::tuple<std::size_t, std::size_t, std::int64_t>>& cables) {
  topology::GraphBuilder builder("test");
  std::vector<SwitchId> ids;
  std::vector<std::size_t> used(switches, 0);
  for (std::size_t s = 0; s < switches; ++s) ids.push_back(builder.add_switch(24));
  for (std::size_t s = 0; s < switches; ++s)
    builder.connect(builder.add_host(), ids[s], used[s]++, cable(5));
  for (const auto& [one, other, delay] : cables)
    builder.connect(ids[one], used[one]++, ids[other], used[other]++, cable(delay));
  return builder.build();
}

/// Each switch, with its host, is a part.
Territories one_by_one(const topology::Graph& graph) {
  std::vector<std::uint16_t> of_node;
  for (std::size_t node = 0; node < graph.node_count(); ++node)
    of_node.push_back(static_cast<std::uint16_t>(node % graph.switch_count()));
  return territories_of(graph, of_node, graph.switch_count());
}

TEST(Lookahead, IsTheShortestWayOverCablesThatJoinParts) {
  const topology::Graph graph = graph_of(4, {{0, 1, 100}, {1, 2, 20}, {2, 3, 50}, {0, 1, 300}});
  const Lookahead ways(graph, one_by_one(graph), kNever);
  EXPECT_EQ(ways.between(0, 1), 100);
  EXPECT_EQ(ways.between(1, 0), 100);
  EXPECT_EQ(ways.between(0, 2), 120);
  EXPECT_EQ(ways.between(3, 0), 170);
  EXPECT_EQ(ways.between(0, 0), 200) << "there and back";
  EXPECT_EQ(ways.between(1, 1), 40);
  EXPECT_EQ(ways.out_of(0), 100);
  EXPECT_EQ(ways.out_of(2), 20);
  EXPECT_EQ(ways.out_of(3), 50);
  EXPECT_EQ(ways.longest(), 100);
}

TEST(Lookahead, IsNoLongerThanWhatReachesAllParts) {
  const topology::Graph graph = graph_of(4, {{0, 1, 100}, {1, 2, 20}, {2, 3, 50}});
  const Lookahead ways(graph, one_by_one(graph), 60);
  EXPECT_EQ(ways.between(0, 1), 60);
  EXPECT_EQ(ways.between(0, 3), 60);
  EXPECT_EQ(ways.between(1, 2), 20);
  EXPECT_EQ(ways.between(1, 3), 60);
  EXPECT_EQ(ways.between(0, 0), 120);
  EXPECT_EQ(ways.out_of(0), 60);
  EXPECT_EQ(ways.longest(), 60);
}

TEST(Lookahead, IsLongerByWhatPacketsWaitFor) {
  const topology::Graph graph = graph_of(3, {{0, 1, 100}, {1, 2, 20}});
  const Lookahead ways(graph, one_by_one(graph), kNever, 7);
  EXPECT_EQ(ways.between(0, 1), 107);
  EXPECT_EQ(ways.between(0, 2), 134);
  EXPECT_EQ(ways.between(1, 1), 54);
  EXPECT_EQ(ways.out_of(0), 107);
  const Lookahead near(graph, one_by_one(graph), 60, 7);
  EXPECT_EQ(near.between(0, 1), 60) << "what acts anywhere takes no cable";
}

TEST(Lookahead, IsNotLongerOverTheCableOfAHost) {
  const topology::Graph graph = graph_of(2, {{0, 1, 100}});
  // Hosts 0 and 1, then their switches: host 1 is with the switch of the other.
  const Lookahead ways(graph, territories_of(graph, {0, 0, 0, 1}, 2), kNever, 7);
  EXPECT_EQ(ways.between(0, 1), 5);
}

TEST(Lookahead, HasNoEndBetweenPartsThatNothingJoins) {
  const topology::Graph graph = graph_of(3, {{0, 1, 100}});
  const Lookahead ways(graph, one_by_one(graph), kNever);
  EXPECT_EQ(ways.between(0, 2), kNever);
  EXPECT_EQ(ways.between(2, 2), kNever);
  EXPECT_EQ(ways.out_of(2), kNever);
  EXPECT_EQ(ways.longest(), 100);
  EXPECT_EQ(later(5, kNever), kNever);
  EXPECT_EQ(later(kNever, 5), kNever);
  EXPECT_EQ(later(kNever, kNever), kNever);
}

// Any ways are as short as those that a search finds which goes on one cable at a time.
TEST(Lookahead, OfAnyNetworkIsTheShortestOfAllWays) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomStream random(seed, 0, StreamPurpose::test);
    const std::size_t switches = 2 + random.below(9);
    std::vector<std::tuple<std::size_t, std::size_t, std::int64_t>> cables;
    for (std::size_t i = 0; i < 2 * switches; ++i) {
      const std::size_t one = random.below(switches);
      const std::size_t other = random.below(switches);
      if (one != other)
        cables.emplace_back(one, other, 1 + static_cast<std::int64_t>(random.below(500)));
    }
    const topology::Graph graph = graph_of(switches, cables);
    const std::size_t parts = 1 + random.below(5);
    std::vector<std::uint16_t> of_node(graph.node_count());
    for (std::uint16_t& part : of_node) part = static_cast<std::uint16_t>(random.below(parts));
    const Territories territories = territories_of(graph, of_node, parts);
    const Lookahead ways(graph, territories, kNever);
    for (std::size_t from = 0; from < parts; ++from) {
      // After how long each part can hear of `from`, over one more cable in each round.
      std::vector<std::int64_t> reached(parts, kNever);
      for (std::size_t round = 0; round <= parts + 1; ++round) {
        for (std::size_t p = 0; p < graph.port_count(); ++p) {
          const topology::Port& port = graph.port(PortId(p));
          if (!port.to.valid()) continue;
          const std::size_t here = territories.of_port[p];
          const std::size_t there = territories.of_port[port.to.index()];
          if (here == there) continue;
          const std::int64_t begin = here == from ? 0 : reached[here];
          reached[there] = std::min(reached[there], later(begin, port.link.delay.count));
        }
      }
      for (std::size_t to = 0; to < parts; ++to)
        EXPECT_EQ(ways.between(from, to), reached[to]) << seed << ": " << from << " to " << to;
    }
  }
}

// --- What comes of it

/// Two switches with three hosts each, which all send to each other all of the time.
class LongCable : public ::testing::Test {
 protected:
  void SetUp() override {
    topology::GraphBuilder builder("two racks");
    const SwitchId one = builder.add_switch(8);
    const SwitchId other = builder.add_switch(8);
    for (std::size_t h = 0; h < 6; ++h)
      builder.connect(builder.add_host(), h < 3 ? one : other, h % 3, cable(5'000));
    builder.connect(one, 3, other, 3, cable(1'000'000));
    net_.graph = std::make_shared<topology::Graph>(builder.build());
    net_.routing = "shortest-path";
    net_.settings.mtu = Bytes(1'000);
    net_.settings.ingress_buffer = net_.settings.egress_buffer = Bytes(8'000);
    net_.settings.sample_period = microseconds(50);
  }

  struct Outcome {
    std::uint64_t fingerprint = 0;
    std::uint64_t events = 0;
    std::uint64_t meetings = 0;
    std::uint64_t delivered = 0;
  };

  Outcome run(std::size_t parts) {
    net_.journal = {};
    const auto fabric = parts == 1 ? net_.build(net_.journal)
                                   : net_.build(net_.journal, divide(*net_.graph, parts));
    for (std::uint32_t h = 0; h < 6; ++h) {
      std::vector<HostId> others;
      for (std::uint32_t other = 0; other < 6; ++other)
        if (other != h) others.emplace_back(other);
      fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(others, size_));
    }
    if (fails_) fabric->change_cable(net_.graph->host_port(HostId(5)), microseconds(90), false);
    fabric->run_until(microseconds(100));
    return {fabric->fingerprint(), fabric->counters().events, fabric->division().meetings,
            fabric->counters().packets_delivered};
  }

  /// Meetings of two parts, which change nothing.
  std::uint64_t meetings() {
    const Outcome whole = run(1);
    const Outcome divided = run(2);
    EXPECT_EQ(divided.fingerprint, whole.fingerprint);
    EXPECT_EQ(divided.events, whole.events);
    EXPECT_EQ(divided.delivered, whole.delivered);
    EXPECT_GT(whole.delivered, 100U);
    return divided.meetings;
  }

  SmallNetwork net_;
  Bytes size_ = Bytes(1'000);
  bool fails_ = false;
};

TEST_F(LongCable, DecidesHowOftenPartsMeetThatItJoins) {
  // 100 us in windows of 1 us, and what is before the first packets are known everywhere.
  const std::uint64_t far = meetings();
  EXPECT_GT(far, 90U);
  EXPECT_LT(far, 150U);
}

TEST_F(LongCable, DoesNotMatterWhereWhatIsLostIsKnownSooner) {
  const std::uint64_t far = meetings();
  fails_ = true;
  // Hosts hear of it a shortest cable later, wherever they are.
  EXPECT_GT(meetings(), 3 * far);
}

TEST_F(LongCable, DoesNotMatterWhereIdealAcksAreFaster) {
  net_.settings.acks = AckMode::ideal;
  net_.settings.ack_delay = nanoseconds(100);
  const std::uint64_t near = meetings();
  net_.settings.ack_delay = nanoseconds(2'000);
  const std::uint64_t far = meetings();
  EXPECT_LT(far, 150U);
  EXPECT_GT(near, far * 3 / 2);
  // That of an empty packet: two cables of 5 ns and a switch.
  net_.settings.ack_delay.reset();
  net_.settings.routing_delay = nanoseconds(90);
  EXPECT_LT(meetings(), 1'300U);
}

TEST_F(LongCable, DoesNotMatterAsLongAsPacketsMayBecomeLarger) {
  const std::uint64_t far = meetings();
  size_ = Bytes(999);
  EXPECT_GT(meetings(), 3 * far);
}

TEST_F(LongCable, IsFollowedByWhatPacketsWaitForAtASwitch) {
  const std::uint64_t cable_alone = meetings();
  // 2 us for a route, 1 us for the credit of a packet: windows of 2 us.
  net_.settings.routing_delay = microseconds(2);
  EXPECT_LT(meetings(), cable_alone * 3 / 4);
  // Of a packet of 100 B the credit is back 0.1 us after the cable.
  size_ = Bytes(1'100);
  EXPECT_GT(meetings(), cable_alone * 3 / 4);
  // Ideal switches give credit at once.
  size_ = Bytes(1'000);
  net_.settings.architecture = Architecture::output_queued;
  EXPECT_GT(meetings(), cable_alone * 3 / 4);
}

// --- How much later than cables let it

class SlackOf : public LongCable {
 protected:
  void SetUp() override {
    LongCable::SetUp();
    net_.settings.routing_delay = microseconds(2);
  }
  Slack slack() { return Slack(net_.build(net_.journal)->part(0).core()); }
};

TEST_F(SlackOf, QueuesAtInputsIsTheRouteOrTheSmallestPacket) {
  EXPECT_EQ(slack().of(kNever), 2'000'000);
  EXPECT_EQ(slack().of(5'000), 2'000'000);
  EXPECT_EQ(slack().of(1'000), 999'999);
  EXPECT_EQ(slack().of(1), 999);
  net_.settings.routing_delay = nanoseconds(0);
  EXPECT_EQ(slack().of(kNever), 0);
}

TEST_F(SlackOf, CrossbarsIsShorterByTheirSpeedup) {
  net_.settings.architecture = Architecture::cioq;
  net_.settings.speedup = 2;
  EXPECT_EQ(slack().of(1'000), 499'999);
}

TEST_F(SlackOf, WhatGivesCreditAtOnceOrStopsSendersIsNone) {
  net_.settings.architecture = Architecture::output_queued;
  EXPECT_EQ(slack().of(kNever), 0);
  EXPECT_EQ(slack().of(1'000), 0);
}

}  // namespace
}  // namespace weir::fabric::testing
