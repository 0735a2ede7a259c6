#include "weir/rates/dafa_protocol.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "rates/protocol_support.hpp"

namespace weir::rates {
namespace {

using Exact = DafaProtocol<Rational>;

Rational of(int numerator, int denominator = 1) { return Rational(numerator) / denominator; }

/// Counts the elements of a network, each of which adds one and the number of its cables.
class Census : public ProtocolDefaults {
 public:
  struct Message {
    bool is_answer = false;
    std::uint64_t elements = 0;
    std::uint64_t cables = 0;
  };
  struct Answer {
    std::uint64_t elements = 1;
    std::uint64_t cables = 0;
    void add(const Answer& other) {
      elements += other.elements;
      cables += other.cables;
    }
  };

  Census(const ControlPlane& plane, Carrier<Message>& carrier)
      : plane_(plane), carrier_(carrier), nodes_(plane.element_count()), visits_(nodes_.size()) {}

  void begin(ElementIndex leader) {
    leader_ = leader;
    ++visits_[leader];
    nodes_[leader].lead(plane_.out(leader).size(), {1, plane_.out(leader).size()});
    for (const LinkIndex l : plane_.out(leader)) {
      carrier_.send_over(l, {}, MessageClass::control);
    }
  }
  void at_link(LinkIndex, FlowIndex, Message&) {}
  void at_source(FlowIndex, const Message&) {}
  void start(FlowIndex) {}
  void end(FlowIndex) {}
  void at_element(LinkIndex in, const Message& m) {
    const ElementIndex e = plane_.link(in).to;
    if (!m.is_answer && e != leader_ && visits_[e] == 0) {
      ++visits_[e];
      nodes_[e].join(in, plane_.out(e).size(), {1, plane_.out(e).size()});
      for (const LinkIndex l : plane_.out(e)) {
        if (l != plane_.link(in).back) carrier_.send_over(l, {}, MessageClass::control);
      }
    } else if (m.is_answer) {
      nodes_[e].hear({m.elements, m.cables});
    } else {
      nodes_[e].hear();
    }
    if (!nodes_[e].is_complete() || e == leader_) return;
    const Answer& answer = nodes_[e].answer();
    carrier_.send_over(plane_.link(nodes_[e].parent()).back, {true, answer.elements, answer.cables},
                       MessageClass::control);
  }

  [[nodiscard]] const PifNode<Answer>& leader() const { return nodes_[leader_]; }
  [[nodiscard]] const std::vector<int>& visits() const { return visits_; }

 private:
  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  std::vector<PifNode<Answer>> nodes_;
  std::vector<int> visits_;
  ElementIndex leader_ = 0;
};

ControlPlane any_network(std::size_t flows, std::size_t applications) {
  return RandomNetwork{*rc::gen::inRange<std::size_t>(2, 6),
                       *rc::gen::inRange<std::size_t>(0, 4),
                       *rc::gen::inRange<std::size_t>(2, 8),
                       flows,
                       applications,
                       true,
                       true,
                       *rc::gen::arbitrary<std::uint64_t>()}
      .build();
}

RC_GTEST_PROP(Pif, VisitsEveryElementOnceAndEndsAtItsLeader, ()) {
  const ControlPlane plane = any_network(1, 1);
  DelayCarrier<Census> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Census census(plane, carrier);
  carrier.attach(census);
  census.begin(
      *rc::gen::inRange<ElementIndex>(0, static_cast<ElementIndex>(plane.element_count())));
  RC_ASSERT(carrier.run(INT64_MAX));
  RC_ASSERT(census.leader().is_complete());
  RC_ASSERT(census.leader().answer().elements == plane.element_count());
  RC_ASSERT(census.leader().answer().cables == plane.link_count());
  RC_ASSERT(census.visits() == std::vector<int>(plane.element_count(), 1));
  // Each cable carries one message each way.
  RC_ASSERT(carrier.over == plane.link_count());
}

/// Rates of applications by progressive filling (zdornov2009, section 4.3.2, first form),
/// normalized; applications that are not in `is_active` get nothing.
std::vector<Rational> application_filling(const ControlPlane& plane,
                                          const std::vector<bool>& is_active,
                                          std::uint32_t* iterations = nullptr) {
  std::vector<Rational> rate(plane.application_count(), 0);
  std::vector<bool> grows = is_active;
  std::vector<Rational> rest;
  for (LinkIndex l = 0; l < plane.link_count(); ++l) rest.emplace_back(plane.link(l).capacity);
  while (true) {
    std::vector<Rational> weight(plane.link_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      if (!grows[plane.application(f)]) continue;
      for (const LinkIndex l : plane.route(f)) weight[l] += Rational(plane.weight(f));
    }
    Rational least = -1;
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      if (weight[l] > 0 && (least < 0 || rest[l] / weight[l] < least)) least = rest[l] / weight[l];
    }
    if (least < 0) return rate;
    if (iterations != nullptr) ++*iterations;
    for (LinkIndex l = 0; l < plane.link_count(); ++l) rest[l] -= least * weight[l];
    for (std::size_t a = 0; a < rate.size(); ++a) {
      if (grows[a]) rate[a] += least;
    }
    const std::vector<bool> grew = grows;
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      for (const LinkIndex l : plane.route(f)) {
        if (grew[plane.application(f)] && rest[l] == 0) grows[plane.application(f)] = false;
      }
    }
  }
}

TEST(Dafa, TwoApplicationsInTwoIterations) {
  // Three flows of the first share a cable, its fourth one with the second.
  ControlPlane plane;
  for (int i = 0; i < 4; ++i) plane.add_element(true);
  const ElementIndex middle = plane.add_element(false);
  const LinkIndex first = plane.add_cable(0, middle);
  const LinkIndex second = plane.add_cable(1, middle);
  const LinkIndex to_first = plane.add_cable(middle, 2);
  const LinkIndex to_second = plane.add_cable(middle, 3);
  for (int i = 0; i < 3; ++i) plane.add_flow(std::vector<LinkIndex>{first, to_first}, 1, 0);
  plane.add_flow(std::vector<LinkIndex>{second, to_second}, 1, 0);
  plane.add_flow(std::vector<LinkIndex>{second, to_second}, 1, 1);
  DelayCarrier<Exact> carrier(plane, 1, 100);
  Exact protocol(plane, carrier, {middle, Time()});
  carrier.attach(protocol);
  protocol.know_all();
  protocol.begin_calculation();
  ASSERT_TRUE(carrier.run(INT64_MAX));
  EXPECT_EQ(protocol.leader().iterations, 2U);
  for (FlowIndex f = 0; f < 4; ++f) EXPECT_EQ(protocol.rate(f), of(1, 3));
  EXPECT_EQ(protocol.rate(4), of(2, 3));
}

TEST(Dafa, TheWorkerOfALinkStepByStep) {
  Row row(1);
  row.add_flow({0}, 1, 0);
  row.add_flow({0}, 2, 1);
  LockstepCarrier<Exact::Message> carrier(row.plane);
  Exact protocol(row.plane, carrier);
  protocol.know_all();
  auto link = protocol.link(row.link[0]);
  link.reset();
  EXPECT_EQ(link.weight, 3);
  EXPECT_EQ(link.collect({}), of(1, 3));
  EXPECT_TRUE(link.distribute(of(1, 6)).none());
  EXPECT_EQ(link.free, of(1, 2));
  ApplicationSet second;
  second.set(1);
  EXPECT_EQ(link.collect(second), of(1, 2)) << "the second is held down elsewhere";
  EXPECT_EQ(link.weight, 1);
  ApplicationSet first;
  first.set(0);
  EXPECT_EQ(link.distribute(of(1, 2)), first);
  EXPECT_EQ(link.collect(first), NumberTraits<Rational>::unbounded());
  EXPECT_TRUE(link.distribute(of(1)).none()) << "a full link without applications stays silent";
}

RC_GTEST_PROP(Dafa, OneCalculationIsApplicationFair, ()) {
  const auto flows = *rc::gen::inRange<std::size_t>(1, 15);
  const auto applications = *rc::gen::inRange<std::size_t>(1, flows + 1);
  const ControlPlane plane = any_network(flows, applications);
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  const auto elements = static_cast<ElementIndex>(plane.element_count());
  Exact protocol(plane, carrier, {*rc::gen::inRange<ElementIndex>(0, elements), Time()});
  carrier.attach(protocol);
  protocol.know_all();
  protocol.begin_calculation();
  carrier.after_event = [&] {
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      RC_ASSERT(protocol.link(l).free >= Rational(0));
    }
  };
  RC_ASSERT(carrier.run(INT64_MAX));
  std::uint32_t iterations = 0;
  const auto expected =
      application_filling(plane, std::vector<bool>(plane.application_count(), true), &iterations);
  RC_ASSERT(protocol.leader().iterations == iterations);
  RC_ASSERT(iterations <= plane.application_count());
  for (FlowIndex f = 0; f < flows; ++f) {
    RC_ASSERT(protocol.rate(f) == expected[plane.application(f)] * Rational(plane.weight(f)));
  }
}

RC_GTEST_PROP(Dafa, IsFairToTheApplicationsThatAreLeft, ()) {
  const auto flows = *rc::gen::inRange<std::size_t>(1, 15);
  const auto applications = *rc::gen::inRange<std::size_t>(1, flows + 1);
  const ControlPlane plane = any_network(flows, applications);
  const std::size_t count = plane.application_count();
  DelayCarrier<Exact> carrier(plane, 1, 1000, *rc::gen::arbitrary<std::uint64_t>());
  Exact protocol(plane, carrier, {0, Time(*rc::gen::inRange<std::int64_t>(0, 5'000))});
  carrier.attach(protocol);
  std::vector<bool> is_active(count, true);
  for (ApplicationIndex a = 0; a < count; ++a) {
    const auto begin = *rc::gen::inRange<std::int64_t>(0, 50'000);
    carrier.at(begin, [&protocol, a] { protocol.start(a); });
    if (!*rc::gen::inRange(0, 2)) continue;
    is_active[a] = false;
    carrier.at(begin + *rc::gen::inRange<std::int64_t>(0, 50'000),
               [&protocol, a] { protocol.end(a); });
  }
  RC_ASSERT(carrier.run(INT64_MAX));
  const auto expected = application_filling(plane, is_active);
  for (FlowIndex f = 0; f < flows; ++f) {
    RC_ASSERT(protocol.rate(f) == expected[plane.application(f)] * Rational(plane.weight(f)));
  }
  for (ElementIndex e = 0; e < plane.element_count(); ++e) {
    RC_ASSERT(protocol.element(e).round == protocol.calculations());
  }
}

TEST(Dafa, ACalculationThatKnowsHalfAnApplicationGivesItNothing) {
  // The second application has one flow that begins at the link which both of its flows cross, and
  // one that begins nine links before. The round of the first begins between their announcements.
  Row row(11);
  const FlowIndex first = row.add_flow({10}, 1, 0);
  const FlowIndex near = row.add_flow({9}, 1, 1);
  const FlowIndex far = row.add_flow({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 1);
  DelayCarrier<Exact> carrier(row.plane, 100, 100);
  Exact protocol(row.plane, carrier, {row.plane.link(row.link[10]).from, Time(50'000)});
  carrier.attach(protocol);
  carrier.at(0, [&protocol] { protocol.start(0); });
  carrier.at(49'800, [&protocol] { protocol.start(1); });
  bool is_partial = false;
  Rational most = 0;
  carrier.after_event = [&] {
    if (protocol.calculations() == 1 && protocol.rate(first) > 0) is_partial = true;
    most = std::max(most, Rational(protocol.rate(near) + protocol.rate(far)));
  };
  ASSERT_TRUE(carrier.run(INT64_MAX));
  EXPECT_TRUE(is_partial) << "there was a result before the second application asked for one";
  EXPECT_EQ(most, 1);
  EXPECT_EQ(protocol.rate(near), of(1, 2));
  EXPECT_EQ(protocol.rate(far), of(1, 2));
}

TEST(Dafa, RefusesMoreApplicationsThanAPacketHasBitsFor) {
  Row row(1);
  row.add_flow({0}, 1, 128);
  LockstepCarrier<Exact::Message> carrier(row.plane);
  EXPECT_THROW(Exact(row.plane, carrier), InputError);
}

}  // namespace
}  // namespace weir::rates
