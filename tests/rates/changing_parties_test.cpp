#include "weir/rates/parties.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rates/protocol_support.hpp"
#include "weir/rates/dafa_protocol.hpp"
#include "weir/rates/dffa_protocol.hpp"
#include "weir/rates/dffa_star_protocol.hpp"
#include "weir/rates/periodic_dffa_protocol.hpp"
#include "weir/rates/saa_protocol.hpp"

namespace weir::rates {
namespace {

/// Says what it is told to do.
class Diary : public ChangingParties<Diary> {
 public:
  Diary() : ChangingParties(2) {}
  void begin(std::uint32_t party) { written += "+" + std::to_string(party); }
  void finish(std::uint32_t party) { written += "-" + std::to_string(party); }
  using ChangingParties::gone;
  std::string written;
};

TEST(ChangingParties, AStartWaitsUntilTheEndIsThrough) {
  Diary diary;
  diary.start(0);
  diary.end(0);
  diary.start(0);
  diary.start(1);
  EXPECT_EQ(diary.written, "+0-0+1");
  diary.gone(0);
  EXPECT_EQ(diary.written, "+0-0+1+0");
  diary.end(0);
  diary.start(0);
  diary.end(0);
  diary.gone(0);
  EXPECT_EQ(diary.written, "+0-0+1+0-0") << "it has ended again before it could start";
  diary.start(0);
  EXPECT_EQ(diary.written, "+0-0+1+0-0+0");
}

TEST(ChangingParties, NobodyStartsOrEndsTwice) {
  Diary diary;
  EXPECT_THROW(diary.end(0), RunError);
  diary.start(0);
  EXPECT_THROW(diary.start(0), RunError);
  diary.end(0);
  EXPECT_THROW(diary.end(0), RunError);
  diary.start(0);
  EXPECT_THROW(diary.start(0), RunError);
}

// What the tests below have to know of each protocol. Rates are normalized.

struct OfSaa {
  using Protocol = SaaProtocol<Rational>;
  static Protocol make(const ControlPlane& plane, Carrier<Protocol::Message>& carrier) {
    return Protocol(plane, carrier, {Time(5'000)});
  }
  static void check(const ControlPlane& plane, const Protocol& protocol,
                    const std::vector<bool>& is_there) {
    std::vector<Rational> weight(plane.link_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      if (!is_there[f]) continue;
      for (const LinkIndex l : plane.route(f)) {
        weight[l] += Rational(plane.weight(f)) / Rational(plane.link(l).capacity);
      }
    }
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      Rational heaviest = 0;
      for (const LinkIndex l : plane.route(f)) heaviest = std::max(heaviest, weight[l]);
      RC_ASSERT(protocol.rate(f) ==
                (is_there[f] ? Rational(plane.weight(f)) / heaviest : Rational(0)));
    }
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      RC_ASSERT(protocol.link(l).weight == weight[l]);
    }
  }
};

/// Theorem 4.1.5, (1), (3) and (4); with no flow all links are as at first.
template <class Number>
void check_maximal(const ControlPlane& plane, const SaaMProtocol<Number>& protocol,
                   const std::vector<bool>& is_there) {
  std::vector<Number> weight(plane.link_count(), Number(0));
  std::vector<Number> left;
  for (LinkIndex l = 0; l < plane.link_count(); ++l) left.emplace_back(plane.link(l).capacity);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    if (!is_there[f]) RC_ASSERT(protocol.rate(f) == Number(0));
    if (!is_there[f]) continue;
    for (const LinkIndex l : plane.route(f)) {
      weight[l] += NumberTraits<Number>::quotient_up(Number(plane.weight(f)),
                                                     Number(plane.link(l).capacity));
      left[l] -= protocol.rate(f);
    }
  }
  for (LinkIndex l = 0; l < plane.link_count(); ++l) {
    RC_ASSERT(protocol.link(l).weight == weight[l]);
    RC_ASSERT(protocol.link(l).free == left[l]);
    RC_ASSERT(protocol.link(l).reserved == Number(0));
    RC_ASSERT(left[l] >= Number(0));
  }
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    if (!is_there[f]) continue;
    Number heaviest(0);
    double least = 1;
    for (const LinkIndex l : plane.route(f)) {
      heaviest = std::max(heaviest, weight[l]);
      least = std::min(least, static_cast<double>(left[l]));
    }
    RC_ASSERT(static_cast<double>(protocol.rate(f)) >=
              static_cast<double>(Number(Number(plane.weight(f)) / heaviest)) - 1e-6);
    RC_ASSERT(least <= 1e-6);
  }
}

struct OfSaaM {
  using Protocol = SaaMProtocol<Rational>;
  static Protocol make(const ControlPlane& plane, Carrier<Protocol::Message>& carrier) {
    SaaMSettings settings;
    settings.idle_period = Time(50'000);
    return Protocol(plane, carrier, settings);
  }
  static void check(const ControlPlane& plane, const Protocol& protocol,
                    const std::vector<bool>& is_there) {
    check_maximal(plane, protocol, is_there);
  }
};

struct OfDffa {
  using Protocol = DffaProtocol<Rational>;
  static Protocol make(const ControlPlane& plane, Carrier<Protocol::Message>& carrier) {
    return Protocol(plane, carrier);
  }
  static void check(const ControlPlane& plane, const Protocol& protocol,
                    const std::vector<bool>& is_there) {
    const std::vector<Rational> expected = progressive_filling(plane, is_there);
    std::vector<Rational> weight(plane.link_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      RC_ASSERT(protocol.rate(f) == expected[f] * Rational(plane.weight(f)));
      if (!is_there[f]) continue;
      for (const LinkIndex l : plane.route(f)) weight[l] += Rational(plane.weight(f));
    }
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      RC_ASSERT(protocol.link(l).announced == weight[l]);
      RC_ASSERT((protocol.link(l).announced_flows == 0) == (weight[l] == 0));
      RC_ASSERT(protocol.link(l).active_flows == 0U);
    }
  }
};

/// Applications are one flow each, so that they are fair as flows are.
struct OfDafa {
  using Protocol = DafaProtocol<Rational>;
  static Protocol make(const ControlPlane& plane, Carrier<Protocol::Message>& carrier) {
    return Protocol(plane, carrier, {0, Time(3'000)});
  }
  static void check(const ControlPlane& plane, const Protocol& protocol,
                    const std::vector<bool>& is_there) {
    const std::vector<Rational> expected = progressive_filling(plane, is_there);
    std::vector<Rational> weight(plane.link_count() * plane.flow_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      RC_ASSERT(protocol.rate(f) == expected[f] * Rational(plane.weight(f)));
      const auto route = plane.route(f);
      for (LinkIndex l = 0; l < plane.link_count(); ++l) {
        const bool crosses = is_there[f] && std::count(route.begin(), route.end(), l) > 0;
        RC_ASSERT(protocol.link(l).announced[f] == Rational(crosses ? plane.weight(f) : 0));
        RC_ASSERT(protocol.link(l).announced_flows[f] == (crosses ? 1U : 0U));
      }
    }
  }
};

struct OfPeriodicDffa {
  using Protocol = PeriodicDffaProtocol;
  static Protocol make(const ControlPlane& plane, Carrier<Protocol::Message>& carrier) {
    PeriodicDffaSettings settings;
    settings.saa_m.idle_period = Time(50'000);
    settings.saa_m.negligible = 1e-7;
    settings.period = Time(4'000'000);
    settings.calm = Time(1'500'000);
    return Protocol(plane, carrier, settings);
  }
  static void check(const ControlPlane& plane, const Protocol& protocol,
                    const std::vector<bool>& is_there) {
    check_maximal(plane, protocol.saa(), is_there);
    const std::vector<Rational> expected = progressive_filling(plane, is_there);
    std::vector<std::uint32_t> flows(plane.link_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      const double fair = static_cast<double>(expected[f]) * plane.weight(f);
      RC_ASSERT(std::abs(static_cast<double>(protocol.rate(f)) - fair) < 1e-6);
      if (!is_there[f]) continue;
      for (const LinkIndex l : plane.route(f)) ++flows[l];
    }
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      RC_ASSERT(protocol.link(l).announced_flows == flows[l]);
    }
  }
};

template <class Of>
class ProtocolsThatTakeChanges : public testing::Test {};
using Protocols = testing::Types<OfSaa, OfSaaM, OfDffa, OfDafa, OfPeriodicDffa>;
TYPED_TEST_SUITE(ProtocolsThatTakeChanges, Protocols);

/// Until nothing changes any more, from the next instant on.
template <class Network>
bool settle(Network& carrier, std::int64_t time = 2'000'000'000) {
  carrier.settle_after = std::max(carrier.settle_after, carrier.now().count + 1);
  return carrier.run(carrier.settle_after + time);
}

TYPED_TEST(ProtocolsThatTakeChanges, AFlowStartsAgainBeforeItsEndIsThrough) {
  using Protocol = typename TypeParam::Protocol;
  Row row(2);
  row.add_flow({0, 1}, 1, 0);
  row.add_flow({0}, 1, 1);
  row.add_flow({1}, 2, 2);
  DelayCarrier<Protocol> carrier(row.plane, 100, 100);
  Protocol protocol = TypeParam::make(row.plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < 3; ++f) carrier.at(0, [&protocol, f] { protocol.start(f); });
  ASSERT_TRUE(settle(carrier));
  // In one instant; then again while the second end is on its way; then an end before the start.
  const std::int64_t now = carrier.now().count;
  for (const std::int64_t time : {10, 150, 260, 400}) {
    carrier.at(now + time, [&] {
      protocol.end(0);
      protocol.start(0);
    });
  }
  carrier.at(now + 500, [&] { protocol.end(1); });
  carrier.at(now + 510, [&] { protocol.start(1); });
  carrier.at(now + 520, [&] { protocol.end(1); });
  carrier.settle_after = now + 521;
  ASSERT_TRUE(settle(carrier));
  EXPECT_EQ(carrier.most_in_flight, 1);
  TypeParam::check(row.plane, protocol, {true, false, true});
  EXPECT_GT(protocol.rate(0), decltype(protocol.rate(0))(0));
  carrier.at(carrier.now().count, [&] { protocol.end(0); });
  carrier.at(carrier.now().count, [&] { protocol.end(2); });
  ASSERT_TRUE(settle(carrier));
  TypeParam::check(row.plane, protocol, {false, false, false});
}

template <class Of>
void settles_after_random_changes() {
  using Protocol = typename Of::Protocol;
  const auto count = *rc::gen::inRange<std::size_t>(1, 9);
  const ControlPlane plane = RandomNetwork{*rc::gen::inRange<std::size_t>(2, 5),
                                           *rc::gen::inRange<std::size_t>(0, 3),
                                           *rc::gen::inRange<std::size_t>(2, 6),
                                           count,
                                           count,  // applications of one flow each
                                           true,
                                           true,
                                           *rc::gen::arbitrary<std::uint64_t>()}
                                 .build();
  DelayCarrier<Protocol> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Protocol protocol = Of::make(plane, carrier);
  carrier.attach(protocol);
  // From all in an instant to slower than a calculation.
  const auto gap = *rc::gen::element<std::int64_t>(1, 100, 3'000, 50'000, 3'000'000);
  std::vector<bool> is_there(count, false);
  for (FlowIndex f = 0; f < count; ++f) {
    std::int64_t time = 0;
    const auto changes = *rc::gen::inRange(f == 0 ? 1 : 0, 8);
    for (int i = 0; i < changes; ++i) {
      time += *rc::gen::inRange<std::int64_t>(0, gap);
      const bool starts = !is_there[f];
      is_there[f] = starts;
      // Numbers keep what happens to one flow in an instant in order.
      carrier.at(time, [&protocol, f, starts] { starts ? protocol.start(f) : protocol.end(f); });
      carrier.settle_after = std::max(carrier.settle_after, time + 1);
    }
  }
  RC_ASSERT(settle(carrier));
  RC_ASSERT(carrier.most_in_flight <= 1);
  Of::check(plane, protocol, is_there);
  for (FlowIndex f = 0; f < count; ++f) {
    if (is_there[f]) carrier.at(carrier.now().count, [&protocol, f] { protocol.end(f); });
  }
  RC_ASSERT(settle(carrier));
  Of::check(plane, protocol, std::vector<bool>(count, false));
}

RC_GTEST_PROP(ChangingFlows, SaaSettles, ()) { settles_after_random_changes<OfSaa>(); }
RC_GTEST_PROP(ChangingFlows, SaaMSettles, ()) { settles_after_random_changes<OfSaaM>(); }
RC_GTEST_PROP(ChangingFlows, DffaSettles, ()) { settles_after_random_changes<OfDffa>(); }
RC_GTEST_PROP(ChangingFlows, DafaSettles, ()) { settles_after_random_changes<OfDafa>(); }
RC_GTEST_PROP(ChangingFlows, PeriodicDffaSettles, ()) {
  settles_after_random_changes<OfPeriodicDffa>();
}

TEST(ChangingFlows, ThoseOfDffaStarAreFixed) {
  Row row(1);
  row.add_flow({0});
  DelayCarrier<DffaStarProtocol<Rational>> carrier(row.plane, 1, 100);
  DffaStarProtocol<Rational> protocol(row.plane, carrier);
  carrier.attach(protocol);
  protocol.start(0);
  EXPECT_THROW(protocol.end(0), RunError);
}

}  // namespace
}  // namespace weir::rates
