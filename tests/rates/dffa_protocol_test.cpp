#include "weir/rates/dffa_protocol.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "rates/protocol_support.hpp"

namespace weir::rates::dffa_protocol_test {
namespace {

using Exact = DffaProtocol<Rational>;
using Kind = DffaMessage<Rational>::Kind;

Rational of(int numerator, int denominator = 1) { return Rational(numerator) / denominator; }

/// Hosts 0 and 1 at switch 2, hosts 4 and 5 at switch 3; one cable between the switches.
struct Dumbbell {
  Dumbbell() {
    plane.add_element(true);
    plane.add_element(true);
    plane.add_element(false);
    plane.add_element(false);
    plane.add_element(true);
    plane.add_element(true);
    up = {plane.add_cable(0, 2), plane.add_cable(1, 2)};
    middle = plane.add_cable(2, 3);
    down = {plane.add_cable(3, 4), plane.add_cable(3, 5)};
  }
  FlowIndex add_flow(std::size_t from, std::size_t to, double weight = 1) {
    return plane.add_flow(std::vector<LinkIndex>{up[from], middle, down[to]}, weight);
  }
  ControlPlane plane;
  std::vector<LinkIndex> up;
  LinkIndex middle = 0;
  std::vector<LinkIndex> down;
};

TEST(Dffa, AnAnnouncementRaisesRoundsAndItsDestinationTellsEveryone) {
  Dumbbell network;
  network.add_flow(0, 0);
  LockstepCarrier<DffaMessage<Rational>> carrier(network.plane);
  Exact protocol(network.plane, carrier);
  const auto round = [&](ElementIndex e) { return protocol.element(e).round; };
  protocol.start(0);
  EXPECT_EQ(round(0), 1U);
  EXPECT_EQ(protocol.link(network.up[0]).announced, 1);
  EXPECT_EQ(protocol.link(network.up[0]).share, 1);
  auto announcement = carrier.waiting.begin()->second;
  EXPECT_EQ(announcement.kind, Kind::announce);
  EXPECT_EQ(announcement.round, 1U);

  protocol.at_link(network.up[0], 0, announcement);
  EXPECT_EQ(round(0), 1U) << "the host has counted it already";
  protocol.at_link(network.middle, 0, announcement);
  EXPECT_EQ(round(2), 1U);
  EXPECT_EQ(protocol.link(network.middle).announced, 1);
  EXPECT_EQ(protocol.link(network.down[0]).announced, 0);
  protocol.at_link(network.down[0], 0, announcement);
  EXPECT_EQ(round(3), 1U);
  EXPECT_TRUE(protocol.at_destination(0, announcement));
  EXPECT_EQ(round(4), 1U);
  EXPECT_EQ(protocol.element(4).last_broadcast, 1U);
  EXPECT_EQ(round(1), 0U);

  // The broadcast: switch 3 passes on a round that it knows, but only once.
  const DffaMessage<Rational> broadcast{Kind::broadcast, true, 1, 0, 0};
  EXPECT_EQ(protocol.element(3).last_broadcast, 0U);
  protocol.at_element(network.down[0] + 1, broadcast);
  EXPECT_EQ(protocol.element(3).last_broadcast, 1U);
  protocol.at_element(network.up[1] + 1, broadcast);
  EXPECT_EQ(round(1), 1U);
  EXPECT_EQ(protocol.element(1).last_broadcast, 0U) << "hosts pass nothing on";
}

TEST(Dffa, ASwitchThatIsAheadTakesTheNextRound) {
  Dumbbell network;
  network.add_flow(0, 0);
  network.add_flow(1, 1);
  LockstepCarrier<DffaMessage<Rational>> carrier(network.plane);
  Exact protocol(network.plane, carrier);
  const DffaMessage<Rational> broadcast{Kind::broadcast, true, 7, 0, 0};
  protocol.at_element(network.middle, broadcast);  // switch 3
  protocol.start(0);
  auto announcement = carrier.waiting.begin()->second;
  for (const LinkIndex l : network.plane.route(0)) protocol.at_link(l, 0, announcement);
  EXPECT_EQ(protocol.element(2).round, 1U);
  EXPECT_EQ(protocol.element(3).round, 8U);
  EXPECT_EQ(announcement.round, 8U);
  protocol.at_destination(0, announcement);
  EXPECT_EQ(protocol.element(4).round, 8U);
}

TEST(Dffa, APacketOfAnOldRoundChangesNothing) {
  Dumbbell network;
  network.add_flow(0, 0);
  LockstepCarrier<DffaMessage<Rational>> carrier(network.plane);
  Exact protocol(network.plane, carrier);
  const DffaMessage<Rational> broadcast{Kind::broadcast, true, 3, 0, 0};
  protocol.at_element(network.up[0], broadcast);  // switch 2
  DffaMessage<Rational> old{Kind::update, true, 2, of(1, 2), 1};
  protocol.at_link(network.middle, 0, old);
  EXPECT_EQ(protocol.link(network.middle).free, 1);
  DffaMessage<Rational> early{Kind::update, true, 4, of(1, 2), 1};
  EXPECT_THROW(protocol.at_link(network.middle, 0, early), RunError);
}

TEST(Dffa, ARateIsHeldUntilTheNextIsKnown) {
  for (const DuringCalculation rates : {DuringCalculation::hold, DuringCalculation::follow}) {
    Dumbbell network;
    network.add_flow(0, 0);
    network.add_flow(1, 1);
    DelayCarrier<Exact> carrier(network.plane, 10, 10);
    DffaSettings settings;
    settings.rates = rates;
    Exact protocol(network.plane, carrier, settings);
    carrier.attach(protocol);
    protocol.start(0);
    ASSERT_TRUE(carrier.run(INT64_MAX));
    ASSERT_EQ(protocol.rate(0), 1);
    protocol.start(1);
    std::vector<Rational> seen{1};
    while (carrier.step()) {
      if (protocol.rate(0) != seen.back()) seen.push_back(protocol.rate(0));
    }
    const bool is_held = rates == DuringCalculation::hold;
    EXPECT_EQ(seen, is_held ? (std::vector<Rational>{1, of(1, 2)})
                            : (std::vector<Rational>{1, 0, of(1, 2)}));
    EXPECT_EQ(protocol.rate(1), of(1, 2));
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

RC_GTEST_PROP(Dffa, IsFlowFairForTheFlowsThatAreLeft, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 12);
  const ControlPlane plane = any_network(count);
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Exact protocol(plane, carrier);
  carrier.attach(protocol);
  // From all at once to one after another.
  const auto span = *rc::gen::element<std::int64_t>(1, 1'000, 20'000, 200'000);
  std::vector<bool> is_active(count, true);
  for (FlowIndex f = 0; f < count; ++f) {
    const auto begin = *rc::gen::inRange<std::int64_t>(0, span);
    carrier.at(begin, [&protocol, f] { protocol.start(f); });
    if (!*rc::gen::inRange(0, 2)) continue;
    is_active[f] = false;
    carrier.at(begin + *rc::gen::inRange<std::int64_t>(0, span),
               [&protocol, f] { protocol.end(f); });
  }
  carrier.after_event = [&] {
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      RC_ASSERT(protocol.link(l).free >= Rational(0));
    }
  };
  RC_ASSERT(carrier.run(INT64_MAX));
  RC_ASSERT(carrier.most_in_flight == 1);
  const auto expected = progressive_filling(plane, is_active);
  for (FlowIndex f = 0; f < count; ++f) {
    RC_ASSERT(protocol.rate(f) == expected[f] * Rational(plane.weight(f)));
  }
  for (ElementIndex e = 0; e < plane.element_count(); ++e) {
    RC_ASSERT(protocol.element(e).round == protocol.element(0).round);
  }
  for (LinkIndex l = 0; l < plane.link_count(); ++l) {
    Rational weight = 0;
    for (FlowIndex f = 0; f < count; ++f) {
      const auto route = plane.route(f);
      if (is_active[f] && std::count(route.begin(), route.end(), l) > 0) {
        weight += Rational(plane.weight(f));
      }
    }
    RC_ASSERT(protocol.link(l).announced == weight);
    RC_ASSERT(protocol.link(l).active_flows == 0U);
  }
}

TEST(Dffa, FlowsThatNeverSettleNeverOversubscribeALink) {
  Dumbbell network;
  network.add_flow(0, 0);
  network.add_flow(0, 1);
  network.add_flow(1, 0);
  DelayCarrier<Exact> carrier(network.plane, 10, 60);
  Exact protocol(network.plane, carrier);
  carrier.attach(protocol);
  protocol.start(0);
  protocol.start(1);
  // The third comes and goes for ever, faster than a calculation takes.
  bool is_there = false;
  std::function<void()> toggle = [&] {
    if (!is_there) {
      protocol.start(2);
    } else {
      protocol.end(2);
    }
    is_there = !is_there;
    carrier.at(carrier.now().count + 1'000, toggle);
  };
  carrier.at(500, toggle);
  Rational least = 1;
  Rational most = 0;
  carrier.after_event = [&] {
    for (LinkIndex l = 0; l < network.plane.link_count(); ++l) {
      least = std::min(least, protocol.link(l).free);
    }
    most = std::max(most, Rational(protocol.rate(0) + protocol.rate(1)));
  };
  EXPECT_FALSE(carrier.run(300'000)) << "there is always something to do";
  EXPECT_EQ(least, 0) << "shares of a round are never more than the link has";
  EXPECT_EQ(most, 1);
  EXPECT_GT(protocol.element(2).round, 290U);
}

}  // namespace
}  // namespace weir::rates::dffa_protocol_test
