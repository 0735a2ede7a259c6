// ACKs with a service level of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::ack_level_test {
namespace {

using ::testing::HasSubstr;

/// Remembers when the ACK of host 0's packet comes.
struct AckTime : Reaction {
  Time may_inject(const Message&, Time now) override { return now; }
  void on_injected(const Message&, const Packet&, Time) override {}
  void on_ack(const Packet& ack, Time now) override {
    if (ack.destination == 0) time = now;
  }
  Time time;
};

/// Hosts 1 and 2 send 100 packets each to host 0, which only half of them reach in time; they pile
/// up in the switch. At 20 us host 0 sends a packet to host 1. VL 1 has priority.
struct Shared : SmallNetwork {
  Shared() {
    graph = make_topology("single-switch", "hosts = 3", {gigabits_per_second(8), nanoseconds(50)});
    routing = "shortest-path";
    queueing = "service-level";
    queueing_toml = "vls = 2";
    settings.mtu = Bytes(1'000);
    settings.source_queues = SourceQueueKind::per_class;
    settings.acks = AckMode::in_band;
    settings.ack_size = Bytes(50);
    settings.arbiter = ArbiterKind::vl_weighted;
    settings.vl_arbitration.high = {{1, 255}};
    settings.vl_arbitration.low = {{0, 255}};
    settings.vl_arbitration.high_limit = 255;
    mechanisms.reaction = ack;
  }
  /// From its arrival at host 1 to the ACK at host 0.
  Time way_of_the_ack() {
    auto fabric = build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {microseconds(20), HostId(1), Bytes(1'000)}}));
    for (const std::uint32_t host : {1U, 2U}) {
      fabric->add_source(HostId(host), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                           {Time(0), HostId(0), Bytes(100'000)}}));
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    Time arrived;
    for (const Delivery& d : journal.deliveries)
      if (d.source == HostId(0)) arrived = d.delivered;
    return ack->time - arrived;
  }
  std::shared_ptr<AckTime> ack = std::make_shared<AckTime>();
};

// With the data they wait behind what host 1 has sent, about ten packets in a queue that is served
// every other time. With a lane of their own: one packet at host 1's link and one at host 0's.
TEST(AckServiceLevel, LetsAcksPassData) {
  Shared with_data;
  EXPECT_GT(with_data.way_of_the_ack(), microseconds(10));
  Shared by_itself;
  by_itself.settings.ack_service_level = 1;
  EXPECT_LE(by_itself.way_of_the_ack(), nanoseconds(2 * (1'000 + 50 + 50)));
}

TEST(AckServiceLevel, NeedsAcksThatArePackets) {
  Shared net;
  net.settings.ack_service_level = 1;
  EXPECT_EQ(net.refusal(), "");
  net.settings.acks = AckMode::ideal;
  EXPECT_THAT(net.refusal(), HasSubstr("host.ack_service_level"));
}

TEST(AckServiceLevel, NeedsAQueueingThatKnowsServiceLevels) {
  Shared net;
  net.settings.ack_service_level = 1;
  net.settings.arbiter = ArbiterKind::round_robin;
  net.queueing = "voqsw";
  net.queueing_toml = "";
  EXPECT_THAT(net.refusal(), HasSubstr("same class"));
}

}  // namespace
}  // namespace weir::fabric::testing::ack_level_test
