#include "weir/metrics/traffic_recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "weir/base/metric_registry.hpp"

namespace weir::metrics {
namespace {

/// Four hosts at one switch, 100 Gbps: 12.5 B/ns each.
topology::Graph four_hosts() {
  topology::GraphBuilder builder("test");
  for (int h = 0; h < 4; ++h) builder.add_host();
  const SwitchId s = builder.add_switch(4);
  for (int h = 0; h < 4; ++h) {
    builder.connect(HostId(h), s, static_cast<std::size_t>(h), topology::LinkSpec{});
  }
  return builder.build();
}

TrafficRecorderSettings plain_settings() {
  TrafficRecorderSettings settings;
  settings.classes = {{"uniform", Role::plain}};
  settings.bin = nanoseconds(1'000);
  settings.foreseen_end = nanoseconds(4'000);
  settings.header = Bytes(20);
  return settings;
}

fabric::Message message(std::uint32_t source, std::uint32_t destination, Time generated,
                        std::uint8_t traffic_class = 0) {
  fabric::Message m;
  m.generated = generated.count;
  m.bytes = 1'000;
  m.flow = source * 4 + destination;
  m.source = source;
  m.destination = destination;
  m.traffic_class = traffic_class;
  return m;
}

/// Plays the life of a one-packet message.
void play(TrafficRecorder& recorder, const fabric::Message& m, Time injected, Time delivered,
          std::uint32_t sequence = 0, bool in_order = true) {
  fabric::Packet p;
  p.injected = injected.count;
  p.size = 1'020;
  p.sequence = sequence;
  p.source = m.source;
  p.destination = m.destination;
  p.traffic_class = m.traffic_class;
  recorder.on_generated(m, Time(m.generated));
  recorder.on_injected(p, m);
  recorder.on_delivered(p, m, delivered, in_order);
  recorder.on_message_complete(m, delivered);
}

double value(const RunResult& result, const char* metric, const char* label = "") {
  const double* v = result.scalar(metric, label);
  EXPECT_NE(v, nullptr) << metric << "[" << label << "]";
  return v == nullptr ? NAN : *v;
}

TEST(TrafficRecorder, TellsLatencyFromGenerationAndFromInjection) {
  const topology::Graph graph = four_hosts();
  TrafficRecorder recorder(graph, plain_settings());
  play(recorder, message(0, 1, nanoseconds(100)), nanoseconds(150), nanoseconds(400));
  play(recorder, message(2, 1, nanoseconds(200)), nanoseconds(300), nanoseconds(700), 1);
  RunResult result;
  recorder.report(nanoseconds(4'000), result);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean"), 400);
  EXPECT_DOUBLE_EQ(value(result, "latency_max"), 500);
  EXPECT_DOUBLE_EQ(value(result, "network_latency_mean"), 325);
  EXPECT_DOUBLE_EQ(value(result, "completion_time"), 700);
  EXPECT_DOUBLE_EQ(value(result, "bytes_delivered"), 2'000);
  // 2000 B of the 4 x 12.5 B/ns x 4000 ns that the hosts could take.
  EXPECT_DOUBLE_EQ(value(result, "efficiency"), 2'000.0 / 200'000);
  EXPECT_DOUBLE_EQ(value(result, "throughput"), 4);
  const Series* efficiency = result.find_series("efficiency");
  ASSERT_NE(efficiency, nullptr);
  ASSERT_EQ(efficiency->values.size(), 4U);
  EXPECT_DOUBLE_EQ(efficiency->values[0], 2'000.0 / 50'000);
  EXPECT_DOUBLE_EQ(efficiency->values[1], 0);
  EXPECT_TRUE(std::isnan(result.find_series("latency_mean")->values[1]));
}

TEST(TrafficRecorder, MeasuresOnlyAfterWarmUp) {
  const topology::Graph graph = four_hosts();
  TrafficRecorderSettings settings = plain_settings();
  settings.warm_up = nanoseconds(1'000);
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(0, 1, nanoseconds(100)), nanoseconds(100), nanoseconds(900));
  play(recorder, message(0, 1, nanoseconds(1'100)), nanoseconds(1'100), nanoseconds(1'200), 1);
  RunResult result;
  recorder.report(nanoseconds(2'000), result);
  EXPECT_DOUBLE_EQ(value(result, "packets_delivered"), 2);
  EXPECT_DOUBLE_EQ(value(result, "packets_measured"), 1);
  EXPECT_DOUBLE_EQ(value(result, "latency_max"), 100);
  EXPECT_DOUBLE_EQ(value(result, "throughput"), 8);
}

TEST(TrafficRecorder, ShortLastBinKeepsItsRate) {
  const topology::Graph graph = four_hosts();
  TrafficRecorder recorder(graph, plain_settings());
  play(recorder, message(0, 1, nanoseconds(1'000)), nanoseconds(1'000), nanoseconds(1'100));
  RunResult result;
  recorder.report(nanoseconds(1'500), result);
  const Series* throughput = result.find_series("throughput");
  ASSERT_EQ(throughput->values.size(), 2U);
  EXPECT_DOUBLE_EQ(throughput->values[1], 16);  // 1000 B in 500 ns
}

TEST(TrafficRecorder, SeparatesHotColdAndVictims) {
  const topology::Graph graph = four_hosts();
  TrafficRecorderSettings settings = plain_settings();
  settings.classes = {{"background", Role::cold}, {"incast", Role::hot}, {"more", Role::cold}};
  settings.is_victim = [](HostId source, HostId) { return source == HostId(2); };
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(0, 1, Time(0), 0), Time(0), nanoseconds(100));
  play(recorder, message(2, 1, Time(0), 2), Time(0), nanoseconds(300));
  play(recorder, message(2, 3, Time(0), 1), Time(0), nanoseconds(900));  // hot: never a victim
  RunResult result;
  recorder.report(nanoseconds(1'000), result);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean", "hot"), 900);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean", "incast"), 900);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean", "cold"), 200);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean", "background"), 100);
  EXPECT_DOUBLE_EQ(value(result, "latency_mean", "victim"), 300);
  EXPECT_DOUBLE_EQ(value(result, "packets_delivered", "victim"), 1);
  EXPECT_DOUBLE_EQ(value(result, "packets_delivered"), 3);
}

TEST(TrafficRecorder, TellsAdaptedPacketsToHotHostsFromOthers) {
  const topology::Graph graph = four_hosts();
  TrafficRecorderSettings settings = plain_settings();
  settings.classes = {{"background", Role::cold}, {"incast", Role::hot}};
  settings.hot_destinations = {HostId(3)};
  TrafficRecorder recorder(graph, settings);
  const auto adapted = [&](std::uint32_t to, std::uint8_t traffic_class) {
    const fabric::Message m = message(0, to, Time(0), traffic_class);
    fabric::Packet p;
    p.size = 1'020;
    p.flags = fabric::packet_flag::kAdapted;
    recorder.on_delivered(p, m, nanoseconds(100), true);
  };
  adapted(3, 1);
  adapted(3, 0);  // whoever sends to a hot host adds to the incast
  adapted(2, 0);
  play(recorder, message(0, 1, Time(0)), Time(0), nanoseconds(100));
  RunResult result;
  recorder.report(nanoseconds(1'000), result);
  EXPECT_DOUBLE_EQ(value(result, "adapted_delivered"), 3);
  EXPECT_DOUBLE_EQ(value(result, "adapted_innocent"), 1);
  EXPECT_DOUBLE_EQ(value(result, "adapted_innocent", "background"), 1);
  EXPECT_DOUBLE_EQ(value(result, "adapted_innocent", "hot"), 0);
}

TEST(TrafficRecorder, CountsOrderAndItsDepth) {
  const topology::Graph graph = four_hosts();
  TrafficRecorder recorder(graph, plain_settings());
  fabric::Message m = message(0, 1, Time(0));
  play(recorder, m, Time(0), nanoseconds(1), 0);
  play(recorder, m, Time(0), nanoseconds(2), 4);
  m.newest = 5;
  play(recorder, m, Time(0), nanoseconds(3), 1, false);
  play(recorder, m, Time(0), nanoseconds(4), 3, false);
  RunResult result;
  recorder.report(nanoseconds(1'000), result);
  EXPECT_DOUBLE_EQ(value(result, "out_of_order"), 2);
  EXPECT_DOUBLE_EQ(value(result, "out_of_order_share"), 0.5);
  EXPECT_DOUBLE_EQ(value(result, "reorder_depth_max"), 3);
  EXPECT_DOUBLE_EQ(value(result, "reorder_depth_mean"), 2);
}

TEST(TrafficRecorder, FairnessCountsStarvedSources) {
  const topology::Graph graph = four_hosts();
  TrafficRecorderSettings settings = plain_settings();
  settings.per_flow = true;
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(0, 3, Time(0)), Time(0), nanoseconds(100));
  recorder.on_generated(message(1, 3, Time(0)), Time(0));  // never delivered
  recorder.on_refused(HostId(1), {Time(0), HostId(3), Bytes(500), 0}, 0);
  RunResult result;
  recorder.report(nanoseconds(1'000), result);
  EXPECT_DOUBLE_EQ(value(result, "fairness"), 0.5);
  EXPECT_DOUBLE_EQ(value(result, "source_rate_min"), 0);
  EXPECT_DOUBLE_EQ(value(result, "source_rate_max"), 8);
  EXPECT_DOUBLE_EQ(value(result, "flow_rate_mean"), 4);
  EXPECT_DOUBLE_EQ(value(result, "flow_fairness"), 0.5);
  EXPECT_DOUBLE_EQ(value(result, "bytes_refused"), 500);
}

TEST(TrafficRecorder, IgnoresAcks) {
  const topology::Graph graph = four_hosts();
  TrafficRecorder recorder(graph, plain_settings());
  fabric::Packet ack;
  ack.flags = fabric::packet_flag::kAck;
  recorder.on_injected(ack, message(0, 1, Time(0)));
  recorder.on_delivered(ack, message(0, 1, Time(0)), nanoseconds(5), true);
  EXPECT_EQ(recorder.record(0).counts.packets_delivered, 0);
  EXPECT_EQ(recorder.record(0).counts.packets_injected, 0);
}

TEST(TrafficRecorder, SaysWhenTheRunEndsWithinTheWarmUp) {
  const topology::Graph graph = four_hosts();
  TrafficRecorderSettings settings = plain_settings();
  settings.warm_up = nanoseconds(2'000);
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(0, 1, Time(0)), Time(0), nanoseconds(100));
  RunResult result;
  recorder.report(nanoseconds(1'000), result);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.scalar("latency_mean"), nullptr);
  EXPECT_TRUE(std::isnan(value(result, "throughput")));
}

TEST(MetricRegistry, RefusesWhatIsNotDescribed) {
  RunResult result;
  EXPECT_THROW(result.add_scalar("latencyy", "", 1), std::logic_error);
  EXPECT_THROW(result.add_scalar("latency", "", 1), std::logic_error);  // a histogram only
  EXPECT_THROW(result.add_series("events", "", Time(0), Time(1), {}), std::logic_error);
  result.add_scalar("latency_mean", "hot", 1);
}

TEST(MetricRegistry, ParsesNames) {
  EXPECT_EQ(parse_metric_name("latency_p99"), (MetricName{"latency_p99", ""}));
  EXPECT_EQ(parse_metric_name("link_wait[s3[5]]"), (MetricName{"link_wait", "s3[5]"}));
  EXPECT_EQ(to_string(parse_metric_name("efficiency[cold]")), "efficiency[cold]");
  for (const char* wrong : {"efficiency[", "efficiency[]", "efficiency[cold"}) {
    EXPECT_THROW(parse_metric_name(wrong), InputError) << wrong;
  }
  try {
    parse_metric_name("eficiency");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "metric: no metric is called 'eficiency' (did you mean 'efficiency'?)");
  }
}

TEST(MetricRegistry, IsInTheCatalogWithUnitsAndSources) {
  bool found = false;
  for (const CatalogKind* kind : Catalog::instance().kinds())
    found = found || kind->kind() == "metric";
  EXPECT_TRUE(found);
  for (const ModelInfo* info : metric_registry().models()) {
    EXPECT_FALSE(info->purpose.empty()) << info->name;
    EXPECT_FALSE(info->citation.empty()) << info->name;
    EXPECT_EQ(info->purpose.back(), ')') << info->name;
  }
}

}  // namespace
}  // namespace weir::metrics
