// Windows, throttled flows and rates as integrals over time: what a reaction adds up at its own
// changes, against schedules worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/delay_table.hpp"
#include "weir/reaction/paced.hpp"

namespace weir::reaction::testing {
namespace {

/// ReactionLoad as it is told.
struct Load {
  double flows = 0;
  double throttled = 0;
  double windows = 0;
  double rates = 0;
};

Load load_of(Source& source) {
  const fabric::testing::Told told(*source.reaction, source.now);
  return {told.whole("throttled_flows"), told["throttled_flows"], told["window"],
          told["injection_rate"]};
}

void expect_close(double value, double expected) {
  EXPECT_NEAR(value, expected, std::abs(expected) * 1e-9 + 1e-9);
}

constexpr double kUs = 1e6;  // ps

// Least rate 1/16, factor 2: the rate is 1 from 1 us, 1/2 from 3 us, 1/4 from 7 us. The last ACK
// comes at 7 us, and the flow has nothing to send from then on until 20 us.
TEST(Loads, ARateThatMarksLowerCountsByItsTime) {
  Source source("aimd", "start = \"full\"\nleast_rate = 0.0625\nfactor = 2.0\nwindow = 8");
  source.generate();
  source.generate();
  source.inject();
  source.now = microseconds(3);
  source.ack(kHot);
  source.now = microseconds(5);
  source.inject();
  Load load = load_of(source);  // a look in between changes nothing
  expect_close(load.flows, 4 * kUs);
  expect_close(load.rates, (2 * 1 + 2 * 0.5) * kUs);
  expect_close(load.throttled, 2 * kUs);
  source.now = microseconds(7);
  source.ack(kHot);
  source.now = microseconds(20);
  load = load_of(source);
  expect_close(load.flows, 6 * kUs);
  expect_close(load.rates, (2 * 1 + 4 * 0.5) * kUs);
  expect_close(load.throttled, 4 * kUs);
  expect_close(load.windows, 8 * 6 * kUs);
  source.generate();
  source.now = microseconds(24);
  load = load_of(source);
  expect_close(load.flows, 10 * kUs);
  expect_close(load.rates, (2 * 1 + 4 * 0.5 + 4 * 0.25) * kUs);
}

// DW_max 2: 2 up to 4 us, 1 up to 9 us; then back at 2 and not throttled.
TEST(Loads, AWindowCountsByItsTime) {
  Source source("dynamic-window", "window = 2.0");
  for (int i = 0; i < 4; ++i) source.generate();
  source.inject();
  source.now = microseconds(4);
  source.ack(kWarm);
  source.inject();
  source.now = microseconds(9);
  source.ack(kCold);
  source.now = microseconds(11);
  const Load load = load_of(source);
  expect_close(load.flows, 10 * kUs);
  expect_close(load.windows, (3 * 2 + 5 * 1 + 2 * 2) * kUs);
  expect_close(load.throttled, 5 * kUs);
  expect_close(load.rates, 0);
}

// Index 3 of a table whose first two entries are no delay, timer 10 us from time 0: throttled until
// the second tick, whether or not anything happens then.
TEST(Loads, ATimerEndsTheThrottling) {
  Source source(
      "congestion-control-table",
      "table = [\"0 ns\", \"0 ns\", \"300 ns\", \"700 ns\"]\nincrease = 3\ntimer = \"10 us\"");
  source.generate();
  source.generate();
  source.inject();
  source.now = microseconds(4);
  source.ack(kHot);
  source.now = microseconds(15);
  expect_close(load_of(source).throttled, 11 * kUs);
  source.now = microseconds(57);
  const Load load = load_of(source);
  expect_close(load.throttled, 16 * kUs);
  expect_close(load.flows, 56 * kUs);
}

TEST(Loads, EachReactionOfAServiceLevelHasItsShare) {
  Source source("by-service-level",
                "parts = [{ service_levels = [0], model = \"fimd\" }, { service_levels = [1], "
                "model = \"fimd\", least_rate = 0.0078125 }]");
  for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{1}}) {
    fabric::Message m = Source::message(level);
    m.service_level = level;
    source.reaction->on_generated(m, source.now);
  }
  source.now += microseconds(6);
  const Load load = load_of(source);
  expect_close(load.flows, 12 * kUs);
  expect_close(load.rates, 6 * kUs * (1.0 / 256 + 1.0 / 128));
}

/// Simpson's rule.
template <class Value>
double quadrature(Value value, double to) {
  constexpr int kSteps = 20'000;
  const double h = to / kSteps;
  double sum = value(0.0) + value(to);
  for (int i = 1; i < kSteps; ++i) sum += value(i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

// Rates that time brings back: the closed integral of each law against a sum over its curve, up to
// the full rate and beyond.
TEST(Loads, LawsHaveTheIntegralOfTheirCurve) {
  std::vector<std::unique_ptr<RateLaw>> laws;
  laws.push_back(make_aimd(4, 0.01));
  laws.push_back(make_fimd(2, 1.0 / 256));
  laws.push_back(make_pipd(2, 1.0 / 256, 1.0 / 483'559));
  laws.push_back(make_pipd(1.5, 1.0 / 128, 1.0 / 1'000));
  for (const auto& law : laws) {
    for (const double rate : {law->least(), 0.1, 0.7}) {
      const double full = law->time_to_full(rate);
      ASSERT_GT(full, 0);
      EXPECT_NEAR(law->after(rate, full), 1, 1e-12);
      EXPECT_LT(law->after(rate, full * 0.999), 1);
      for (const double part : {1e-3, 0.3, 1.0}) {
        const double to = full * part;
        const double sum = quadrature([&](double t) { return law->after(rate, t); }, to);
        EXPECT_NEAR(law->over(rate, to), sum, sum * 1e-9) << rate << " " << part;
      }
      EXPECT_NEAR(law->over(rate, full + 5), law->over(rate, full) + 5, 1e-9);
    }
  }
}

TEST(Loads, SlotsThatTimeTakesAwayHaveTheIntegralOfTheirRate) {
  const LinearDelay delay(0.2, Recovery::elapsed_time, nanoseconds(100));
  FlowState flow;
  flow.level = 4;
  EXPECT_DOUBLE_EQ(delay.held_for(flow), 4 * 1e5 / 0.2);
  for (const double span : {1e4, 1e6, 2e6}) {
    const double sum = quadrature([](double t) { return 1 / (1 + 4 - 0.2 * t / 1e5); }, span);
    EXPECT_NEAR(delay.rate_over(flow, span), sum, sum * 1e-9) << span;
  }
  EXPECT_NEAR(delay.rate_over(flow, 3e6), delay.rate_over(flow, 2e6) + 1e6, 1e-3);
}

// A flow whose rate comes back with time, looked at in many steps or in one.
TEST(Loads, DoNotDependOnHowOftenTheyAreRead) {
  const auto run = [](Time step) {
    Source source("fimd",
                  "factor = 2.0\nrecovery = \"elapsed-time\"\nstart = \"full\"\nwindow = 4");
    for (int i = 0; i < 8; ++i) source.generate();
    source.inject();
    source.ack(kHot);
    const Time end = source.now + microseconds(300);
    for (Time at = source.now; at < end; at += step) {
      source.now = at;
      (void)load_of(source);
    }
    source.now = end;
    return load_of(source);
  };
  const Load once = run(microseconds(300));
  const Load often = run(nanoseconds(77));
  EXPECT_EQ(once.rates, often.rates);
  EXPECT_EQ(once.throttled, often.throttled);
  // From 1/2 back to 1 in 256 packet times of 278 ns, by a power of 2.
  const double recovery = 256 * 278e3;
  expect_close(once.throttled, recovery);
  expect_close(once.rates, 300 * kUs - recovery + recovery * 0.5 / std::log(2.0));
}

}  // namespace
}  // namespace weir::reaction::testing
