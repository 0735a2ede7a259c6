// What is counted or integrated does not depend on the width of the bins, nor on whether links are
// sampled; what does, says so. Small networks with each mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "experiment/one_run.hpp"
#include "weir/base/metric_registry.hpp"

namespace weir::experiment {
namespace {

using metric_form::kScalar;
using metric_form::kSeries;

/// Eight hosts in two stages, three of which send to one; nothing falls on round times.
std::string network(const std::string& more, const std::string& set) {
  const bool is_isolated = more.find("[isolation]") != std::string::npos;
  const std::string buffer = is_isolated ? "64 KiB" : "2224 B";
  return R"(
[experiment]
name = "exact"
duration = "400.3 us"
warmup = "51.7 us"
seed = 3
[topology]
model = "k-ary-n-tree"
k = 2
n = 3
[link]
rate = "8 Gbps"
delay = "7 ns"
[routing]
model = "d-mod-k"
[host]
mtu = "256 B"
header = "22 B"
source_queues = "per-destination"
)" + std::string(more.find("[reaction]") != std::string::npos ? "acks = \"in-band\"" : "") +
         R"(
[buffer]
ingress = ")" +
         buffer + R"("
egress = ")" +
         buffer + R"("
[[traffic]]
name = "hot"
role = "hot"
sources = [0, 2, 5]
destinations = { model = "fixed", host = 7 }
arrivals = { model = "poisson", load = 0.7 }
sizes = { model = "fixed", size = "256 B" }
[[traffic]]
name = "rest"
role = "cold"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.2 }
sizes = { model = "fixed", size = "700 B" }
)" + more +
         "\n[metrics]\nframes = 0\n" + set + "\n";
}

/// Their definitions speak of bins; and what the program itself did.
const std::set<std::string> kOfBins{"efficiency_min", "events", "set_aside_trees"};

void expect_same_for_all_bins(const std::string& mechanism, const std::set<std::string>& expected) {
  const metrics::RunResult fine = result_of(network(mechanism, "bin = \"1 us\""));
  std::set<std::string> seen;
  for (const std::string set : {"bin = \"1 ms\"", "bin = \"37 us\"",
                                "bin = \"1 us\"\nlinks = false", "bin = \"1 ms\"\nlinks = false"}) {
    SCOPED_TRACE(set);
    const metrics::RunResult other = result_of(network(mechanism, set));
    EXPECT_EQ(other.fingerprint, fine.fingerprint);
    const bool has_links = set.find("links") == std::string::npos;
    for (const metrics::Scalar& scalar : fine.scalars) {
      const MetricKind& kind = metric_kind(scalar.name.metric);
      if ((kind.sampled & kScalar) != 0 || kOfBins.count(scalar.name.metric) > 0) continue;
      if (!has_links && kind.needs == "metrics.links = true") continue;
      // An aim is counted in bins that lie in its time, and needs series.
      if (scalar.name.label == "aimed") continue;
      const double* value = other.scalar(scalar.name.metric, scalar.name.label);
      ASSERT_NE(value, nullptr) << to_string(scalar.name);
      if (std::isnan(scalar.value)) continue;
      EXPECT_NEAR(*value, scalar.value, 1e-9 * std::abs(scalar.value)) << to_string(scalar.name);
      seen.insert(scalar.name.metric);
    }
  }
  for (const std::string& metric : expected) EXPECT_EQ(seen.count(metric), 1U) << metric;
}

const std::set<std::string> kAlways{"queued", "buffer_occupancy_mean", "link_utilization_mean",
                                    "link_wait_max", "hot_link_utilization"};

std::set<std::string> and_always(std::set<std::string> some) {
  some.insert(kAlways.begin(), kAlways.end());
  return some;
}

TEST(ExactMetrics, RatesOfSources) {
  expect_same_for_all_bins(
      "[switch]\narchitecture = \"cioq\"\n[marking]\nmodel = \"opm\"\nthreshold = "
      "0.5\n[reaction]\nmodel = \"fimd\"\nstart = \"full\"\n"
      "recovery = \"elapsed-time\"\nwindow = 4\n",
      and_always({"injection_rate", "window", "throttled_flows", "marks"}));
}

TEST(ExactMetrics, WindowsOfFlows) {
  expect_same_for_all_bins(
      "[switch]\narchitecture = \"cioq\"\n[marking]\nmodel = \"opm\"\nthreshold = "
      "0.15\n[reaction]\nmodel = \"dynamic-window\"\n",
      and_always({"window", "throttled_flows", "packets_held"}));
}

TEST(ExactMetrics, TablesOfDelays) {
  expect_same_for_all_bins(
      "[switch]\narchitecture = \"cioq\"\n[marking]\nmodel = \"opm\"\nthreshold = "
      "0.5\n[reaction]\nmodel = "
      "\"congestion-control-table\"\nslot = \"200 ns\"\ntimer = \"3 us\"\n",
      and_always({"throttled_flows", "delay_increases"}));
}

TEST(ExactMetrics, QueuesSetAside) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    SCOPED_TRACE(model);
    expect_same_for_all_bins(
        "[switch]\narchitecture = \"cioq\"\nspeedup = 1.5\n[isolation]\nmodel = \"" +
            std::string(model) + "\"\n",
        and_always({"set_aside_queues", "set_aside_bytes", "set_aside_bytes_max", "set_aside_roots",
                    "set_aside_hops", "control_overhead", "egress_occupancy_mean"}));
  }
}

TEST(ExactMetrics, OutputQueues) {
  expect_same_for_all_bins("[switch]\narchitecture = \"oq\"\n", kAlways);
}

// Every number of these runs went through RunResult, which refuses one that is sampled and does not
// say so; and what users read says it.
TEST(ExactMetrics, EverySampledMetricSaysSo) {
  std::size_t sampled = 0;
  for (const ModelInfo* info : metric_registry().models()) {
    const MetricKind& kind = metric_kind(info->name);
    const bool says = info->purpose.find("sampled at the ends of bins") != std::string::npos;
    EXPECT_EQ(says, kind.sampled != 0) << info->name;
    EXPECT_EQ(kind.sampled & ~kind.forms, 0) << info->name;
    sampled += kind.sampled != 0 ? 1 : 0;
  }
  EXPECT_GT(sampled, 15U);
}

// A packet of 100 ns leaves host 0 at 0, in bins of 30 ns; the switch passes it on to host 1 from
// 10 ns on (header 0 ns, wire 10 ns).
TEST(ExactMetrics, APacketCountsInEachBinByItsTimeThere) {
  const metrics::RunResult result = result_of(R"(
[experiment]
name = "one-packet"
duration = "240 ns"
[topology]
model = "single-switch"
hosts = 2
[link]
rate = "8 Gbps"
delay = "10 ns"
[routing]
model = "shortest-path"
[switch]
routing_delay = "0 ns"
crossbar_delay = "0 ns"
[host]
mtu = "100 B"
header = "0 B"
[[traffic]]
name = "one"
sources = [0]
destinations = { model = "fixed", host = 1 }
arrivals = { model = "constant", interval = "1 ms", phase = "aligned" }
sizes = { model = "fixed", size = "100 B" }
[metrics]
bin = "30 ns"
)");
  const auto values = [&](const char* label) {
    return result.find_series("link_utilization_max", label)->values;
  };
  const std::vector<double> into_network = values("injection");
  ASSERT_EQ(into_network.size(), 8U);
  const double expected_in[] = {1, 1, 1, 10.0 / 30, 0, 0, 0, 0};
  const double expected_out[] = {20.0 / 30, 1, 1, 20.0 / 30, 0, 0, 0, 0};
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(into_network[k], expected_in[k], 1e-12) << k;
    EXPECT_NEAR(values("ejection")[k], expected_out[k], 1e-12) << k;
  }
  EXPECT_NEAR(*result.scalar("link_utilization_max", "injection"), 100.0 / 240, 1e-12);
  EXPECT_EQ(*result.scalar("queued"), 0);
}

// Two packets reach the switch at the same time; one waits for 100 ns.
TEST(ExactMetrics, WhatWaitsCountsByItsTime) {
  for (const char* bin : {"1 ns", "30 ns", "1 us"}) {
    SCOPED_TRACE(bin);
    const metrics::RunResult result = result_of(R"(
[experiment]
name = "two-packets"
duration = "400 ns"
[topology]
model = "single-switch"
hosts = 3
[link]
rate = "8 Gbps"
delay = "10 ns"
[routing]
model = "shortest-path"
[switch]
routing_delay = "0 ns"
crossbar_delay = "0 ns"
[buffer]
ingress = "1000 B"
[host]
mtu = "100 B"
header = "0 B"
[[traffic]]
name = "two"
sources = [0, 1]
destinations = { model = "fixed", host = 2 }
arrivals = { model = "constant", interval = "1 ms", phase = "aligned" }
sizes = { model = "fixed", size = "100 B" }
[metrics]
bin = ")" + std::string(bin) + "\"\n");
    EXPECT_NEAR(*result.scalar("queued"), 100.0 * 100 / 400, 1e-9);
    EXPECT_NEAR(*result.scalar("buffer_occupancy_mean"), 100.0 * 100 / 400 / 3000, 1e-12);
  }
}

// Nothing that is asked for is left out without a word.
TEST(ExactMetrics, MeansOfLinksNeedNoSeries) {
  const metrics::RunResult result = result_of(network("", "links = false"));
  EXPECT_NE(result.scalar("link_utilization_max", "ejection"), nullptr);
  EXPECT_NE(result.scalar("hot_link_utilization"), nullptr);
  EXPECT_EQ(result.scalar("queued_max"), nullptr);
  EXPECT_TRUE(result.links.empty());
  EXPECT_NE(result.find_series("queued"), nullptr);
  EXPECT_EQ(needs_of("queued_max"), "; it needs metrics.links = true");
  EXPECT_EQ(needs_of("link_utilization_max"), "");
  EXPECT_EQ(needs_of("link_utilization_max", kSeries), "; its series needs metrics.links = true");
}

}  // namespace
}  // namespace weir::experiment
