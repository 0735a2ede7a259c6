// DCQCN, rule by rule, and in a network.
#include <gtest/gtest.h>

#include <cmath>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction::testing::dcqcn_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

constexpr double kGain = 1.0 / 256;

TestNetwork network(std::size_t hosts) {
  TestNetwork net = dcqcn_star(hosts, nanoseconds(500));
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 4;
  net.settings.egress_buffer = Bytes(400'000);
  return net;
}

/// A source without a network, whose flow 0 always has something to send.
struct Source {
  TestNetwork net = network(3);
  std::shared_ptr<FlowPacer> reaction;
  Time now;

  explicit Source(const std::string& toml = "") : reaction(make_pacer("dcqcn", net, toml)) {
    Message message;
    message.bytes = message.unsent = 1 << 30;
    reaction->on_generated(message, now);
  }
  void notify() {
    Packet cnp;
    cnp.flags = packet_flag::kAck | packet_flag::kMarkB;
    reaction->on_ack(cnp, now);
    reaction->check(false);
  }
  [[nodiscard]] double rate() { return reaction->paced(0, now).rate; }
};

TEST(Dcqcn, TheFirstNotificationHalvesTheRate) {
  Source source;
  EXPECT_EQ(source.rate(), 1);
  source.notify();
  EXPECT_EQ(source.rate(), 0.5);  // alpha is 1
}

TEST(Dcqcn, AlphaRisesWithNotificationsAndFallsWithoutThem) {
  Source source("timer = \"1 s\"\nbyte_counter = \"1 GB\"");
  source.notify();
  source.now += microseconds(54);
  source.notify();  // within K: alpha is (1 - g) 1 + g = 1 still
  EXPECT_EQ(source.rate(), 0.25);
  source.now += microseconds(5 * 55 + 54);  // five times K without one
  source.notify();
  const double alpha = std::pow(1 - kGain, 5);
  EXPECT_NEAR(source.rate(), 0.25 * (1 - alpha / 2), 1e-12);
  source.now += microseconds(1);
  source.notify();  // raised by the last one
  EXPECT_NEAR(source.rate(), 0.25 * (1 - alpha / 2) * (1 - ((1 - kGain) * alpha + kGain) / 2),
              1e-12);
  EXPECT_NEAR(fabric::testing::Told(*source.reaction)["dcqcn_alpha"],
              1 + 1 + alpha + (1 - kGain) * alpha + kGain, 1e-12);
}

TEST(Dcqcn, ATimerBringsTheRateBack) {
  Source source;
  source.notify();
  source.now += microseconds(55);
  EXPECT_EQ(source.rate(), 0.75);
  source.now += microseconds(55);
  EXPECT_EQ(source.rate(), 0.875);
  source.notify();  // sets the target back to where the rate was
  const double cut = source.rate();
  source.now += microseconds(55);
  EXPECT_NEAR(source.rate(), (cut + 0.875) / 2, 1e-12);
}

TEST(Dcqcn, SoDoBytes) {
  Source source("timer = \"1 s\"\nbyte_counter = \"10 KB\"");
  source.notify();
  Message message;
  message.unsent = 1;
  Packet packet;
  packet.size = 1'000;
  for (int i = 0; i < 9; ++i) source.reaction->on_injected(message, packet, source.now);
  EXPECT_EQ(source.rate(), 0.5);
  source.reaction->on_injected(message, packet, source.now);
  EXPECT_EQ(source.rate(), 0.75);
}

// 1,048 B take 209.6 ns at 40 Gbps, 419.2 at half of it.
TEST(Dcqcn, PacketsLeaveAtTheRate) {
  Source source;
  source.notify();
  Message message;
  message.unsent = 1'000;
  Packet packet;
  packet.size = 1'048;
  source.reaction->on_injected(message, packet, source.now);
  EXPECT_EQ(source.reaction->may_inject(message, source.now), Time(419'200));
  source.now = Time(419'200);
  EXPECT_EQ(source.reaction->may_inject(message, source.now), source.now);
}

TEST(Dcqcn, ADestinationSendsOneNotificationInFiftyMicroseconds) {
  Source source;
  Packet packet;
  Time at = microseconds(3);
  EXPECT_TRUE(source.reaction->on_received(packet, 7, at));
  EXPECT_FALSE(source.reaction->on_received(packet, 7, at + nanoseconds(49'999)));
  EXPECT_TRUE(source.reaction->on_received(packet, 8, at + nanoseconds(1)));
  EXPECT_TRUE(source.reaction->on_received(packet, 7, at + microseconds(50)));
}

TEST(Dcqcn, NeedsMarksAndNotifications) {
  TestNetwork net = network(3);
  net.settings.acks = AckMode::in_band;
  EXPECT_THROW(make_pacer("dcqcn", net), InputError);
  net.settings.acks = AckMode::becn;
  EXPECT_THROW(make_pacer("dcqcn", net, "byte_counter = \"1 B\""), InputError);
  EXPECT_THROW(make_pacer("dcqcn", net, "least_rate = 0.0"), InputError);
  net.mechanisms.marker = nullptr;
  EXPECT_THROW(make_pacer("dcqcn", net), InputError);
}

// Four hosts send all they have to a fifth. What the fluid model says of the fixed point is in
// tests of its own; here the link is used, the buffer does not fill and the flows share.
TEST(Dcqcn, FlowsShareABottleneckWithoutFillingItsBuffer) {
  TestNetwork net = network(5);
  const auto reaction = make_pacer("dcqcn", net);
  net.mechanisms.reaction = reaction;
  net.recorder.count_from = milliseconds(20);
  auto fabric = net.build();
  for (const std::uint32_t h : {0U, 1U, 2U, 3U}) {
    fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(4)},
                                                                    Bytes(100'000)));
  }
  fabric->run_until(milliseconds(60));
  std::int64_t sum = 0;
  for (const std::int64_t bytes : net.recorder.bytes_from) sum += bytes;
  const double link = 5e9 * 0.04;  // bytes in 40 ms
  EXPECT_GT(static_cast<double>(sum), 0.95 * link);
  for (const std::uint32_t h : {0U, 1U, 2U, 3U}) {
    EXPECT_NEAR(static_cast<double>(net.recorder.bytes_from[h]), link / 4, 0.1 * link) << h;
  }
  // Notifications are at most one in 50 us and flow.
  const Counters& counters = fabric->counters();
  EXPECT_GT(counters.acks_injected, 100U);
  EXPECT_LE(counters.acks_injected, 4U * 60'000 / 50 + 4);
  const fabric::testing::Told told(*reaction, milliseconds(60));
  EXPECT_EQ(told["dcqcn_notifications"], static_cast<double>(counters.acks_delivered));
  EXPECT_NEAR(told["injection_rate"] / told.whole("injection_rate"), 0.25, 0.05);
}

}  // namespace
}  // namespace weir::reaction::testing::dcqcn_test
