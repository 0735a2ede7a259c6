// A run that goes on from checkpoints gives the numbers of one that was never stopped, however it
// is divided before and after each.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "parallel/random_configuration.hpp"
#include "parallel/same_numbers.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment::parallel {
namespace {

Configuration small(const std::string& more) {
  ConfigTable table = parse_experiment(small_experiment(), "checkpoints");
  lay_over(table, expanded(parse_toml(more, "checkpoints")));
  return resolve(table);
}

std::string difference_of(const Configuration& experiment, const std::vector<Division>& stages) {
  return difference(run(experiment, {}), run_in_stages(experiment, stages));
}

TEST(Checkpoints, AreWhereARunGoesOn) {
  const Configuration experiment = small("");
  ASSERT_EQ(no_checkpoints(experiment), "");
  ASSERT_GT(run(experiment, {}).packets, 100U);
  EXPECT_EQ(difference_of(experiment, {{1}, {1}}), "");
  EXPECT_EQ(difference_of(experiment, {{1}, {1}, {1}, {1}}), "");
}

TEST(Checkpoints, LetAnotherNumberOfThreadsGoOn) {
  const Configuration experiment = small("");
  EXPECT_EQ(difference_of(experiment, {{1}, {3}}), "");
  EXPECT_EQ(difference_of(experiment, {{2}, {1}}), "");
  EXPECT_EQ(difference_of(experiment, {{2}, {4}, {3, 7}}), "");
}

TEST(Checkpoints, LetAnotherNumberOfProcessesGoOn) {
  const Configuration experiment = small("");
  EXPECT_EQ(difference_of(experiment, {{1}, {1, std::nullopt, 2}}), "");
  EXPECT_EQ(difference_of(experiment, {{1, std::nullopt, 3}, {2}, {2, 5, 2}, {1}}), "");
}

TEST(Checkpoints, OfRandomConfigurationsLoseNothing) {
  const std::uint64_t seed = from_environment("WEIR_DRAWN_SEED", 1);
  const std::uint64_t count = from_environment("WEIR_CHECKPOINTS_DRAWN", 12);
  std::uint64_t compared = 0;
  for (std::uint32_t number = 0; compared < count && number < 40 * count; ++number) {
    RandomConfiguration drawn(seed, number);
    const Configuration experiment = resolve(drawn.experiment());
    if (experiment.kind->is_search || !no_checkpoints(experiment).empty()) continue;
    ++compared;
    const Division divided{1 + number % 3, number, 0};
    const Division ranks{1, number, 2};
    const std::vector<std::vector<Division>> ways{
        {{1}, {1}, {1}}, {{1}, divided, {1}}, {divided, {2}}, {{2}, ranks}, {ranks, {1}}};
    const std::string differs = difference_of(experiment, ways[number % ways.size()]);
    if (differs.empty()) continue;
    drawn.shrink([&](const ConfigTable& less) {
      return !difference_of(resolve(less), ways[number % ways.size()]).empty();
    });
    ADD_FAILURE() << fmt::format("configuration {} of seed {}: {}\n{}\n", number, seed, differs,
                                 to_toml(drawn.experiment()));
  }
  EXPECT_GE(compared, count);
}

}  // namespace
}  // namespace weir::experiment::parallel
