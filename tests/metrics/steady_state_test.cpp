#include "weir/metrics/steady_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "weir/base/random.hpp"
#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {
namespace {

using ::testing::HasSubstr;

/// Two hosts at one switch, 100 Gbps.
topology::Graph two_hosts() {
  topology::GraphBuilder builder("test");
  for (int h = 0; h < 2; ++h) builder.add_host();
  const SwitchId s = builder.add_switch(2);
  for (int h = 0; h < 2; ++h) {
    builder.connect(HostId(h), s, static_cast<std::size_t>(h), topology::LinkSpec{});
  }
  return builder.build();
}

TrafficRecorderSettings settings_of(Time warm_up) {
  TrafficRecorderSettings settings;
  settings.classes = {{"all", Role::plain}};
  settings.bin = microseconds(100);
  settings.warm_up = warm_up;
  settings.estimate = true;
  settings.per_flow = true;
  return settings;
}

TrafficRecorderSettings detecting() {
  TrafficRecorderSettings settings = settings_of(Time(0));
  settings.detect_warm_up = true;
  return settings;
}

constexpr int kPackets = 100'000;
constexpr Time kGap = nanoseconds(10);
constexpr Time kEnd = kGap * kPackets;

/// A packet of 100 B every 10 ns, from host 0 or 1 in turn. `latency` of the k-th in ns, between 50
/// % and 150 % of what is given.
RunResult play(const TrafficRecorderSettings& settings, const std::function<double(int)>& latency,
               int packets = kPackets) {
  const topology::Graph graph = two_hosts();
  TrafficRecorder recorder(graph, settings);
  RandomStream random(3, 0, StreamPurpose::test);
  for (int k = 0; k < packets; ++k) {
    const Time now = kGap * k;
    fabric::Message m;
    const double ns = latency(k) * (0.5 + random.unit());
    m.generated = now.count - static_cast<std::int64_t>(1e3 * ns);
    m.bytes = 100;
    m.source = static_cast<std::uint32_t>(k % 2);
    m.destination = 1 - m.source;
    m.flow = m.source;
    fabric::Packet p;
    p.injected = m.generated;
    p.size = 100;
    recorder.on_generated(m, Time(m.generated));
    recorder.on_injected(p, m);
    recorder.on_delivered(p, m, now, true);
    recorder.on_message_complete(m, now);
  }
  RunResult result;
  recorder.report(kGap * packets, result);
  return result;
}

const Scalar& scalar(const RunResult& result, const std::string& metric) {
  static const Scalar none;
  const auto it = std::find_if(result.scalars.begin(), result.scalars.end(), [&](const Scalar& s) {
    return s.name.metric == metric && s.name.label.empty();
  });
  EXPECT_NE(it, result.scalars.end()) << metric;
  return it == result.scalars.end() ? none : *it;
}

std::string notes(const RunResult& result) {
  std::string text;
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

TEST(SteadyState, IndependentLatenciesHaveTheirStandardError) {
  const RunResult result = play(settings_of(Time(0)), [](int) { return 400; });
  const Scalar& mean = scalar(result, "latency_mean");
  EXPECT_EQ(mean.quality, Quality::estimated);
  EXPECT_NEAR(mean.value, 400, 3);
  // Uniform over 400 ns; 30 batches: t = 2.045; the widest of three intervals is a little wider.
  EXPECT_NEAR(mean.half_width, 2.2 * 400 / std::sqrt(12.0 * kPackets), 0.25);
  EXPECT_EQ(scalar(result, "throughput").quality, Quality::estimated);
  EXPECT_NEAR(scalar(result, "throughput").value, 80, 1e-9);
  EXPECT_LT(scalar(result, "throughput").half_width, 0.05);
  EXPECT_EQ(scalar(result, "latency_p99").quality, Quality::plain);
  EXPECT_TRUE(std::isnan(scalar(result, "latency_p99").half_width));
  EXPECT_TRUE(result.notes.empty()) << notes(result);
}

TEST(SteadyState, WhatWaitedForABoundedQueueCountsWhenItIsKnown) {
  // Half of the messages were generated a good while before they found room and became known. In a
  // part of a network nothing else may have happened meanwhile, in the whole network much has.
  const auto estimate = [](bool something_else_first) {
    const topology::Graph graph = two_hosts();
    TrafficRecorder recorder(graph, settings_of(Time(0)));
    for (int k = 0; k < kPackets; ++k) {
      const Time now = kGap * k;
      if (something_else_first) (void)recorder.state(now);
      fabric::Message m;
      m.generated = std::max<std::int64_t>(0, (now - kGap * (k % 2) * (k % 5'000)).count);
      m.bytes = 100;
      m.destination = 1;
      recorder.on_generated(m, now);
      fabric::Packet p;
      p.injected = now.count;
      p.size = 100;
      recorder.on_injected(p, m);
      recorder.on_delivered(p, m, now, true);
      recorder.on_message_complete(m, now);
    }
    RunResult result;
    recorder.report(kEnd, result);
    return result.scalars;
  };
  const std::vector<Scalar> alone = estimate(false);
  const std::vector<Scalar> among_others = estimate(true);
  ASSERT_EQ(alone.size(), among_others.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(alone[i].value == among_others[i].value ||
                (std::isnan(alone[i].value) && std::isnan(among_others[i].value)))
        << to_string(alone[i].name) << ' ' << alone[i].value << ' ' << among_others[i].value;
    EXPECT_TRUE(alone[i].half_width == among_others[i].half_width ||
                (std::isnan(alone[i].half_width) && std::isnan(among_others[i].half_width)))
        << to_string(alone[i].name) << ' ' << alone[i].half_width << ' '
        << among_others[i].half_width;
  }
}

TEST(SteadyState, WithoutEstimatesTheSameNumbers) {
  TrafficRecorderSettings plain = settings_of(microseconds(100));
  plain.estimate = false;
  const auto latency = [](int k) { return 300.0 + k % 7; };
  const RunResult without = play(plain, latency);
  const RunResult with = play(settings_of(microseconds(100)), latency);
  ASSERT_EQ(without.scalars.size(), with.scalars.size());
  for (std::size_t i = 0; i < with.scalars.size(); ++i) {
    EXPECT_EQ(with.scalars[i].value, without.scalars[i].value) << to_string(with.scalars[i].name);
    EXPECT_EQ(without.scalars[i].quality, Quality::plain);
  }
}

TEST(SteadyState, DriftIsSaidInsteadOfANumber) {
  const RunResult result =
      play(settings_of(Time(0)), [](int k) { return 400 + 400.0 * k / kPackets; });
  EXPECT_EQ(scalar(result, "latency_mean").quality, Quality::not_stationary);
  EXPECT_TRUE(std::isnan(scalar(result, "latency_mean").value));
  EXPECT_THAT(notes(result), HasSubstr("not stationary: latency_mean, network_latency_mean"));
  // What is counted stays.
  EXPECT_EQ(scalar(result, "packets_measured").value, kPackets);
  EXPECT_GT(scalar(result, "latency_p99").value, 700);
  EXPECT_EQ(scalar(result, "throughput").quality, Quality::estimated);
}

TEST(SteadyState, FewPacketsHaveNoInterval) {
  const RunResult result = play(
      settings_of(Time(0)), [](int) { return 400; }, 900);
  EXPECT_EQ(scalar(result, "latency_mean").quality, Quality::plain);
  EXPECT_NEAR(scalar(result, "latency_mean").value, 400, 20);
  EXPECT_THAT(notes(result), HasSubstr("too short for intervals of latency_mean"));
}

TEST(SteadyState, SilenceHasNoInterval) {
  const RunResult result = play(
      detecting(), [](int) { return 400; }, 0);
  EXPECT_EQ(scalar(result, "warmup_detected").value, 0);
}

TEST(DetectedWarmUp, CutsAKnownStartUp) {
  // Ten times slower for the first fifth; then 400 ns.
  const auto latency = [](int k) { return k < kPackets / 5 ? 4'000.0 : 400.0; };
  const RunResult result = play(detecting(), latency);
  const double begin = scalar(result, "warmup_detected").value;
  const double end = to_nanoseconds(kEnd);
  EXPECT_GE(begin, 0.2 * end);
  EXPECT_LE(begin, 0.2 * end + end / 8 + 1);
  // Every number is of the same window.
  EXPECT_NEAR(scalar(result, "latency_mean").value, 400, 3);
  EXPECT_EQ(scalar(result, "latency_mean").quality, Quality::estimated);
  EXPECT_LT(scalar(result, "latency_max").value, 601);
  EXPECT_LT(scalar(result, "network_latency_p999").value, 601);
  const double packets = scalar(result, "packets_measured").value;
  EXPECT_NEAR(packets, (end - begin) / 10, 1);
  EXPECT_NEAR(scalar(result, "throughput").value, 80, 0.01);
  EXPECT_NEAR(scalar(result, "source_rate_min").value, 40, 0.01);
  EXPECT_NEAR(scalar(result, "flow_rate_max").value, 40, 0.01);
  EXPECT_EQ(scalar(result, "packets_delivered").value, kPackets);
  EXPECT_TRUE(result.notes.empty()) << notes(result);
}

TEST(DetectedWarmUp, IsTheFixedOneOfTheSameLength) {
  const auto latency = [](int k) { return k < kPackets / 5 ? 4'000.0 : 400.0; };
  const RunResult detected = play(detecting(), latency);
  const auto begin =
      nanoseconds(static_cast<std::int64_t>(scalar(detected, "warmup_detected").value));
  const RunResult set = play(settings_of(begin), latency);
  for (const Scalar& s : set.scalars) {
    // Here messages are made known late: when they are delivered.
    if (s.name.metric == "offered" || s.name.metric == "injected") continue;
    EXPECT_DOUBLE_EQ(*detected.scalar(s.name.metric, s.name.label), s.value) << to_string(s.name);
  }
  ASSERT_EQ(set.histograms.size(), detected.histograms.size());
  for (std::size_t i = 0; i < set.histograms.size(); ++i) {
    EXPECT_EQ(set.histograms[i].histogram.stored(), detected.histograms[i].histogram.stored());
  }
}

TEST(DetectedWarmUp, KeepsARunThatIsSteadyFromTheStart) {
  const RunResult result = play(detecting(), [](int) { return 400; });
  EXPECT_LE(scalar(result, "warmup_detected").value, 0.25 * to_nanoseconds(kEnd));
  EXPECT_EQ(scalar(result, "latency_mean").quality, Quality::estimated);
}

TEST(DetectedWarmUp, ARunThatNeverSettlesSaysSo) {
  const RunResult result = play(detecting(), [](int k) { return 100 + 900.0 * k / kPackets; });
  EXPECT_THAT(notes(result), HasSubstr("no end of the warm-up was found"));
  EXPECT_EQ(scalar(result, "latency_mean").quality, Quality::not_stationary);
  EXPECT_GE(scalar(result, "warmup_detected").value, 0.5 * to_nanoseconds(kEnd));
}

TEST(DetectedWarmUp, AndASetOneExcludeEachOther) {
  TrafficRecorderSettings settings = detecting();
  settings.warm_up = microseconds(1);
  EXPECT_THROW(TrafficRecorder(two_hosts(), settings), std::invalid_argument);
}

}  // namespace
}  // namespace weir::metrics
