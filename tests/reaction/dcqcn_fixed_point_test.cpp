// DCQCN at rest, from its rules alone: flows share a link evenly, and the marking probability p at
// which a flow gains between two notifications what it loses at one says how long the queue is.
#include <gtest/gtest.h>

#include <cmath>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing::dcqcn_fixed_point_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

// Packets of 1,000 B at 40 Gbps; times in seconds, rates in packets a second.
constexpr double kLink = 5e6;
constexpr double kGap = 50e-6;    // N
constexpr double kTimer = 55e-6;  // T, and K
constexpr double kAdditive = 5'000;
constexpr int kFast = 5;

/// What a flow of this rate gains from one notification to the next. The next one comes a gap and
/// an exponential time of mean 1 / (p rate) after the last, so that n = floor(time / timer) stages
/// pass with P(n >= k) = r^(k - gap / timer), r = exp(-p rate timer). Stage 5 and later ones move
/// the target by kAdditive; each stage halves the distance. The byte counter, 10,000 packets, does
/// not expire. alpha rises by g (1 - alpha) at a notification and falls by g alpha n before it.
double gain(double rate, double p) {
  const double r = std::exp(-p * rate * kTimer);
  const auto at_least = [&](int k) { return k == 0 ? 1 : std::pow(r, k - kGap / kTimer); };
  double stages = 0;
  double halvings = 0;  // mean of 2^-n
  double targets = 0;   // mean increase of the target, over kAdditive
  double lag = 0;       // how much of it is not in the rate yet
  for (int n = 0; n < 2'000; ++n) {
    const double here = at_least(n) - at_least(n + 1);
    stages += here * n;
    halvings += here * std::exp2(-n);
    if (n < kFast) continue;
    targets += here * (n - kFast + 1);
    lag += here * (1 - std::exp2(kFast - 1 - n));
  }
  const double alpha = 1 / (1 + stages);
  return kAdditive * (targets - lag) - alpha / 2 * rate * halvings;
}

double queue_at_rest(double rate) {
  double low = 1e-6;
  double high = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (gain(rate, middle) > 0 ? low : high) = middle;
  }
  return 5'000 + low / 0.01 * 195'000;
}

/// 100 ms, after 50 that count for nothing. In 50 ms the mean of the queue is good to a tenth.
void expect_rest(std::uint32_t flows, Time delay) {
  SmallNetwork net = dcqcn_star(flows + 1, delay);
  net.settings.architecture = Architecture::output_queued;
  net.settings.sample_period = microseconds(2);
  net.mechanisms.reaction = make_pacer("dcqcn", net);
  QueueWatch watch(output_to(*net.graph, HostId(flows)));
  watch.count_from = milliseconds(50);
  const auto fabric = net.build(watch);
  send_to_last(*fabric, flows + 1, Bytes(95'200));
  fabric->run_until(milliseconds(150));
  const double expected = queue_at_rest(kLink / flows);
  EXPECT_NEAR(watch.mean(), expected, 0.05 * expected) << flows;
  for (std::uint32_t h = 0; h < flows; ++h)
    EXPECT_NEAR(watch.share(h), 1.0 / flows, 0.1 / flows) << h << " of " << flows;
}

// The delay of cables is in no formula. With more flows the queue swings between empty and full,
// and its mean says nothing.
TEST(DcqcnFixedPoint, TheQueueOfTwoFlowsIsWhereCutsAndIncreasesBalance) {
  for (const Time delay : {nanoseconds(500), microseconds(5)}) expect_rest(2, delay);
}

TEST(DcqcnFixedPoint, SoIsThatOfFour) {
  for (const Time delay : {nanoseconds(500), microseconds(5)}) expect_rest(4, delay);
}

}  // namespace
}  // namespace weir::reaction::testing::dcqcn_fixed_point_test
