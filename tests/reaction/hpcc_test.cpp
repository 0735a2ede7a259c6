// HPCC: telemetry of switches, the window that follows from it, and what becomes of a bottleneck.
#include <gtest/gtest.h>

#include <algorithm>

#include "reaction/reaction_fixture.hpp"
#include "weir/marking/telemetry.hpp"

namespace weir::reaction::testing::hpcc_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)
using marking::HopTelemetry;
using marking::PathTelemetry;

void use_telemetry(SmallNetwork& net, const std::string& toml = "") {
  net.mechanisms.marker = make_marker("telemetry", *net.graph, toml);
}

SmallNetwork network(std::size_t hosts, Architecture architecture = Architecture::cioq,
                     Rate rate = gigabits_per_second(100), Time delay = nanoseconds(1'000)) {
  SmallNetwork net = star(hosts, rate, delay);
  net.settings.mtu = Bytes(942);
  net.settings.header = Bytes(48);
  net.settings.ack_size = Bytes(54);
  net.settings.acks = AckMode::in_band;
  net.settings.architecture = architecture;
  net.settings.speedup = 4;
  use_telemetry(net);
  return net;
}

TEST(Telemetry, APacketHasRoomForTheLongestPath) {
  SmallNetwork net;
  net.graph = make_topology("rlft", "ports = 4\nstages = 3", {gigabits_per_second(100), Time(0)});
  net.settings.acks = AckMode::in_band;
  net.settings.header = Bytes(48);
  use_telemetry(net);
  const auto fabric = net.build();
  EXPECT_EQ(fabric->settings().header, Bytes(48 + 2 + 8 * 5));  // 42 bytes for five switches
  EXPECT_EQ(fabric->settings().carried_by_acks, Bytes(42));
  use_telemetry(net, "hops = 2");
  const auto small = net.build();
  small->add_source(HostId(0), std::make_unique<ListSource>(
                                   std::vector<MessageRequest>{{Time(0), HostId(15), Bytes(100)}}));
  EXPECT_THROW(small->run_until(milliseconds(1)), RunError);
}

/// Reads what ACKs bring.
class Reader final : public Reaction {
 public:
  explicit Reader(std::shared_ptr<const marking::Telemetry> telemetry)
      : telemetry_(std::move(telemetry)) {}
  Time may_inject(const Message&, Time now) override { return now; }
  void on_injected(const Message&, const Packet&, Time) override {}
  void on_ack(const Packet& ack, Time) override { read.push_back(telemetry_->of(ack)); }
  std::vector<PathTelemetry> read;

 private:
  std::shared_ptr<const marking::Telemetry> telemetry_;
};

// Two hosts send to a third. At its output 1,000 B (942, 48, 10 of telemetry) take 80 ns, and one
// packet comes on top of each that leaves.
TEST(Telemetry, SwitchesSayWhatTheirOutputsDo) {
  SmallNetwork net = network(3);
  const auto reader = std::make_shared<Reader>(
      std::dynamic_pointer_cast<const marking::Telemetry>(net.mechanisms.marker));
  net.mechanisms.reaction = reader;
  const auto fabric = net.build();
  for (const std::uint32_t h : {0U, 1U}) {
    fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(2), Bytes(942 * 50)}}));
  }
  ASSERT_TRUE(fabric->run_until(milliseconds(1)));
  ASSERT_EQ(reader->read.size(), 100U);
  std::vector<HopTelemetry> hops;
  for (const PathTelemetry& path : reader->read) {
    ASSERT_EQ(path.hops, 1U);
    hops.push_back(path.hop[0]);
  }
  std::sort(hops.begin(), hops.end(),
            [](const HopTelemetry& a, const HopTelemetry& b) { return a.time < b.time; });
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    EXPECT_EQ(hops[i].bytes_sent, static_cast<std::int64_t>(i + 1) * 1'000);
    EXPECT_EQ(hops[i].time - hops[0].time, static_cast<std::int64_t>(i) * 80'000);
    EXPECT_EQ(hops[i].ps_per_byte, 80U);
    most = std::max(most, hops[i].queued);
  }
  EXPECT_EQ(hops.back().queued, 0U);
  EXPECT_GT(most, 40'000U);
}

/// A source and ACKs that a test makes up. T is 1 us, so that 100 Gbps send 12.5 packets in it.
struct Forged {
  SmallNetwork net = network(2);
  std::shared_ptr<FlowPacer> reaction;
  std::unique_ptr<Fabric> fabric;
  std::uint32_t sent = 0;

  explicit Forged(const std::string& toml = "round_trip = \"1 us\"\nflows = 1")
      : reaction(make_pacer("hpcc", net, toml)) {
    net.mechanisms.reaction = reaction;
    fabric = net.build();
    Message message;
    message.unsent = 1 << 30;
    reaction->on_generated(message, Time(0));
  }
  void send(Time now) {
    Message message;
    message.unsent = 1 << 20;
    Packet packet;
    packet.size = 1'000;
    packet.sequence = sent++;
    reaction->on_injected(message, packet, now);
  }
  void ack(std::uint32_t sequence, const HopTelemetry& hop, Time now) {
    Core& core = fabric->core();
    const std::uint32_t handle = core.packets.take();
    core.records.begin(handle);
    PathTelemetry& path = core.records.of(RecordSlot<PathTelemetry>{0}, handle);
    path.hops = 1;
    path.hop[0] = hop;
    core.packets[handle].sequence = sequence;
    reaction->on_ack(core.packets[handle], now);
    core.packets.give_back(handle);
  }
  [[nodiscard]] double window(Time now) const { return reaction->paced(0, now).window; }
};

// The link is busy all the time and 12,500 B, what it sends in T, wait: u = 2. The second ACK comes
// a T after the first, so that U = u.
TEST(Hpcc, TheWindowFollowsTheFullestLink) {
  Forged source;
  EXPECT_DOUBLE_EQ(source.window(Time(0)), 12.5);
  source.send(Time(0));
  source.send(Time(0));
  source.ack(0, {0, 0, 12'500, 80}, microseconds(1));
  EXPECT_DOUBLE_EQ(source.window(microseconds(1)), 12.5);  // nothing to compare with
  source.ack(1, {1'000'000, 12'500, 20'000, 80}, microseconds(2));
  const double additive = 12.5 * 0.05;
  EXPECT_NEAR(source.window(microseconds(2)), 12.5 / (2 / 0.95) + additive, 1e-9);
  // The rate is the window in T.
  EXPECT_NEAR(source.reaction->paced(0, microseconds(2)).rate,
              source.window(microseconds(2)) / 12.5, 1e-12);
}

TEST(Hpcc, OnlyOneAckOfARoundTripMovesTheReference) {
  Forged source;
  for (int i = 0; i < 4; ++i) source.send(Time(0));
  source.ack(0, {0, 0, 12'500, 80}, microseconds(1));
  source.ack(1, {1'000'000, 12'500, 12'500, 80}, microseconds(2));
  const double first = source.window(microseconds(2));
  // Packets 2 and 3 were on their way already: again from the same reference, which is the first
  // window now.
  const double additive = 12.5 * 0.05;
  source.ack(2, {2'000'000, 25'000, 12'500, 80}, microseconds(3));
  EXPECT_NEAR(source.window(microseconds(3)), first / (2 / 0.95) + additive, 1e-9);
  source.ack(3, {3'000'000, 37'500, 12'500, 80}, microseconds(4));
  EXPECT_NEAR(source.window(microseconds(4)), first / (2 / 0.95) + additive, 1e-9);
}

TEST(Hpcc, FiveStagesOfAdditiveIncreaseThenTheUtilization) {
  Forged source("round_trip = \"1 us\"\nflows = 100");
  const double additive = 12.5 * 0.05 / 100;
  source.send(Time(0));
  source.ack(0, {0, 0, 12'500, 80}, microseconds(1));
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  const auto step = [&](std::int64_t sent, std::uint32_t queued) {
    at += 1'000'000;
    bytes += sent;
    source.send(Time(at));
    source.ack(source.sent - 1, {at, bytes, queued, 80}, Time(at));
    return source.window(Time(at));
  };
  const double low = step(12'500, 12'500);  // u = 2
  // The link is used to a tenth from now on.
  for (int stage = 1; stage <= 5; ++stage) {
    EXPECT_NEAR(step(1'250, 0), low + stage * additive, 1e-9) << stage;
  }
  const double reference = low + 5 * additive;
  EXPECT_NEAR(step(1'250, 0), std::min(12.5, reference / (0.1 / 0.95) + additive), 1e-9);
}

TEST(Hpcc, NeedsTelemetryAndAcks) {
  SmallNetwork net = network(2);
  net.mechanisms.marker = nullptr;
  EXPECT_THROW(make_pacer("hpcc", net), InputError);
  net = network(2);
  net.settings.acks = AckMode::becn;
  EXPECT_THROW(make_pacer("hpcc", net), InputError);
  net.settings.acks = AckMode::in_band;
  EXPECT_THROW(make_pacer("hpcc", net, "target = 0.0"), InputError);
}

// Section 3: one bottleneck is used to at most eta, with close to no queue, and shared. At 56 Gbps
// a byte takes 142.857 ps.
TEST(Hpcc, ABottleneckIsUsedToEtaWithHardlyAnyQueue) {
  struct Case {
    Architecture architecture;
    std::size_t flows;
    Rate rate;
  };
  const Rate usual = gigabits_per_second(100);
  for (const Case& one :
       {Case{Architecture::cioq, 2, usual}, Case{Architecture::cioq, 8, usual},
        Case{Architecture::input_queued, 2, usual}, Case{Architecture::input_queued, 8, usual},
        Case{Architecture::cioq, 8, gigabits_per_second(56)}}) {
    SmallNetwork net = network(one.flows + 1, one.architecture, one.rate);
    net.settings.sample_period = microseconds(1);
    net.mechanisms.reaction = make_pacer("hpcc", net, "flows = 50");
    QueueWatch watch(output_to(*net.graph, HostId(one.flows)));
    watch.count_from = milliseconds(5);
    const auto fabric = net.build(watch);
    send_to_last(*fabric, one.flows + 1, Bytes(942 * 100));
    fabric->run_until(milliseconds(10));
    const double link = static_cast<double>(one.rate.count) / 8 * 0.005;
    const auto flows = static_cast<double>(one.flows);
    for (std::size_t h = 0; h < one.flows; ++h)
      EXPECT_NEAR(watch.share(h), 1 / flows, 0.3 / flows) << h << " of " << flows;
    EXPECT_LT(watch.sum(), 0.97 * link);
    EXPECT_GT(watch.sum(), 0.90 * link);
    EXPECT_LT(watch.mean(), 3'000) << flows;
  }
}

}  // namespace
}  // namespace weir::reaction::testing::hpcc_test
