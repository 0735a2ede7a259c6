// Swift: targets, windows above and below one packet, and delays in networks.
#include <gtest/gtest.h>

#include <cmath>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction::testing::swift_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)
using fabric::testing::Told;

TestNetwork network(std::size_t hosts) {
  TestNetwork net = star(hosts, gigabits_per_second(100), nanoseconds(1'000));
  net.settings.mtu = Bytes(952);
  net.settings.header = Bytes(48);
  net.settings.ack_size = Bytes(45);  // and five bytes for Swift
  net.settings.acks = AckMode::in_band;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2'000'000);
  return net;
}

/// Swift in a network where it hears only what a test says. Base target 10 us, 1 us a switch.
struct Forged {
  TestNetwork net = network(2);
  std::shared_ptr<FlowPacer> reaction;
  std::unique_ptr<Fabric> fabric;
  Time now;

  explicit Forged(const std::string& more = "start_window = 4.0")
      : reaction(make_pacer("swift", net,
                            "base_target = \"10 us\"\nhop_target = \"1 us\"\n"
                            "endpoint_target = \"5 us\"\nscaling_range = \"0 s\"\n" +
                                more)) {
    net.mechanisms.reaction = reaction;
    fabric = net.build();
    Message message;
    message.unsent = 1 << 30;
    reaction->on_generated(message, now);
  }
  /// A packet that crosses `hops` switches; its ACK is back after `delay`, of which it waits
  /// `there` at the destination.
  void exchange(Time delay, Time there = Time(0), std::uint8_t hops = 2) {
    Message message;
    message.unsent = 1 << 20;
    Core& core = fabric->core();
    const std::uint32_t data = core.packets.take();
    core.records.begin(data);
    core.packets[data].size = 1'000;
    core.packets[data].hops = hops;
    reaction->on_injected(message, core.packets[data], now);
    now += delay;
    EXPECT_TRUE(reaction->on_received(core.packets[data], 0, now - there));
    const std::uint32_t ack = core.packets.take();
    core.records.copy(data, ack);
    core.packets[ack].injected = now.count;
    reaction->on_ack(core.packets[ack], now);
    reaction->check(false);
    core.packets.give_back(ack);
    core.packets.give_back(data);
  }
  [[nodiscard]] double window() const { return reaction->paced(0, now).window; }
};

TEST(Swift, BelowTheTargetAWindowGrowsByOnePacketInARoundTrip) {
  Forged source;
  source.exchange(nanoseconds(11'999));  // the target is 12 us
  EXPECT_DOUBLE_EQ(source.window(), 4.25);
  source.exchange(nanoseconds(11'999));
  EXPECT_DOUBLE_EQ(source.window(), 4.25 + 1 / 4.25);
}

TEST(Swift, EachSwitchAddsToTheTarget) {
  Forged source;
  source.exchange(nanoseconds(12'500), Time(0), 3);
  EXPECT_DOUBLE_EQ(source.window(), 4.25);
  source.exchange(nanoseconds(12'500), Time(0), 2);
  EXPECT_LT(source.window(), 4.25);
}

TEST(Swift, AboveTheTargetItIsCutOnceARoundTripAndAtMostByHalf) {
  Forged source;
  source.exchange(microseconds(15));
  EXPECT_DOUBLE_EQ(source.window(), 4 * (1 - 0.8 * 3 / 15));
  const double once = source.window();
  source.now -= microseconds(14);  // so that the next ACK comes 1 us after this one
  source.exchange(microseconds(15));
  EXPECT_DOUBLE_EQ(source.window(), once);
  source.exchange(microseconds(1'200));
  EXPECT_DOUBLE_EQ(source.window(), once / 2);
}

TEST(Swift, BelowOnePacketTheWindowIsPacedAndGrowsByItself) {
  Forged source("start_window = 1.0\nleast_window = 0.25");
  source.exchange(microseconds(1'200));
  EXPECT_DOUBLE_EQ(source.window(), 0.5);
  // 1,000 B take 80 ns: one packet in 1.2 ms / 0.5.
  EXPECT_NEAR(source.reaction->paced(0, source.now).rate, 80e-9 * 0.5 / 1.2e-3, 1e-12);
  source.exchange(microseconds(2'400));
  source.exchange(microseconds(4'800));
  EXPECT_DOUBLE_EQ(source.window(), 0.25);
  source.exchange(microseconds(10), Time(0), 2);
  EXPECT_DOUBLE_EQ(source.window(), 1.25);
}

// The destination is slow, the network is not: 15 us of 20 are spent there, where 5 are allowed.
TEST(Swift, TheDestinationHasAWindowOfItsOwn) {
  Forged source;
  source.exchange(microseconds(20), microseconds(15));
  EXPECT_DOUBLE_EQ(source.window(), 4 * (1 - 0.5));
}

TEST(Swift, SmallWindowsHaveALargerTarget) {
  // alpha = 100 us / (1/sqrt(0.25) - 1/sqrt(25)) = 55.6 us; at a window of 4: 55.6 (0.5 - 0.2).
  TestNetwork net = network(2);
  const std::string toml =
      "base_target = \"10 us\"\nhop_target = \"1 us\"\nscaling_range = \"100 us\"\n"
      "scaling_from = 0.25\nscaling_to = 25.0\nstart_window = 4.0";
  const auto reaction = make_pacer("swift", net, toml);
  net.mechanisms.reaction = reaction;
  const auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(
                                    std::vector<MessageRequest>{{Time(0), HostId(1), Bytes(100)}}));
  ASSERT_TRUE(fabric->run_until(milliseconds(1)));
  const double alpha = 100 / (1 / std::sqrt(0.25) - 1 / std::sqrt(25.0));
  EXPECT_NEAR(Told(*reaction)["swift_target"] * 1e6, 11 + alpha * (0.5 - 0.2), 1e-9);
}

TEST(Swift, AnEmptyNetworkHasTheDelayOfItsRoundTrip) {
  for (const Switching switching : {Switching::cut_through, Switching::store_and_forward}) {
    TestNetwork net = network(2);
    net.settings.switching = switching;
    net.settings.routing_delay = nanoseconds(300);
    const auto reaction = make_pacer("swift", net);
    net.mechanisms.reaction = reaction;
    const auto fabric = net.build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(1), Bytes(952)}}));
    ASSERT_TRUE(fabric->run_until(milliseconds(1)));
    const Time trip =
        idle_round_trip(*net.graph, *make_routing(net.routing, *net.graph), fabric->settings());
    EXPECT_NEAR(Told(*reaction)["swift_delay"] * 1e12, static_cast<double>(trip.count), 2'000);
  }
}

TEST(Swift, Refuses) {
  TestNetwork net = network(2);
  EXPECT_THROW(make_pacer("swift", net, "scaling_from = 100.0"), InputError);
  EXPECT_THROW(make_pacer("swift", net, "least_window = 0.0"), InputError);
  net.settings.acks = AckMode::none;
  EXPECT_THROW(make_pacer("swift", net), InputError);
}

TEST(Swift, MayBeThatOfOneServiceLevel) {
  TestNetwork net = network(3);
  const auto& model = reaction_registry().find("by-service-level", {}, "model");
  net.mechanisms.reaction =
      model.make(settings_of(model.info, "parts = [{ service_levels = [1], model = \"swift\" }]"),
                 {net.graph, make_routing(net.routing, *net.graph), nullptr, net.settings});
  const auto fabric = net.build();
  EXPECT_EQ(fabric->settings().ack_size, Bytes(50));
  for (const std::uint32_t h : {0U, 1U}) {
    auto source = std::make_unique<ListSource>(
        std::vector<MessageRequest>{{Time(0), HostId(2), Bytes(952 * 50)}});
    source->service_level = static_cast<std::uint8_t>(h);
    fabric->add_source(HostId(h), std::move(source));
  }
  ASSERT_TRUE(fabric->run_until(milliseconds(10)));
  EXPECT_EQ(Told(*net.mechanisms.reaction).whole("swift_delay"), 50);
}

// Delays stay about the target from one flow to far more than a packet each in flight would allow:
// with 100 flows windows are below one packet.
TEST(Swift, DelaysStayAboutTheirTarget) {
  for (const std::uint32_t flows : {1U, 10U, 100U}) {
    TestNetwork net = network(flows + 1);
    const auto reaction = make_pacer("swift", net, "scaling_range = \"0 s\"");
    net.mechanisms.reaction = reaction;
    net.recorder.count_from = milliseconds(20);
    const auto fabric = net.build();
    send_to_last(*fabric, flows + 1, Bytes(95'200));
    fabric->run_until(milliseconds(20));
    const Told before(*reaction, milliseconds(20));
    fabric->run_until(milliseconds(30));
    const Told after(*reaction, milliseconds(30));
    const auto mean = [&](const std::string& metric) {
      return (after[metric] - before[metric]) / (after.whole(metric) - before.whole(metric));
    };
    EXPECT_LT(mean("swift_delay"), 1.5 * mean("swift_target")) << flows;
    double sum = 0;
    for (const std::int64_t bytes : net.recorder.bytes_from) sum += static_cast<double>(bytes);
    EXPECT_GT(sum, 0.9 * 12.5e9 * 0.01) << flows;
    if (flows == 100) {
      EXPECT_LT(mean("window"), 1);
    }
  }
}

}  // namespace
}  // namespace weir::reaction::testing::swift_test
