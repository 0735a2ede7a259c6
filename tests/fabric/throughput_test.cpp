#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

std::vector<HostId> hosts(std::uint32_t from, std::uint32_t to) {
  std::vector<HostId> list;
  for (std::uint32_t h = from; h < to; ++h) list.emplace_back(h);
  return list;
}

/// Share of the link capacity that an N x N switch with saturated uniform traffic delivers,
/// fixed-size packets in lockstep: no propagation or pipeline delay, so the network is slotted.
double saturation_throughput(std::uint32_t n, const std::string& queueing, bool voq,
                             Architecture architecture, std::int64_t slots, double speedup = 1.0) {
  SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = " + std::to_string(n),
                            {gigabits_per_second(8), nanoseconds(0)});
  net.routing = "shortest-path";
  net.queueing = queueing;
  net.settings.architecture = architecture;
  if (architecture == Architecture::input_queued) net.settings.arbiter = ArbiterKind::random;
  net.settings.voq = voq;
  net.settings.speedup = speedup;
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(100 * 64 * (queueing == "voqnet" ? n : 1));
  const Time slot = nanoseconds(100);
  net.journal.count_from = slot * (slots / 10);
  auto fabric = net.build();
  for (std::uint32_t h = 0; h < n; ++h) {
    fabric->add_source(HostId(h),
                       std::make_unique<SaturatedSource>(hosts(0, n), Bytes(100), 1000 + h));
  }
  fabric->run_until(slot * slots);
  const auto& bytes = net.journal.bytes_from;
  const auto total =
      static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}));
  return total / (static_cast<double>(n) * 100.0 * static_cast<double>(slots - slots / 10));
}

// Karol, Hluchyj, Morgan 1987: FIFO inputs, random service among contending heads
// (lippens2010, section 1.2; N = 16 and 32 from its Monte-Carlo and the trend towards 0.5858).
TEST(SlowHolBlocking, FifoInputsSaturateAtTheKnownValues) {
  const std::pair<std::uint32_t, double> known[] = {
      {2, 0.75}, {4, 0.6553}, {8, 0.6184}, {16, 0.6012}, {32, 0.593}};
  for (const auto& [n, expected] : known) {
    const Architecture single = Architecture::input_queued_single;
    EXPECT_NEAR(saturation_throughput(n, "fifo", false, single, 800'000 / n), expected, 0.005)
        << "N = " << n;
  }
}

// With unlimited crossbar access the packet behind a departing head may start at once, so that a
// FIFO loses less than Karol's; it still loses.
TEST(SlowHolBlocking, UnlimitedCrossbarAccessSoftensIt) {
  for (const std::uint32_t n : {4U, 16U}) {
    const double throughput =
        saturation_throughput(n, "fifo", false, Architecture::input_queued, 100'000 / n);
    EXPECT_GT(throughput, 0.70) << n;
    EXPECT_LT(throughput, 0.80) << n;
  }
}

TEST(SlowHolBlocking, QueuesPerOutputGiveFullThroughput) {
  for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
    EXPECT_GT(saturation_throughput(n, "voqsw", true, Architecture::input_queued, 100'000 / n),
              0.98)
        << n;
    EXPECT_GT(saturation_throughput(n, "voqnet", false, Architecture::input_queued, 100'000 / n),
              0.98)
        << n;
    EXPECT_GT(
        saturation_throughput(n, "voqsw", true, Architecture::input_queued_single, 100'000 / n),
        0.95)
        << n;
    EXPECT_GT(saturation_throughput(n, "fifo", false, Architecture::output_queued, 100'000 / n),
              0.98)
        << n;
  }
}

TEST(SlowHolBlocking, SpeedupTwoRemovesNearlyAllOfIt) {
  const double slow = saturation_throughput(8, "fifo", false, Architecture::cioq, 20'000);
  const double fast = saturation_throughput(8, "fifo", false, Architecture::cioq, 20'000, 2.0);
  EXPECT_LT(slow, 0.75);
  EXPECT_GT(fast, 0.95);
}

HostId host_named(const topology::Graph& graph, const std::string& name) {
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    if (graph.name(NodeId(h)) == name) return HostId(h);
  }
  throw std::runtime_error("no host " + name);
}

using FlowNames = std::vector<std::pair<std::string, std::string>>;

/// Rates of saturated flows over the second half of the run, as shares of the link rate.
std::vector<double> flow_rates(const std::string& topology, const FlowNames& flows,
                               int buffer_packets, bool voq = true,
                               ArbiterKind arbiter = ArbiterKind::round_robin) {
  SmallNetwork net;
  net.graph = make_topology(topology, "", {gigabits_per_second(8), nanoseconds(0)});
  net.routing = "shortest-path";
  net.settings.voq = voq;
  net.settings.arbiter = arbiter;
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(100 * buffer_packets);
  net.journal.count_from = microseconds(200);
  auto fabric = net.build();
  for (const auto& [source, destination] : flows) {
    fabric->add_source(host_named(*net.graph, source),
                       std::make_unique<SaturatedSource>(
                           std::vector<HostId>{host_named(*net.graph, destination)}, Bytes(100)));
  }
  fabric->run_until(microseconds(800));
  net.journal.bytes_from.resize(net.graph->host_count());
  std::vector<double> rates;
  for (const auto& [source, destination] : flows) {
    rates.push_back(
        static_cast<double>(net.journal.bytes_from[host_named(*net.graph, source).index()]) /
        600'000.0);
  }
  return rates;
}

void expect_rates(const std::vector<double>& measured, const std::vector<double>& expected) {
  ASSERT_EQ(measured.size(), expected.size());
  for (std::size_t f = 0; f < expected.size(); ++f)
    EXPECT_NEAR(measured[f], expected[f], 0.003) << "flow " << f + 1;
}

const FlowNames kSpreading{{"s1", "d1"}, {"s2", "d1"}, {"s3", "d2"},
                           {"s4", "d2"}, {"s5", "d2"}, {"s6", "d2"}};

// zdornov2009, section 1.3: the middle link carries 2/3 although only d2's link is overloaded.
TEST(CongestionSharing, SpreadingExample) {
  for (const int buffer : {2, 4, 8, 32}) {
    expect_rates(flow_rates("congestion-spreading", kSpreading, buffer),
                 {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 3, 1.0 / 3});
  }
}

// Equal flows of size 1: s5 and s6 end at 3, all at 5 (lower bound 4).
TEST(CongestionSharing, SpreadingExampleCompletionTimes) {
  SmallNetwork net;
  net.graph = make_topology("congestion-spreading", "", {gigabits_per_second(8), nanoseconds(0)});
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(800);
  auto fabric = net.build();
  constexpr std::int64_t kSize = 100'000;
  for (const auto& [source, destination] : kSpreading) {
    fabric->add_source(host_named(*net.graph, source),
                       std::make_unique<ListSource>(std::vector<MessageRequest>{
                           {Time(0), host_named(*net.graph, destination), Bytes(kSize)}}));
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(10)));
  std::vector<double> end(net.graph->host_count());
  for (const Delivery& d : net.journal.deliveries)
    end[d.source.index()] = to_nanoseconds(d.delivered) / kSize;
  EXPECT_NEAR(end[host_named(*net.graph, "s5").index()], 3.0, 0.03);
  EXPECT_NEAR(end[host_named(*net.graph, "s6").index()], 3.0, 0.03);
  EXPECT_NEAR(*std::max_element(end.begin(), end.end()), 5.0, 0.03);
}

// First come, first served instead: whoever has more buffers in front of the root gets more than
// under round robin, the more so the smaller they are (the document's check values, from a slotted
// model: 0.346 and 0.154 with 8 packets, 0.375 and 0.125 with 2).
TEST(CongestionSharing, SpreadingExampleFirstComeFirstServed) {
  const auto two = flow_rates("congestion-spreading", kSpreading, 2, true, ArbiterKind::first_come);
  const auto eight =
      flow_rates("congestion-spreading", kSpreading, 8, true, ArbiterKind::first_come);
  EXPECT_NEAR(two[2] + two[3] + two[4] + two[5], 1.0, 0.005);
  EXPECT_GT(two[4], 1.0 / 3 + 0.01);
  EXPECT_GT(two[4], eight[4]);
  EXPECT_NEAR(eight[4], 0.346, 0.01);
  EXPECT_NEAR(eight[0], 0.154, 0.01);
}

// ferrer2012, section 3.1, Fig. 3.4: Y1 = Y2 = Lxy = 1/3, X1 = X2 = 1/6.
TEST(CongestionSharing, SharedLinkExample) {
  expect_rates(
      flow_rates("shared-link", {{"x1", "z"}, {"x2", "z"}, {"y1", "z"}, {"y2", "z"}}, 4, false),
      {1.0 / 6, 1.0 / 6, 1.0 / 3, 1.0 / 3});
}

// Fig. 3.5 by simulation: FIFO order in the shared link gives X3 the same 1/6 although its way is
// free; with a queue per output at Y it is limited by the shared buffer only.
TEST(CongestionSharing, SharedLinkVictim) {
  expect_rates(
      flow_rates("shared-link", {{"x1", "z"}, {"x2", "z"}, {"x3", "v"}, {"y1", "z"}, {"y2", "z"}},
                 4, false),
      {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 3, 1.0 / 3});
}

}  // namespace
}  // namespace weir::fabric::testing
