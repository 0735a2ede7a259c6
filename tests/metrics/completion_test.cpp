// Completion times of messages and their slowdowns, by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics::completion_test {
namespace {

/// Three hosts at one switch, 8 Gbps (1 ns a byte), 10 ns.
topology::Graph three_hosts() {
  topology::GraphBuilder builder("test");
  const SwitchId s = builder.add_switch(3);
  for (std::size_t h = 0; h < 3; ++h) {
    builder.connect(builder.add_host(), s, h, {gigabits_per_second(8), nanoseconds(10)});
  }
  return builder.build();
}

/// Alone, a message of B bytes takes B + 20 ns and 20 ns of headers a 1000 B packet.
TrafficRecorderSettings settings_for(const topology::Graph& graph) {
  TrafficRecorderSettings settings;
  settings.classes = {{"a", Role::plain}, {"b", Role::cold}};
  settings.header = Bytes(20);
  settings.timing = [&graph](HostId source, HostId destination) {
    fabric::FabricSettings fabric;
    fabric.mtu = Bytes(1'000);
    fabric.header = Bytes(20);
    routing::Route route;
    route.channels = {{graph.host_port(source)}, {graph.port(graph.host_port(destination)).from}};
    route.end = routing::RouteEnd::delivered;
    return fabric::MessageTiming(graph, route, fabric);
  };
  return settings;
}

fabric::Message message(std::int64_t bytes, Time generated, std::uint8_t traffic_class = 0,
                        std::uint32_t destination = 1) {
  fabric::Message m;
  m.generated = generated.count;
  m.bytes = bytes;
  m.flow = destination - 1;
  m.destination = destination;
  m.traffic_class = traffic_class;
  return m;
}

void play(TrafficRecorder& recorder, const fabric::Message& m, Time time) {
  recorder.on_generated(m, Time(m.generated));
  recorder.on_message_complete(m, Time(m.generated) + time);
}

double value(const RunResult& result, const char* metric, const char* label = "") {
  const double* v = result.scalar(metric, label);
  EXPECT_NE(v, nullptr) << metric << "[" << label << "]";
  return v == nullptr ? NAN : *v;
}

constexpr double kBucket = 0.004;  ///< relative error of a percentile

TEST(Completion, SlowdownIsCompletionTimeOverTheIdeal) {
  const topology::Graph graph = three_hosts();
  TrafficRecorder recorder(graph, settings_for(graph));
  play(recorder, message(960, Time(0)), nanoseconds(1'000));              // alone: 1000 ns
  play(recorder, message(2'920, Time(0), 0, 2), nanoseconds(6'000));      // 3000 ns
  play(recorder, message(960, nanoseconds(500), 1), nanoseconds(9'000));  // 1000 ns
  RunResult result;
  recorder.report(nanoseconds(20'000), result);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean"), 4);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_max"), 9);
  EXPECT_NEAR(value(result, "slowdown_p50"), 2, 2 * kBucket);
  EXPECT_NEAR(value(result, "slowdown_p99"), 9, 9 * kBucket);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "a"), 1.5);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "cold"), 9);
  EXPECT_DOUBLE_EQ(value(result, "message_completion_mean", "a"), 3'500);
  EXPECT_DOUBLE_EQ(value(result, "message_completion_max"), 9'000);
  EXPECT_DOUBLE_EQ(value(result, "messages_unfinished"), 0);
}

TEST(Completion, TellsSizeClassesApart) {
  const topology::Graph graph = three_hosts();
  TrafficRecorderSettings settings = settings_for(graph);
  settings.sizes = {Bytes(1'000), Bytes(10'000)};
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(960, Time(0)), nanoseconds(2'000));
  play(recorder, message(1'000, Time(0), 1), nanoseconds(1'040));  // the limit belongs to it
  play(recorder, message(1'001, Time(0)), nanoseconds(10'610));    // alone: 1061 ns
  play(recorder, message(10'001, Time(0)), nanoseconds(10'241));   // 10241 ns
  RunResult result;
  recorder.report(nanoseconds(20'000), result);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "<= 1 KB"), 1.5);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "a, <= 1 KB"), 2);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "1 KB to 10 KB"), 10);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_max", "> 10 KB"), 1);
  EXPECT_DOUBLE_EQ(value(result, "message_completion_max", "> 10 KB"), 10'241);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_max"), 10);
  EXPECT_EQ(result.scalar("slowdown_mean", "b, > 10 KB"), nullptr);
}

TEST(Completion, CountsMessagesOfTheWindowThatDoNotEnd) {
  const topology::Graph graph = three_hosts();
  TrafficRecorderSettings settings = settings_for(graph);
  settings.warm_up = nanoseconds(1'000);
  settings.sizes = {Bytes(1'000)};
  TrafficRecorder recorder(graph, settings);
  // Before the window, although it ends in it.
  play(recorder, message(960, nanoseconds(999)), nanoseconds(50'000));
  play(recorder, message(960, nanoseconds(1'000)), nanoseconds(3'000));
  recorder.on_generated(message(960, nanoseconds(1'500)), nanoseconds(1'500));
  recorder.on_generated(message(5'000, nanoseconds(1'600)), nanoseconds(1'600));
  RunResult result;
  recorder.report(nanoseconds(60'000), result);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_max"), 3);
  EXPECT_DOUBLE_EQ(value(result, "messages_unfinished"), 2);
  EXPECT_DOUBLE_EQ(value(result, "messages_unfinished", "<= 1 KB"), 1);
  EXPECT_DOUBLE_EQ(value(result, "messages_unfinished", "> 1 KB"), 1);
  EXPECT_EQ(result.scalar("slowdown_mean", "> 1 KB"), nullptr);
}

TEST(Completion, CountsVictimsAsATrafficClassOfTheirOwn) {
  const topology::Graph graph = three_hosts();
  TrafficRecorderSettings settings = settings_for(graph);
  settings.is_victim = [](HostId, HostId destination) { return destination == HostId(2); };
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(960, Time(0), 1, 1), nanoseconds(1'000));
  play(recorder, message(960, Time(0), 1, 2), nanoseconds(7'000));
  RunResult result;
  recorder.report(nanoseconds(20'000), result);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "victim"), 7);
  EXPECT_DOUBLE_EQ(value(result, "slowdown_mean", "cold"), 4);
}

// A message belongs to the stretch of time in which it was generated, however late it ends: what is
// measured does not depend on whether the warm-up is set or found.
TEST(Completion, ADetectedWarmUpLeavesOutWhatWasGeneratedInIt) {
  const topology::Graph graph = three_hosts();
  TrafficRecorderSettings found = settings_for(graph);
  found.detect_warm_up = true;
  TrafficRecorder detecting(graph, found);
  // Every 2 us one of 960 B; the first 500 are delivered late, and complete when stretches of time
  // have been closed and merged.
  const auto time_of = [](int i) { return nanoseconds(i < 500 ? 400'000 : 1'000 + i % 7); };
  std::multimap<std::int64_t, int> ends;
  for (int i = 0; i < 4'000; ++i) ends.emplace((nanoseconds(2'000 * i) + time_of(i)).count, i);
  const auto drive = [&](TrafficRecorder& recorder) {
    auto end = ends.begin();
    for (int i = 0; i <= 4'000; ++i) {
      const Time now = nanoseconds(2'000 * i);
      for (; end != ends.end() && end->first <= now.count; ++end) {
        const fabric::Message m = message(960, nanoseconds(2'000 * end->second));
        fabric::Packet packet;
        packet.size = 980;
        packet.injected = m.generated;
        recorder.on_delivered(packet, m, Time(end->first), true);
        recorder.on_message_complete(m, Time(end->first));
      }
      if (i < 4'000) recorder.on_generated(message(960, now), now);
    }
  };
  drive(detecting);
  RunResult result;
  detecting.report(nanoseconds(8'000'000), result);
  const double begin = value(result, "warmup_detected");
  EXPECT_GE(begin, 1'000'000 * 0.9);
  TrafficRecorderSettings set = settings_for(graph);
  set.warm_up = nanoseconds(static_cast<std::int64_t>(begin));
  TrafficRecorder plain(graph, set);
  drive(plain);
  RunResult expected;
  plain.report(nanoseconds(8'000'000), expected);
  for (const char* metric : {"slowdown_mean", "slowdown_max", "message_completion_mean"}) {
    EXPECT_DOUBLE_EQ(value(result, metric), value(expected, metric)) << metric;
  }
}

TEST(Completion, IsNotMeasuredUnlessAskedFor) {
  const topology::Graph graph = three_hosts();
  TrafficRecorderSettings settings = settings_for(graph);
  settings.timing = nullptr;
  TrafficRecorder recorder(graph, settings);
  play(recorder, message(960, Time(0)), nanoseconds(1'000));
  RunResult result;
  recorder.report(nanoseconds(20'000), result);
  EXPECT_EQ(result.scalar("slowdown_mean"), nullptr);
  EXPECT_EQ(result.scalar("messages_unfinished"), nullptr);
  EXPECT_NE(result.scalar("message_latency_mean"), nullptr);
}

}  // namespace
}  // namespace weir::metrics::completion_test
