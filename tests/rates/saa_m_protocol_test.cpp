#include "weir/rates/saa_m_protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "rates/protocol_support.hpp"
#include "weir/rates/fixed_point.hpp"

namespace weir::rates::saa_m_protocol_test {
namespace {

using Exact = SaaMProtocol<Rational>;
using Kind = Exact::Kind;

Rational of(int numerator, int denominator = 1) { return Rational(numerator) / denominator; }

std::vector<Rational> rates(const Exact& protocol, std::size_t flows) {
  std::vector<Rational> result;
  for (FlowIndex f = 0; f < flows; ++f) result.push_back(protocol.rate(f));
  return result;
}

/// Probes of a settled network go on; this is long enough for all to see that nothing changes.
constexpr std::int64_t kLong = 1'000'000'000'000;

TEST(SaaMProtocol, ClaimsWhatOthersCannotUseAndGivesItBack) {
  Row row(2);
  row.add_flow({0});
  row.add_flow({0, 1});
  row.add_flow({1});
  row.add_flow({1});
  row.add_flow({0});  // later
  DelayCarrier<Exact> carrier(row.plane, 1, 1000);
  Exact protocol(row.plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < 4; ++f) protocol.start(f);
  ASSERT_TRUE(carrier.run(kLong));
  EXPECT_THAT(rates(protocol, 4), testing::ElementsAre(of(2, 3), of(1, 3), of(1, 3), of(1, 3)));

  protocol.end(1);
  carrier.settle_after = carrier.now().count + 100'000'000;
  ASSERT_TRUE(carrier.run(kLong));
  EXPECT_THAT(rates(protocol, 4), testing::ElementsAre(1, 0, of(1, 2), of(1, 2)));

  protocol.start(4);
  carrier.settle_after = carrier.now().count + 100'000'000;
  ASSERT_TRUE(carrier.run(kLong));
  EXPECT_THAT(rates(protocol, 5), testing::ElementsAre(of(1, 2), 0, of(1, 2), of(1, 2), of(1, 2)));
}

TEST(SaaMProtocol, ObeysAnOversubscribedLink) {
  Row row(1);
  row.add_flow({0});
  row.add_flow({0});
  LockstepCarrier<Exact::Message> carrier(row.plane);
  Exact protocol(row.plane, carrier);
  const auto& link = protocol.link(row.link[0]);
  const auto sent = [&](FlowIndex f) { return carrier.waiting.find(f)->second; };
  protocol.start(0);
  carrier.step(protocol);  // announced
  EXPECT_EQ(sent(0).kind, Kind::update);
  EXPECT_EQ(sent(0).amount, 1);
  protocol.start(1);
  carrier.step(protocol);
  EXPECT_EQ(link.free, 0);
  EXPECT_EQ(link.weight, 2);
  EXPECT_EQ(sent(0).kind, Kind::probe);
  EXPECT_EQ(sent(1).amount, of(1, 2)) << "what SAA grants, though the link has nothing left";
  carrier.step(protocol);  // the probe of the first comes before the update of the second
  EXPECT_EQ(link.free, of(-1, 2));
  EXPECT_EQ(sent(0).kind, Kind::probe);
  carrier.step(protocol);
  EXPECT_EQ(sent(0).kind, Kind::update);
  EXPECT_EQ(sent(0).amount, of(-1, 2));
  carrier.step(protocol);
  EXPECT_EQ(link.free, 0);
  EXPECT_EQ(protocol.rate(0), of(1, 2));
}

/// zdornov2009, section 4.1.3 (Figure 4.1): both flows cross two links, in opposite order. A third
/// flow, held down elsewhere, leaves something for them on both.
struct Opposite {
  Opposite() {
    // Two rings, so that routes can cross the links l1 and l2 in either order.
    for (int i = 0; i < 4; ++i) plane.add_element(false);
    l1 = plane.add_cable(0, 1);
    const LinkIndex across = plane.add_cable(1, 2);
    l2 = plane.add_cable(2, 3);
    const LinkIndex home = plane.add_cable(3, 0);
    plane.add_flow(std::vector<LinkIndex>{l1, across, l2});
    plane.add_flow(std::vector<LinkIndex>{l2, home, l1});
    const ElementIndex a = plane.add_element(false);
    const ElementIndex b = plane.add_element(false);
    const LinkIndex narrow = plane.add_cable(a, b);
    const LinkIndex on = plane.add_cable(b, 0);
    plane.add_flow(std::vector<LinkIndex>{narrow, on, l1, across, l2});
    for (int i = 0; i < 9; ++i) plane.add_flow(std::vector<LinkIndex>{narrow});
  }
  ControlPlane plane;
  LinkIndex l1 = 0;
  LinkIndex l2 = 0;
};

/// The two flows begin at the same time, when the others have settled.
void start_all(Exact& protocol, DelayCarrier<Exact>& carrier) {
  carrier.attach(protocol);
  for (FlowIndex f = 2; f < 12; ++f) protocol.start(f);
  ASSERT_TRUE(carrier.run(kLong));
  protocol.start(0);
  protocol.start(1);
}

TEST(SaaMProtocol, LivelockWithEqualDelaysAndNoBackOff) {
  const Opposite scene;
  SaaMSettings settings;
  settings.backoff_min = 0;
  settings.backoff_max = 0;
  settings.attempts = 250;
  DelayCarrier<Exact> carrier(scene.plane, 100, 100);
  Exact protocol(scene.plane, carrier, settings);
  start_all(protocol, carrier);
  std::uint32_t reservations = 0;
  std::uint32_t granted = 0;
  carrier.on_link = [&](LinkIndex l, FlowIndex f, const Exact::Message& m) {
    if (m.kind != Kind::reserve || l != scene.plane.route(f).back()) return;
    ++reservations;
    if (m.is_granted) ++granted;
  };
  EXPECT_FALSE(carrier.run(carrier.now().count + 200'000));
  EXPECT_GT(reservations, 200U);
  EXPECT_EQ(granted, 0U);
  EXPECT_EQ(protocol.rate(0), of(1, 3));
  EXPECT_EQ(protocol.rate(1), of(1, 3));
  EXPECT_EQ(protocol.link(scene.l1).free, of(1) - of(2, 3) - of(1, 10));
}

TEST(SaaMProtocol, RandomBackOffEndsTheLivelock) {
  const Opposite scene;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SaaMSettings settings;
    settings.seed = seed;
    DelayCarrier<Exact> carrier(scene.plane, 100, 100);
    Exact protocol(scene.plane, carrier, settings);
    start_all(protocol, carrier);
    ASSERT_TRUE(carrier.run(kLong));
    EXPECT_EQ(protocol.rate(0) + protocol.rate(1), of(9, 10));
    EXPECT_EQ(protocol.link(scene.l1).free, 0);
    EXPECT_GT(protocol.rate(0) * protocol.rate(1), of(1, 9)) << "one of them got all of it";
  }
}

ControlPlane any_network(std::size_t flows) {
  return RandomNetwork{*rc::gen::inRange<std::size_t>(2, 6),
                       *rc::gen::inRange<std::size_t>(0, 4),
                       *rc::gen::inRange<std::size_t>(2, 8),
                       flows,
                       1,
                       true,
                       true,
                       *rc::gen::arbitrary<std::uint64_t>()}
      .build();
}

/// Theorem 4.1.5, (1), (3) and (4), for the flows that are there.
template <class Number>
void check_steady_state(const ControlPlane& plane, const SaaMProtocol<Number>& protocol,
                        const std::vector<bool>& is_active) {
  const auto flows = static_cast<FlowIndex>(plane.flow_count());
  std::vector<Number> weight(plane.link_count(), Number(0));
  std::vector<Number> load(plane.link_count(), Number(0));
  for (FlowIndex f = 0; f < flows; ++f) {
    if (!is_active[f]) continue;
    for (const LinkIndex l : plane.route(f)) {
      weight[l] += NumberTraits<Number>::quotient_up(Number(plane.weight(f)),
                                                     Number(plane.link(l).capacity));
      load[l] += protocol.rate(f);
    }
  }
  for (LinkIndex l = 0; l < plane.link_count(); ++l) {
    RC_ASSERT(protocol.link(l).weight == weight[l]);
    RC_ASSERT(protocol.link(l).reserved == Number(0));
    RC_ASSERT(protocol.link(l).free == Number(Number(plane.link(l).capacity) - load[l]));
    RC_ASSERT(protocol.link(l).free >= Number(0));
  }
  for (FlowIndex f = 0; f < flows; ++f) {
    if (!is_active[f]) continue;
    Number heaviest(0);
    Number left = NumberTraits<Number>::unbounded();
    for (const LinkIndex l : plane.route(f)) {
      heaviest = std::max(heaviest, weight[l]);
      left = std::min(left, protocol.link(l).free);
    }
    RC_ASSERT(protocol.rate(f) >= Number(Number(plane.weight(f)) / heaviest));
    RC_ASSERT(left == Number(0));
  }
}

/// Flows that share a link with those of `near`.
std::vector<bool> neighbours(const ControlPlane& plane, const std::vector<bool>& near) {
  std::vector<bool> is_touched(plane.link_count(), false);
  const auto flows = static_cast<FlowIndex>(plane.flow_count());
  for (FlowIndex f = 0; f < flows; ++f) {
    if (!near[f]) continue;
    for (const LinkIndex l : plane.route(f)) is_touched[l] = true;
  }
  std::vector<bool> result = near;
  for (FlowIndex f = 0; f < flows; ++f) {
    for (const LinkIndex l : plane.route(f)) {
      if (is_touched[l]) result[f] = true;
    }
  }
  return result;
}

RC_GTEST_PROP(SaaMProtocol, IsFeasibleMaximalFairToWeightsAndLocal, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 15);
  const ControlPlane plane = any_network(count);
  const auto last = static_cast<FlowIndex>(count - 1);
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  SaaMSettings settings;
  settings.seed = *rc::gen::arbitrary<std::uint64_t>();
  Exact protocol(plane, carrier, settings);
  carrier.attach(protocol);
  const auto settle = [&] {
    carrier.settle_after = carrier.now().count + 1;
    RC_ASSERT(carrier.run(carrier.now().count + kLong));
    RC_ASSERT(carrier.most_in_flight == 1);
  };

  std::vector<bool> is_active(count, true);
  is_active[last] = false;
  std::int64_t last_start = 0;
  for (FlowIndex f = 0; f < last; ++f) {
    const auto time = *rc::gen::inRange<std::int64_t>(0, 5000);
    last_start = std::max(last_start, time);
    carrier.at(time, [&protocol, f] { protocol.start(f); });
  }
  carrier.settle_after = last_start + 1;
  RC_ASSERT(carrier.run(kLong));
  check_steady_state(plane, protocol, is_active);

  // Proposition 4.1.6: who comes changes at most the rates of neighbours and their neighbours.
  const auto before = rates(protocol, count);
  protocol.start(last);
  is_active[last] = true;
  settle();
  check_steady_state(plane, protocol, is_active);
  std::vector<bool> one(count, false);
  one[last] = true;
  const auto second = neighbours(plane, neighbours(plane, one));
  const auto with_it = rates(protocol, count);
  for (FlowIndex f = 0; f < count; ++f) RC_ASSERT(second[f] || with_it[f] == before[f]);

  // Proposition 4.1.7: who goes, one step further.
  const auto gone = *rc::gen::inRange<FlowIndex>(0, last);
  protocol.end(gone);
  is_active[gone] = false;
  settle();
  check_steady_state(plane, protocol, is_active);
  std::vector<bool> other(count, false);
  other[gone] = true;
  const auto third = neighbours(plane, neighbours(plane, neighbours(plane, other)));
  const auto without = rates(protocol, count);
  for (FlowIndex f = 0; f < count; ++f) RC_ASSERT(third[f] || without[f] == with_it[f]);
}

RC_GTEST_PROP(SaaMProtocol, FixedPointSettlesExactly, ()) {
  using Fixed = SaaMProtocol<FixedPoint>;
  const auto count = *rc::gen::inRange<std::size_t>(1, 15);
  const ControlPlane plane = any_network(count);
  DelayCarrier<Fixed> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Fixed protocol(plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < count; ++f) protocol.start(f);
  RC_ASSERT(carrier.run(kLong));
  check_steady_state(plane, protocol, std::vector<bool>(count, true));
}

TEST(FixedPoint, RoundsQuotientsDownOrUpAndSumsNever) {
  const FixedPoint third = FixedPoint(1) / FixedPoint(3);
  EXPECT_EQ(third.units(), (std::int64_t{1} << 40) / 3);
  EXPECT_EQ(FixedPoint::quotient_up(FixedPoint(1), FixedPoint(3)).units(), third.units() + 1);
  EXPECT_EQ((FixedPoint(1) - third - third - third).units(), 1);
  EXPECT_EQ(FixedPoint(0.25) * FixedPoint(8), FixedPoint(2));
  EXPECT_DOUBLE_EQ(static_cast<double>(FixedPoint(0.625)), 0.625);
}

}  // namespace
}  // namespace weir::rates::saa_m_protocol_test
