#include <gtest/gtest.h>

#include "selection/arn_network.hpp"

namespace weir::selection::test::congestion_detector_test {
namespace {

using State = CongestionDetector::State;

constexpr const char* kKeys =
    "persistence = \"50 us\"\nswitch_lifetime = \"30 us\"\n"
    "refresh = \"5 us\"\nhost_lifetime = \"100 us\"\n";

/// Hosts 0, 1, 2 and 3 on one switch; what is sent to host 3 waits in two virtual output queues.
struct OneSwitch : ArnNetwork {
  explicit OneSwitch(const std::string& more = "")
      : ArnNetwork("single-switch", "hosts = 4", kKeys + more) {
    start();
  }
  [[nodiscard]] std::int64_t queue_from(std::uint32_t host) const {
    return fabric->stored(port_to(host), 0).count;
  }
  [[nodiscard]] State state() const { return ArnNetwork::state(port_to(3)); }
};

/// Switch 0 with hosts 0 and 1, switch 1 with hosts 2 and 3.
struct TwoSwitches : ArnNetwork {
  explicit TwoSwitches(const std::string& more = "")
      : ArnNetwork("line", "switches = 2\nhosts_per_switch = [2]", kKeys + more) {
    start();
  }
  [[nodiscard]] PortId middle() const { return graph->port(sw(0), 2); }
};

// Integer thresholds of spec 3.8, by capacity in packets: suspect from, short up to.
TEST(CongestionDetector, BeginsAndEndsAtTheThresholdsOfTheSpecification) {
  const std::tuple<int, int, int> rows[] = {{84, 69, 52}, {42, 35, 26}, {28, 23, 17}, {21, 18, 13}};
  for (const auto& [capacity, suspect_from, short_to] : rows) {
    ArnNetwork net("single-switch", "hosts = 4", kKeys);
    net.settings.ingress_buffer = Bytes(capacity * kPacket);
    net.start();
    net.send(0, 3, Time(0), 20'000);
    net.send(1, 3, Time(0), 20'000);
    const PortId output = net.port_to(3);
    std::int64_t before = 0;
    for (std::int64_t t = 1; net.fabric->counters().packets_delivered < 400; ++t) {
      net.run_to(nanoseconds(50) * t);
      const std::int64_t most =
          std::max(net.fabric->stored(net.port_to(0), 0), net.fabric->stored(net.port_to(1), 0))
              .count /
          kPacket;
      if (net.arn().detector().over(output.value) > 0) {
        EXPECT_GT(most, short_to) << capacity;
      } else {
        EXPECT_LT(most, suspect_from) << capacity << " at " << t;
      }
      before = std::max(before, most);
    }
    EXPECT_GE(before, suspect_from);
    EXPECT_EQ(net.arn().detector().over(output.value), 0U);
  }
}

TEST(CongestionDetector, RoomIsMoreThanTheShareOfFreeCredits) {
  const std::pair<int, int> rows[] = {{84, 66}, {42, 33}, {28, 22}, {21, 17}};
  for (const auto& [capacity, room_from] : rows) {
    ArnNetwork net("single-switch", "hosts = 4", kKeys);
    net.settings.ingress_buffer = Bytes(capacity * kPacket);
    net.start();
    EXPECT_GT(room_from * kPacket, net.arn().detector().limits().free);
    EXPECT_LE((room_from - 1) * kPacket, net.arn().detector().limits().free);
  }
}

TEST(CongestionDetector, AnIncastIsARootAfterTheTimer) {
  OneSwitch net;
  net.saturate(0, 3);
  net.saturate(1, 3);
  // Both queues grow with half the rate of a link.
  const Time suspect = nanoseconds(2 * 69 * kPacket);
  net.run_to(suspect - microseconds(1));
  EXPECT_EQ(net.state(), State::idle);
  net.run_to(suspect + microseconds(1));
  EXPECT_EQ(net.state(), State::pending);
  net.run_to(suspect + microseconds(49));
  EXPECT_EQ(net.state(), State::pending);
  EXPECT_EQ(net.roots(), 0U);
  EXPECT_TRUE(net.entries(net.sw(0)).empty());
  net.run_to(suspect + microseconds(51));
  EXPECT_EQ(net.state(), State::root);
  EXPECT_EQ(net.roots(), 1U);
  const auto entries = net.entries(net.sw(0));
  ASSERT_EQ(entries.size(), 1U);  // one class: one responsible packet
  EXPECT_EQ(entries[0].about.destination, 3U);
  EXPECT_EQ(entries[0].about.port, 3U);
}

TEST(CongestionDetector, IsARootUntilTheLastOfItsQueuesIsShort) {
  OneSwitch net;
  net.send(0, 3, Time(0), 45'000);
  net.send(1, 3, Time(0), 80'000);
  net.run_to(microseconds(70));
  ASSERT_EQ(net.state(), State::root);
  ASSERT_EQ(net.arn().detector().over(net.port_to(3).value), 2U);
  while (net.queue_from(0) > 50 * kPacket) net.run_to(net.fabric->now() + nanoseconds(kPacket));
  EXPECT_EQ(net.arn().detector().over(net.port_to(3).value), 1U);
  EXPECT_EQ(net.state(), State::root);
  while (net.queue_from(1) > 50 * kPacket) net.run_to(net.fabric->now() + nanoseconds(kPacket));
  EXPECT_EQ(net.state(), State::idle);
  EXPECT_EQ(net.arn().counters().roots_now, 0U);
  EXPECT_EQ(net.roots(), 1U);
}

TEST(CongestionDetector, CongestionThatEndsBeforeTheTimerIsNoRoot) {
  OneSwitch net;
  net.send(0, 3, Time(0), 18'000);
  net.send(1, 3, Time(0), 18'000);
  net.run_to(microseconds(16));
  EXPECT_EQ(net.state(), State::pending);
  net.run_to(milliseconds(1));
  EXPECT_EQ(net.state(), State::idle);
  EXPECT_EQ(net.roots(), 0U);
}

// Rocher 2021, 3.3: when the timer ends HCDTh must be exceeded again. Both queues shrink to between
// the thresholds before that.
TEST(CongestionDetector, ARootHasALongQueueAlsoWhenTheTimerEnds) {
  for (const bool must_be_high : {true, false}) {
    OneSwitch net(must_be_high ? "" : "persistence_queue = \"low\"\n");
    for (const std::uint32_t host : {0U, 1U}) {
      net.send(host, 3, Time(0), 16'500);
      // Then each gets what it loses, a packet every 200 ns.
      for (int i = 0; i < 300; ++i)
        net.send(host, 3, microseconds(21) + nanoseconds(200) * i, kPacket);
    }
    net.run_to(microseconds(15));
    ASSERT_EQ(net.state(), State::pending);
    std::int64_t longest_at_end = 0;
    while (net.state() == State::pending) {
      longest_at_end = std::max(net.queue_from(0), net.queue_from(1));
      net.run_to(net.fabric->now() + nanoseconds(10));
    }
    SCOPED_TRACE(to_string(net.fabric->now()) + ", " + std::to_string(longest_at_end));
    const CongestionDetector::Limits& limits = net.arn().detector().limits();
    ASSERT_GT(longest_at_end, limits.low);
    ASSERT_LT(longest_at_end, limits.high);
    EXPECT_EQ(net.state(), must_be_high ? State::idle : State::root);
    EXPECT_EQ(net.roots(), must_be_high ? 0U : 1U);
  }
}

// Variant a: the buffer behind is as full as the queues before: a branch.
TEST(CongestionDetector, ABranchIsNeverSuspected) {
  TwoSwitches net;
  for (const std::uint32_t host : {0U, 1U, 2U}) net.saturate(host, 3);
  for (int us = 1; us < 300; ++us) {
    net.run_to(microseconds(us));
    ASSERT_EQ(net.ArnNetwork::state(net.middle()), State::idle) << us;
  }
  EXPECT_EQ(net.ArnNetwork::state(net.port_to(3)), State::root);
  EXPECT_GT(net.arn().detector().over(net.middle().value), 0U);
  EXPECT_EQ(net.roots(), 1U);
}

// Variant b: the root moves downstream while the timer runs.
TEST(CongestionDetector, ARootThatMovesOnIsNotDeclared) {
  TwoSwitches net;
  net.saturate(0, 3);
  net.saturate(1, 3);
  net.send(2, 3, microseconds(20), 1'000'000);
  net.run_to(microseconds(19));
  EXPECT_EQ(net.ArnNetwork::state(net.middle()), State::pending);
  net.run_to(microseconds(62));
  EXPECT_EQ(net.ArnNetwork::state(net.middle()), State::pending);
  net.run_to(microseconds(65));
  EXPECT_EQ(net.ArnNetwork::state(net.middle()), State::idle);
  EXPECT_EQ(net.roots(), 0U);
  EXPECT_TRUE(net.entries(net.sw(0)).empty());
  net.run_to(microseconds(200));
  EXPECT_EQ(net.ArnNetwork::state(net.port_to(3)), State::root);
}

TEST(CongestionDetector, ContinuousTestGivesUpWhenTheRoomIsGone) {
  TwoSwitches net("persistence_test = \"continuous\"\n");
  net.saturate(0, 3);
  net.saturate(1, 3);
  net.send(2, 3, microseconds(20), 1'000'000);
  net.run_to(microseconds(19));
  EXPECT_EQ(net.ArnNetwork::state(net.middle()), State::pending);
  net.run_to(microseconds(30));  // 22 % of the buffer are filled after 4 us
  EXPECT_EQ(net.ArnNetwork::state(net.middle()), State::idle);
}

// The buffer of the port is divided in two classes: no queue fills 81 % of all of it.
TEST(CongestionDetector, SharesOfThePortAreNotReachedByOneClass) {
  for (const bool of_port : {false, true}) {
    ArnNetwork net("single-switch", "hosts = 4",
                   std::string(kKeys) + (of_port ? "threshold_scope = \"port\"\n" : ""));
    net.queueing = "dbbm";
    net.queueing_toml = "queues = 2";
    net.start();
    net.saturate(0, 3);
    net.saturate(1, 3);
    net.run_to(microseconds(100));
    EXPECT_EQ(net.roots(), of_port ? 0U : 1U);
  }
}

// Destinations 1 and 3 of different classes share no output; 3 has two.
TEST(CongestionDetector, ReportsOneResponsiblePacketAClass) {
  ArnNetwork net("line", "switches = 2\nhosts_per_switch = [2]", kKeys);
  net.queueing = "dbbm";
  net.queueing_toml = "queues = 2";
  net.start();
  // Over the link in the middle: classes 0 and 1, each twice its share.
  for (const std::uint32_t host : {0U, 1U}) {
    net.fabric->add_source(HostId(host),
                           std::make_unique<fabric::testing::SaturatedSource>(
                               std::vector<HostId>{HostId(2), HostId(3)}, Bytes(kPacket)));
  }
  net.run_to(microseconds(120));
  const auto entries = net.entries(net.sw(0));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_NE(entries[0].about.destination, entries[1].about.destination);
  EXPECT_NE(entries[0].about.scheme_class, entries[1].about.scheme_class);
  EXPECT_EQ(entries[0].about.id, entries[1].about.id);
}

TEST(CongestionDetector, NeedsVirtualOutputQueues) {
  ArnNetwork net("single-switch", "hosts = 4", kKeys);
  net.settings.voq = false;
  EXPECT_THROW(net.start(), InputError);
  net.settings.voq = true;
  net.settings.architecture = fabric::Architecture::output_queued;
  EXPECT_THROW(net.start(), InputError);
}

}  // namespace
}  // namespace weir::selection::test::congestion_detector_test
