#include "weir/rates/flow_set.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "weir/base/error.hpp"
#include "weir/rates/flow_routes.hpp"

namespace weir::rates {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Fraction, KnowsThatThirdsAddUpToOne) {
  const Fraction third(1, 3);
  EXPECT_EQ(third + third + third, Fraction(1));
  EXPECT_EQ((Fraction(1) - third - third - third).value(), 0);
  EXPECT_LT(third, Fraction(34, 100));
  EXPECT_EQ(third.to_string(), "1/3");
  EXPECT_EQ((Fraction(0) - third).to_string(), "-1/3");
}

TEST(Fraction, TakesADoubleForTheDecimalThatItIsWrittenAs) {
  EXPECT_EQ(Fraction::decimal(0.1) + Fraction::decimal(0.2), Fraction::decimal(0.3));
  EXPECT_EQ(Fraction::decimal(0.1), Fraction(1, 10));
  EXPECT_EQ(Fraction::decimal(-2.5), Fraction(-5, 2));
  EXPECT_EQ(Fraction::decimal(1e-7), Fraction(1, 10'000'000));
  EXPECT_EQ(Fraction::decimal(3e20), Fraction(3'000'000'000) * Fraction(100'000'000'000));
}

RC_GTEST_PROP(Fraction, AgreesWithIntegersOverACommonDenominator, ()) {
  const auto number = [] { return *rc::gen::inRange<std::int64_t>(-1000, 1000); };
  const auto denominator = [] { return *rc::gen::inRange<std::int64_t>(1, 1000); };
  const std::int64_t a = number(), b = denominator(), c = number(), d = denominator();
  const Fraction x(a, b), y(c, d);
  RC_ASSERT(x + y == Fraction(a * d + c * b, b * d));
  RC_ASSERT(x - y == Fraction(a * d - c * b, b * d));
  RC_ASSERT(x * y == Fraction(a * c, b * d));
  RC_ASSERT((x < y) == (a * d < c * b));
  RC_ASSERT((x == y) == (a * d == c * b));
  if (c != 0) RC_ASSERT((x / y) * y == x);
  const std::int64_t g = std::gcd(a, b);
  RC_ASSERT(x.to_string() ==
            (b == g ? std::to_string(a / g) : std::to_string(a / g) + "/" + std::to_string(b / g)));
}

TEST(FlowSet, KeepsPathsWeightsAndApplications) {
  FlowSetBuilder builder(4);
  builder.add({0, 1});
  builder.add({1, 2, 3}, Fraction(2), ApplicationId(1));
  const FlowSet set = builder.build();
  EXPECT_EQ(set.flow_count(), 2U);
  EXPECT_EQ(set.application_count(), 2U);
  EXPECT_THAT(set.path(FlowId(1)), ElementsAre(LinkId(1), LinkId(2), LinkId(3)));
  EXPECT_EQ(set.weight(FlowId(0)), Fraction(1));
  EXPECT_EQ(set.weight(FlowId(1)), Fraction(2));
  EXPECT_EQ(set.application(FlowId(0)), ApplicationId(0));
  EXPECT_EQ(set.application(FlowId(1)), ApplicationId(1));
  const FlowsByLink by_link(set);
  EXPECT_THAT(by_link[LinkId(1)], ElementsAre(FlowId(0), FlowId(1)));
  EXPECT_THAT(by_link[LinkId(3)], ElementsAre(FlowId(1)));
  EXPECT_THAT(contention(set), ElementsAre(1, 2, 1, 1));
}

TEST(FlowSet, LinkWeightsAreOverTheCapacity) {
  FlowSetBuilder builder(std::vector{Fraction(1), Fraction(1, 2), Fraction(1)});
  builder.add({0, 1}, Fraction(3));
  const FlowSet set = builder.build();
  EXPECT_THAT(link_weights(set), ElementsAre(Fraction(3), Fraction(6), Fraction(0)));
}

TEST(FlowSet, RefusesWhatHasNoRate) {
  const auto refusal = [](auto add) {
    return message_of([&] {
      FlowSetBuilder builder(std::vector{Fraction(1), Fraction(0), Fraction(1)});
      add(builder);
      (void)builder.build();
    });
  };
  EXPECT_THAT(refusal([](FlowSetBuilder&) {}), HasSubstr("no flow"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) { b.add({}); }), HasSubstr("path has no link"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) {
                b.add({0, 1});
              }),
              HasSubstr("link 1 of its path has no capacity"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) { b.add({3}); }), HasSubstr("not among 3 links"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) {
                b.add({0, 2, 0});
              }),
              HasSubstr("crosses link 0 twice"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) { b.add({0}, Fraction(0)); }),
              HasSubstr("greater than 0, this is 0"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) { b.add({0}, Fraction(-1, 2)); }),
              HasSubstr("this is -1/2"));
  EXPECT_THAT(refusal([](FlowSetBuilder& b) { b.add({0}, Fraction(1), ApplicationId(2)); }),
              HasSubstr("application 0 has no flow"));
  EXPECT_THAT(message_of([] { FlowSetBuilder(std::vector{Fraction(-1)}); }), HasSubstr("negative"));
}

}  // namespace
}  // namespace weir::rates
