#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};

Packet packet_to(std::uint32_t destination, std::uint8_t service_level = 0) {
  Packet p;
  p.destination = destination;
  p.service_level = service_level;
  return p;
}

struct Schemes : ::testing::Test {
  std::shared_ptr<const topology::Graph> graph = make_topology("single-switch", "hosts = 9", kLink);
  std::shared_ptr<const QueueingScheme> make(const std::string& name,
                                             const std::string& toml = "") {
    return make_queueing(name, *graph, toml);
  }
};

TEST_F(Schemes, DbbmTakesTheDestinationModuloQ) {
  const auto scheme = make("dbbm", "queues = 4");
  EXPECT_EQ(scheme->classes(), 4);
  for (std::uint32_t d = 0; d < 9; ++d)
    EXPECT_EQ(scheme->classify(packet_to(d), PortId(0)), static_cast<int>(d % 4));
  EXPECT_EQ(make("dbbm")->classes(), 3);
}

TEST_F(Schemes, VoqnetHasAClassPerHostAndItsOwnIdeaOfMemory) {
  const auto scheme = make("voqnet");
  EXPECT_EQ(scheme->classes(), 9);
  EXPECT_EQ(scheme->classify(packet_to(7), PortId(3)), 7);
  EXPECT_EQ(scheme->voq(), std::optional(false));
  EXPECT_EQ(scheme->memory(), std::optional(Memory::split));
}

TEST_F(Schemes, FifoAndVoqswHaveOneClass) {
  EXPECT_EQ(make("fifo")->classes(), 1);
  EXPECT_EQ(make("fifo")->voq(), std::optional(false));
  EXPECT_EQ(make("voqsw")->classes(), 1);
  EXPECT_EQ(make("voqsw")->voq(), std::optional(true));
}

TEST_F(Schemes, TheFormerNameIsRefusedWithTheNewOnes) {
  try {
    make("1q");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the queueing '1q' is now called 'voqsw'"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("'fifo'"));
  }
}

TEST_F(Schemes, ServiceLevelsGoThroughTheTable) {
  const auto by_default = make("service-level", "vls = 4");
  EXPECT_EQ(by_default->classify(packet_to(0, 6), PortId(0)), 2);
  EXPECT_EQ(make("service-level", "vls = 16")->classify(packet_to(0, 15), PortId(0)), 0)
      << "VL 15 is for management";
  const auto by_table =
      make("service-level", "vls = 3\nsl_to_vl = [2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]");
  EXPECT_EQ(by_table->classes(), 3);
  EXPECT_EQ(by_table->classify(packet_to(0, 0), PortId(0)), 2);
  EXPECT_EQ(by_table->classify(packet_to(0, 2), PortId(0)), 1);
  EXPECT_EQ(by_table->classify(packet_to(0, 15), PortId(0)), 1);
}

TEST_F(Schemes, ServiceLevelTablesMustFit) {
  EXPECT_THROW(make("service-level", "vls = 2\nsl_to_vl = [0, 1]"), InputError);
  EXPECT_THROW(
      make("service-level", "vls = 2\nsl_to_vl = [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"),
      InputError);
}

/// Time until the victim's 50 packets are delivered: hosts 0 and 1 of the first switch share the
/// trunk to the second; host 0 sends to a host that three others flood, host 1 (the victim) to an
/// idle one.
Time victim_end(const std::string& queueing, const std::string& toml, bool voq) {
  SmallNetwork net;
  net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [2, 6]", kLink);
  net.routing = "shortest-path";
  net.queueing = queueing;
  net.queueing_toml = toml;
  net.settings.voq = voq;
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(3'200);
  auto fabric = net.build();
  const auto flood = [&](std::uint32_t from) {
    fabric->add_source(HostId(from), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                         {Time(0), HostId(2), Bytes(40'000)}}));
  };
  for (const std::uint32_t h : {0U, 3U, 4U, 5U}) flood(h);
  fabric->add_source(HostId(1), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {microseconds(10), HostId(7), Bytes(5'000)}}));
  EXPECT_TRUE(fabric->run_until(milliseconds(10)));
  Time last;
  for (const Delivery& d : net.journal.deliveries) {
    if (d.source == HostId(1)) last = d.delivered;
  }
  return last - microseconds(10);
}

// The trunk is free for it (5 us alone). One class: the congested flow fills the buffer behind the
// trunk and the victim gets what the hot host leaves. A class of its own: nearly alone.
TEST(Isolation, VictimIsFreeWhereItHasAClassOfItsOwn) {
  const Time alone = microseconds(5);
  EXPECT_GT(victim_end("fifo", "", false), alone * 3);
  EXPECT_GT(victim_end("voqsw", "", true), alone * 3)
      << "VOQs in one shared memory do not help here";
  EXPECT_LT(victim_end("voqnet", "", false), alone + microseconds(3));
  EXPECT_LT(victim_end("dbbm", "queues = 3", false), alone + microseconds(3));  // 2 and 7 mod 3
  EXPECT_GT(victim_end("dbbm", "queues = 5", false), alone * 3) << "2 and 7 share queue 2 of 5";
}

}  // namespace
}  // namespace weir::fabric::testing
