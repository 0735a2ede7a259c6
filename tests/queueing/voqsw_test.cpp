// VOQs with shared memory and with credits of their own (lippens2010, section 5.1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::voqsw_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};
constexpr const char* kShared = "flow_control = \"shared\"";
constexpr const char* kPerQueue = "flow_control = \"per-queue\"";

/// Hosts 0 and 1 are on the first switch of a row, six others on the last one. Hosts 0 and 3 to 5
/// of those flood host 2; host 1, the victim, sends 50 packets to the idle host 7 by the same
/// cables.
struct Row {
  SmallNetwork net;

  Row(int switches, const std::string& queueing, const std::string& toml) {
    const std::string hosts = switches == 2 ? "[2, 6]" : "[2, 0, 6]";
    net.graph = make_topology(
        "line", "switches = " + std::to_string(switches) + "\nhosts_per_switch = " + hosts, kLink);
    net.routing = "shortest-path";
    net.queueing = queueing;
    net.queueing_toml = toml;
    net.settings.source_queues = SourceQueueKind::per_destination;
    net.settings.mtu = Bytes(100);
    net.settings.ingress_buffer = Bytes(4'200);
    net.settings.egress_buffer = Bytes(4'200);
    net.settings.speedup = 2;
  }

  /// How long the victim's packets take, 5 us when nobody is in their way. Checks that all packets
  /// arrive, in order.
  Time victim_time() {
    auto fabric = net.build();
    const Time start = microseconds(20);
    for (const std::uint32_t h : {0U, 3U, 4U, 5U}) send(*fabric, h, {Time(0), HostId(2), kFlood});
    send(*fabric, 1, {start, HostId(7), kVictim});
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    Time last;
    std::int64_t bytes = 0;
    for (const std::int64_t from_host : net.journal.bytes_from) bytes += from_host;
    EXPECT_EQ(bytes, (kFlood * 4 + kVictim).count);
    for (const Delivery& d : net.journal.deliveries) {
      EXPECT_TRUE(d.in_order);
      if (d.source == HostId(1)) last = d.delivered;
    }
    return last - start;
  }

 private:
  static constexpr Bytes kFlood{40'000};
  static constexpr Bytes kVictim{5'000};
  static void send(Fabric& fabric, std::uint32_t from, const MessageRequest& message) {
    fabric.add_source(HostId(from),
                      std::make_unique<ListSource>(std::vector<MessageRequest>{message}));
  }
};

Time victim_time(int switches, const std::string& queueing, const std::string& toml,
                 Architecture architecture) {
  Row row(switches, queueing, toml);
  row.net.settings.architecture = architecture;
  return row.victim_time();
}

constexpr Time kAlone = microseconds(5);
constexpr Architecture kAll[] = {Architecture::input_queued, Architecture::input_queued_single,
                                 Architecture::cioq};

// The hot output is one of the second switch: its packets fill what is shared at the input.
TEST(Voqsw, SharedMemoryLetsAHotOutputOfTheNextSwitchBlockOthers) {
  for (const Architecture a : kAll) EXPECT_GT(victim_time(2, "voqsw", kShared, a), kAlone * 3);
}

TEST(Voqsw, CreditsPerQueueKeepTheOutputsOfTheNextSwitchApart) {
  for (const Architecture a : kAll) {
    EXPECT_LT(victim_time(2, "voqsw", kPerQueue, a), kAlone + microseconds(3));
  }
}

// Both flows take the same output of the switch in the middle: they share its queue for it.
TEST(Voqsw, CreditsPerQueueDoNotReachTwoSwitchesAhead) {
  for (const Architecture a : kAll) {
    EXPECT_GT(victim_time(3, "voqsw", kPerQueue, a), kAlone * 3);
    EXPECT_LT(victim_time(3, "voqnet", "", a), kAlone + microseconds(3));
  }
}

TEST(Voqsw, ClassIsTheOutputAtTheSwitchBehindTheLink) {
  const auto graph = make_topology("line", "switches = 2\nhosts_per_switch = [2, 6]", kLink);
  const auto scheme = make_queueing("voqsw", *graph, kPerQueue);
  EXPECT_EQ(scheme->classes(), 7) << "ports of the larger switch";
  EXPECT_TRUE(scheme->is_by_output());
  EXPECT_FALSE(scheme->is_end_to_end());
  Packet p;
  for (std::uint16_t out = 0; out < 7; ++out) {
    EXPECT_EQ(scheme->classify_by_output(p, PortId(0), out), out);
  }
  EXPECT_EQ(scheme->classify(p, PortId(0)), 0) << "into a host";
  EXPECT_EQ(scheme->memory(), std::optional(Memory::split));
  EXPECT_FALSE(make_queueing("voqsw", *graph, kShared)->is_by_output());
}

// One queue of the second switch takes 4200 / 7 B; towards a host all of the egress memory serves.
TEST(Voqsw, EgressMemoryTowardsAHostIsNotParted) {
  Row row(2, "voqsw", kPerQueue);
  row.net.settings.architecture = Architecture::cioq;
  auto fabric = row.net.build();
  for (const std::uint32_t h : {3U, 4U, 5U}) {
    fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(20'000)}}));
  }
  fabric->run_until(microseconds(15));
  std::int64_t at_egress = 0;
  fabric->for_each_stored([&](PortId where, const Packet& packet) {
    if (where.value != packet.in_port) at_egress += packet.size;
  });
  EXPECT_GE(at_egress, 4'000);
}

std::string refusal(Row& row) {
  try {
    row.net.build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Voqsw, CreditsPerQueueNeedRoutesThatAreKnownBeforehand) {
  Row row(2, "voqsw", kPerQueue);
  row.net.selection = "random";
  EXPECT_THAT(refusal(row), ::testing::StartsWith("queueing.flow_control: "));
  EXPECT_THAT(refusal(row), ::testing::HasSubstr("selection.model"));
  row.net.queueing_toml = kShared;
  EXPECT_EQ(refusal(row), "accepted");
}

TEST(Voqsw, EveryQueueMustHoldAPacket) {
  Row row(2, "voqsw", kPerQueue);
  row.net.settings.ingress_buffer = Bytes(699);
  EXPECT_THAT(refusal(row), ::testing::StartsWith("buffer.ingress: "));
  EXPECT_THAT(refusal(row), ::testing::HasSubstr("7 classes leaves 99 B each"));
  row.net.settings.ingress_buffer = Bytes(700);
  EXPECT_EQ(refusal(row), "accepted");
}

}  // namespace
}  // namespace weir::fabric::testing::voqsw_test
