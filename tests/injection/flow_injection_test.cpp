#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(2'000)};  // 1 B/ns, 2 ns
constexpr std::int64_t kPacket = 100;                                  // bytes, so 100 ns

std::shared_ptr<Injection> make_injection(const std::string& name, const topology::Graph& graph,
                                          const std::string& toml = "phase = \"aligned\"") {
  const auto& model = injection_registry().find(name, {}, "injection");
  return model.make(settings_of(model.info, toml), graph);
}

struct Injected {
  std::int64_t at;  ///< ns
  std::uint32_t source;
  std::uint32_t destination;
  std::uint32_t size;
  std::int64_t ps;
  std::uint32_t flow;
};

class Injections : public Journal {
 public:
  void on_injected(const Packet& p, const Message& m) override {
    list.push_back({p.injected / 1'000, p.source, p.destination, p.size, p.injected, m.flow});
  }
  [[nodiscard]] std::vector<Injected> of(std::uint32_t source) const {
    std::vector<Injected> out;
    for (const Injected& one : list) {
      if (one.source == source) out.push_back(one);
    }
    return out;
  }
  std::vector<Injected> list;
};

/// Hosts around one switch.
struct Star {
  explicit Star(const std::string& scheme, int hosts = 5,
                const std::string& toml = "phase = \"aligned\"")
      : graph(make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink)) {
    settings.mtu = Bytes(kPacket);
    settings.source_queues = SourceQueueKind::per_destination;
    mechanisms.injection = make_injection(scheme, *graph, toml);
  }
  std::unique_ptr<Fabric> start() {
    Models models{graph, make_routing("shortest-path", *graph), make_selection("fixed"),
                  make_queueing(one_class(settings), *graph)};
    return std::make_unique<Fabric>(models, mechanisms, settings, seen);
  }
  std::shared_ptr<const topology::Graph> graph;
  FabricSettings settings;
  Mechanisms mechanisms;
  Injections seen;
};

Rate share(double of_link) {
  return Rate(std::llround(of_link * static_cast<double>(kLink.rate.count)));
}

void saturate(Fabric& fabric, std::uint32_t source, std::uint32_t destination,
              std::int64_t size = kPacket, std::uint16_t connection = 0) {
  auto model =
      std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(destination)}, Bytes(size));
  model->keeps_rate = true;
  model->connection = connection;
  fabric.add_source(HostId(source), std::move(model));
}

std::vector<std::int64_t> times(const std::vector<Injected>& list, std::size_t count) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) out.push_back(list[i].at);
  return out;
}

std::string order(const std::vector<Injected>& list, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) {
    out += std::to_string(list[i].destination);
  }
  return out;
}

/// Two flows of host 0, at a half and a quarter of the link.
void send_half_and_quarter(Star& net) {
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.5));
  fabric->set_rate(HostId(0), HostId(2), share(0.25));
  saturate(*fabric, 0, 1);
  saturate(*fabric, 0, 2);
  fabric->run_until(microseconds(2));
}

// V8: rates 1/2 and 1/4, so a packet each 4/3 packet times, and the first flow twice as often.
TEST(PeriodicSelection, SendsOnePacketEachTimeThatAllRatesAddUpToOne) {
  Star net("periodic-selection");
  send_half_and_quarter(net);
  EXPECT_EQ(order(net.seen.list, 12), "121121121121");
  EXPECT_EQ(times(net.seen.list, 7), (std::vector<std::int64_t>{0, 133, 266, 400, 533, 666, 800}));
}

// The same flows: each keeps its own distance, so that both may send at once every 400 ns.
TEST(ShapedVirtualClock, LetsPacketsOfDifferentFlowsLeaveBackToBack) {
  Star net("shaped-virtual-clock");
  send_half_and_quarter(net);
  EXPECT_EQ(order(net.seen.list, 9), "121121121");
  EXPECT_EQ(times(net.seen.list, 7), (std::vector<std::int64_t>{0, 100, 200, 400, 500, 600, 800}));
}

// Three flows of 1/4 come due together. The clock prefers who is behind, which after a common start
// is the order of the flows; without clock it is who has waited the longest.
TEST(InterPacketDelay, ServesWhoCouldSendForTheLongestTime) {
  for (const char* scheme : {"shaped-virtual-clock", "inter-packet-delay"}) {
    Star net(scheme);
    auto fabric = net.start();
    for (std::uint32_t d = 1; d <= 3; ++d) {
      fabric->set_rate(HostId(0), HostId(d), share(0.25));
      saturate(*fabric, 0, d);
    }
    fabric->run_until(microseconds(2));
    EXPECT_EQ(order(net.seen.list, 9), "123123123") << scheme;
    EXPECT_EQ(times(net.seen.list, 6), (std::vector<std::int64_t>{0, 100, 200, 400, 500, 600}));
  }
}

/// Packets of a flow at 1/2 in 200 us, 1000 if nothing held it up: at first two others send to the
/// same host as fast as they can, 100 packets each, and buffers hold two packets.
std::vector<Injected> held_up(const std::string& scheme) {
  Star net(scheme);
  net.settings.ingress_buffer = Bytes(2 * kPacket);
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.5));
  saturate(*fabric, 0, 1);
  for (const std::uint32_t other : {3U, 4U}) {
    fabric->add_source(HostId(other), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                          {Time(0), HostId(1), Bytes(100 * kPacket)}}));
  }
  fabric->run_until(microseconds(200));
  return net.seen.of(0);
}

TEST(PeriodicSelection, NeverMakesUpForBackPressure) {
  const std::vector<Injected> sent = held_up("periodic-selection");
  EXPECT_LT(sent.size(), 970U);
  for (std::size_t i = 1; i < sent.size(); ++i) {
    EXPECT_GE(sent[i].ps - sent[i - 1].ps, 200'000 - 1);
  }
}

TEST(LeakyBucketsFifo, LetWhatWasHeldUpLeaveInABurst) {
  const std::vector<Injected> sent = held_up("leaky-buckets-fifo");
  EXPECT_NEAR(static_cast<double>(sent.size()), 1'000, 2);
  std::size_t back_to_back = 0;
  for (std::size_t i = 1; i < sent.size(); ++i) {
    if (sent[i].ps - sent[i - 1].ps == 100'000) ++back_to_back;
  }
  EXPECT_GT(back_to_back, 10U);
}

TEST(PeriodicSelection, PacketsOfSeveralSizesTakeAsManyPeriods) {
  Star net("periodic-selection");
  net.settings.mtu = Bytes(4 * kPacket);
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.25));
  fabric->set_rate(HostId(0), HostId(2), share(0.25));
  saturate(*fabric, 0, 1, 3 * kPacket);
  saturate(*fabric, 0, 2, kPacket);
  fabric->run_until(microseconds(10));
  // R = 1/2: 200 ns for each 100 bytes. The large one is followed by three small ones.
  EXPECT_EQ(order(net.seen.list, 9), "122212221");
  std::int64_t bytes[3] = {};
  for (std::size_t i = 0; i + 1 < net.seen.list.size(); ++i) {
    const Injected& one = net.seen.list[i];
    bytes[one.destination] += one.size;
    EXPECT_EQ(net.seen.list[i + 1].ps - one.ps, one.size * 2'000);
  }
  EXPECT_NEAR(static_cast<double>(bytes[1]), static_cast<double>(bytes[2]), 3 * kPacket);
}

// A flow that comes later begins with the least tag of the others: it gets its share, no more.
TEST(PeriodicSelection, AFlowThatComesLaterMakesUpForNothing) {
  Star net("periodic-selection");
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.25));
  fabric->set_rate(HostId(0), HostId(2), share(0.25));
  saturate(*fabric, 0, 1);
  fabric->run_until(microseconds(100));
  EXPECT_NEAR(static_cast<double>(net.seen.list.size()), 250, 1);
  net.seen.list.clear();
  saturate(*fabric, 0, 2);
  fabric->run_until(microseconds(104));
  EXPECT_LE(net.seen.list.size(), 21U);
  EXPECT_GE(std::count_if(net.seen.list.begin(), net.seen.list.end(),
                          [](const Injected& one) { return one.destination == 1; }),
            9);
}

TEST(PeriodicSelection, FollowsRatesThatChange) {
  Star net("periodic-selection");
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), Rate(0));
  fabric->set_rate(HostId(0), HostId(2), share(0.5));
  saturate(*fabric, 0, 1);
  saturate(*fabric, 0, 2);
  const auto count_to = [&](Time end) {
    net.seen.list.clear();
    fabric->run_until(end, WhenIdle::keep_time);
    std::map<std::uint32_t, std::size_t> counts;
    for (const Injected& one : net.seen.list) ++counts[one.destination];
    return counts;
  };
  auto counts = count_to(microseconds(100));
  EXPECT_EQ(counts[1], 0U);
  EXPECT_NEAR(static_cast<double>(counts[2]), 500, 1);
  fabric->set_rate(HostId(0), HostId(1), share(0.2));
  counts = count_to(microseconds(200));
  EXPECT_NEAR(static_cast<double>(counts[1]), 200, 2);
  EXPECT_NEAR(static_cast<double>(counts[2]), 500, 2);
  fabric->set_rate(HostId(0), HostId(1), share(0.6));
  fabric->set_rate(HostId(0), HostId(2), share(0.1));
  counts = count_to(microseconds(300));
  EXPECT_NEAR(static_cast<double>(counts[1]), 600, 2);
  EXPECT_NEAR(static_cast<double>(counts[2]), 100, 2);
  // More than the link has: packets follow each other, in proportion.
  fabric->set_rate(HostId(0), HostId(1), share(0.9));
  fabric->set_rate(HostId(0), HostId(2), share(0.3));
  counts = count_to(microseconds(400));
  EXPECT_NEAR(static_cast<double>(counts[1]), 750, 2);
  EXPECT_NEAR(static_cast<double>(counts[2]), 250, 2);
}

TEST(PeriodicSelection, FlowsWithoutRateGoWhenNoOtherMay) {
  Star net("periodic-selection");
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.25));
  saturate(*fabric, 0, 1);
  saturate(*fabric, 0, 2);
  fabric->run_until(microseconds(100));
  std::map<std::uint32_t, std::size_t> counts;
  for (const Injected& one : net.seen.list) ++counts[one.destination];
  EXPECT_NEAR(static_cast<double>(counts[1]), 250, 1);
  EXPECT_NEAR(static_cast<double>(counts[2]), 750, 2);
}

/// What keeps no rate, as fast as it can.
void saturate_freely(Fabric& fabric, std::uint32_t source, std::uint32_t destination) {
  fabric.add_source(HostId(source), std::make_unique<SaturatedSource>(
                                        std::vector<HostId>{HostId(destination)}, Bytes(kPacket)));
}

// Of one pair of hosts: what keeps a rate gets it, the rest gets what is left of the link, and each
// is in order by itself although they overtake each other.
TEST(FlowInjection, KeepsRatesBesideOtherTrafficOfTheSamePair) {
  for (const char* scheme :
       {"periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo"}) {
    for (const double rate : {0.0067, 0.3, 0.7, 0.95}) {
      for (const AckMode acks : {AckMode::none, AckMode::in_band}) {
        Star net(scheme);
        net.settings.acks = acks;
        auto fabric = net.start();
        fabric->set_rate(HostId(0), HostId(1), share(rate));
        saturate(*fabric, 0, 1);
        saturate_freely(*fabric, 0, 1);
        // So that host 0 has ACKs to send.
        saturate_freely(*fabric, 2, 0);
        // Long enough for a packet more or less to be less than 1 %.
        const int times = rate < 0.1 ? 40 : 5;
        fabric->run_until(microseconds(400 * times));
        ASSERT_EQ(fabric->flows().size(), 3U);
        const double packets = 4'000 * times;
        double rated = 0;
        double rest = 0;
        for (const Flow& flow : fabric->flows()) {
          EXPECT_EQ(flow.out_of_order, 0U);
          if (flow.source != 0) continue;
          (flow.keeps_rate ? rated : rest) = flow.injected;
        }
        const std::string what = scheme + (" at " + std::to_string(rate));
        // In-band ACKs of 22 B take 22 / 122 of the link, before all data.
        const double room = acks == AckMode::none ? 1 : 100.0 / 122;
        EXPECT_NEAR(rated / packets, std::min(rate, room), 0.01 * rate) << what;
        EXPECT_NEAR((rated + rest) / packets, room, 0.01) << what;
      }
    }
  }
}

// Connections of one pair of hosts, and traffic that keeps no rate between them.
TEST(FlowInjection, KeepsTheRateOfEachConnectionOfAPair) {
  const std::map<std::uint16_t, double> rates{{0, 0.4}, {1, 0.1}, {2, 0.25}};
  for (const char* scheme : {"periodic-selection", "leaky-buckets-fifo"}) {
    Star net(scheme);
    auto fabric = net.start();
    for (const auto& [connection, rate] : rates) {
      fabric->set_rate({HostId(0), HostId(1), connection}, share(rate));
      saturate(*fabric, 0, 1, kPacket, connection);
    }
    saturate_freely(*fabric, 0, 1);
    fabric->run_until(milliseconds(2));
    ASSERT_EQ(fabric->flows().size(), 4U);
    for (const Flow& flow : fabric->flows()) {
      EXPECT_EQ(flow.out_of_order, 0U);
      const double rate = flow.keeps_rate ? rates.at(flow.connection) : 0.25;
      EXPECT_NEAR(flow.injected / 20'000.0, rate, 0.01 * rate) << scheme << flow.connection;
    }
  }
}

// V8 with both flows to one host.
TEST(PeriodicSelection, ServesConnectionsOfAPairAsItDoesPairs) {
  Star net("periodic-selection");
  auto fabric = net.start();
  fabric->set_rate({HostId(0), HostId(1), 0}, share(0.5));
  fabric->set_rate({HostId(0), HostId(1), 3}, share(0.25));
  saturate(*fabric, 0, 1, kPacket, 0);
  saturate(*fabric, 0, 1, kPacket, 3);
  fabric->run_until(microseconds(2));
  std::string order;
  for (std::size_t i = 0; i < 12; ++i) {
    order += std::to_string(fabric->flows()[net.seen.list[i].flow].connection);
  }
  EXPECT_EQ(order, "030030030030");
  EXPECT_EQ(times(net.seen.list, 7), (std::vector<std::int64_t>{0, 133, 266, 400, 533, 666, 800}));
}

// A rate that one connection gets later, or loses, does not touch the other.
TEST(FlowInjection, ChangesTheRateOfOneConnectionOnly) {
  Star net("periodic-selection");
  auto fabric = net.start();
  fabric->set_rate({HostId(0), HostId(1), 0}, share(0.5));
  fabric->set_rate({HostId(0), HostId(1), 1}, Rate(0));
  saturate(*fabric, 0, 1, kPacket, 0);
  saturate(*fabric, 0, 1, kPacket, 1);
  const auto injected = [&](std::uint16_t connection) {
    for (const Flow& flow : fabric->flows()) {
      if (flow.connection == connection) return static_cast<double>(flow.injected);
    }
    return -1.0;
  };
  fabric->run_until(microseconds(100));
  EXPECT_NEAR(injected(0), 500, 2);
  EXPECT_EQ(injected(1), 0);
  fabric->set_rate({HostId(0), HostId(1), 1}, share(0.25));
  fabric->run_until(microseconds(200));
  EXPECT_NEAR(injected(0), 1'000, 3);
  EXPECT_NEAR(injected(1), 250, 3);
  fabric->set_rate({HostId(0), HostId(1), 0}, Rate(0));
  fabric->run_until(microseconds(300));
  EXPECT_NEAR(injected(0), 1'000, 3);
  EXPECT_NEAR(injected(1), 500, 4);
}

// Several rates of one host, and traffic to all of its destinations.
TEST(FlowInjection, KeepsSeveralRatesBesideOtherTraffic) {
  for (const char* scheme : {"periodic-selection", "leaky-buckets-fifo"}) {
    Star net(scheme);
    auto fabric = net.start();
    const std::map<std::uint32_t, double> rates{{1, 0.4}, {2, 0.25}, {3, 0.2}};
    for (const auto& [destination, rate] : rates) {
      fabric->set_rate(HostId(0), HostId(destination), share(rate));
      saturate(*fabric, 0, destination);
      saturate_freely(*fabric, 0, destination);
    }
    fabric->run_until(milliseconds(2));
    for (const Flow& flow : fabric->flows()) {
      const double got = flow.injected / 20'000.0;
      if (flow.keeps_rate) {
        EXPECT_NEAR(got, rates.at(flow.destination), 0.01 * rates.at(flow.destination)) << scheme;
      } else {
        EXPECT_NEAR(got, 0.05, 0.001) << scheme;
      }
    }
  }
}

// Time lost for want of credit is still never made up for, whatever else uses the link.
TEST(PeriodicSelection, MakesUpForOtherPacketsButNotForBackPressure) {
  Star net("periodic-selection");
  net.settings.ingress_buffer = Bytes(2 * kPacket);
  auto fabric = net.start();
  fabric->set_rate(HostId(0), HostId(1), share(0.5));
  saturate(*fabric, 0, 1);
  saturate_freely(*fabric, 0, 2);
  for (const std::uint32_t other : {3U, 4U}) {
    fabric->add_source(HostId(other), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                          {Time(0), HostId(1), Bytes(100 * kPacket)}}));
  }
  fabric->run_until(microseconds(200));
  std::vector<Injected> rated;
  for (const Injected& one : net.seen.of(0)) {
    if (one.destination == 1) rated.push_back(one);
  }
  EXPECT_LT(rated.size(), 970U);
  // One packet of the others may lie between two periods, so a period may be that much shorter.
  for (std::size_t i = 1; i < rated.size(); ++i) {
    EXPECT_GE(rated[i].ps - rated[i - 1].ps, 100'000 - 1);
  }
  for (std::size_t i = 10; i < rated.size(); ++i) {
    EXPECT_GE(rated[i].ps - rated[i - 10].ps, 10 * 200'000 - 100'000 - 10);
  }
}

TEST(PeriodicSelection, NeedsAQueueForEachFlow) {
  Star net("periodic-selection");
  net.settings.source_queues = SourceQueueKind::fifo;
  EXPECT_THROW((void)net.start(), InputError);
}

// Sources with the same rate begin at different times of their period.
TEST(PeriodicSelection, BeginsAtRandomWithinThePeriod) {
  Star net("periodic-selection", 33, "phase = \"random\"");
  auto fabric = net.start();
  for (std::uint32_t h = 0; h < 32; ++h) {
    fabric->set_rate(HostId(h), HostId(32), share(1.0 / 32));
    saturate(*fabric, h, 32);
  }
  fabric->run_until(nanoseconds(3'199));
  ASSERT_EQ(net.seen.list.size(), 32U);
  double sum = 0;
  for (const Injected& one : net.seen.list) sum += static_cast<double>(one.ps) / 3'200'000;
  EXPECT_NEAR(sum / 32, 0.5, 0.2);
}

/// Rates of one host's flows, which add up to 1 or less.
struct Draw {
  std::vector<double> rates;
  double sum = 0;
};

Draw draw_rates() {
  const auto weights = *rc::gen::resize(
      12, rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 40))));
  int total = *rc::gen::inRange(0, 60);
  for (const int w : weights) total += w;
  Draw out;
  for (const int w : weights) {
    out.rates.push_back(static_cast<double>(share(static_cast<double>(w) / total).count) /
                        static_cast<double>(kLink.rate.count));
    out.sum += out.rates.back();
  }
  return out;
}

// (5.3): at any time max D/r - min D/r <= max d_p / r. No two packets closer than d_p / R. Without
// back-pressure D(t) / t -> r.
RC_GTEST_PROP(PeriodicSelection, KeepsFlowsTogether, ()) {
  const Draw drawn = draw_rates();
  const std::size_t flows = drawn.rates.size();
  const bool is_aligned = *rc::gen::arbitrary<bool>();
  Star net("periodic-selection", static_cast<int>(flows) + 1,
           is_aligned ? "phase = \"aligned\"" : "phase = \"random\"");
  auto fabric = net.start();
  for (std::uint32_t f = 0; f < flows; ++f) {
    fabric->set_rate(HostId(0), HostId(f + 1), share(drawn.rates[f]));
    saturate(*fabric, 0, f + 1);
  }
  const Time end = microseconds(400);
  fabric->run_until(end);
  const double slowest = *std::min_element(drawn.rates.begin(), drawn.rates.end());
  const double period = static_cast<double>(kPacket) * 1'000 / drawn.sum;
  std::vector<double> served(flows, 0);  // D / r in packet times
  for (std::size_t i = 0; i < net.seen.list.size(); ++i) {
    served[net.seen.list[i].destination - 1] += 1 / drawn.rates[net.seen.list[i].destination - 1];
    const auto [least, most] = std::minmax_element(served.begin(), served.end());
    RC_ASSERT(*most - *least <= 1 / slowest * (1 + 1e-9));
    if (i == 0) continue;
    const auto gap = static_cast<double>(net.seen.list[i].ps - net.seen.list[i - 1].ps);
    RC_ASSERT(gap > period - 1.5);
    RC_ASSERT(gap < period + 1.5);
  }
  const double packet_times = to_seconds(end) / 100e-9;
  for (std::size_t f = 0; f < flows; ++f) {
    const double got = served[f] * drawn.rates[f];
    RC_ASSERT(std::abs(got - drawn.rates[f] * packet_times) <=
              2 + 1 / slowest * drawn.rates[f] + 1 / drawn.sum * drawn.rates[f]);
  }
}

// However rates change and flows come and go: packets of a host are never closer than the sum of
// its rates allows, and no flow gets ahead of what its rate has added up to by more than the
// spread.
RC_GTEST_PROP(PeriodicSelection, NeverExceedsRatesThatChange, ()) {
  const std::uint32_t flows = *rc::gen::inRange(1U, 6U);
  Star net("periodic-selection", static_cast<int>(flows) + 1);
  auto fabric = net.start();
  double allowed = 1;  // packets: the first one leaves at once
  std::vector<double> rates(flows, 0);
  for (std::uint32_t f = 0; f < flows; ++f) {
    fabric->set_rate(HostId(0), HostId(f + 1), Rate(0));
    saturate(*fabric, 0, f + 1);
  }
  for (int step = 1; step <= 20; ++step) {
    const std::uint32_t f = *rc::gen::inRange(0U, flows);
    rates[f] = *rc::gen::inRange(0, 30) / 100.0;
    fabric->set_rate(HostId(0), HostId(f + 1), share(rates[f]));
    const Time until = microseconds(5 * step);
    fabric->run_until(until, WhenIdle::keep_time);
    double sum = 0;
    for (const double rate : rates) sum += rate;
    allowed += std::min(1.0, sum) * 50;
    RC_ASSERT(static_cast<double>(net.seen.list.size()) <= allowed + 1e-6);
    RC_ASSERT(static_cast<double>(net.seen.list.size()) >= allowed - 2);
  }
}

// Every scheme keeps the rates that it is given when nothing holds it up.
RC_GTEST_PROP(FlowInjection, KeepsRatesInTheLongRun, ()) {
  const Draw drawn = draw_rates();
  const std::string scheme = *rc::gen::element<std::string>(
      "periodic-selection", "shaped-virtual-clock", "inter-packet-delay", "leaky-buckets-fifo");
  const std::size_t flows = drawn.rates.size();
  Star net(scheme, static_cast<int>(flows) + 1, "phase = \"random\"");
  auto fabric = net.start();
  for (std::uint32_t f = 0; f < flows; ++f) {
    fabric->set_rate(HostId(0), HostId(f + 1), share(drawn.rates[f]));
    saturate(*fabric, 0, f + 1);
  }
  fabric->run_until(microseconds(1'000));
  std::vector<double> sent(flows, 0);
  for (const Injected& one : net.seen.list) ++sent[one.destination - 1];
  // A flow of a shaped clock that must wait for others loses that time; full links show it most.
  const bool is_exact = scheme == "periodic-selection" || scheme == "leaky-buckets-fifo";
  for (std::size_t f = 0; f < flows; ++f) {
    const double due = drawn.rates[f] * 10'000;
    RC_ASSERT(sent[f] <= due + static_cast<double>(flows) + 1);
    RC_ASSERT(sent[f] >= due * (is_exact ? 1 : 0.5) - static_cast<double>(flows) - 1);
  }
}

}  // namespace
}  // namespace weir::fabric::testing
