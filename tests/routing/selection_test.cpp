#include <gmock/gmock.h>

#include <map>

#include "routing/support.hpp"

namespace weir::routing::test {
namespace {

/// Credits by port number.
class Credits : public OutputView {
 public:
  explicit Credits(std::map<std::uint16_t, std::int64_t> credits) : credits_(std::move(credits)) {}
  [[nodiscard]] std::int64_t credits(const Candidate& c) const override {
    return credits_.at(c.port);
  }
  [[nodiscard]] std::int64_t capacity(const Candidate&) const override { return 100; }
  [[nodiscard]] std::int64_t queued(const Candidate&) const override { return 0; }

 private:
  std::map<std::uint16_t, std::int64_t> credits_;
};

std::unique_ptr<SelectionFunction> make_selection(const std::string& name) {
  const auto& model = selection_registry().find(name, {}, "selection");
  return model.make(Settings::check({}, model.info.parameters, "selection"));
}

constexpr int kDraws = 30'000;

/// How often each port was taken.
std::map<std::uint16_t, int> draw(const std::string& name, const OutputView& outputs,
                                  const std::vector<Candidate>& candidates) {
  const auto selection = make_selection(name);
  RandomStream random(7, 3, StreamPurpose::selection);
  std::map<std::uint16_t, int> taken;
  for (int i = 0; i < kDraws; ++i) {
    ++taken[selection->select({}, candidates.front(), candidates, outputs, random).port];
  }
  return taken;
}

/// Counts within five standard deviations of an even spread over `ports`.
void expect_even(const std::map<std::uint16_t, int>& taken, std::size_t ports) {
  ASSERT_EQ(taken.size(), ports);
  const double mean = static_cast<double>(kDraws) / static_cast<double>(ports);
  const double deviation = std::sqrt(mean * (1 - 1.0 / static_cast<double>(ports)));
  for (const auto& [port, count] : taken) EXPECT_NEAR(count, mean, 5 * deviation) << port;
}

const std::vector<Candidate> kFour{{4, 0}, {5, 0}, {6, 0}, {7, 0}};

TEST(Fixed, TakesTheDefaultRoute) {
  const auto taken = draw("fixed", Credits({}), kFour);
  EXPECT_THAT(taken, testing::ElementsAre(testing::Pair(4, kDraws)));
  EXPECT_TRUE(make_selection("fixed")->is_fixed());
}

TEST(Random, TakesEveryCandidateEquallyOften) {
  expect_even(draw("random", Credits({}), kFour), 4);
  expect_even(draw("random", Credits({}), {{1, 0}, {2, 0}, {3, 0}}), 3);
  EXPECT_FALSE(make_selection("random")->is_fixed());
}

TEST(MostCredits, TakesTheBestWhereverItStands) {
  for (std::uint16_t best = 4; best < 8; ++best) {
    std::map<std::uint16_t, std::int64_t> credits{{4, 10}, {5, 9}, {6, 11}, {7, 10}};
    credits[best] = 50;
    EXPECT_THAT(draw("most-credits", Credits(credits), kFour),
                testing::ElementsAre(testing::Pair(best, kDraws)));
  }
}

TEST(MostCredits, BreaksTiesEvenly) {
  expect_even(draw("most-credits", Credits({{4, 20}, {5, 20}, {6, 20}, {7, 20}}), kFour), 4);
  const auto taken = draw("most-credits", Credits({{4, 3}, {5, 20}, {6, 0}, {7, 20}}), kFour);
  expect_even(taken, 2);
  EXPECT_EQ(taken.count(5) + taken.count(7), 2U);
}

}  // namespace
}  // namespace weir::routing::test
