// Stages in which a cut rate comes back: worked examples of QCN and DCQCN.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction::testing::staged_rate_test {
namespace {

constexpr std::int64_t kPeriod = 1'000'000;  // 1 us

StageRules rules() {
  StageRules out;
  out.period = Time(kPeriod);
  out.bytes = Bytes(10'000);
  out.fast = 2;
  out.additive = 0.01;
  out.hyper = 0.1;
  out.least = 0.05;
  return out;
}

void settle(const StagedRates& rates, StagedFlow& flow, std::int64_t now) {
  rates.advance(flow, now, [](const StagedFlow&, std::int64_t, std::int64_t) {});
}

TEST(StagedRate, TimerAloneGoesFromFastRecoveryToAdditiveIncrease) {
  const StagedRates rates(rules());
  StagedFlow flow;
  rates.cut(flow, 0.5, 0);
  EXPECT_EQ(flow.rate, 0.5);
  EXPECT_EQ(flow.target, 1.0);
  rates.cut(flow, 0.5, 0);
  EXPECT_EQ(flow.rate, 0.25);
  EXPECT_EQ(flow.target, 0.5);
  settle(rates, flow, kPeriod - 1);
  EXPECT_EQ(flow.rate, 0.25);
  settle(rates, flow, kPeriod);
  EXPECT_DOUBLE_EQ(flow.rate, 0.375);  // stage 1: fast
  settle(rates, flow, 2 * kPeriod);    // stage 2: the target grows
  EXPECT_DOUBLE_EQ(flow.target, 0.51);
  EXPECT_DOUBLE_EQ(flow.rate, (0.375 + 0.51) / 2);
  // However late the timer alone is, it is not hyper increase: bytes are at stage 0.
  settle(rates, flow, 7 * kPeriod);
  EXPECT_NEAR(flow.target, 0.56, 1e-12);
}

TEST(StagedRate, HyperIncreaseGrowsWithTheStages) {
  const StagedRates rates(rules());
  StagedFlow flow;
  rates.cut(flow, 0.4, 0);
  rates.cut(flow, 0.5, 0);
  settle(rates, flow, 4 * kPeriod);  // time stage 4: two fast, three additive (2, 3, 4)
  EXPECT_NEAR(flow.target, 0.43, 1e-12);
  for (int stage = 1; stage <= 3; ++stage) rates.on_sent(flow, 10'000, 4 * kPeriod);
  // Byte stages 1 and 2 are additive still, since both have to be beyond 2; 3 is hyper.
  EXPECT_NEAR(flow.target, 0.43 + 0.01 + 0.01 + 0.1, 1e-12);
  rates.on_sent(flow, 10'000, 4 * kPeriod);
  EXPECT_NEAR(flow.target, 0.45 + 0.1 + 0.2, 1e-12);
}

// Both counts at 2, which is `fast`: the first stage of hyper increase.
TEST(StagedRate, HyperIncreaseOfQcnBeginsAStageEarlier) {
  StageRules qcn = rules();
  qcn.is_hyper_early = true;
  const StagedRates rates(qcn);
  StagedFlow flow;
  rates.cut(flow, 0.4, 0);
  rates.cut(flow, 0.5, 0);
  settle(rates, flow, 2 * kPeriod);
  EXPECT_NEAR(flow.target, 0.41, 1e-12);
  rates.on_sent(flow, 10'000, 2 * kPeriod);
  EXPECT_NEAR(flow.target, 0.42, 1e-12);
  rates.on_sent(flow, 10'000, 2 * kPeriod);
  EXPECT_NEAR(flow.target, 0.52, 1e-12);
  settle(rates, flow, 3 * kPeriod);
  EXPECT_NEAR(flow.target, 0.62, 1e-12);
}

// From 1 to 0.0625, with the target at 1. The first stage of each count sees ten times the rate, or
// not.
TEST(StagedRate, ATargetFarAboveTheRateShrinksInQcn) {
  StageRules qcn = rules();
  qcn.keeps_target = qcn.shrinks_target = true;
  const StagedRates rates(qcn);
  StagedFlow flow;
  for (int i = 0; i < 4; ++i) rates.cut(flow, 0.5, 0);
  EXPECT_EQ(flow.rate, 0.0625);
  EXPECT_EQ(flow.target, 1);
  rates.on_sent(flow, 10'000, 0);
  EXPECT_EQ(flow.target, 0.125);
  EXPECT_EQ(flow.rate, 0.09375);
  settle(rates, flow, kPeriod);
  EXPECT_EQ(flow.target, 0.125);
}

TEST(StagedRate, LaterStagesAreHalfAsLongInQcn) {
  StageRules qcn = rules();
  qcn.halves_later = true;
  const StagedRates rates(qcn);
  StagedFlow flow;
  rates.cut(flow, 0.1, 0);
  settle(rates, flow, 2 * kPeriod);
  EXPECT_EQ(flow.time_stage, 2);
  EXPECT_EQ(flow.expiry, 2 * kPeriod + kPeriod / 2);
  rates.on_sent(flow, 20'000, 2 * kPeriod);
  EXPECT_EQ(flow.byte_stage, 2);
  EXPECT_EQ(flow.bytes_left, 5'000);
}

TEST(StagedRate, QcnKeepsItsTargetWhenCutsFollowEachOther) {
  StageRules qcn = rules();
  qcn.keeps_target = true;
  const StagedRates rates(qcn);
  StagedFlow flow;
  rates.cut(flow, 0.5, 0);
  rates.on_sent(flow, 4'000, 10);
  rates.cut(flow, 0.5, 10);
  EXPECT_EQ(flow.rate, 0.25);
  EXPECT_EQ(flow.target, 1.0);
  EXPECT_EQ(flow.bytes_left, 6'000);
  rates.on_sent(flow, 6'000, 20);  // the byte counter expires: the next cut begins afresh
  const double before = flow.rate;
  rates.cut(flow, 0.5, 30);
  EXPECT_EQ(flow.target, before);
  EXPECT_EQ(flow.bytes_left, 10'000);
}

TEST(StagedRate, NoRateIsBelowTheLeast) {
  const StagedRates rates(rules());
  StagedFlow flow;
  for (int i = 0; i < 20; ++i) rates.cut(flow, 0.5, i);
  EXPECT_EQ(flow.rate, 0.05);
}

// At half the rate the next packet may start 200 ns later. When the rate becomes three quarters
// after 50 ns, the 150 ns that are left become 100; when it is halved then, twice as long.
TEST(StagedRate, AChangeOfTheRateScalesWhatIsLeftOfAWait) {
  const StagedRates rates(rules());
  StagedFlow flow;
  rates.cut(flow, 0.5, 0);
  flow.expiry = 50'000;
  flow.due = 200'000;
  settle(rates, flow, 50'000);
  EXPECT_EQ(flow.target, 1.0);
  EXPECT_DOUBLE_EQ(flow.rate, 0.75);
  EXPECT_EQ(flow.due, 50'000 + 100'000);
  rates.cut(flow, 0.5, 100'000);
  EXPECT_EQ(flow.due, 200'000);
}

TEST(StagedRate, AFlowThatWasNeverCutHasNoTimer) {
  const StagedRates rates(rules());
  StagedFlow flow;
  for (int i = 0; i < 100; ++i) rates.on_sent(flow, 10'000, i);
  settle(rates, flow, 1'000 * kPeriod);
  EXPECT_EQ(flow.byte_stage, 0);
  EXPECT_EQ(flow.time_stage, 0);
  EXPECT_TRUE(flow.is_full());
}

TEST(StagedRate, AccountsEveryRateOnTheWayUp) {
  const StagedRates rates(rules());
  StagedFlow flow;
  rates.cut(flow, 0.5, 0);
  std::vector<std::tuple<std::int64_t, std::int64_t, double>> told;
  rates.advance(flow, 2 * kPeriod + 5,
                [&](const StagedFlow& was, std::int64_t from, std::int64_t to) {
                  told.emplace_back(from, to, was.rate);
                });
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0], std::make_tuple(0, kPeriod, 0.5));
  EXPECT_EQ(told[1], std::make_tuple(kPeriod, 2 * kPeriod, 0.75));
  EXPECT_EQ(told[2], std::make_tuple(2 * kPeriod, 2 * kPeriod + 5, 0.875));
}

// A second without a packet is settled in no time, and ends at the full rate.
TEST(StagedRate, FullRatesSkipTheirStages) {
  const StagedRates rates(rules());
  StagedFlow flow;
  rates.cut(flow, 0.5, 0);
  settle(rates, flow, std::int64_t{1'000'000} * kPeriod + 1);
  EXPECT_TRUE(flow.is_full());
  EXPECT_EQ(flow.target, 1.0);
  EXPECT_EQ(flow.expiry, std::int64_t{1'000'001} * kPeriod);
}

}  // namespace
}  // namespace weir::reaction::testing::staged_rate_test
