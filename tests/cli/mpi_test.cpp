#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sweep.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Small, and with all that is measured.
const std::string kOneRun = R"(
[experiment]
name = "one"
duration = "60 us"
warmup = "10 us"
[topology]
model = "rlft"
ports = 8
stages = 2
[metrics]
bin = "5 us"
per_flow = true
[host]
acks = "in-band"
[marking]
model = "fecn"
[reaction]
model = "congestion-control-table"
[[traffic]]
name = "cold"
role = "cold"
sources = { fraction = 0.5, exclude = [4] }
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "4 KiB" }
[[traffic]]
name = "hot"
role = "hot"
sources = { fraction = 0.3, exclude = [4] }
destinations = { model = "fixed", host = 4 }
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "2 KiB" }
)";
/// Skips where there is no mpirun, or weir was built without MPI.
class Mpi : public ::testing::Test {
 public:
  void SetUp() override {
    if (!fs::exists(fs::path(WEIR_PROGRAM).parent_path() / "weir-mpi")) {
      GTEST_SKIP() << "weir is built without MPI";
    }
    if (place.shell("command -v mpirun").status != 0) GTEST_SKIP() << "there is no mpirun";
    // OpenMPI keeps memory until the end of a process.
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    place.write("x.toml", kSweep);
  }
  [[nodiscard]] Outcome mpirun(const std::string& arguments) const {
    return place.shell("mpirun --allow-run-as-root --oversubscribe -n 3 '" WEIR_PROGRAM "' " +
                       arguments);
  }

  Workplace place;
};

TEST_F(Mpi, TheSameRowsAsWithout) {
  ASSERT_EQ(place.weir("run x.toml -o alone --quiet").status, 0);
  const Outcome outcome = mpirun("run x.toml -o together");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("weir: 16 runs, roughly a second on 3 cores"));
  EXPECT_THAT(outcome.output, HasSubstr("Means of 2 seeds"));
  expect_same_exports(place, "together", "alone");
  // Again, and with more at a time: nothing is repeated.
  EXPECT_THAT(mpirun("run x.toml -o together --jobs 2").errors, HasSubstr("all of 16 runs there"));
  EXPECT_EQ(mpirun("run x.toml -o threads --jobs 2 --quiet").status, 0);
  expect_same_exports(place, "threads", "alone");
}

TEST_F(Mpi, FailedRunsAreRowsAndTheirMistakesHaveTheirPlaces) {
  place.write("y.toml", kSweep + "[buffer]\ningress = \"8 KiB\"\n");
  const Outcome alone = place.weir("run y.toml -o alone --quiet");
  const Outcome together = mpirun("run y.toml -o together --quiet");
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(together.status, 0);
  EXPECT_THAT(together.errors, HasSubstr(alone.errors));
  EXPECT_THAT(alone.errors, HasSubstr("weir: 8 of 16 runs failed"));
  expect_same_exports(place, "together", "alone");
}

TEST_F(Mpi, OtherCommandsAndMistakesEndAllRanks) {
  EXPECT_THAT(mpirun("list topology").output, HasSubstr("rlft"));
  const Outcome wrong = mpirun("run gone.toml");
  EXPECT_NE(wrong.status, 0);
  EXPECT_THAT(wrong.errors, HasSubstr("weir: gone.toml: "));
}

TEST_F(Mpi, ARunAloneIsSimulatedByAllRanksTogether) {
  place.write("one.toml", kOneRun);
  ASSERT_EQ(place.weir("run one.toml -o alone --quiet").status, 0);
  const Outcome outcome = mpirun("run one.toml -o together");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("3 processes simulate it together"));
  expect_same_exports(place, "together", "alone");
  ASSERT_EQ(place.weir("run one.toml -o alone-2 --threads 2 --quiet").status, 0);
  EXPECT_EQ(mpirun("run one.toml -o threads --threads 2 --quiet").status, 0);
  expect_same_exports(place, "threads", "alone-2");
}

TEST_F(Mpi, RanksGoOnFromTheCheckpointOfOthers) {
  place.write("one.toml", kOneRun);
  ASSERT_EQ(
      place.weir("run one.toml -o alone --set experiment.duration='\"500 us\"' --quiet").status, 0);
  const std::string run =
      "run one.toml -o kept --set experiment.duration='\"500 us\"' --quiet --checkpoints 0.0001";
  const auto stop = [&](const std::string& how) {
    // Once there is a checkpoint; the ranks end when mpirun does.
    (void)place.shell(how +
                      " & pid=$!; until ls kept/checkpoints/*.state 2>/dev/null || "
                      "! kill -0 $pid 2>/dev/null; do sleep 0.02; done; kill $pid; wait $pid");
  };
  stop("'" WEIR_PROGRAM "' " + run + " --threads 2");
  EXPECT_TRUE(fs::exists(place.folder() / "kept/checkpoints"));
  stop("mpirun --allow-run-as-root --oversubscribe -n 3 '" WEIR_PROGRAM "' " + run);
  EXPECT_EQ(mpirun(run).status, 0);
  expect_same_exports(place, "kept", "alone");
}

/// What acts on all parts at once: each process has to tell the others of it.
const std::string kOfTheWhole = R"(
[[traffic]]
name = "later"
sources = [9, 10]
destinations = { model = "fixed", host = 2 }
arrivals = { model = "poisson", load = 0.2 }
sizes = { model = "fixed", size = "2 KiB" }
start_after_packets = 500
[[workload]]
name = "all"
model = "all-to-all"
bytes = "5 KiB"
rendezvous = "4 KiB"
[[flow]]
name = "first"
sources = "all"
destinations = { model = "shift", distance = 3 }
size = "8 KiB"
[[flow]]
name = "second"
sources = "all"
destinations = { model = "shift", distance = 5 }
size = "8 KiB"
phase = 2
)";

TEST_F(Mpi, WhatConcernsAllPartsIsTheSameInAllRanks) {
  place.write("one.toml", kOneRun + kOfTheWhole);
  ASSERT_EQ(place.weir("run one.toml -o alone --quiet").status, 0);
  const Outcome outcome = mpirun("run one.toml -o together");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("3 processes simulate it together"));
  expect_same_exports(place, "together", "alone");
}

TEST_F(Mpi, WhatCannotBeDividedOneProcessDoesAndSaysWhy) {
  std::string waiting = kOneRun;
  waiting.insert(waiting.find("bin = "), "waiting = true\n");
  place.write("one.toml", waiting);
  ASSERT_EQ(place.weir("run one.toml -o alone --quiet").status, 0);
  const Outcome outcome = mpirun("run one.toml -o together");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, HasSubstr("weir: one process did the run alone: one.toml:"));
  EXPECT_THAT(outcome.errors, HasSubstr("metrics.waiting: needs experiment.threads = 1"));
  expect_same_exports(place, "together", "alone");
}

TEST_F(Mpi, ARunThatFailsTogetherFailsAsAlone) {
  place.write("one.toml", kOneRun + "[routing]\nmodel = \"deadlock\"\n");
  const Outcome alone = place.weir("run one.toml -o alone --quiet");
  const Outcome together = mpirun("run one.toml -o together --quiet");
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(together.status, 0);
  EXPECT_THAT(together.errors, HasSubstr(alone.errors));
}

TEST_F(Mpi, ARankThatDiesInARunTogetherEndsIt) {
  place.write("one.toml", kOneRun);
  Process job(place.folder(),
              {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", WEIR_PROGRAM, "run",
               "one.toml", "--quiet", "--set", "experiment.duration=\"10 s\""});
  pid_t last = 0;
  for (int i = 0; i < 100 && last == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", job.id()));
    std::vector<pid_t> ranks;
    for (pid_t child = 0; children >> child;) ranks.push_back(child);
    if (ranks.size() >= 3 && i >= 20) last = ranks.back();
  }
  ASSERT_GT(last, 0);
  kill(last, SIGKILL);
  EXPECT_NE(job.wait(), 0);
}

TEST_F(Mpi, ARankThatDiesLosesNothingThatHadEnded) {
  ASSERT_EQ(place.weir("run x.toml -o whole --quiet").status, 0);
  const fs::path database = place.folder() / "results/sweep/results.sqlite";
  Process job(place.folder(), {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3",
                               WEIR_PROGRAM, "run", "x.toml", "--quiet"});
  job.wait_for(3, database);
  // Ranks are children of mpirun, in the order of their start.
  pid_t last = 0;
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", job.id()));
  for (pid_t child = 0; children >> child;) last = child;
  if (last > 0) kill(last, SIGKILL);
  const int status = job.wait();
  const auto done = done_in(database);
  EXPECT_GE(done.size(), 3U);
  if (done.size() < static_cast<std::size_t>(kSweepRuns)) {
    EXPECT_NE(status, 0);
  }
  EXPECT_EQ(place.weir("run x.toml").status, 0);
  const auto all = done_in(database);
  for (const auto& [id, started] : done) EXPECT_EQ(all.at(id), started);
  expect_same_exports(place, "results/sweep", "whole");
}

}  // namespace
}  // namespace weir::cli
