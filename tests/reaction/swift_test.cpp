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

SmallNetwork network(std::size_t hosts) {
  SmallNetwork net = star(hosts, gigabits_per_second(100), nanoseconds(1'000));
  net.settings.mtu = Bytes(952);
  net.settings.header = Bytes(48);
  net.settings.ack_size = Bytes(45);  // and five bytes for Swift
  net.settings.acks = AckMode::in_band;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2'000'000);
  return net;
}

/// Swift in a network where it hears only what a test says. Base target 10 us, 1 us a switch.
struct Forged {
  SmallNetwork net = network(2);
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
  SmallNetwork net = network(2);
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
  EXPECT_NEAR(Told(*reaction)["swift_target"] * 1e-6, 11 + alpha * (0.5 - 0.2), 1e-9);
}

TEST(Swift, AnEmptyNetworkHasTheDelayOfItsRoundTrip) {
  for (const Switching switching : {Switching::cut_through, Switching::store_and_forward}) {
    SmallNetwork net = network(2);
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
    EXPECT_NEAR(Told(*reaction)["swift_delay"], static_cast<double>(trip.count), 2'000);
  }
}

TEST(Swift, Refuses) {
  SmallNetwork net = network(2);
  EXPECT_THROW(make_pacer("swift", net, "scaling_from = 100.0"), InputError);
  EXPECT_THROW(make_pacer("swift", net, "least_window = 0.0"), InputError);
  net.settings.acks = AckMode::none;
  EXPECT_THROW(make_pacer("swift", net), InputError);
}

TEST(Swift, MayBeThatOfOneServiceLevel) {
  SmallNetwork net = network(3);
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
  EXPECT_EQ(Told(*net.mechanisms.reaction).whole("swift_delay"), 50e12);
}

/// Of the second half of 8 ms in which 20 hosts, or one, send all they can to another one, with
/// some connections each.
struct Crowd {
  double delay = 0;
  double target = 0;
  double window = 0;
  double use = 0;  ///< of the link

  Crowd(std::uint32_t hosts, std::uint32_t connections, const std::string& toml) {
    SmallNetwork net = network(hosts + 1);
    const auto reaction = make_pacer("swift", net, toml);
    net.mechanisms.reaction = reaction;
    net.journal.count_from = milliseconds(4);
    const auto fabric = net.build();
    for (std::uint32_t i = 0; i < hosts * connections; ++i) {
      auto source =
          std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(hosts)}, Bytes(95'200));
      source->connection = static_cast<std::uint16_t>(i / hosts);
      fabric->add_source(HostId(i % hosts), std::move(source));
    }
    fabric->run_until(milliseconds(4));
    const Told before(*reaction, milliseconds(4));
    fabric->run_until(milliseconds(8));
    const Told after(*reaction, milliseconds(8));
    const auto mean = [&](const std::string& metric) {
      return (after[metric] - before[metric]) / (after.whole(metric) - before.whole(metric));
    };
    delay = mean("swift_delay");
    target = mean("swift_target");
    window = mean("window");
    for (const std::int64_t bytes : net.journal.bytes_from)
      use += static_cast<double>(bytes) / (12.5e9 * 0.004);
  }
};

// From one flow to far more than a packet each in flight would allow: an idle round trip holds 50
// packets. What flows send in a round trip is what the link carries in it.
TEST(Swift, DelaysStayAtTheirTargetFromOneFlowToAThousand) {
  for (const auto& [hosts, connections] : {std::pair{1U, 1U}, {20U, 1U}, {20U, 10U}, {20U, 50U}}) {
    const Crowd run(hosts, connections, "start_window = 0.1\nincrease = 0.1");
    const double flows = hosts * connections;
    EXPECT_LT(run.delay, 1.15 * run.target) << flows;
    EXPECT_GT(run.use, 0.99) << flows;
    EXPECT_EQ(run.window < 1, flows >= 200) << flows;
    // Larger windows are rounded down.
    if (run.window < 1) {
      EXPECT_NEAR(flows * run.window * 80e-9, run.delay, 0.1 * run.delay) << flows;
    }
  }
}

// An ACK in time makes a window below one larger by `increase`, however small it is, and one too
// late takes less the smaller it is. With increases of a packet, the published ones, most ACKs of a
// thousand flows are too late.
TEST(Swift, WithIncreasesOfAPacketAThousandFlowsAreAboveTheirTarget) {
  const Crowd run(20, 50, "start_window = 0.1");
  EXPECT_GT(run.delay, 1.3 * run.target);
  EXPECT_LT(run.delay, 1.6 * run.target);
  EXPECT_GT(run.use, 0.99);
  EXPECT_LT(run.window, 0.5);
}

// A window that stays a quarter of a packet: one packet in four round trips, each of which is that
// of an empty network.
TEST(Swift, BelowOnePacketPacketsLeaveARoundTripOverTheWindowApart) {
  SmallNetwork net = network(2);
  net.mechanisms.reaction =
      make_pacer("swift", net,
                 "base_target = \"1 ns\"\nhop_target = \"0 s\"\nscaling_range = \"0 s\"\n"
                 "least_window = 0.25\nstart_window = 0.25");
  const auto fabric = net.build();
  fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                    {Time(0), HostId(1), Bytes(952 * 20)}}));
  ASSERT_TRUE(fabric->run_until(milliseconds(10)));
  const Time trip =
      idle_round_trip(*net.graph, *make_routing(net.routing, *net.graph), fabric->settings());
  const std::vector<Delivery>& all = net.journal.deliveries;
  ASSERT_EQ(all.size(), 20U);
  for (std::size_t i = 2; i < all.size(); ++i) {
    const Time gap = all[i].injected - all[i - 1].injected;
    EXPECT_NEAR(static_cast<double>(gap.count), 4.0 * static_cast<double>(trip.count), 4'000) << i;
  }
}

}  // namespace
}  // namespace weir::reaction::testing::swift_test
