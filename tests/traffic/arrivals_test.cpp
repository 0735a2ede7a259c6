#include "tests/traffic/helpers.hpp"

namespace weir::traffic {
namespace {

using testing::HasSubstr;

/// Mean and squared coefficient of variation of the times between messages.
struct Moments {
  double mean = 0;
  double scv = 0;
};

Moments moments(const std::vector<fabric::MessageRequest>& messages) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < messages.size(); ++i) {
    gaps.push_back(static_cast<double>((messages[i].at - messages[i - 1].at).count));
  }
  double sum = 0;
  double squares = 0;
  for (const double gap : gaps) sum += gap;
  const double mean = sum / static_cast<double>(gaps.size());
  for (const double gap : gaps) squares += (gap - mean) * (gap - mean);
  return {mean, squares / static_cast<double>(gaps.size()) / (mean * mean)};
}

std::vector<fabric::MessageRequest> first_host(const std::string& arrivals, std::size_t count,
                                               const std::string& more = "") {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(entry("arrivals = " + arrivals + "\n" + more), graph);
  return take(*traffic.sources.at(0).source, count);
}

// 1000 bytes at 100 Gbps take 80 ns.
constexpr double kService = 80'000;
constexpr std::size_t kDraws = 200'000;

TEST(Constant, KeepsItsIntervalFromARandomPhase) {
  const auto messages = first_host("{ model = \"constant\", load = 0.25 }", 1000);
  EXPECT_LT(messages[0].at, nanoseconds(320));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::int64_t off =
        (messages[i].at - messages[0].at).count - static_cast<std::int64_t>(i) * 320'000;
    EXPECT_LE(std::abs(off), 1);
  }
}

TEST(Constant, PhasesOfTheHostsAreUniform) {
  const topology::Graph graph = star(2000);
  Traffic traffic = traffic_of(entry("arrivals = { model = \"constant\", load = 0.1 }"), graph);
  std::vector<double> tenths(10);
  for (HostSource& s : traffic.sources) {
    ++tenths[static_cast<std::size_t>(s.source->next(Time(0))->at.count / 80'000)];
  }
  EXPECT_LT(chi_square(tenths), chi_square_limit(10));
}

TEST(Constant, AlignedBeginsAtTheStart) {
  const auto messages = first_host(
      "{ model = \"constant\", interval = \"7 ns\", phase = \"aligned\", overload = true }", 3,
      "start = \"1 us\"");
  EXPECT_EQ(messages[0].at, nanoseconds(1000));
  EXPECT_EQ(messages[2].at, nanoseconds(1014));
}

TEST(Constant, AFractionOfAPicosecondDoesNotAddUp) {
  // 1000 B at 3 Gbps: 2666666.67 ps.
  const auto messages =
      first_host("{ model = \"constant\", rate = \"3 Gbps\", phase = \"aligned\" }", 300'001);
  EXPECT_EQ(messages[300'000].at, Time(800'000'000'000));
}

TEST(Bernoulli, HasOneMessageAtMostInASlotAndItsLoad) {
  const auto messages = first_host("{ model = \"bernoulli\", load = 0.3 }", kDraws);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    ASSERT_EQ(messages[i].at.count % 80'000, 0);
    ASSERT_TRUE(i == 0 || messages[i].at > messages[i - 1].at);
  }
  const Moments m = moments(messages);
  EXPECT_NEAR(m.mean, kService / 0.3, kService / 0.3 * 5 * std::sqrt(0.7 / kDraws));
  EXPECT_NEAR(m.scv, 0.7, 0.02);  // geometric: 1 - p
}

TEST(Bernoulli, FirstSlotIsAtTheStart) {
  const topology::Graph graph = star(2000);
  Traffic traffic = traffic_of(entry("arrivals = { model = \"bernoulli\", load = 0.3 }"), graph);
  int in_first = 0;
  for (HostSource& s : traffic.sources) in_first += s.source->next(Time(0))->at == Time(0) ? 1 : 0;
  EXPECT_NEAR(in_first / 2000.0, 0.3, 5 * std::sqrt(0.21 / 2000));
}

TEST(Bernoulli, FullLoadFillsEverySlot) {
  const auto messages = first_host("{ model = \"bernoulli\", load = 1.0 }", 1000);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i].at, nanoseconds(80) * static_cast<std::int64_t>(i));
  }
}

TEST(Bernoulli, RefusesMoreThanAMessageASlot) {
  const std::string error = traffic_error(
      entry("arrivals = { model = \"bernoulli\", slot = \"1 us\", interval = \"500 ns\" }"));
  EXPECT_THAT(error, HasSubstr("asks for 2 messages a slot of 1000000 ps; at most one"));
}

TEST(Poisson, IsExponential) {
  const auto messages = first_host("{ model = \"poisson\", load = 0.6 }", kDraws);
  const Moments m = moments(messages);
  EXPECT_NEAR(m.mean, kService / 0.6, kService / 0.6 * 5 / std::sqrt(kDraws));
  EXPECT_NEAR(m.scv, 1.0, 0.03);
  double above_mean = 0;
  for (std::size_t i = 1; i < messages.size(); ++i) {
    if (static_cast<double>((messages[i].at - messages[i - 1].at).count) > kService / 0.6) {
      ++above_mean;
    }
  }
  EXPECT_NEAR(above_mean / kDraws, std::exp(-1), 5 * std::sqrt(0.233 / kDraws));
}

TEST(GeneralizedExponential, HasItsMeanItsVariationAndGeometricBatches) {
  for (const double scv : {1.0, 5.0, 7.0}) {
    const auto messages = first_host(
        "{ model = \"generalized-exponential\", load = 0.5, scv = " + std::to_string(scv) + " }",
        kDraws);
    const Moments m = moments(messages);
    const double interval = kService / 0.5;
    EXPECT_NEAR(m.mean, interval, interval * 5 * std::sqrt(scv / kDraws)) << scv;
    EXPECT_NEAR(m.scv, scv, 0.06 * scv);
    double together = 0;
    for (std::size_t i = 1; i < messages.size(); ++i) {
      if (messages[i].at == messages[i - 1].at) ++together;
    }
    const double tau = 2 / (scv + 1);
    EXPECT_NEAR(together / kDraws, 1 - tau, 5 * std::sqrt(0.25 / kDraws) + 1e-4) << scv;
  }
}

TEST(GeneralizedExponential, RefusesLessVariationThanPoisson) {
  EXPECT_THAT(traffic_error(entry(
                  "arrivals = { model = \"generalized-exponential\", load = 0.5, scv = 0.5 }")),
              HasSubstr("traffic[0].arrivals.scv: must be between 1 and"));
}

TEST(Saturated, IsAClosedLoopThatAlwaysHasAMessage) {
  const topology::Graph graph = star(4);
  Traffic traffic = traffic_of(
      entry("arrivals = { model = \"saturated\" }\nstart = \"1 us\"\nstop = \"9 us\""), graph);
  fabric::MessageSource& source = *traffic.sources[0].source;
  EXPECT_TRUE(source.closed_loop());
  EXPECT_EQ(source.next(Time(0))->at, microseconds(1));
  EXPECT_EQ(source.next(microseconds(5))->at, microseconds(5));
  EXPECT_EQ(source.next(microseconds(5))->at, microseconds(5));
  EXPECT_FALSE(source.next(microseconds(9)));
}

TEST(Once, SendsItsBurstAtOneInstantAndEnds) {
  const topology::Graph graph = star(500);
  Traffic traffic = traffic_of(
      entry("arrivals = { model = \"once\", count = 3, within = \"1 ms\" }\nstart = \"2 ms\""),
      graph);
  std::vector<double> tenths(10);
  for (HostSource& s : traffic.sources) {
    const auto messages = take_all(*s.source);
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[0].at, messages[2].at);
    const std::int64_t after = (messages[0].at - milliseconds(2)).count;
    ASSERT_GE(after, 0);
    ++tenths.at(static_cast<std::size_t>(after / 100'000'000));
  }
  EXPECT_LT(chi_square(tenths), chi_square_limit(10));
}

TEST(Load, CountsPayloadOrWireBytes) {
  // 5000 B: two packets of at most 4096 B with 20 B of header each.
  const std::string sizes = "sizes = { model = \"fixed\", size = \"5000 B\" }";
  auto payload = first_host("{ model = \"constant\", load = 1.0 }", 2, sizes);
  EXPECT_EQ(payload[1].at - payload[0].at, nanoseconds(400));
  auto wire = first_host("{ model = \"constant\", load = 1.0, load_of = \"wire\" }", 2, sizes);
  EXPECT_NEAR(static_cast<double>((wire[1].at - wire[0].at).count), 403'200, 1);
  auto rate = first_host("{ model = \"constant\", rate = \"40 Gbps\" }", 2, sizes);
  EXPECT_NEAR(static_cast<double>((rate[1].at - rate[0].at).count), 1'000'000, 1);
}

TEST(Load, IsRelativeToTheLinkOfTheHost) {
  const topology::Graph slow = star(4, gigabits_per_second(25));
  Traffic traffic = traffic_of(entry("arrivals = { model = \"constant\", load = 0.5 }"), slow);
  const auto messages = take(*traffic.sources[0].source, 2);
  EXPECT_NEAR(static_cast<double>((messages[1].at - messages[0].at).count), 640'000, 1);
}

TEST(Load, WhatTheLinkCannotCarryIsRefused) {
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"poisson\", load = 60 }")),
              HasSubstr("t.toml:5:40: traffic[0].arrivals.load: offers 60 times what the host's "
                        "link of 100 Gbps carries; overload = true"));
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"poisson\", rate = \"120 Gbps\" }")),
              HasSubstr("arrivals.rate: offers 1.2 times"));
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"poisson\", interval = \"40 ns\" }")),
              HasSubstr("arrivals.interval: offers 2 times"));
  const auto allowed = first_host("{ model = \"poisson\", load = 1.5, overload = true }", kDraws);
  EXPECT_NEAR(moments(allowed).mean, kService / 1.5, 1000);
}

TEST(Load, IsGivenOnce) {
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"poisson\" }")),
              HasSubstr("arrivals.load: is missing; give 'load', 'rate' or 'interval'"));
  EXPECT_THAT(
      traffic_error(entry("arrivals = { model = \"poisson\", load = 0.5, rate = \"1 Gbps\" }")),
      HasSubstr("arrivals.rate: 'load' says the same thing"));
}

}  // namespace
}  // namespace weir::traffic
