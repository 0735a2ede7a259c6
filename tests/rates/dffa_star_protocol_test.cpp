#include "weir/rates/dffa_star_protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

#include "rates/protocol_support.hpp"

namespace weir::rates::dffa_star_protocol_test {
namespace {

using Exact = DffaStarProtocol<Rational>;
using Kind = DffaMessage<Rational>::Kind;
using testing::ElementsAre;

Rational of(int numerator, int denominator = 1) { return Rational(numerator) / denominator; }

std::vector<Rational> rates(const Exact& protocol, std::size_t flows) {
  std::vector<Rational> result;
  for (FlowIndex f = 0; f < flows; ++f) result.push_back(protocol.flow(f).loop.rate());
  return result;
}

TEST(DffaStar, TwoLinksStepByStep) {
  Row row(2);
  row.add_flow({0});
  row.add_flow({0, 1});
  row.add_flow({1});
  row.add_flow({1});
  LockstepCarrier<DffaMessage<Rational>> carrier(row.plane);
  Exact protocol(row.plane, carrier);
  const auto& a = protocol.link(row.link[0]);
  const auto& b = protocol.link(row.link[1]);
  EXPECT_EQ(a.share, of(1, 2));
  EXPECT_EQ(b.share, of(1, 3));
  for (FlowIndex f = 0; f < 4; ++f) protocol.start(f);

  carrier.step(protocol);
  EXPECT_THAT(rates(protocol, 4), ElementsAre(of(1, 2), of(1, 3), of(1, 3), of(1, 3)));
  EXPECT_EQ(a.free, 1);

  carrier.step(protocol);
  EXPECT_EQ(a.free, of(1, 6));
  EXPECT_EQ(b.free, 0);
  EXPECT_EQ(carrier.waiting.find(2)->second.kind, Kind::update);
  EXPECT_EQ(carrier.waiting.find(3)->second.kind, Kind::leave) << "it was the one that filled B";
  EXPECT_EQ(carrier.waiting.find(3)->second.share, of(1, 3));

  carrier.step(protocol);
  EXPECT_EQ(b.active, 2);
  EXPECT_EQ(b.share, of(1, 3));
  EXPECT_EQ(carrier.waiting.count(3), 0U);
  EXPECT_EQ(carrier.waiting.find(1)->second.kind, Kind::leave);
  EXPECT_EQ(carrier.waiting.find(2)->second.kind, Kind::leave);

  carrier.step(protocol);
  EXPECT_EQ(a.active, 1);
  EXPECT_EQ(a.share, of(2, 3));
  EXPECT_EQ(b.active, 0);
  EXPECT_EQ(protocol.flow(0).loop.rate(), of(1, 2));

  carrier.step(protocol);
  EXPECT_EQ(protocol.flow(0).loop.rate(), of(2, 3));
  EXPECT_EQ(carrier.waiting.find(0)->second.amount, of(1, 6));

  carrier.step(protocol);
  EXPECT_EQ(a.free, 0);
  EXPECT_EQ(carrier.waiting.find(0)->second.kind, Kind::leave);

  carrier.step(protocol);
  EXPECT_EQ(a.active, 0);
  EXPECT_TRUE(protocol.is_settled());
  EXPECT_TRUE(carrier.waiting.empty());
  EXPECT_THAT(rates(protocol, 4), ElementsAre(of(2, 3), of(1, 3), of(1, 3), of(1, 3)));
}

TEST(DffaStar, BasicVersionCollectsBeforeItTakes) {
  Row row(1);
  row.add_flow({0});
  LockstepCarrier<DffaMessage<Rational>> carrier(row.plane);
  Exact protocol(row.plane, carrier, {false});
  protocol.start(0);
  std::vector<Kind> kinds;
  while (!carrier.waiting.empty()) {
    kinds.push_back(carrier.waiting.begin()->second.kind);
    carrier.step(protocol);
  }
  EXPECT_THAT(kinds, ElementsAre(Kind::collect, Kind::update, Kind::leave));
  EXPECT_EQ(protocol.rate(0), 1);
}

/// Each link has to wait for the one before.
struct Cascade {
  Cascade() : row(7) {
    const int own[] = {8, 6, 5, 4, 3, 2, 1};
    for (std::size_t i = 0; i < 7; ++i) {
      for (int j = 0; j < own[i]; ++j) {
        const bool goes_on = j == 0 && i + 1 < 7;
        row.add_flow(goes_on ? std::vector<std::size_t>{i, i + 1} : std::vector<std::size_t>{i});
        link_of.push_back(i);
      }
    }
  }
  Row row;
  std::vector<std::size_t> link_of;
};

TEST(DffaStar, CascadeInSevenRounds) {
  Cascade cascade;
  const Rational expected[] = {of(1, 8),      of(7, 48),      of(41, 240),   of(199, 960),
                               of(761, 2880), of(2119, 5760), of(3641, 5760)};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    DelayCarrier<Exact> carrier(cascade.row.plane, 1, 1000, seed);
    Exact protocol(cascade.row.plane, carrier);
    carrier.attach(protocol);
    for (FlowIndex f = 0; f < 29; ++f) protocol.start(f);
    ASSERT_TRUE(carrier.run(6 * 7 * carrier.longest_trip(2))) << "beyond 6 |R| round trips";
    for (FlowIndex f = 0; f < 29; ++f) {
      EXPECT_EQ(protocol.rate(f), expected[cascade.link_of[f]]) << "flow " << f;
    }
  }
}

/// The invariants I1 to I6 of zdornov2009, section 4.2.3, with shadow variables that no agent has.
class Invariants {
 public:
  Invariants(const ControlPlane& plane, const Exact& protocol)
      : plane_(plane),
        protocol_(protocol),
        known_(plane.link_count()),
        has_left_(plane.link_count()),
        last_share_(plane.link_count()),
        last_free_(plane.link_count()),
        last_rate_(plane.flow_count(), 0) {
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      known_[l].assign(plane.flow_count(), 0);
      has_left_[l].assign(plane.flow_count(), false);
      last_share_[l] = protocol.link(l).share;
      last_free_[l] = protocol.link(l).free;
    }
  }

  void on_link(LinkIndex l, FlowIndex f, const DffaMessage<Rational>& m) {
    if (m.kind == Kind::update) known_[l][f] += m.amount / Rational(plane_.weight(f));
    if (m.kind != Kind::leave) return;
    RC_ASSERT(m.share == known_[l][f]);                   // I5
    RC_ASSERT(m.share == protocol_.flow(f).loop.rate());  // I5
    has_left_[l][f] = true;
  }

  void check() {
    std::vector<Rational> taken(plane_.link_count(), 0);
    std::vector<Rational> owed(plane_.link_count(), 0);
    std::vector<bool> has_active(plane_.link_count(), false);
    for (FlowIndex f = 0; f < plane_.flow_count(); ++f) {
      const Rational rate = protocol_.flow(f).loop.rate();
      RC_ASSERT(rate >= last_rate_[f]);  // I2
      last_rate_[f] = rate;
      for (const LinkIndex l : plane_.route(f)) {
        const auto& link = protocol_.link(l);
        const Rational weight(plane_.weight(f));
        taken[l] += weight * known_[l][f];
        RC_ASSERT(known_[l][f] <= rate);  // I3
        RC_ASSERT(rate <= link.share);    // I3
        if (has_left_[l][f]) continue;
        has_active[l] = true;
        owed[l] += weight * (link.share - known_[l][f]);
      }
    }
    for (LinkIndex l = 0; l < plane_.link_count(); ++l) {
      const auto& link = protocol_.link(l);
      RC_ASSERT(link.free == link.capacity - taken[l]);              // I1
      RC_ASSERT(link.free >= Rational(0));                           // I1
      RC_ASSERT(link.free <= last_free_[l]);                         // I2
      RC_ASSERT(link.share >= last_share_[l]);                       // I2
      RC_ASSERT(last_free_[l] > 0 || link.share == last_share_[l]);  // I6
      if (has_active[l]) RC_ASSERT(owed[l] == link.free);            // I4
      last_free_[l] = link.free;
      last_share_[l] = link.share;
    }
  }

 private:
  const ControlPlane& plane_;
  const Exact& protocol_;
  std::vector<std::vector<Rational>> known_;
  std::vector<std::vector<bool>> has_left_;
  std::vector<Rational> last_share_;
  std::vector<Rational> last_free_;
  std::vector<Rational> last_rate_;
};

ControlPlane any_network() {
  return RandomNetwork{*rc::gen::inRange<std::size_t>(2, 6),
                       *rc::gen::inRange<std::size_t>(0, 4),
                       *rc::gen::inRange<std::size_t>(2, 8),
                       *rc::gen::inRange<std::size_t>(1, 15),
                       1,
                       true,
                       true,
                       *rc::gen::arbitrary<std::uint64_t>()}
      .build();
}

void finds_max_min_rates(bool is_optimized) {
  const ControlPlane plane = any_network();
  const auto flows = static_cast<FlowIndex>(plane.flow_count());
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Exact protocol(plane, carrier, {is_optimized});
  carrier.attach(protocol);
  Invariants invariants(plane, protocol);
  carrier.on_link = [&](LinkIndex l, FlowIndex f, const DffaMessage<Rational>& m) {
    invariants.on_link(l, f, m);
  };
  carrier.after_event = [&] { invariants.check(); };
  std::int64_t last_start = 0;
  for (FlowIndex f = 0; f < flows; ++f) {
    const auto time = *rc::gen::inRange<std::int64_t>(0, 5000);
    last_start = std::max(last_start, time);
    carrier.at(time, [&protocol, f] { protocol.start(f); });
  }
  const std::vector<Rational> expected = progressive_filling(plane, std::vector<bool>(flows, true));
  std::size_t longest = 0;
  for (FlowIndex f = 0; f < flows; ++f) longest = std::max(longest, plane.route(f).size());
  const std::set<Rational> distinct(expected.begin(), expected.end());
  const auto rounds = static_cast<std::int64_t>(distinct.size());
  // Theorem 4.2.12 is about the optimized version; the basic one needs two packets for each.
  const std::int64_t bound = (is_optimized ? 6 : 12) * rounds * carrier.longest_trip(longest);
  RC_ASSERT(carrier.run(last_start + bound));
  RC_ASSERT(carrier.most_in_flight == 1);
  for (FlowIndex f = 0; f < flows; ++f) {
    RC_ASSERT(protocol.flow(f).has_left);
    RC_ASSERT(protocol.flow(f).loop.rate() == expected[f]);
  }
}

RC_GTEST_PROP(DffaStar, OptimizedIsFlowFairWithinItsBoundAndKeepsItsInvariants, ()) {
  finds_max_min_rates(true);
}
RC_GTEST_PROP(DffaStar, BasicIsFlowFairAndKeepsItsInvariants, ()) { finds_max_min_rates(false); }

RC_GTEST_PROP(DffaStar, FloatingPointFindsTheSameRates, ()) {
  using Floating = DffaStarProtocol<double>;
  const ControlPlane plane = any_network();
  DelayCarrier<Floating> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Floating protocol(plane, carrier);
  carrier.attach(protocol);
  const auto flows = static_cast<FlowIndex>(plane.flow_count());
  for (FlowIndex f = 0; f < flows; ++f) protocol.start(f);
  RC_ASSERT(carrier.run(1'000'000'000));
  const auto expected = progressive_filling(plane, std::vector<bool>(flows, true));
  for (FlowIndex f = 0; f < flows; ++f) {
    const auto exact = static_cast<double>(expected[f]);
    RC_ASSERT(std::abs(protocol.flow(f).loop.rate() - exact) <= 1e-12 * exact);
  }
}

}  // namespace
}  // namespace weir::rates::dffa_star_protocol_test
