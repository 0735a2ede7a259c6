// Links and buffers: when credits return, cut-through at unequal rates, division of memory,
// stop and go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <vector>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"
#include "weir/fabric/links.hpp"

namespace weir::fabric::testing::flow_control_test {
namespace {

using ::testing::HasSubstr;

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

/// Host 0 and host 1 on one switch; the rates and delays of their cables.
std::shared_ptr<const topology::Graph> pair_of_hosts(topology::LinkSpec in,
                                                     topology::LinkSpec out) {
  topology::GraphBuilder builder("pair");
  const SwitchId s = builder.add_switch(2);
  builder.connect(builder.add_host(), s, 0, in);
  builder.connect(builder.add_host(), s, 1, out);
  return std::make_shared<topology::Graph>(builder.build());
}

struct Pair : SmallNetwork {
  Pair(topology::LinkSpec in, topology::LinkSpec out) {
    graph = pair_of_hosts(in, out);
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(100);
  }
  /// Injection and delivery times in ns of a message of `bytes`.
  std::vector<std::pair<double, double>> times(std::int64_t bytes) {
    auto fabric = build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(1), Bytes(bytes)}}));
    EXPECT_TRUE(fabric->run_until(milliseconds(100)));
    std::vector<std::pair<double, double>> list;
    for (const Delivery& d : journal.deliveries)
      list.emplace_back(to_nanoseconds(d.injected), to_nanoseconds(d.delivered));
    return list;
  }
};

using Times = std::vector<std::pair<double, double>>;

// Header at the switch at 2, sent on at once, tail gone at 102, credit back at 104.
TEST(Credits, ReturnWhenTheTailHasLeftPlusTheLinkDelay) {
  for (const Architecture a : {Architecture::input_queued, Architecture::input_queued_single}) {
    Pair net(kLink, kLink);
    net.settings.architecture = a;
    EXPECT_EQ(net.times(300), (Times{{0, 104}, {104, 208}, {208, 312}}));
  }
}

// The buffer is free as soon as the crossbar has carried the tail into the egress buffer: the same
// instant, since it cannot be earlier than the tail's arrival.
TEST(Credits, ReturnWhenTheTailHasCrossed) {
  Pair net(kLink, kLink);
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 2;
  EXPECT_EQ(net.times(300), (Times{{0, 104}, {104, 208}, {208, 312}}));
}

TEST(Credits, WaitForTheWholePacketWithStoreAndForward) {
  Pair net(kLink, kLink);
  net.settings.switching = Switching::store_and_forward;
  EXPECT_EQ(net.times(200), (Times{{0, 204}, {204, 408}}));
}

// Two packets of room: the second follows the first at once, the third at the first one's credit.
TEST(Credits, CoverTheRoundTripWithTwoPackets) {
  Pair net(kLink, kLink);
  net.settings.ingress_buffer = Bytes(200);
  EXPECT_EQ(net.times(400), (Times{{0, 104}, {100, 204}, {200, 304}, {300, 404}}));
}

// A sender of a plain run looks at its credit when it lacks some. What has arrived meanwhile
// becomes one, however much of it is on its way and in whatever order it comes; what has not keeps
// its time.
RC_GTEST_PROP(Credits, AreTheSameHoweverLateTheyAreLookedAt, ()) {
  constexpr std::int64_t kPacket = 100;
  constexpr std::int64_t kPackets = 12;
  topology::GraphBuilder builder("switches");
  const SwitchId a = builder.add_switch(2);
  const SwitchId b = builder.add_switch(2);
  builder.connect(builder.add_host(), a, 0, kLink);
  builder.connect(builder.add_host(), b, 0, kLink);
  builder.connect(a, 1, b, 1, kLink);
  const topology::Graph graph = builder.build();
  FabricSettings settings;
  settings.ingress_buffer = Bytes(kPacket * kPackets);
  Links links(graph, settings, 1);
  links.expect(0, kPacket);
  const std::uint32_t port = graph.port(graph.node(a), 1).value;

  std::int64_t now = 0;
  std::int64_t credits = kPacket * kPackets;
  std::vector<std::int64_t> coming;  // times of credits for a packet
  const auto steps =
      *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
  for (const std::uint8_t step : steps) {
    now += step % 4;
    const auto later =
        std::partition(coming.begin(), coming.end(), [&](auto at) { return at > now; });
    credits += kPacket * (coming.end() - later);
    coming.erase(later, coming.end());
    RC_ASSERT(links.credits_at(port, 0, now) == credits);
    RC_ASSERT(links.returning(port, 0, now) == kPacket * std::ssize(coming));
    if (step % 16 < 8) {
      RC_ASSERT(links.takes_something_plainly(port, links[port], now) == (credits >= kPacket));
      if (credits < kPacket) continue;
      links.take_plainly(port, links[port], kPacket);
      credits -= kPacket;
    } else if (credits + kPacket * std::ssize(coming) < kPacket * kPackets) {
      const std::int64_t at = now + 1 + step / 16;
      RC_ASSERT(!links.tell(port, {at, kPacket, 0, Feedback::credit}, now));
      coming.push_back(at);
    }
  }
}

// In at 1 B/ns, out at 4 B/ns: the tail is in at 102, so the output may start at 77 at the
// earliest.
TEST(CutThrough, FastOutputWaitsForSlowInput) {
  for (const Architecture a : {Architecture::input_queued, Architecture::input_queued_single,
                               Architecture::cioq, Architecture::output_queued}) {
    Pair net(kLink, {gigabits_per_second(32), nanoseconds(2)});
    net.settings.architecture = a;
    EXPECT_EQ(net.times(100), (Times{{0, 104}})) << static_cast<int>(a);
  }
}

// 7 Gbps is no whole number of ps a byte: 100 B in 114.286 ns.
TEST(CutThrough, FastOutputWaitsForAnOddInput) {
  for (const Architecture a : {Architecture::input_queued, Architecture::input_queued_single,
                               Architecture::cioq, Architecture::output_queued}) {
    Pair net({gigabits_per_second(7), nanoseconds(2)}, {gigabits_per_second(32), nanoseconds(2)});
    net.settings.architecture = a;
    EXPECT_EQ(net.times(100), (Times{{0, 118.286}})) << static_cast<int>(a);
  }
}

TEST(CutThrough, SlowOutputStartsAtOnce) {
  for (const Architecture a : {Architecture::input_queued, Architecture::input_queued_single,
                               Architecture::cioq, Architecture::output_queued}) {
    Pair net({gigabits_per_second(32), nanoseconds(2)}, kLink);
    net.settings.architecture = a;
    EXPECT_EQ(net.times(100), (Times{{0, 104}})) << static_cast<int>(a);
  }
}

// --- Division of memory: two service levels in one buffer, the first cannot go on.

/// Holds back one class at a port.
class Gate : public PortAgent {
 public:
  [[nodiscard]] bool may_send(PortId port, std::uint16_t buffer) const override {
    return port.value != closed_port || buffer != closed_class;
  }
  std::uint32_t closed_port = UINT32_MAX;
  std::uint16_t closed_class = 0;
};

/// Packets of SL 0 and SL 1 that leave host 0 when the trunk s0 -> s1 is closed to class 0.
std::map<int, int> injected(Memory memory, std::int64_t buffer, std::int64_t reserved,
                            int sl0_first) {
  SmallNetwork net;
  net.graph = make_topology("line", "switches = 2", kLink);
  net.routing = "shortest-path";
  net.queueing = "service-level";
  net.queueing_toml = "vls = 2";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(buffer);
  net.settings.memory = memory;
  net.settings.reserved = Bytes(reserved);
  net.settings.source_queues = SourceQueueKind::per_class;
  net.settings.voq = false;
  auto gate = std::make_shared<Gate>();
  net.mechanisms.agent = gate;
  const auto fabric = net.build();
  for (const topology::Port& port : net.graph->ports()) {
    if (net.graph->is_host(port.node) || !port.to.valid()) continue;
    const NodeId to = net.graph->port(port.to).node;
    if (port.node == net.graph->node(SwitchId(0)) && !net.graph->is_host(to))
      gate->closed_port = net.graph->port(port.node, port.number).value;
  }
  for (int sl = 0; sl < 2; ++sl) {
    auto source = std::make_unique<ListSource>(std::vector<MessageRequest>{
        {sl == 0 ? Time(0) : microseconds(sl0_first), HostId(1), Bytes(2'000)}});
    source->service_level = static_cast<std::uint8_t>(sl);
    source->traffic_class = static_cast<std::uint8_t>(sl);
    fabric->add_source(HostId(0), std::move(source));
  }
  fabric->run_until(microseconds(100));
  std::map<int, int> count;
  for (int sl = 0; sl < 2; ++sl) {
    const PortId at = net.graph->port(net.graph->host_port(HostId(0))).to;
    count[sl] = static_cast<int>(fabric->stored(at, sl).count / 100);
  }
  for (const Delivery& d : net.journal.deliveries) count[10] += d.source == HostId(0) ? 1 : 0;
  return count;
}

TEST(BufferMemory, SplitGivesEveryClassItsShare) {
  EXPECT_EQ(injected(Memory::split, 600, 0, 5), (std::map<int, int>{{0, 3}, {1, 0}, {10, 20}}));
}

// Whoever comes first takes it all: the other class does not get through.
TEST(BufferMemory, SharedLetsOneClassTakeItAll) {
  EXPECT_EQ(injected(Memory::shared, 600, 0, 5), (std::map<int, int>{{0, 6}, {1, 0}}));
}

// 600 B with 100 reserved for each of two: the stuck class has its own and the common 400.
TEST(BufferMemory, ReservationKeepsTheOtherClassAlive) {
  EXPECT_EQ(injected(Memory::reserved, 600, 100, 5),
            (std::map<int, int>{{0, 5}, {1, 0}, {10, 20}}));
}

// VOQnet splits the memory whatever the settings say: 8 classes of 50 B hold no packet.
TEST(BufferMemory, IsCheckedAsTheQueueingSchemeDividesIt) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 8", kLink);
  net.routing = "shortest-path";
  net.queueing = "voqnet";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(400);
  net.settings.memory = Memory::shared;
  EXPECT_THAT(net.refusal(), HasSubstr("buffer.ingress"));
  net.settings.ingress_buffer = Bytes(800);
  EXPECT_EQ(net.refusal(), "");
}

// --- Stop and go

struct StopAndGo : SmallNetwork {
  explicit StopAndGo(Switching switching = Switching::cut_through) {
    graph = make_topology("single-switch", "hosts = 4", {gigabits_per_second(8), nanoseconds(50)});
    routing = "shortest-path";
    settings.flow_control = FlowControl::stop_and_go;
    settings.switching = switching;
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(1'000);
    settings.stop_threshold = 0.65;
    settings.go_threshold = 0.4;
  }
};

class Peak : public Observer {
 public:
  void on_sample(const Fabric& fabric, Time) override {
    for (std::uint32_t h = 0; h < 3; ++h) {
      const PortId in = fabric.graph().port(fabric.graph().host_port(HostId(h))).to;
      peak = std::max(peak, fabric.stored(in, 0).count);
      stopped = stopped || fabric.port(fabric.graph().host_port(HostId(h))).blocked;
    }
  }
  std::int64_t peak = 0;
  bool stopped = false;
};

TEST(StopAndGoControl, StopsGoesAndNeverOverflows) {
  for (const Switching switching : {Switching::cut_through, Switching::store_and_forward}) {
    StopAndGo net(switching);
    net.settings.sample_period = nanoseconds(10);
    Peak peak;
    Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                  make_queueing(one_class(net.settings), *net.graph)};
    Fabric fabric(models, {}, net.settings, peak);
    for (std::uint32_t h = 0; h < 3; ++h) {
      fabric.add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                       {Time(0), HostId(3), Bytes(50'000)}}));
    }
    EXPECT_TRUE(fabric.run_until(milliseconds(1)));
    EXPECT_EQ(fabric.counters().packets_delivered, 1'500U);
    // 150 kB over the one link to host 3 at 1 B/ns: it never starved.
    EXPECT_LT(fabric.now(), nanoseconds(150'000 + 500));
    EXPECT_TRUE(peak.stopped);
    EXPECT_GT(peak.peak, 650);
    EXPECT_LE(peak.peak, 1'000);
  }
}

TEST(StopAndGoControl, TooLittleHeadroomIsRefused) {
  StopAndGo net;
  net.settings.stop_threshold = 0.75;  // 250 left; two packets and 100 on the wire need 300
  EXPECT_THAT(net.refusal(), HasSubstr("flow_control.stop"));
  net.settings.stop_threshold = 0.7;
  EXPECT_EQ(net.refusal(), "");
}

}  // namespace
}  // namespace weir::fabric::testing::flow_control_test
