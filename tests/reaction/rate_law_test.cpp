#include "weir/reaction/rate_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <memory>
#include <vector>

namespace weir::reaction {
namespace {

constexpr double kMost = 1e12 / 2'068'000;  // packets/s: 2068 B at 1 GB/s
constexpr double kLow = 1.0 / 256;
constexpr double kHigh = 1.0 / 128;

/// ACK k comes 1/r after ACK k-1, none is marked (yan2012, section 3.3). Times in ms, rates in
/// packets/s.
struct Step {
  double at = 0;
  double rate = 0;
};
std::vector<Step> recovery(const RateLaw& law) {
  std::vector<Step> steps;
  double rate = law.least();
  double at = 0;
  while (rate < 1) {
    at += 1 / rate;
    rate = law.increased(rate);
    steps.push_back({at / kMost * 1e3, rate * kMost});
  }
  return steps;
}

void expect_near(double value, double expected) { EXPECT_NEAR(value, expected, expected * 1e-6); }

// The table prints four digits of ms and one of packets/s; steps are compared as exactly as that.
void expect_steps(const RateLaw& law, std::initializer_list<Step> first, std::size_t acks,
                  double time) {
  const std::vector<Step> steps = recovery(law);
  ASSERT_GE(steps.size(), first.size());
  std::size_t i = 0;
  for (const Step& step : first) {
    EXPECT_NEAR(steps[i].at, step.at, 5e-5) << i;
    EXPECT_NEAR(steps[i].rate, step.rate, 0.06) << i;
    ++i;
  }
  EXPECT_EQ(steps.size(), acks);
  EXPECT_NEAR(steps.back().at, time, time > 10 ? 5e-4 : 5e-5);
  expect_near(steps.back().rate, kMost);
}

TEST(RateLaws, RecoverAsInTheReferenceTrajectories) {
  expect_steps(*make_fimd(4, kLow), {{0.5294, 7555.6}, {0.6618, 10685.2}, {0.7553, 13652.6}}, 181,
               2.1184);
  expect_steps(*make_aimd(4, kLow), {{0.5294, 7555.6}, {0.6618, 8972.3}, {0.7732, 10165.3}}, 10919,
               45.000);
  expect_steps(*make_pipd(4, kLow, 1 / kMost), {{0.5294, 483559}}, 1, 0.5294);
  expect_steps(*make_pipd(4, kHigh, 1 / kMost), {{0.2647, 483559}}, 1, 0.2647);
  expect_steps(*make_pipd(4, kLow, 1e3 / kMost),
               {{0.5294, 12730.3}, {0.6080, 22759.4}, {0.6519, 33315.5}}, 35, 0.8702);
  expect_steps(*make_pipd(4, kHigh, 1e3 / kMost),
               {{0.2647, 203684.5}, {0.2696, 233935.4}, {0.2739, 264686.2}}, 10, 0.2940);
  expect_steps(*make_pipd(4, kLow, 1e6 / 2068 / kMost),
               {{0.5294, 112587.4}, {0.5383, 127993.5}, {0.5461, 143636.3}}, 23, 0.6206);
}

TEST(RateLaws, FallInTheReferenceSteps) {
  const auto fimd = make_fimd(4, kLow);
  double rate = 1;
  for (const double expected : {120889.7, 30222.4, 7555.6, 1888.9, 1888.9}) {
    rate = fimd->decreased(rate);
    EXPECT_NEAR(rate * kMost, expected, 0.06);
  }
  const auto pipd = make_pipd(4, kLow, 1e3 / kMost);
  EXPECT_NEAR(pipd->decreased(1) * kMost, 4689.35, 0.006);
  EXPECT_NEAR(pipd->decreased(pipd->decreased(1)) * kMost, 1888.90, 0.006);
  EXPECT_NEAR(make_pipd(4, kLow, 1 / kMost)->decreased(1) * kMost, 1888.90, 0.006);
}

/// Laws with the factor that their range of validity needs.
struct Law {
  std::unique_ptr<RateLaw> law;
  double valid_from;  ///< f_dec^-1(R_min): below it the decrease is cut off at R_min
};
std::vector<Law> laws() {
  std::vector<Law> all;
  for (const double least : {kLow, kHigh}) {
    for (const double m : {2.0, 4.0}) {
      all.push_back({make_aimd(m, least), m * least});
      all.push_back({make_fimd(m, least), m * least});
      const double unit = 1e3 / kMost;
      all.push_back({make_pipd(m, least, unit), unit * std::pow(least / unit, m)});
    }
  }
  return all;
}

std::vector<double> rates_from(double low) {
  std::vector<double> rates;
  for (double rate = low * 1.0001; rate < 1; rate *= 1.05) rates.push_back(rate);
  return rates;
}

TEST(RateLaws, NeverReturnToCongestion) {  // C1
  for (const Law& one : laws()) {
    for (const double rate : rates_from(one.valid_from)) {
      EXPECT_LE(one.law->increased(one.law->decreased(rate)), rate * (1 + 1e-9));
    }
  }
}

/// Time to climb from f_dec(r) back to r on the continuous curve, in packet times.
double recovery_time(const RateLaw& law, double rate) {
  double low = 0;
  double high = 1e9;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (law.after(law.decreased(rate), middle) < rate ? low : high) = middle;
  }
  return high;
}

TEST(RateLaws, RecoverFromLowRatesNoSlowerThanFromHighOnes) {  // C2, C3
  for (const Law& one : laws()) {
    double before = 0;
    const bool is_additive = recovery_time(*one.law, 0.999) > 2 / one.law->least();
    for (const double rate : rates_from(one.valid_from)) {
      const double time = recovery_time(*one.law, rate);
      EXPECT_GE(time, before * (1 - 1e-6));
      before = time;
      if (is_additive) continue;  // AIMD is fair but not efficient
      EXPECT_NEAR(time * one.law->least(), 1, 1e-6) << rate;
    }
  }
}

TEST(RateLaws, StepsLieOnTheCurve) {  // semigroup
  for (const Law& one : laws()) {
    double rate = one.law->least();
    double at = 0;
    for (int i = 0; i < 50 && rate < 0.9; ++i) {
      at += 1 / rate;
      rate = one.law->increased(rate);
      if (rate == 1) break;
      EXPECT_NEAR(one.law->after(one.law->least(), at), rate, rate * 1e-6);
      EXPECT_NEAR(one.law->after(one.law->after(rate, 3.5), 2.25), one.law->after(rate, 5.75),
                  rate * 1e-9);
    }
  }
}

TEST(RateLaws, GrowWithoutMarksAndFallWithThem) {
  for (const Law& one : laws()) {
    for (const double rate : rates_from(one.law->least())) {
      EXPECT_GT(one.law->increased(rate), rate);
      EXPECT_LT(one.law->decreased(rate), rate);
      EXPECT_GE(one.law->decreased(rate), one.law->least());
    }
    EXPECT_EQ(one.law->increased(1), 1);
    EXPECT_DOUBLE_EQ(one.law->decreased(one.law->least()), one.law->least());
  }
}

TEST(RateLaws, RecoverFasterWithAHigherLeastRate) {
  const double unit = 1e3 / kMost;
  for (const double rate : rates_from(kHigh)) {
    EXPECT_LE(make_fimd(4, kLow)->increased(rate), make_fimd(4, kHigh)->increased(rate));
    EXPECT_LE(make_aimd(4, kLow)->increased(rate), make_aimd(4, kHigh)->increased(rate));
    EXPECT_LE(make_pipd(4, kLow, unit)->increased(rate),
              make_pipd(4, kHigh, unit)->increased(rate));
  }
}

TEST(RateLaws, ReachTheLinkRateInTheirClosedForm) {
  EXPECT_NEAR(make_fimd(4, kLow)->after(kLow, 4 / kLow - 1e-6), 1, 1e-6);
  EXPECT_LT(make_fimd(4, kLow)->after(kLow, 3.99 / kLow), 1);
  const double unit = 1e3 / kMost;
  const double time = std::log(std::log(1 / unit) / std::log(kLow / unit)) / std::log(4) / kLow;
  EXPECT_NEAR(make_pipd(4, kLow, unit)->after(kLow, time * (1 + 1e-9)), 1, 1e-6);
  EXPECT_LT(make_pipd(4, kLow, unit)->after(kLow, time * 0.999), 1);
}

}  // namespace
}  // namespace weir::reaction
