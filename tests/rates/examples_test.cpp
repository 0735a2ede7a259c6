#include <gmock/gmock.h>

#include "rates/support.hpp"

// The small exact examples of zdornov2009, section 1.3.

namespace weir::rates {
namespace {

using testing::ElementsAre;

Fraction over(std::int64_t n, std::int64_t d) { return Fraction(n, d); }

/// Six flows, two switches: f1, f2 to d1 and f3, f4 to d2 share a link; f5, f6 join them at d2.
FlowSet six_flows() {
  enum : int { kBetween = 6, kToD1 = 7, kToD2 = 8 };
  FlowSetBuilder builder(9);
  builder.add({0, kBetween, kToD1});
  builder.add({1, kBetween, kToD1});
  builder.add({2, kBetween, kToD2});
  builder.add({3, kBetween, kToD2});
  builder.add({4, kToD2});
  builder.add({5, kToD2});
  return builder.build();
}

TEST(SixFlows, AllSchemesGiveAQuarterAndEndAtFour) {
  const FlowSet set = six_flows();
  for (const Assignment& rates : {saa(set), ffa(set), afa(set), global_minimum(set)}) {
    EXPECT_THAT(normalized(rates), testing::Each(over(1, 4)));
    EXPECT_EQ(completion_time(rates), Fraction(4));
  }
}

/// V1: s1 sends f1, f2, f3 to d1, s2 sends f4 and f5 to d2; f1 to f4 belong together.
FlowSet two_applications() {
  FlowSetBuilder builder(4);
  for (int f = 0; f < 3; ++f) builder.add({0, 1});
  builder.add({2, 3});
  builder.add({2, 3}, Fraction(1), ApplicationId(1));
  return builder.build();
}

TEST(TwoApplications, TheOneThatIsHeldBackElsewhereLeavesItsShare) {
  const FlowSet set = two_applications();
  EXPECT_THAT(normalized(ffa(set)),
              ElementsAre(over(1, 3), over(1, 3), over(1, 3), over(1, 2), over(1, 2)));
  for (const Assignment& rates : {afa(set), afa_by_flows(set), pafa(set)}) {
    EXPECT_THAT(normalized(rates),
                ElementsAre(over(1, 3), over(1, 3), over(1, 3), over(1, 3), over(2, 3)));
    EXPECT_EQ(rates.levels.size(), 2U);
    EXPECT_THAT(application_rates(set, rates), ElementsAre(over(1, 3), over(2, 3)));
  }
}

class TightBound : public testing::TestWithParam<int> {};

// V2: X = sw1 -> d1 carries f1 and f2; Y = s2 -> sw1 carries f2 and f3.
TEST_P(TightBound, OfFlows) {
  const int w = GetParam();
  FlowSetBuilder builder(2);
  builder.add({0}, Fraction(1));
  builder.add({1, 0}, over(w - 1, 2));
  builder.add({1}, over(w + 1, 2));
  const FlowSet set = builder.build();
  const Assignment fair = ffa(set);
  EXPECT_EQ(saa(set).normalized_rate(FlowId(0)), over(2, w + 1));
  EXPECT_EQ(fair.normalized_rate(FlowId(1)), over(1, w));
  EXPECT_EQ(fair.normalized_rate(FlowId(0)), over(w + 1, 2 * w));
  EXPECT_EQ(fair.normalized_rate(FlowId(0)) / saa(set).normalized_rate(FlowId(0)),
            over((w + 1) * (w + 1), 4 * w));
}

// V3: link 0 carries f1 of one application and f2 of the other, whose f3 has link 1 for itself.
TEST_P(TightBound, OfApplications) {
  const int w = GetParam();
  FlowSetBuilder builder(2);
  builder.add({0}, Fraction(1));
  builder.add({0}, over(w - 1, 2), ApplicationId(1));
  builder.add({1}, Fraction(w), ApplicationId(1));
  const FlowSet set = builder.build();
  for (const Assignment& rates : {afa(set), afa_by_flows(set), pafa(set)}) {
    EXPECT_THAT(application_rates(set, rates), ElementsAre(over(w + 1, 2 * w), over(1, w)));
  }
  for (const Assignment& rates : {ffa(set), saa(set)}) {
    EXPECT_EQ(application_rates(set, rates)[0], over(2, w + 1));
    EXPECT_EQ(application_rates(set, afa(set))[0] / application_rates(set, rates)[0],
              over((w + 1) * (w + 1), 4 * w));
  }
}

INSTANTIATE_TEST_SUITE_P(W, TightBound, testing::Values(2, 3, 5, 17, 100));

TEST(Examples, TwoLinksWithOneFlowInCommon) {  // V4, V7
  FlowSetBuilder builder(2);
  builder.add({0});
  builder.add({0, 1});
  builder.add({1});
  builder.add({1});
  const FlowSet set = builder.build();
  EXPECT_THAT(normalized(saa(set)), ElementsAre(over(1, 2), over(1, 3), over(1, 3), over(1, 3)));
  const Assignment fair = ffa(set);
  EXPECT_THAT(normalized(fair), ElementsAre(over(2, 3), over(1, 3), over(1, 3), over(1, 3)));
  EXPECT_THAT(fair.bottleneck, ElementsAre(LinkId(0), LinkId(1), LinkId(1), LinkId(1)));
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    EXPECT_EQ(normalized(saa_maximal(set, seed)), normalized(fair)) << "the only maximal one";
  }
  EXPECT_THAT(normalized(global_minimum(set)), testing::Each(over(1, 3)));
}

TEST(Examples, Weighted) {  // V5
  enum : int { kA, kB, kC, kD };
  FlowSetBuilder builder(4);
  builder.add({kA}, Fraction(1), ApplicationId(0));
  builder.add({kA, kB}, Fraction(2), ApplicationId(1));
  builder.add({kB, kC}, Fraction(1), ApplicationId(1));
  builder.add({kC}, Fraction(3), ApplicationId(2));
  builder.add({kB, kD}, Fraction(2), ApplicationId(0));
  builder.add({kD}, Fraction(1), ApplicationId(2));
  const FlowSet set = builder.build();
  EXPECT_THAT(link_weights(set), ElementsAre(Fraction(3), Fraction(5), Fraction(4), Fraction(3)));
  EXPECT_THAT(normalized(saa(set)),
              ElementsAre(over(1, 3), over(1, 5), over(1, 5), over(1, 4), over(1, 5), over(1, 3)));
  EXPECT_THAT(rates_of(set, saa(set)),
              ElementsAre(over(1, 3), over(2, 5), over(1, 5), over(3, 4), over(2, 5), over(1, 3)));
  EXPECT_THAT(normalized(ffa(set)),
              ElementsAre(over(3, 5), over(1, 5), over(1, 5), over(4, 15), over(1, 5), over(3, 5)));
  EXPECT_THAT(rates_of(set, ffa(set)),
              ElementsAre(over(3, 5), over(2, 5), over(1, 5), over(4, 5), over(2, 5), over(3, 5)));
  EXPECT_EQ(ffa(set).levels.size(), 3U);
  for (const Assignment& rates : {afa(set), afa_by_flows(set), pafa(set)}) {
    EXPECT_THAT(application_rates(set, rates), ElementsAre(over(1, 5), over(1, 5), over(4, 15)));
    EXPECT_EQ(rates.levels.size(), 2U);
  }
}

TEST(Examples, Cascade) {  // V6
  const std::vector<int> own{8, 6, 5, 4, 3, 2, 1};
  FlowSetBuilder builder(own.size());
  std::vector<FlowId> last_of_link;
  for (int l = 0; l < 7; ++l) {
    for (int i = 0; i < own[static_cast<std::size_t>(l)]; ++i) {
      last_of_link.resize(static_cast<std::size_t>(l));
      last_of_link.push_back(i == 0 && l < 6 ? builder.add({l, l + 1}) : builder.add({l}));
    }
  }
  const FlowSet set = builder.build();
  ASSERT_EQ(set.flow_count(), 29U);
  const Assignment fair = ffa(set);
  EXPECT_THAT(fair.levels, ElementsAre(over(1, 8), over(7, 48), over(41, 240), over(199, 960),
                                       over(761, 2880), over(2119, 5760), over(3641, 5760)));
  const Assignment shares = saa(set);
  for (std::size_t l = 0; l < 7; ++l) {
    EXPECT_EQ(fair.level[last_of_link[l].index()], l);
    EXPECT_EQ(shares.normalized_rate(last_of_link[l]),
              over(1, std::vector<int>{8, 7, 6, 5, 4, 3, 2}[l]));
  }
}

TEST(Examples, WhatIsLeftToSporadicTrafficIsNotGivenAway) {  // 3.18: capacity 1 - alpha
  FlowSetBuilder builder(std::vector{Fraction::decimal(1 - 0.1), Fraction(1), Fraction(3)});
  builder.add({0, 1});
  builder.add({1});
  builder.add({0, 2});
  const FlowSet set = builder.build();
  EXPECT_THAT(normalized(ffa(set)), ElementsAre(over(9, 20), over(11, 20), over(9, 20)));
  EXPECT_THAT(normalized(saa(set)), ElementsAre(over(9, 20), over(1, 2), over(9, 20)));
}

TEST(Certificate, FindsWhatIsWrong) {
  FlowSetBuilder builder(2);
  builder.add({0});
  builder.add({0, 1});
  builder.add({1});
  builder.add({1});
  const FlowSet set = builder.build();
  const Assignment good = ffa(set);
  const auto wrong = [&](auto change, Promise promise = Promise::max_min_flows) {
    Assignment bad = good;
    change(bad);
    return find_violation(set, bad, promise).value_or("nothing");
  };
  EXPECT_EQ(wrong([](Assignment&) {}), "nothing");
  EXPECT_EQ(wrong([](Assignment&) {}, Promise::maximal), "nothing");
  EXPECT_EQ(wrong([](Assignment& a) { a.levels[1] = Fraction(7, 10); }),
            "link 0 carries 31/30, more than its capacity 1");
  EXPECT_EQ(wrong([](Assignment& a) { a.levels[1] = Fraction(1, 2); }),
            "flow 0: its bottleneck, link 0, is not full");
  EXPECT_EQ(wrong([](Assignment& a) { a.bottleneck[0] = LinkId(1); }),
            "flow 0: its bottleneck, link 1, is not on its path");
  EXPECT_EQ(wrong([](Assignment& a) { a.bottleneck[1] = LinkId(0); }),
            "flow 1: its bottleneck, link 0, carries a faster flow");
  EXPECT_EQ(wrong([](Assignment& a) { a.levels[1] = a.levels[0]; }), "levels do not ascend");
  EXPECT_EQ(wrong([](Assignment& a) { a.levels[0] = Fraction(0); }),
            "a rate is not greater than 0");
  EXPECT_EQ(wrong([](Assignment&) {}, Promise::single_application),
            "flow 0 has not its share of the heaviest link");
  EXPECT_EQ(wrong([](Assignment&) {}, Promise::equal), "not all normalized rates are equal");
  EXPECT_EQ(wrong([](Assignment&) {}, Promise::max_min_applications),
            "application 0: its flows 0 and 1 differ");
}

TEST(Certificate, FindsUnusedCapacityAndTooSmallShares) {
  FlowSetBuilder builder(2);
  builder.add({0});
  builder.add({0, 1});
  const FlowSet set = builder.build();
  Assignment bad;
  bad.levels = {Fraction(1, 4), Fraction(3, 4)};
  bad.level = {1, 0};
  bad.bottleneck = {LinkId(0), LinkId(0)};
  EXPECT_EQ(find_violation(set, bad, Promise::maximal),
            "flow 1 has less than its share of the heaviest link");
  EXPECT_EQ(find_violation(set, bad, Promise::max_min_flows),
            "flow 1: its bottleneck, link 0, carries a faster flow");
  bad.bottleneck = {LinkId(0), LinkId(1)};
  EXPECT_EQ(find_violation(set, bad, Promise::single_application),
            "flow 0 has not its share of the heaviest link");
  bad.levels = {Fraction(1, 2)};
  bad.level = {0, 0};
  EXPECT_EQ(find_violation(set, bad, Promise::single_application),
            "flow 1: its bottleneck, link 1, is not the heaviest");
}

}  // namespace
}  // namespace weir::rates
