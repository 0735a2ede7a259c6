// Random early detection, and metrics that a marker has of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "marking_network.hpp"
#include "support/told.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir::marking::testing::red_test {
namespace {

using fabric::packet_flag::kMarkB;
using fabric::testing::Told;

// Two hosts send to a third: an egress buffer of four packets fills up.
MarkingNetwork filled(const std::string& toml, int packets = 400) {
  MarkingNetwork net;
  net.build("red", toml);
  for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, packets, 256));
  net.drain();
  return net;
}

/// Share of the buffer that a packet found.
double found(const Witness::Row& row) { return static_cast<double>(row.bytes - 278) / 1'112; }

TEST(Red, WithoutAverageTheThresholdsAreThoseOfTheQueue) {
  const MarkingNetwork net = filled("weight = 1.0\nlow = 0.3\nhigh = 0.5\nprobability = 0.0");
  std::size_t all = 0;
  for (const Witness::Row& row : net.witness->at_egress) {
    EXPECT_EQ(row.bits != 0, found(row) >= 0.5) << row.sequence;
    all += row.bits != 0 ? 1U : 0U;
  }
  const Told told(*net.marker);
  EXPECT_GT(all, 100U);
  EXPECT_EQ(told["red_marks_all"], static_cast<double>(all));
  EXPECT_EQ(told["red_marks_early"], 0);
}

TEST(Red, BytesTakeThePlaceOfShares) {
  const MarkingNetwork net =
      filled("weight = 1.0\nlow_bytes = \"300 B\"\nhigh_bytes = \"800 B\"\nprobability = 0.0");
  std::size_t all = 0;
  for (const Witness::Row& row : net.witness->at_egress) {
    EXPECT_EQ(row.bits != 0, row.bytes - 278 >= 800) << row.sequence;
    all += row.bits != 0 ? 1U : 0U;
  }
  EXPECT_GT(all, 50U);
  EXPECT_EQ(Told(*net.marker)["red_marks_all"], static_cast<double>(all));
}

TEST(Red, RefusesThresholdsThatAQueueNeverReaches) {
  const std::string low = "low_bytes = \"500 B\"\n";
  MarkingNetwork net;  // 1,112 B at egress
  EXPECT_NO_THROW(net.build("red", low + "high_bytes = \"1112 B\""));
  EXPECT_THROW(net.build("red", low + "high_bytes = \"1113 B\""), InputError);
  EXPECT_THROW(net.build("red", low), InputError);
  EXPECT_THROW(net.build("red", low + "high_bytes = \"600 B\"\nhigh = 0.5"), InputError);
  // Two inputs can hold as much for the third host; buffers of oq have no bound.
  net.settings.architecture = Architecture::input_queued;
  EXPECT_NO_THROW(net.build("red", low + "high_bytes = \"2224 B\""));
  EXPECT_THROW(net.build("red", low + "high_bytes = \"2225 B\""), InputError);
  net.settings.architecture = Architecture::output_queued;
  EXPECT_NO_THROW(net.build("red", low + "high_bytes = \"1 MB\""));
  // Two classes have a half each.
  MarkingNetwork split;
  split.queueing = "service-level";
  split.queueing_toml = "vls = 2";
  EXPECT_NO_THROW(split.build("red", low + "high_bytes = \"556 B\""));
  EXPECT_THROW(split.build("red", low + "high_bytes = \"557 B\""), InputError);
  // A cable without switches has nothing to mark.
  MarkingNetwork cable;
  cable.graph = make_topology("two-hosts", "", kLink);
  EXPECT_NO_THROW(cable.build("red", low + "high_bytes = \"1 MB\""));
}

/// The output to a host, for which a test makes packets wait at the inputs.
struct Waiting {
  MarkingNetwork net;
  PortId output;
  Packet packet;

  explicit Waiting(const std::string& toml) {
    net.settings.architecture = Architecture::input_queued;
    net.build("red", toml);
    output = net.graph->port(net.graph->host_port(HostId(2))).to;
    packet.in_port = net.graph->port(net.graph->host_port(HostId(0))).to.value;
    packet.out = static_cast<std::uint16_t>(output.value -
                                            net.fabric->view().ports[packet.in_port].first_port);
  }
  /// Whether it is marked.
  bool come(std::uint32_t size) {
    packet.size = size;
    packet.flags = 0;
    net.marker->on_ingress(PortId(packet.in_port), packet);
    return packet.flags != 0;
  }
  void leave(std::uint32_t size) {
    packet.size = size;
    net.marker->on_transmit(output, packet);
  }
};

// All within one instant: a queue that has just become empty is empty.
TEST(Red, WithoutAverageAnEmptyQueueIsEmptyAtOnce) {
  Waiting queue("weight = 1.0\nlow_bytes = \"100 B\"\nhigh_bytes = \"200 B\"");
  EXPECT_FALSE(queue.come(278));
  EXPECT_TRUE(queue.come(278));
  queue.leave(278);
  queue.leave(278);
  EXPECT_FALSE(queue.come(278));
}

/// Packets from one mark to the next, where each finds 500 B.
std::vector<int> gaps(const std::string& spread) {
  Waiting queue(
      "weight = 1.0\nlow_bytes = \"400 B\"\nhigh_bytes = \"900 B\"\nprobability = 0.53\n"
      "spread = \"" +
      spread + "\"");
  queue.come(500);
  std::vector<int> all;
  for (int i = 0, last = 0; i < 50'000; ++i) {
    if (!queue.come(0)) continue;  // so that the queue stays as it is
    all.push_back(i - last);
    last = i;
  }
  all.erase(all.begin());
  return all;
}

double mean(const std::vector<int>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double share_above(const std::vector<int>& values, int bound) {
  const auto above = std::count_if(values.begin(), values.end(), [&](int v) { return v > bound; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

// Between 400 and 900 B, 500 B are p = 0.53 / 5. Independent gaps are geometric; even ones, by
// floyd1993random, section 4, have n packets with probability p / (1 - p) until the rest is left at
// the ninth, from which on 1 - n p <= p.
TEST(Red, MarksAreIndependentOrEven) {
  const double p = 0.106;
  const std::vector<int> independent = gaps("independent");
  EXPECT_NEAR(mean(independent), 1 / p, 0.5);  // about four standard errors
  for (const int bound : {5, 10, 30})
    EXPECT_NEAR(share_above(independent, bound), std::pow(1 - p, bound), 0.03) << bound;
  const std::vector<int> even = gaps("even");
  EXPECT_EQ(*std::max_element(even.begin(), even.end()), 9);
  for (int bound = 1; bound < 9; ++bound)
    EXPECT_NEAR(share_above(even, bound), 1 - bound * p / (1 - p), 0.02) << bound;
}

// p is 0.19 or more, so that the fifth packet after a mark is marked at the latest.
TEST(Red, MarksAreAtMostOneOverPApart) {
  MarkingNetwork net;
  net.build("red", "weight = 1.0\nlow = 0.01\nhigh = 1.0\nprobability = 0.8");
  for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, 2'000, 256));
  net.drain();
  int since = -1;
  int longest = 0;
  std::size_t considered = 0;
  std::size_t marked = 0;
  for (const Witness::Row& row : net.witness->at_egress) {
    if (found(row) < 0.01) {
      since = -1;
      EXPECT_EQ(row.bits, 0);
      continue;
    }
    // 1, 2 or 3 packets of the four that fit: p is about 0.2, 0.4 or 0.6.
    const double p = 0.8 * (found(row) - 0.01) / 0.99;
    ++since;
    ++considered;
    if (1 - since * p <= p) {
      EXPECT_NE(row.bits, 0) << since;
    }
    longest = std::max(longest, since);
    if (row.bits == 0) continue;
    ++marked;
    since = 0;
  }
  EXPECT_GT(considered, 3'000U);
  EXPECT_GT(marked * 5, considered);
  EXPECT_LE(longest, 5);
  EXPECT_EQ(Told(*net.marker)["red_marks_early"], static_cast<double>(marked));
}

// Average by hand: each packet that finds something adds a quarter of the difference; a packet that
// finds nothing has the average of before times 3/4 for each packet time of the pause.
TEST(Red, TheAverageFollowsTheQueueAndFallsWhileItIsEmpty) {
  MarkingNetwork net;
  net.build("red", "weight = 0.25\nlow = 0.9\nhigh = 1.0");
  for (const std::uint32_t host : {0U, 1U}) {
    net.send(host, burst(2, 40, 256));
  }
  net.drain();
  double average = 0;
  double largest = 0;
  for (const Witness::Row& row : net.witness->at_egress) {
    if (row.bytes == 278) {
      average = 0;  // only the first packet finds nothing
    } else {
      average += 0.25 * (found(row) - average);
    }
    largest = std::max(largest, average);
  }
  EXPECT_GT(largest, 0.2);
  EXPECT_NEAR(Told(*net.marker)["red_average_max"], largest, 1e-12);
}

TEST(Red, SwitchesWithoutEgressBuffersCountWhatWaitsAtTheInputs) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::output_queued}) {
    MarkingNetwork net;
    net.settings.architecture = architecture;
    net.build("red", "weight = 1.0\nlow = 0.3\nhigh = 0.5\nprobability = 0.0");
    for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, 100, 256));
    net.drain();
    EXPECT_GT(net.journal.with(kMarkB), 50U);
    EXPECT_EQ(net.journal.with(kMarkB), net.marker->marks_b().set);
  }
}

TEST(Red, ThresholdsAreInOrder) {
  MarkingNetwork net;
  EXPECT_THROW(net.build("red", "low = 0.5\nhigh = 0.5"), InputError);
  EXPECT_THROW(net.build("red", "weight = 0.0"), InputError);
}

// Nothing but red.cpp knows these metrics.
TEST(Red, ItsOwnMetricsAreInTheResult) {
  MarkingNetwork net;
  net.settings.sample_period = microseconds(10);
  metrics::RecorderSettings settings;
  settings.traffic.classes = {{"all", {}}};
  settings.traffic.bin = microseconds(10);
  metrics::Recorder recorder(*net.graph, settings);
  net.marker = make_marker("red", *net.graph, "weight = 1.0\nlow = 0.3\nhigh = 0.5");
  fabric::Mechanisms mechanisms;
  mechanisms.marker = net.marker;
  Fabric fabric({net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                 make_queueing(one_class(net.settings), *net.graph)},
                mechanisms, net.settings, recorder);
  for (const std::uint32_t host : {0U, 1U})
    fabric.add_source(HostId(host), std::make_unique<ListSource>(burst(2, 400, 256)));
  EXPECT_TRUE(fabric.run_until(milliseconds(1)));
  const metrics::RunResult result = recorder.finish(fabric, 0);
  const double* total = result.scalar("red_marks_all", "");
  ASSERT_NE(total, nullptr);
  EXPECT_EQ(*total, Told(*net.marker)["red_marks_all"]);
  EXPECT_GT(*total, 100);
  const auto series = std::find_if(result.series.begin(), result.series.end(), [](const auto& one) {
    return one.name.metric == "red_marks_all";
  });
  ASSERT_NE(series, result.series.end());
  double sum = 0;
  for (const double bin : series->values) sum += bin;
  EXPECT_EQ(sum, *total);
  EXPECT_EQ(metric_kind("red_average_max").needs, "marking.model = \"red\"");
}

}  // namespace
}  // namespace weir::marking::testing::red_test
