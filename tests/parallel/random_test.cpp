// Configurations put together at random give the same numbers, however they are divided.
// Some of them in every run of the tests; scripts/check-threads runs hundreds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "parallel/random_configuration.hpp"
#include "parallel/refused.hpp"
#include "parallel/same_numbers.hpp"

namespace weir::experiment::parallel {
namespace {

constexpr std::uint32_t kShares = 4;

/// A share of the configurations.
class RandomConfigurations : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  /// What is wrong with one; empty: nothing.
  std::string difference_of(const ConfigTable& experiment) {
    const Configuration configuration = resolve(experiment);
    const Numbers whole = run(configuration, {});
    if (whole.packets > 0) ++busy_;
    std::string out;
    for (const Division& division : divisions_) {
      if (division.ranks > 0 && is_refused(configuration, division)) continue;
      if (division.ranks > 0) ++in_ranks_;
      const std::string differs = difference(whole, run(configuration, division));
      if (!differs.empty()) out += to_string(division) + ":\n" + differs;
    }
    return out;
  }

  static bool is_refused(const Configuration& configuration, const Division& division) {
    const std::optional<InputError> error = refusal(configuration, division);
    if (!error) return false;
    EXPECT_NE(find_refused(*error, kRefusedInRanks), nullptr) << error->what();
    return true;
  }

  /// In any parts that are drawn, and in those that a user has.
  void choose_divisions(std::uint32_t number, bool all) {
    divisions_.clear();
    for (std::uint32_t parts = 2; parts <= 4; ++parts) {
      if (all || number % 3 == parts - 2) divisions_.push_back({parts, number});
    }
    if (all || number % 4 == 0) divisions_.push_back({2 + number % 3});
    divisions_.push_back({1 + number / 2 % 2, number, 2 + number % 3});
  }

  /// `with`: TOML that it has before anything is drawn.
  void try_one(std::uint64_t seed, std::uint32_t number, const std::string& with = "") {
    RandomConfiguration drawn(seed, number, with);
    EXPECT_EQ(drawn.refused_unexpectedly(), "")
        << "configuration " << number << " of seed " << seed;
    ++runs_;
    const std::string differs = difference_of(drawn.experiment());
    if (differs.empty()) return;
    drawn.shrink([&](const ConfigTable& less) { return !difference_of(less).empty(); });
    std::string parts;
    for (const std::string& name : drawn.names()) parts += (parts.empty() ? "" : ", ") + name;
    ADD_FAILURE() << fmt::format(
        "configuration {} of seed {}: {}\nto see it again: WEIR_DRAWN_SEED={} WEIR_DRAWN_ONLY={} "
        "build/release/bin/weir_parallel_tests --gtest_filter='*RandomConfigurations*'\n"
        "what is left of it: {}\n{}\n{}",
        number, seed, differs, seed, number, parts, to_toml(drawn.experiment()),
        difference_of(drawn.experiment()));
  }

  std::vector<Division> divisions_;
  int runs_ = 0;
  int busy_ = 0;
  int in_ranks_ = 0;
};

TEST_P(RandomConfigurations, GiveTheSameNumbersInParts) {
  const std::uint64_t seed = from_environment("WEIR_DRAWN_SEED", 1);
  const auto count = static_cast<std::uint32_t>(from_environment("WEIR_DRAWN", 48));
  const bool is_asked_for = std::getenv("WEIR_DRAWN") != nullptr;
  if (std::getenv("WEIR_DRAWN_ONLY") != nullptr) {
    const auto number = static_cast<std::uint32_t>(from_environment("WEIR_DRAWN_ONLY", 0));
    choose_divisions(number, true);
    if (number % kShares == GetParam()) try_one(seed, number);
    return;
  }
  for (std::uint32_t number = GetParam(); number < count; number += kShares) {
    choose_divisions(number, is_asked_for);
    try_one(seed, number);
  }
  EXPECT_GT(in_ranks_, 0);
  EXPECT_GT(busy_ * 10, runs_ * 9) << "in too many of them nothing happens";
}

/// Messages that wait for their connection are measured in the slice of time in which they are
/// known, by each part for itself.
TEST_P(RandomConfigurations, GiveTheSameIntervalsWithConnections) {
  const std::uint64_t seed = from_environment("WEIR_DRAWN_SEED", 1);
  const auto count = static_cast<std::uint32_t>(from_environment("WEIR_DRAWN", 48) / 3);
  for (std::uint32_t number = GetParam(); number < count; number += kShares) {
    choose_divisions(number, false);
    try_one(seed, number,
            std::string(number / kShares % 2 == 0 ? "[metrics]\nintervals = true\n"
                                                  : "[experiment]\nwarmup = \"auto\"\n") +
                "[traffic.cold]\nreserve = \"3 Gbps\"\n[admission]\nmodel = \"link-by-link\"\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, RandomConfigurations, ::testing::Range(0U, kShares));

}  // namespace
}  // namespace weir::experiment::parallel
