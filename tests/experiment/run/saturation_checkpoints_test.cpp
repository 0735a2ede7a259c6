// Searches for saturation that are stopped again and again, and go on each time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/support.hpp"
#include "support/ranks_of_threads.hpp"
#include "support/temporary_folder.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/checkpoints.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/store/packed_result.hpp"

namespace weir::experiment::saturation_checkpoints_test {
namespace {

namespace fs = std::filesystem;

/// FIFOs, which saturate inside of the range.
const std::string kSearch = R"(
[experiment]
name = "search"
find = { goal = "saturation", low = 0.3, high = 0.9, resolution = 0.05 }
duration = "150 us"
warmup = "20 us"
[topology]
model = "k-ary-n-tree"
k = 4
n = 2
[routing]
model = "d-mod-k"
[switch]
architecture = "iq-single"
voq = false
[buffer]
ingress = "4 KiB"
[metrics]
bin = "10 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";

/// One stage of a run: how it is divided, and how much simulated time it gets.
struct Stage {
  std::uint32_t threads = 1;
  std::size_t ranks = 0;
  Time stop_after = Time::max();
};

class SaturationCheckpoints : public ::testing::Test {
 protected:
  [[nodiscard]] Configuration configuration(const Stage& stage) const {
    Configuration made = resolve(table_);
    made.threads = stage.threads;
    return made;
  }
  [[nodiscard]] fs::path folder() const { return place_.path() / "kept"; }
  [[nodiscard]] std::size_t files() const {
    return fs::exists(folder())
               ? static_cast<std::size_t>(std::distance(fs::directory_iterator(folder()), {}))
               : 0;
  }

  /// Nothing: it was stopped, and left a checkpoint.
  std::optional<metrics::RunResult> run(const Stage& stage) {
    Configuration made = configuration(stage);
    made.checkpoints.folder = folder().string();
    const auto network = make_network(made);
    const Time until = stage.stop_after == Time::max() ? Time::max() : stopped_ + stage.stop_after;
    bool is_first = true;
    const auto go_on = [&](const KindProgress& how_far) {
      if (is_first) begun_ = how_far.now;
      is_first = false;
      stopped_ = how_far.now;
      return how_far.now < until;
    };
    if (stage.ranks == 0) return made.kind->run(made, network, go_on, RunKind::Clock::now());
    std::vector<std::optional<metrics::RunResult>> results(stage.ranks);
    RanksOfThreads(stage.ranks).run([&](Ranks& ranks) {
      Configuration own = made;
      own.ranks = &ranks;
      const auto always = [](const KindProgress&) { return true; };
      results[ranks.rank()] = own.kind->run(own, network, ranks.rank() == 0 ? GoOn(go_on) : always,
                                            RunKind::Clock::now());
    });
    return results.front();
  }

  /// All but what it took.
  static std::vector<std::uint8_t> numbers(metrics::RunResult result) {
    result.wall_seconds = result.earlier_seconds = result.cpu_seconds = 0;
    return packed(result);
  }
  [[nodiscard]] std::vector<std::uint8_t> whole() const {
    const Configuration made = configuration({});
    return numbers(*made.kind->run(
        made, make_network(made), [](const KindProgress&) { return true; }, RunKind::Clock::now()));
  }

  /// Stops after each stage but the last one, and begins the next no earlier than that.
  void expect_same(const std::vector<Stage>& stages) {
    for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
      const Time before = stopped_;
      ASSERT_FALSE(run(stages[s])) << "stage " << s;
      EXPECT_GE(begun_, before) << "stage " << s;
      EXPECT_EQ(files(), 1U);
    }
    const Time before = stopped_;
    const auto result = run(stages.back());
    ASSERT_TRUE(result);
    EXPECT_GE(begun_, before);
    EXPECT_EQ(numbers(*result), whole());
    EXPECT_GT(result->earlier_seconds, 0);
    EXPECT_FALSE(fs::exists(folder()));
  }

  support::TemporaryFolder place_;
  ConfigTable table_ = table_of(kSearch);
  Time begun_;    ///< where the last stage began, counted over all simulations
  Time stopped_;  ///< where it was at its end
};

TEST_F(SaturationCheckpoints, AreWhereASearchGoesOn) {
  // Within the first simulation, twice within the second, after the third.
  expect_same({{1, 0, microseconds(60)},
               {1, 0, microseconds(130)},
               {1, 0, microseconds(50)},
               {1, 0, microseconds(250)},
               {}});
}

TEST_F(SaturationCheckpoints, LetAnotherNumberOfThreadsGoOn) {
  expect_same({{1, 0, microseconds(200)}, {2, 0, microseconds(150)}, {3}});
}

TEST_F(SaturationCheckpoints, LetAnotherNumberOfProcessesGoOn) {
  expect_same(
      {{1, 2, microseconds(200)}, {1, 0, microseconds(150)}, {2, 2, microseconds(100)}, {1, 3}});
}

TEST_F(SaturationCheckpoints, AreNotThoseOfASimulationAtOneLoad) {
  ASSERT_FALSE(run({1, 0, microseconds(60)}));
  ASSERT_EQ(files(), 1U);
  std::string text = kSearch;
  text.erase(text.find("find = "), text.find("duration") - text.find("find = "));
  text.replace(text.find("load = 0.5"), 10, "load = 0.9");
  Configuration alone = resolve(table_of(text));
  alone.checkpoints.folder = folder().string();
  Time first = Time::max();
  ASSERT_TRUE(alone.kind->run(
      alone, make_network(alone),
      [&](const KindProgress& how_far) {
        first = std::min(first, how_far.now);
        return true;
      },
      RunKind::Clock::now()));
  EXPECT_LT(first, stopped_);
  EXPECT_EQ(files(), 1U);
  expect_same({{}});
}

TEST_F(SaturationCheckpoints, ThatAreDamagedAreNotUsed) {
  ASSERT_FALSE(run({1, 0, microseconds(200)}));
  const fs::path file = fs::directory_iterator(folder())->path();
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  bytes.seekp(-1, std::ios::end);
  bytes.put('x').flush();
  const auto result = run({});
  ASSERT_TRUE(result);
  EXPECT_LT(begun_, microseconds(150));
  EXPECT_EQ(numbers(*result), whole());
}

TEST_F(SaturationCheckpoints, OfASimulationThatHasNoneKeepTheResultsBeforeIt) {
  Configuration made = configuration({});
  made.checkpoints.folder = folder().string();
  const auto network = make_network(made);
  fabric::Observer observer;
  SimulationAdditions watched;
  watched.observer = &observer;
  Simulation simulation(made, network, watched);
  ASSERT_NE(simulation.no_checkpoints(), "");
  {
    Checkpoints checkpoints(made);
    checkpoints.keep(simulation);
    EXPECT_EQ(files(), 0U);
    metrics::RunResult result;
    result.add_scalar("efficiency", "", 0.1);
    result.cpu_seconds = 3;
    checkpoints.add(result);
    EXPECT_EQ(result.cpu_seconds, 0);
    checkpoints.keep(simulation);
  }
  ASSERT_EQ(files(), 1U);
  Checkpoints checkpoints(made);
  const auto finished = checkpoints.finished();
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(*finished.front().scalar("efficiency"), 0.1);
  EXPECT_GE(checkpoints.earlier().cpu_seconds, 3);
  EXPECT_EQ(checkpoints.begin(made, network)->fabric().now(), Time(0));
  metrics::RunResult result;
  checkpoints.end(result);
  EXPECT_FALSE(fs::exists(folder()));
}

}  // namespace
}  // namespace weir::experiment::saturation_checkpoints_test
