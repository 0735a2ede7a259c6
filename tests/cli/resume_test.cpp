#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "sweep.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A sweep, and the exports of the same sweep without interruption.
class Resume : public ::testing::Test {
 public:
  Resume() {
    place.write("x.toml", kSweep);
    EXPECT_EQ(place.weir("run x.toml -o whole --quiet").status, 0);
  }
  [[nodiscard]] Process start() const {
    return {place.folder(), {WEIR_PROGRAM, "run", "x.toml", "--jobs", "2"}};
  }
  [[nodiscard]] fs::path database() const {
    return place.folder() / "results/sweep/results.sqlite";
  }
  void expect_whole() const {
    expect_same_exports(place, "results/sweep", "whole");
    for (const char* file : {"scalars.csv", "series.csv", "results.json"}) {
      EXPECT_TRUE(read_file(place.folder() / "results/sweep" / file) ==
                  read_file(place.folder() / "whole" / file))
          << file << " differs";
    }
  }

  Workplace place;
};

TEST_F(Resume, KilledAtAnyMomentNothingIsLostOrRepeated) {
  std::map<std::int64_t, std::string> done;
  std::size_t kills = 0;
  const auto kill_and_look = [&](Process& process) {
    process.signal(SIGKILL);
    ++kills;
    const auto now = done_in(database());
    for (const auto& [id, started] : done) {
      ASSERT_TRUE(now.count(id) == 1 && now.at(id) == started) << "run " << id << " was repeated";
    }
    done = now;
  };
  for (const int delay : {0, 5, 20}) {
    Process process = start();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    kill_and_look(process);
  }
  for (const std::size_t more : {1U, 1U, 3U, 4U}) {
    const std::size_t wanted = done.size() + more;
    Process process = start();
    process.wait_for(wanted, database());
    kill_and_look(process);
  }
  EXPECT_EQ(kills, 7U);
  EXPECT_GE(done.size(), 9U);
  const std::size_t before = done.size();
  const Outcome last = place.weir("run x.toml");
  EXPECT_EQ(last.status, 0) << last.errors;
  if (before < kSweepRuns) {
    EXPECT_THAT(last.errors, HasSubstr(std::to_string(before) + " of 16 runs there already"));
  }
  const auto end = done_in(database());
  EXPECT_EQ(end.size(), static_cast<std::size_t>(kSweepRuns));
  for (const auto& [id, started] : done) EXPECT_EQ(end.at(id), started);
  expect_whole();
}

TEST_F(Resume, TwoProgramsShareOneDatabase) {
  Process one = start();
  Process two = start();
  EXPECT_EQ(one.wait(), 0) << read_file(place.folder() / ".errors");
  EXPECT_EQ(two.wait(), 0) << read_file(place.folder() / ".errors");
  EXPECT_EQ(done_in(database()).size(), static_cast<std::size_t>(kSweepRuns));
  expect_whole();
}

TEST_F(Resume, SigtermEndsCleanlyAndTheSameCommandGoesOn) {
  Process process = start();
  process.wait_for(2, database());
  process.signal(SIGTERM);
  const int status = process.wait();
  const std::string errors = read_file(place.folder() / ".errors");
  if (status != 0) {  // else it was through before the signal
    EXPECT_EQ(status, 1);
    EXPECT_THAT(errors, HasSubstr("weir: interrupted; "));
    EXPECT_THAT(errors, HasSubstr(" of 16 runs not finished. The same command goes on from here."));
  }
  EXPECT_EQ(place.weir("run x.toml").status, 0);
  expect_whole();
}

TEST_F(Resume, AFolderThatVanishesIsAnErrorAndNothingIsLost) {
  Process process = start();
  process.wait_for(2, database());
  const std::size_t before = done_in(database()).size();
  fs::remove_all(place.folder() / "results");
  const int status = process.wait();
  if (status != 0) {  // else it was through already
    EXPECT_EQ(status, 2);
    EXPECT_THAT(read_file(place.folder() / ".errors"),
                HasSubstr("results.sqlite: was moved or deleted while runs were going on"));
    EXPECT_GE(done_in(database()).size(), before);
  }
  EXPECT_EQ(place.weir("run x.toml").status, 0);
  expect_whole();
}

}  // namespace
}  // namespace weir::cli
