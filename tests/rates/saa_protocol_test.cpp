#include "weir/rates/saa_protocol.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "rates/protocol_support.hpp"

namespace weir::rates::saa_protocol_test {
namespace {

using Exact = SaaProtocol<Rational>;

Rational of(int numerator, int denominator = 1) { return Rational(numerator) / denominator; }

/// Applications A {f1, f2}, B {f2, f3, f5}, C {f3, f4}, D {f5, f6}.
struct SixFlows {
  SixFlows() {
    for (int i = 0; i < 5; ++i) plane.add_element(false);
    const LinkIndex a = plane.add_cable(0, 1);
    const LinkIndex b = plane.add_cable(1, 2);
    const LinkIndex c = plane.add_cable(2, 3);
    const LinkIndex d = plane.add_cable(2, 4);
    const std::vector<std::vector<LinkIndex>> routes{{a}, {a, b}, {b, c}, {c}, {b, d}, {d}};
    const double weights[] = {1, 2, 1, 3, 2, 1};
    for (std::size_t f = 0; f < 6; ++f) plane.add_flow(routes[f], weights[f]);
  }
  ControlPlane plane;
};

TEST(SaaProtocol, SixWeightedFlows) {
  const SixFlows six;
  DelayCarrier<Exact> carrier(six.plane, 1, 1000);
  Exact protocol(six.plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < 6; ++f) protocol.start(f);
  ASSERT_TRUE(carrier.run(INT64_MAX));
  for (FlowIndex f = 0; f < 6; ++f) protocol.probe(f);
  ASSERT_TRUE(carrier.run(INT64_MAX));
  const Rational expected[] = {of(1, 3), of(2, 5), of(1, 5), of(3, 4), of(2, 5), of(1, 3)};
  for (FlowIndex f = 0; f < 6; ++f) EXPECT_EQ(protocol.rate(f), expected[f]) << "flow " << f;

  protocol.end(4);  // B is left to f2 and f3, D to f6
  ASSERT_TRUE(carrier.run(INT64_MAX));
  for (FlowIndex f = 0; f < 6; ++f) protocol.probe(f);
  ASSERT_TRUE(carrier.run(INT64_MAX));
  EXPECT_EQ(protocol.rate(4), 0);
  EXPECT_EQ(protocol.rate(1), of(2, 3));
  EXPECT_EQ(protocol.rate(2), of(1, 4));
  EXPECT_EQ(protocol.rate(5), 1);
}

TEST(SaaProtocol, OneRoundOfProbesIsPeriodic) {
  Row row(1);
  row.add_flow({0});
  row.add_flow({0});
  DelayCarrier<Exact> carrier(row.plane, 10, 10);
  Exact protocol(row.plane, carrier, {Time(1000)});
  carrier.attach(protocol);
  carrier.at(0, [&] { protocol.start(0); });
  carrier.at(500, [&] { protocol.start(1); });
  EXPECT_FALSE(carrier.run(900));
  EXPECT_EQ(protocol.rate(0), 1) << "it has not heard of the other";
  EXPECT_FALSE(carrier.run(1'100));
  EXPECT_EQ(protocol.rate(0), of(1, 2));
  EXPECT_EQ(carrier.sent[0], 2U);
}

TEST(SaaProtocol, AnEndThatWaitsForAnAnswerFollowsIt) {
  Row row(1);
  row.add_flow({0});
  DelayCarrier<Exact> carrier(row.plane, 1, 100);
  Exact protocol(row.plane, carrier);
  carrier.attach(protocol);
  protocol.start(0);
  protocol.end(0);
  ASSERT_TRUE(carrier.run(INT64_MAX));
  EXPECT_EQ(carrier.most_in_flight, 1);
  EXPECT_EQ(carrier.sent[0], 2U);
  EXPECT_EQ(protocol.link(row.link[0]).weight, 0);
}

TEST(SaaProtocol, DataTellsTheSourceOnlyWhatIsNew) {
  Row row(1);
  row.add_flow({0});
  row.add_flow({0});
  DelayCarrier<Exact> carrier(row.plane, 1, 1);
  Exact protocol(row.plane, carrier);
  carrier.attach(protocol);
  int answers = 0;
  const auto inject = [&] {
    const auto before = protocol.flow(0).heaviest;
    protocol.inject(0);
    carrier.run(INT64_MAX);
    if (protocol.flow(0).heaviest != before) ++answers;
  };
  protocol.start(0);
  carrier.run(INT64_MAX);
  inject();
  EXPECT_EQ(answers, 0);
  protocol.start(1);
  carrier.run(INT64_MAX);
  EXPECT_EQ(protocol.rate(0), 1);
  inject();
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(protocol.rate(0), of(1, 2));
  DelayCarrier<Exact>::Message known{Exact::Kind::data, 2, 2};
  EXPECT_FALSE(protocol.at_destination(0, known)) << "nothing new, nothing sent back";
}

RC_GTEST_PROP(SaaProtocol, IsExactAfterOneProbeAndFeasible, ()) {
  const ControlPlane plane = RandomNetwork{*rc::gen::inRange<std::size_t>(2, 6),
                                           2,
                                           *rc::gen::inRange<std::size_t>(2, 8),
                                           *rc::gen::inRange<std::size_t>(1, 15),
                                           1,
                                           true,
                                           true,
                                           *rc::gen::arbitrary<std::uint64_t>()}
                                 .build();
  const auto flows = static_cast<FlowIndex>(plane.flow_count());
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Exact protocol(plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < flows; ++f) protocol.start(f);
  RC_ASSERT(carrier.run(INT64_MAX));
  for (FlowIndex f = 0; f < flows; ++f) protocol.probe(f);
  RC_ASSERT(carrier.run(INT64_MAX));
  RC_ASSERT(carrier.most_in_flight == 1);
  std::vector<Rational> weight(plane.link_count(), 0);
  std::vector<Rational> load(plane.link_count(), 0);
  for (FlowIndex f = 0; f < flows; ++f) {
    for (const LinkIndex l : plane.route(f)) {
      weight[l] += Rational(plane.weight(f)) / Rational(plane.link(l).capacity);
      load[l] += protocol.rate(f);
    }
  }
  Rational completion = 0;
  for (FlowIndex f = 0; f < flows; ++f) {
    Rational heaviest = 0;
    for (const LinkIndex l : plane.route(f)) heaviest = std::max(heaviest, weight[l]);
    RC_ASSERT(protocol.rate(f) == Rational(plane.weight(f)) / heaviest);
    completion = std::max(completion, Rational(plane.weight(f) / protocol.rate(f)));
  }
  RC_ASSERT(completion == *std::max_element(weight.begin(), weight.end()));
  for (LinkIndex l = 0; l < plane.link_count(); ++l) {
    RC_ASSERT(load[l] <= Rational(plane.link(l).capacity));
  }
}

}  // namespace
}  // namespace weir::rates::saa_protocol_test
