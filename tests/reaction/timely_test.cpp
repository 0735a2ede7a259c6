// TIMELY and its patch: samples, what follows from them, and where flows come to rest.
#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction::testing::timely_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)
using fabric::testing::Told;

/// Links of 10 Gbps: 1,000 B take 800 ns.
SmallNetwork network(std::size_t hosts, Time delay = nanoseconds(500)) {
  SmallNetwork net = star(hosts, gigabits_per_second(10), delay);
  net.settings.mtu = Bytes(952);
  net.settings.header = Bytes(48);
  net.settings.ack_size = Bytes(64);
  net.settings.acks = AckMode::in_band;
  net.settings.architecture = Architecture::output_queued;
  net.settings.egress_buffer = Bytes(2'000'000);
  return net;
}

const std::string kTimes =
    "least_round_trip = \"20 us\"\nlow_threshold = \"50 us\"\nhigh_threshold = \"500 us\"\n";

/// TIMELY where it hears only what a test says. Segments are single packets unless `more` says
/// otherwise.
struct Forged {
  SmallNetwork net = network(3);
  std::shared_ptr<FlowPacer> reaction;
  std::unique_ptr<Fabric> fabric;
  Time now = milliseconds(1);

  explicit Forged(const std::string& more = "", const std::string& segment = "1000 B")
      : reaction(make_pacer("timely", net, kTimes + "segment = \"" + segment + "\"\n" + more)) {
    net.mechanisms.reaction = reaction;
    fabric = net.build();
    generate();
  }
  void generate(std::uint32_t flow = 0) { reaction->on_generated(message(flow), now); }
  static Message message(std::uint32_t flow = 0) {
    Message message;
    message.flow = flow;
    message.unsent = 1 << 30;
    return message;
  }
  std::uint32_t send(std::uint32_t flow = 0) {
    Core& core = fabric->core();
    const std::uint32_t data = core.packets.take();
    core.records.begin(data);
    core.packets[data].size = 1'000;
    reaction->on_injected(message(flow), core.packets[data], now);
    return data;
  }
  void ack(std::uint32_t data, std::uint32_t flow = 0) {
    Core& core = fabric->core();
    const std::uint32_t ack = core.packets.take();
    core.records.copy(data, ack);
    core.packets[ack].message = flow;
    reaction->on_ack(core.packets[ack], now);
    reaction->check(false);
    core.packets.give_back(ack);
    core.packets.give_back(data);
  }
  /// A packet and its ACK, whose sample is `round_trip`.
  void exchange(Time round_trip) {
    const std::uint32_t data = send();
    now += round_trip + nanoseconds(800);
    ack(data);
  }
  [[nodiscard]] double rate(std::uint32_t flow = 0) { return reaction->paced(flow, now).rate; }
};

TEST(Timely, BelowTheLowThresholdRatesGrowWhateverTheGradient) {
  Forged source("start_rate = 0.5");
  source.exchange(microseconds(30));
  EXPECT_DOUBLE_EQ(source.rate(), 0.501);
  source.exchange(microseconds(49));
  EXPECT_DOUBLE_EQ(source.rate(), 0.502);
}

TEST(Timely, AboveTheHighThresholdTheyFallByTheExcess) {
  Forged source("start_rate = 0.5");
  source.exchange(microseconds(625));
  EXPECT_DOUBLE_EQ(source.rate(), 0.5 * (1 - 0.8 * (1 - 500.0 / 625)));
  // At most by half, whatever the keys say.
  Forged steep("start_rate = 0.5\ndecrease = 1.0");
  steep.exchange(microseconds(5'000));
  EXPECT_DOUBLE_EQ(steep.rate(), 0.25);
}

// alpha = 0.875, least round trip 20 us. From 100 to 104 us: gradient 0.875 x 4 / 20 = 0.175. Then
// down to 102 us: 0.125 x 0.175 + 0.875 x (-2 / 20) = -0.065625.
TEST(Timely, BetweenThemTheyFollowTheGradient) {
  Forged source("start_rate = 0.5");
  source.exchange(microseconds(100));  // nothing to compare with: the gradient is 0
  EXPECT_DOUBLE_EQ(source.rate(), 0.501);
  source.exchange(microseconds(104));
  EXPECT_DOUBLE_EQ(source.rate(), 0.501 * (1 - 0.8 * 0.175));
  const double cut = source.rate();
  source.exchange(microseconds(102));
  EXPECT_DOUBLE_EQ(source.rate(), cut + 0.001);
  const Told told(*source.reaction);
  EXPECT_NEAR(told["timely_rtt"], 306e6, 1);  // ps
  EXPECT_NEAR(told["timely_gradient"], 0.175 - 0.065625, 1e-12);
  EXPECT_EQ(told.whole("timely_rtt"), 3e12);
  EXPECT_EQ(told["delay_increases"], 1);
}

TEST(Timely, FiveFallingSamplesMakeTheIncreaseHyperactive) {
  Forged source("start_rate = 0.5");
  for (int i = 0; i < 5; ++i) source.exchange(microseconds(200 - i));  // four of them fall
  EXPECT_NEAR(source.rate(), 0.505, 1e-12);
  source.exchange(microseconds(195));
  EXPECT_NEAR(source.rate(), 0.510, 1e-12);
  source.exchange(microseconds(194));
  EXPECT_NEAR(source.rate(), 0.515, 1e-12);
  source.exchange(microseconds(196));  // rises: 0.125 (-0.05) + 0.875 (0.1)
  const double cut = source.rate();
  EXPECT_LT(cut, 0.515);
  source.exchange(microseconds(195));
  EXPECT_NEAR(source.rate(), cut + 0.001, 1e-12);
}

// Reference 50 us. At 60 us without gradient: weight 1/2, error 0.2.
TEST(Timely, ThePatchWeighsIncreaseAgainstDecrease) {
  Forged source("variant = \"patched\"\nstart_rate = 0.5");
  source.exchange(microseconds(60));
  double rate = 0.001 * 0.5 + 0.5 * (1 - 0.008 * 0.5 * 0.2);
  EXPECT_DOUBLE_EQ(source.rate(), rate);
  // From 60 to 62 us: gradient 0.0875, weight 0.675, error 0.24.
  source.exchange(microseconds(62));
  rate = 0.001 * (1 - 0.675) + rate * (1 - 0.008 * 0.675 * 0.24);
  EXPECT_DOUBLE_EQ(source.rate(), rate);
  // Down to 52 us: gradient below -1/4, weight 0.
  source.exchange(microseconds(52));
  EXPECT_DOUBLE_EQ(source.rate(), rate + 0.001);
}

// 5 us after the last sample, a quarter of the least round trip.
TEST(Timely, SamplesInQuickSuccessionWeighLess) {
  Forged source("start_rate = 0.5");
  const std::uint32_t first = source.send();
  source.now += microseconds(5);
  const std::uint32_t second = source.send();
  source.now += microseconds(30);
  source.ack(first);
  EXPECT_DOUBLE_EQ(source.rate(), 0.501);
  source.now += microseconds(5);
  source.ack(second);
  EXPECT_DOUBLE_EQ(source.rate(), 0.50125);
}

TEST(Timely, OneSampleIsTakenOfASegment) {
  Forged source("start_rate = 0.5", "3000 B");
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(source.rate(), 0.5) << i;
    source.exchange(microseconds(30));
  }
  EXPECT_DOUBLE_EQ(source.rate(), 0.501);
  EXPECT_EQ(Told(*source.reaction).whole("timely_rtt"), 1e12);
}

// What is lost is not counted: the segment ends with a later packet.
TEST(Timely, ALostPacketDelaysTheSample) {
  Forged source("start_rate = 0.5", "2000 B");
  source.exchange(microseconds(30));
  source.send();
  source.reaction->on_lost(Packet(), source.now);
  EXPECT_DOUBLE_EQ(source.rate(), 0.5);
  source.exchange(microseconds(30));
  EXPECT_DOUBLE_EQ(source.rate(), 0.501);
}

TEST(Timely, ANewFlowSharesTheLinkOfItsHost) {
  Forged source;
  EXPECT_DOUBLE_EQ(source.rate(), 1);
  source.generate(1);
  EXPECT_DOUBLE_EQ(source.rate(1), 0.5);
  source.generate(2);
  EXPECT_DOUBLE_EQ(source.rate(2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(source.rate(), 1);  // that of others stays
}

// 1,000 B at half the rate: 1,600 ns. In segments of 3,000 B nothing until the third packet, then
// 4,800 ns from the start of the first.
TEST(Timely, PacketsOrSegmentsLeaveAtTheRate) {
  Forged packets("start_rate = 0.5", "3000 B");
  Time start = packets.now;
  packets.send();
  EXPECT_EQ(packets.reaction->may_inject(Forged::message(), start), start + nanoseconds(1'600));
  Forged segments("start_rate = 0.5\npacing = \"segment\"", "3000 B");
  start = segments.now;
  std::vector<std::uint32_t> sent;
  for (int i = 0; i < 2; ++i) {
    sent.push_back(segments.send());
    segments.now += nanoseconds(800);
    EXPECT_EQ(segments.reaction->may_inject(Forged::message(), segments.now), segments.now);
  }
  sent.push_back(segments.send());
  EXPECT_EQ(segments.reaction->may_inject(Forged::message(), segments.now),
            start + nanoseconds(4'800));
  // The sample is of the whole segment, without the time that it takes on the link.
  segments.now = start + microseconds(30) + nanoseconds(2'400);
  for (const std::uint32_t packet : sent) segments.ack(packet);
  const Told told(*segments.reaction);
  EXPECT_EQ(told.whole("timely_rtt"), 1e12);
  EXPECT_NEAR(told["timely_rtt"], 30e6, 1);
}

// 952 B and an ACK, alone: the sample is the round trip without the time of the packet.
TEST(Timely, AnEmptyNetworkHasTheLeastRoundTrip) {
  for (const std::string pacing : {"packet", "segment"}) {
    SmallNetwork net = network(2);
    const auto reaction = make_pacer("timely", net, "pacing = \"" + pacing + "\"");
    net.mechanisms.reaction = reaction;
    const auto fabric = net.build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(1), Bytes(952 * 3)}}));
    ASSERT_TRUE(fabric->run_until(milliseconds(1)));
    const Time trip =
        idle_round_trip(*net.graph, *make_routing(net.routing, *net.graph), net.settings) -
        packet_time(*net.graph, net.settings);
    EXPECT_NEAR(Told(*reaction)["timely_rtt"], static_cast<double>(trip.count), 2'000);
  }
}

TEST(Timely, Refuses) {
  SmallNetwork net = network(2);
  EXPECT_THROW(make_pacer("timely", net, "low_threshold = \"1 ms\""), InputError);
  EXPECT_THROW(make_pacer("timely", net, "segment = \"0 B\""), InputError);
  EXPECT_THROW(make_pacer("timely", net, "start_rate = 0.0"), InputError);
  EXPECT_THROW(make_pacer("timely", net, "least_rate = 0.0"), InputError);
  EXPECT_THROW(make_pacer("timely", net, "least_round_trip = \"0 s\""), InputError);
  EXPECT_THROW(make_pacer("timely", net, "reference = \"50 us\""), InputError);
  EXPECT_THROW(make_pacer("timely", net, "variant = \"patched\"\nhyper_factor = 2.0"), InputError);
  net.settings.acks = AckMode::becn;
  EXPECT_THROW(make_pacer("timely", net), InputError);
}

}  // namespace
}  // namespace weir::reaction::testing::timely_test
