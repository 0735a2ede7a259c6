#include <gmock/gmock.h>

#include <cmath>
#include <ostream>
#include <vector>

#include "selection/mock_view.hpp"

namespace weir::selection::test {
namespace {

using routing::Candidate;

constexpr int kDraws = 30'000;

/// Counts within five standard deviations of an even spread over `ports`.
void expect_even(const std::map<std::uint16_t, int>& taken, std::size_t ports) {
  ASSERT_EQ(taken.size(), ports);
  const double mean = static_cast<double>(kDraws) / static_cast<double>(ports);
  const double deviation = std::sqrt(mean * (1 - 1.0 / static_cast<double>(ports)));
  for (const auto& [port, count] : taken) EXPECT_NEAR(count, mean, 5 * deviation) << port;
}

Outputs four(std::map<std::uint16_t, std::int64_t> credits = {}) {
  return {{{4, 0}, {5, 0}, {6, 0}, {7, 0}}, std::move(credits), {}, {}, 100};
}

std::map<std::uint16_t, int> draw(const std::string& name, const Outputs& outputs) {
  const auto selection = make_selection(name);
  return draw(*selection, outputs, kDraws);
}

TEST(Fixed, TakesTheDefaultRoute) {
  EXPECT_THAT(draw("fixed", four()), testing::ElementsAre(testing::Pair(4, kDraws)));
  EXPECT_TRUE(make_selection("fixed")->is_fixed());
}

TEST(Random, TakesEveryCandidateEquallyOften) {
  expect_even(draw("random", four()), 4);
  expect_even(draw("random", {{{1, 0}, {2, 0}, {3, 0}}, {}, {}, {}, 100}), 3);
  EXPECT_FALSE(make_selection("random")->is_fixed());
}

TEST(MostCredits, TakesTheBestWhereverItStands) {
  for (std::uint16_t best = 4; best < 8; ++best) {
    std::map<std::uint16_t, std::int64_t> credits{{4, 10}, {5, 9}, {6, 11}, {7, 10}};
    credits[best] = 50;
    EXPECT_THAT(draw("most-credits", four(credits)),
                testing::ElementsAre(testing::Pair(best, kDraws)));
  }
}

TEST(MostCredits, BreaksTiesEvenly) {
  expect_even(draw("most-credits", four({{4, 20}, {5, 20}, {6, 20}, {7, 20}})), 4);
  const auto taken = draw("most-credits", four({{4, 3}, {5, 20}, {6, 0}, {7, 20}}));
  expect_even(taken, 2);
  EXPECT_EQ(taken.count(5) + taken.count(7), 2U);
}

/// Settings with which a selection would rather keep the default route.
struct Reluctant {
  const char* model;
  const char* toml;
};
void PrintTo(const Reluctant& one, std::ostream* out) { *out << one.model; }

class FailedDefault : public testing::TestWithParam<Reluctant> {};

// Whatever else the selection looks at: no credit anywhere, ACKs, one other output or several.
TEST_P(FailedDefault, IsNotTakenWhereAnotherOutputWorks) {
  for (const std::int64_t message : {0, 4096}) {
    for (const std::vector<Candidate>& others :
         {std::vector<Candidate>{{5, 0}}, std::vector<Candidate>{{5, 0}, {6, 0}, {7, 0}}}) {
      Outputs outputs{others, {}, {}, {{5, 900}, {6, 900}, {7, 900}}, 100};
      outputs.message = message;
      outputs.failed_default = Candidate{4, 0};
      const auto selection = make_selection(GetParam().model, GetParam().toml);
      EXPECT_EQ(draw(*selection, outputs, 100).count(4), 0U) << message << " B, " << others.size();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Selections, FailedDefault,
    testing::Values(Reluctant{"adaptive-threshold", ""},
                    Reluctant{"adaptive-threshold", "isolation = \"afi\"\nthreshold = 1.0"},
                    Reluctant{"bxi", "larger_than = \"1 MiB\""}, Reluctant{"bxi", "outputs = 1"},
                    Reluctant{"omni-path", ""}, Reluctant{"omni-path", "policy = \"random\""},
                    Reluctant{"omni-path", "policy = \"greedy-random\""},
                    Reluctant{"slingshot", "lead = \"1 MiB\""}, Reluctant{"most-credits", ""},
                    Reluctant{"two-choices", ""}, Reluctant{"random", ""}, Reluctant{"spray", ""}));

}  // namespace
}  // namespace weir::selection::test
