// Who wins an output: round robin, first come, VL tables, matching.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/small_network.hpp"
#include "weir/fabric/switch/arbiter.hpp"

namespace weir::fabric::testing::arbitration_test {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns

MessageRequest to(std::uint32_t destination, std::int64_t bytes, std::int64_t at_ns = 0) {
  return {nanoseconds(at_ns), HostId(destination), Bytes(bytes)};
}

struct Switch : SmallNetwork {
  explicit Switch(int hosts) {
    graph = make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink);
    routing = "shortest-path";
    settings.mtu = Bytes(100);
    settings.ingress_buffer = Bytes(2'000);
  }
  void send(Fabric& fabric, std::uint32_t host, std::vector<MessageRequest> messages,
            int level = 0) {
    auto source = std::make_unique<ListSource>(std::move(messages));
    source->service_level = static_cast<std::uint8_t>(level);
    fabric.add_source(HostId(host), std::move(source));
  }
  [[nodiscard]] std::vector<int> sources() const {
    std::vector<int> list;
    for (const Delivery& d : journal.deliveries) list.push_back(static_cast<int>(d.source.value));
    return list;
  }
};

TEST(RoundRobin, InputsTakeTurns) {
  Switch net(4);
  auto fabric = net.build();
  for (std::uint32_t h = 0; h < 3; ++h) net.send(*fabric, h, {to(3, 300)});
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.sources(), (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  // Back to back on the last link from the first header on.
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(net.journal.deliveries[i].delivered,
              nanoseconds(104 + 100 * static_cast<std::int64_t>(i)));
  }
}

// Output 3 is busy with host 2's packet until 102; host 1's comes at 12, host 0's at 22. In turn
// after input 2 is input 0.
std::vector<int> after_a_busy_output(ArbiterKind kind) {
  Switch net(4);
  net.settings.arbiter = kind;
  auto fabric = net.build();
  net.send(*fabric, 2, {to(3, 100)});
  net.send(*fabric, 1, {to(3, 100, 10)});
  net.send(*fabric, 0, {to(3, 100, 20)});
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  return net.sources();
}

TEST(RoundRobin, GoesOnBehindTheLastWinner) {
  EXPECT_EQ(after_a_busy_output(ArbiterKind::round_robin), (std::vector<int>{2, 0, 1}));
}
TEST(FirstCome, EarlierHeadGoesFirst) {
  EXPECT_EQ(after_a_busy_output(ArbiterKind::first_come), (std::vector<int>{2, 1, 0}));
}

// Host 0 has two service levels, host 1 one: inputs alternate, and the classes within input 0.
TEST(RoundRobin, ClassesTakeTurnsWithinAnInput) {
  Switch net(3);
  net.queueing = "service-level";
  net.queueing_toml = "vls = 2";
  net.settings.source_queues = SourceQueueKind::per_class;
  net.settings.ingress_buffer = Bytes(4'000);
  struct Order : Journal {
    void on_delivered(const Packet& p, const Message&, Time, bool) override {
      order.emplace_back(p.source, p.service_level);
    }
    std::vector<std::pair<std::uint32_t, int>> order;
  } record;
  Models models{net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                make_queueing("service-level", *net.graph, "vls = 2")};
  Fabric fabric(models, {}, net.settings, record);
  net.send(fabric, 0, {to(2, 400)}, 0);
  net.send(fabric, 0, {to(2, 400)}, 1);
  net.send(fabric, 1, {to(2, 800)}, 0);
  EXPECT_TRUE(fabric.run_until(milliseconds(1)));
  ASSERT_EQ(record.order.size(), 16U);
  std::vector<int> levels;
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(record.order[i].first, i % 2) << i;
    if (record.order[i].first == 0) levels.push_back(record.order[i].second);
  }
  EXPECT_EQ(levels, (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1}));
}

// --- VL arbitration (yan2012, section 2.3.3)

/// VLs served in `count` picks when all of `sendable` always have packets of `bytes`.
std::vector<int> picks(const VlArbitration& tables, int count, std::uint32_t bytes,
                       std::uint32_t sendable = 0x7fff) {
  VlArbiter arbiter(tables);
  std::uint32_t by_vl[16];
  std::fill(std::begin(by_vl), std::end(by_vl), bytes);
  std::vector<int> list;
  for (int i = 0; i < count; ++i) list.push_back(arbiter.pick(sendable, by_vl));
  return list;
}

TEST(VlArbitrationTables, EqualWeightsShareEqually) {
  const auto list = picks({{}, {{0, 20}, {1, 20}}, 255}, 1'000, 640);
  EXPECT_EQ(std::count(list.begin(), list.end(), 0), 500);
}

TEST(VlArbitrationTables, ThirtyToTenIsThreeQuarters) {
  const auto list = picks({{}, {{0, 30}, {1, 10}}, 255}, 8, 640);  // 10 units a packet
  EXPECT_EQ(list, (std::vector<int>{0, 0, 0, 1, 0, 0, 0, 1}));
  const auto high = picks({{{0, 30}, {1, 10}}, {}, 255}, 8, 640);
  EXPECT_EQ(high, list);
}

// A 2068-byte packet is 33 units; the eighth overdraws 255, which is forgiven.
TEST(VlArbitrationTables, WholePacketsRoundUp) {
  const auto list = picks({{}, {{3, 255}, {5, 255}}, 255}, 24, 2'068);
  std::vector<int> expected(24, 3);
  std::fill(expected.begin() + 8, expected.begin() + 16, 5);
  EXPECT_EQ(list, expected);
  // However small the weight, a visit sends one packet.
  EXPECT_EQ(picks({{}, {{0, 1}, {1, 2}}, 255}, 4, 2'068), (std::vector<int>{0, 1, 0, 1}));
}

TEST(VlArbitrationTables, EmptyVlsAndEntriesAreSkipped) {
  EXPECT_EQ(picks({{}, {{0, 10}, {1, 0}, {2, 10}}, 255}, 4, 640), (std::vector<int>{0, 2, 0, 2}));
  EXPECT_EQ(picks({{}, {{0, 10}, {2, 10}}, 255}, 3, 640, 1U << 2), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(picks({{}, {{0, 10}}, 255}, 1, 640, 1U << 2), (std::vector<int>{-1}));
}

TEST(VlArbitrationTables, HighLimitGivesLowItsChance) {
  EXPECT_EQ(picks({{{0, 255}}, {{1, 255}}, 2}, 7, 64), (std::vector<int>{0, 0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(picks({{{0, 255}}, {{1, 255}}, 255}, 4, 64), (std::vector<int>{0, 0, 0, 0}));
  // A limit of 0 lets one high-priority packet go.
  EXPECT_EQ(picks({{{0, 255}}, {{1, 255}}, 0}, 4, 64), (std::vector<int>{0, 1, 0, 1}));
  // Nothing low to send: high goes on beyond its limit.
  EXPECT_EQ(picks({{{0, 255}}, {{1, 255}}, 2}, 4, 64, 1), (std::vector<int>{0, 0, 0, 0}));
}

TEST(VlArbitrationTables, HighLimitMayCountBytes) {
  const auto tables = [](int limit) { return VlArbitration{{{0, 255}}, {{1, 255}}, limit, 4096}; };
  EXPECT_EQ(picks(tables(1), 6, 2'048), (std::vector<int>{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(picks(tables(2), 6, 2'048), (std::vector<int>{0, 0, 0, 0, 1, 0}));
  // A packet that goes beyond the limit goes as a whole.
  EXPECT_EQ(picks(tables(1), 6, 3'000), (std::vector<int>{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(picks(tables(1), 4, 8'192), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(picks(tables(0), 4, 64), (std::vector<int>{0, 1, 0, 1})) << "one packet";
  EXPECT_EQ(picks(tables(255), 3, 8'192), (std::vector<int>{0, 0, 0})) << "no limit";
  const auto small = picks(tables(1), 65, 64);
  EXPECT_EQ(std::count(small.begin(), small.end(), 0), 64);
  EXPECT_EQ(small.back(), 1);
}

TEST(VlArbitrationTables, ManagementGoesBeforeThem) {
  const VlArbitration tables{{{0, 255}}, {{1, 255}}, 2};
  EXPECT_EQ(picks(tables, 3, 64, 0xffff), (std::vector<int>{15, 15, 15}));
  // It does not count for the limit of high priority.
  VlArbiter arbiter(tables);
  std::uint32_t by_vl[16] = {};
  std::fill(std::begin(by_vl), std::end(by_vl), 64U);
  std::vector<int> list;
  for (const std::uint32_t sendable : {3U, 0x8003U, 3U, 0x8003U, 3U, 3U})
    list.push_back(arbiter.pick(sendable, by_vl));
  EXPECT_EQ(list, (std::vector<int>{0, 15, 0, 15, 1, 0}));
}

TEST(VlArbitrationTables, ManagementStandsInNone) {
  Switch net(2);
  net.settings.arbiter = ArbiterKind::vl_weighted;
  net.settings.source_queues = SourceQueueKind::per_class;
  net.settings.ingress_buffer = Bytes(64'000);
  net.queueing = "service-level";
  net.queueing_toml = "vls = 16";
  for (std::uint8_t vl = 0; vl < 15; ++vl) net.settings.vl_arbitration.low.push_back({vl, 1});
  EXPECT_NO_THROW((void)net.build());
  net.settings.vl_arbitration.low.push_back({15, 1});
  EXPECT_THROW((void)net.build(), InputError);
}

// The same on the wire of input-queued and of cioq switches.
TEST(VlArbitrationTables, ShareALink) {
  for (const Architecture architecture : {Architecture::input_queued, Architecture::cioq}) {
    Switch net(3);
    net.settings.architecture = architecture;
    net.settings.speedup = 2;
    net.settings.arbiter = ArbiterKind::vl_weighted;
    net.settings.source_queues = SourceQueueKind::per_class;
    net.settings.vl_arbitration = {{}, {{0, 60}, {1, 20}}, 255};
    net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(8'000);
    net.queueing = "service-level";
    net.queueing_toml = "vls = 2";
    auto fabric = net.build();
    for (std::uint32_t h = 0; h < 2; ++h) {
      auto source = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(2)}, Bytes(100));
      source->service_level = static_cast<std::uint8_t>(h);
      fabric->add_source(HostId(h), std::move(source));
    }
    fabric->run_until(microseconds(400));
    const auto& bytes = net.journal.bytes_from;
    const double share = static_cast<double>(bytes[0]) / static_cast<double>(bytes[0] + bytes[1]);
    EXPECT_NEAR(share, 0.75, 0.01) << static_cast<int>(architecture);
  }
}

// The 16th class of a scheme that knows no VLs is not for management.
TEST(VlArbitration, ServesNoDataAsVl15) {
  VlArbitration tables;
  for (std::uint8_t vl = 0; vl < 15; ++vl) tables.low.push_back({vl, 1});
  Switch net(17);
  net.settings.arbiter = ArbiterKind::vl_weighted;
  net.settings.vl_arbitration = tables;
  net.settings.source_queues = SourceQueueKind::per_class;
  net.settings.ingress_buffer = Bytes(8'000 * 16);
  net.queueing = "dbbm";
  net.queueing_toml = "queues = 16";
  struct : Observer {
  } nobody;
  const auto make = [&] {
    Models models{net.graph, make_routing(net.routing, *net.graph), make_selection(net.selection),
                  make_queueing(net.queueing, *net.graph, net.queueing_toml)};
    Fabric fabric(models, net.mechanisms, net.settings, nobody);
  };
  try {
    make();
    ADD_FAILURE() << "16 classes of data were accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("take at most 15"));
  }
  net.queueing_toml = "queues = 15";
  EXPECT_NO_THROW(make());
}

// --- VL arbitration at hosts

/// One host that sends on several VLs to another one.
struct VlHost : Switch {
  explicit VlHost(const VlArbitration& tables, int vls = 2) : Switch(3) {
    settings.arbiter = ArbiterKind::vl_weighted;
    settings.vl_arbitration = tables;
    settings.source_queues = SourceQueueKind::per_class;
    settings.ingress_buffer = Bytes(8'000 * vls);
    queueing = "service-level";
    queueing_toml = "vls = " + std::to_string(vls);
    // Without a table of its own no service level leads to VL 15.
    if (vls == 16)
      queueing_toml += "\nsl_to_vl = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]";
  }
  void saturate(Fabric& fabric, int vl, std::int64_t bytes) {
    auto source = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(2)}, Bytes(bytes));
    source->service_level = source->traffic_class = static_cast<std::uint8_t>(vl);
    fabric.add_source(HostId(0), std::move(source));
  }
  /// Bytes on the wire by VL, from 20 us on.
  [[nodiscard]] std::vector<double> bytes_by_vl(Fabric& fabric, Time end) {
    fabric.run_until(microseconds(20));
    seen.bytes.assign(16, 0);
    fabric.run_until(end);
    return seen.bytes;
  }
  std::unique_ptr<Fabric> start() {
    Models models{graph, make_routing(routing, *graph), make_selection(selection),
                  make_queueing(queueing, *graph, queueing_toml)};
    return std::make_unique<Fabric>(models, mechanisms, settings, seen);
  }
  struct Seen : Observer {
    void on_injected(const Packet& p, const Message&) override {
      if (bytes.empty()) bytes.assign(16, 0);
      bytes[p.traffic_class] += p.size;
      order.push_back(p.traffic_class);
    }
    std::vector<double> bytes;
    std::vector<int> order;
  } seen;
};

TEST(VlArbitrationAtHosts, WeightsDivideTheLink) {
  for (const SourceQueueKind kind :
       {SourceQueueKind::per_class, SourceQueueKind::per_destination}) {
    // 30 to 10 units of 64 B: packets of 44 B are a unit each.
    VlHost net({{}, {{0, 30}, {1, 10}}, 255});
    net.settings.source_queues = kind;
    auto fabric = net.start();
    // A queue for each destination: each VL has its own here.
    for (const int vl : {0, 1}) {
      auto source = std::make_unique<SaturatedSource>(
          std::vector<HostId>{HostId(kind == SourceQueueKind::per_class ? 2 : 1 + vl)}, Bytes(44));
      source->service_level = source->traffic_class = static_cast<std::uint8_t>(vl);
      fabric->add_source(HostId(0), std::move(source));
    }
    const auto bytes = net.bytes_by_vl(*fabric, microseconds(400));
    EXPECT_NEAR(bytes[0] / (bytes[0] + bytes[1]), 0.75, 0.0075);
    EXPECT_NEAR(bytes[0] + bytes[1], 380'000, 100);
  }
}

// A packet of 128 B takes two units, one of 100 B too, one of 44 B one: bytes are by what packets
// have in their units.
TEST(VlArbitrationAtHosts, CountsUnequalPacketsInUnits) {
  VlHost net({{}, {{0, 60}, {1, 20}}, 255});
  net.settings.mtu = Bytes(128);
  auto fabric = net.start();
  net.saturate(*fabric, 0, 128);
  net.saturate(*fabric, 1, 64);
  const auto even = net.bytes_by_vl(*fabric, microseconds(400));
  EXPECT_NEAR(even[0] / (even[0] + even[1]), 0.75, 0.0075);

  VlHost uneven({{}, {{0, 60}, {1, 20}}, 255});
  auto other = uneven.start();
  uneven.saturate(*other, 0, 100);
  uneven.saturate(*other, 1, 44);
  const auto bytes = uneven.bytes_by_vl(*other, microseconds(400));
  EXPECT_NEAR(bytes[0] / bytes[1], 30.0 * 100 / (20 * 44), 0.05);
}

// The high table goes first, until so many packets have gone while a low one waits.
TEST(VlArbitrationAtHosts, TheHighTableGoesFirstUpToItsLimit) {
  for (const auto& [limit, low_share] : std::map<int, double>{{255, 0.0}, {3, 0.25}, {0, 0.5}}) {
    VlHost net({{{0, 100}}, {{1, 100}}, limit});
    auto fabric = net.start();
    net.saturate(*fabric, 0, 64);
    net.saturate(*fabric, 1, 64);
    const auto bytes = net.bytes_by_vl(*fabric, microseconds(400));
    EXPECT_NEAR(bytes[1] / (bytes[0] + bytes[1]), low_share, 0.01) << limit;
  }
}

TEST(VlArbitrationAtHosts, ManagementGoesBeforeAllTables) {
  VlArbitration tables{{{0, 255}}, {}, 255};
  for (std::uint8_t vl = 1; vl < 15; ++vl) tables.low.push_back({vl, 10});
  VlHost net(tables, 16);
  auto fabric = net.start();
  net.saturate(*fabric, 0, 64);
  net.saturate(*fabric, 1, 64);
  fabric->run_until(microseconds(10));
  // Three sources, each with one message for the same time.
  for (int i = 0; i < 3; ++i) {
    auto management = std::make_unique<ListSource>(std::vector<MessageRequest>{to(2, 50, 10'500)});
    management->service_level = management->traffic_class = 15;
    fabric->add_source(HostId(0), std::move(management));
  }
  fabric->run_until(nanoseconds(10'499));
  net.seen.order.clear();
  fabric->run_until(microseconds(12));
  // What is on the wire ends.
  ASSERT_GE(net.seen.order.size(), 5U);
  EXPECT_LE(std::find(net.seen.order.begin(), net.seen.order.end(), 15) - net.seen.order.begin(),
            1);
  EXPECT_EQ(std::count(net.seen.order.begin(), net.seen.order.begin() + 4, 15), 3);
}

// A VL without credit leaves the link to the others.
TEST(VlArbitrationAtHosts, ABlockedVlHoldsBackNobody) {
  VlHost net({{}, {{0, 30}, {1, 10}}, 255});
  net.settings.ingress_buffer = Bytes(1'600);
  auto fabric = net.start();
  auto slow = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(2)}, Bytes(100));
  auto fast = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(1)}, Bytes(100));
  fast->service_level = fast->traffic_class = 1;
  fabric->add_source(HostId(0), std::move(slow));
  fabric->add_source(HostId(0), std::move(fast));
  // Host 1 has half of the way to host 2 on VL 0.
  auto rival = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(2)}, Bytes(100));
  rival->traffic_class = 5;
  fabric->add_source(HostId(1), std::move(rival));
  const auto bytes = net.bytes_by_vl(*fabric, microseconds(400));
  EXPECT_NEAR(bytes[0] / 380'000, 0.5, 0.01);
  EXPECT_NEAR(bytes[1] / 380'000, 0.5, 0.01);
}

// ACKs take part on their VL, before its data: they count for its weight.
TEST(VlArbitrationAtHosts, AcksAreServedOnTheirVl) {
  VlHost net({{}, {{0, 30}, {1, 10}}, 255});
  net.settings.acks = AckMode::in_band;
  net.settings.ack_size = Bytes(64);
  net.settings.mtu = Bytes(64);
  auto fabric = net.start();
  // Host 0 gets data on VL 1 all the time, and sends on VL 0.
  net.saturate(*fabric, 0, 64);
  auto other = std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(0)}, Bytes(64));
  other->service_level = other->traffic_class = 1;
  fabric->add_source(HostId(1), std::move(other));
  fabric->run_until(microseconds(400));
  const PortStatistics link = fabric->port(fabric->graph().host_port(HostId(0)));
  // VL 1 may have a quarter of the link, which is less than its ACKs need: data keeps the rest.
  EXPECT_NEAR(net.seen.bytes[0] / static_cast<double>(link.bytes), 0.75, 0.0075);
  EXPECT_GT(fabric->counters().acks_injected, 1'000U);
}

// One queue for several VLs leaves nothing to choose.
TEST(VlArbitrationAtHosts, NeedsQueuesOfVls) {
  for (const SourceQueueKind kind :
       {SourceQueueKind::fifo, SourceQueueKind::modulo, SourceQueueKind::shared_memory}) {
    VlHost net({{}, {{0, 30}, {1, 10}}, 255});
    net.settings.source_queues = kind;
    net.settings.source_queue_count = 2;
    net.settings.source_memory = Bytes(1'000);
    EXPECT_THROW((void)net.build(), InputError);
    VlHost one({{}, {{0, 30}}, 255}, 1);
    one.settings.source_queues = kind;
    one.settings.source_queue_count = 2;
    one.settings.source_memory = Bytes(1'000);
    EXPECT_NO_THROW((void)one.build());
  }
}

// --- One packet at a time

// In at 4 B/ns: both packets are in long before the first is out. Two outputs at once, or one after
// the other.
TEST(Crossbar, CarriesOnePacketOfAnInputAtATime) {
  for (const bool single : {false, true}) {
    topology::GraphBuilder builder("fan-out");
    const SwitchId s = builder.add_switch(3);
    builder.connect(builder.add_host(), s, 0, {gigabits_per_second(32), nanoseconds(2)});
    for (std::size_t h = 1; h < 3; ++h) builder.connect(builder.add_host(), s, h, kLink);
    Switch net(3);
    net.graph = std::make_shared<topology::Graph>(builder.build());
    net.settings.architecture =
        single ? Architecture::input_queued_single : Architecture::input_queued;
    auto fabric = net.build();
    net.send(*fabric, 0, {to(1, 100), to(2, 100)});
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    ASSERT_EQ(net.journal.deliveries.size(), 2U);
    EXPECT_EQ(net.journal.deliveries[0].delivered, nanoseconds(104));
    EXPECT_EQ(net.journal.deliveries[1].delivered, nanoseconds(single ? 204 : 129));
  }
}

// Every input has packets for every output, always: the pointers desynchronize and every pair gets
// the same share of a full load.
TEST(Matching, IsFairAndFullUnderFullLoad) {
  for (const std::uint32_t n : {2U, 3U, 4U}) {
    Switch net(static_cast<int>(n));
    net.settings.architecture = Architecture::input_queued_single;
    net.settings.matching_iterations = 1;
    net.settings.source_queues = SourceQueueKind::per_destination;
    net.queueing = "voqnet";
    net.settings.voq = false;
    net.settings.ingress_buffer = Bytes(1'000 * n);
    auto fabric = net.build();
    for (std::uint32_t h = 0; h < n; ++h) {
      for (std::uint32_t d = 0; d < n; ++d) {
        fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(
                                          std::vector<HostId>{HostId(d)}, Bytes(100)));
      }
    }
    const Time end = microseconds(1'000);
    fabric->run_until(end);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> share;
    for (const Delivery& d : net.journal.deliveries)
      share[{d.source.value, d.destination.value}] += 100.0 / to_nanoseconds(end);
    EXPECT_EQ(share.size(), n * n);
    for (const auto& [pair, rate] : share) EXPECT_NEAR(rate, 1.0 / n, 0.02 / n) << n;
  }
}

// Input 0 wants both outputs, input 1 only the first: two pairs are possible, and one iteration may
// find one; the second iteration finds the rest.
TEST(Matching, SecondIterationFillsWhatTheFirstLeft) {
  const auto delivered = [](int iterations) {
    Switch net(4);
    net.settings.architecture = Architecture::input_queued_single;
    net.settings.matching_iterations = iterations;
    net.settings.source_queues = SourceQueueKind::per_destination;
    auto fabric = net.build();
    // All heads arrive in the same instant; outputs 2 and 3 both point to input 0 at first.
    net.send(*fabric, 0, {to(2, 100)});
    net.send(*fabric, 1, {to(2, 100), to(3, 100)});
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    return net.journal.deliveries.back().delivered;
  };
  EXPECT_EQ(delivered(3), delivered(1));
  EXPECT_EQ(delivered(3), nanoseconds(304));
}

}  // namespace
}  // namespace weir::fabric::testing::arbitration_test
