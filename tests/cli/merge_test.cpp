#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <csignal>
#include <memory>

#include "sweep.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

void change(const fs::path& database, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
}

class Merge : public ::testing::Test {
 public:
  Merge() {
    place.write("x.toml", kSweep);
    EXPECT_EQ(place.weir("run x.toml -o whole --quiet --no-report").status, 0);
  }
  void run_part(int number, int of, const std::string& folder) const {
    const Outcome outcome = place.weir("run x.toml --quiet --shard " + std::to_string(number) +
                                       "/" + std::to_string(of) + " -o " + folder);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  [[nodiscard]] std::size_t runs_in(const std::string& folder) const {
    return done_in(place.folder() / folder / "results.sqlite").size();
  }

  Workplace place;
};

TEST_F(Merge, PartsMakeTheWholeWithWhereTheyRan) {
  for (int i = 1; i <= 3; ++i) run_part(i, 3, "part" + std::to_string(i));
  EXPECT_EQ(runs_in("part1"), 6U);
  EXPECT_EQ(runs_in("part3"), 5U);
  // A part is a database: files beside it are about all runs.
  EXPECT_FALSE(fs::exists(place.folder() / "part1/scalars.csv"));
  change(place.folder() / "part2/results.sqlite", "UPDATE runs SET host = 'elsewhere'");
  const Outcome merged = place.weir("merge all part1 part2/results.sqlite part3");
  EXPECT_EQ(merged.status, 0) << merged.errors;
  EXPECT_EQ(merged.output, "all/results.sqlite: 16 runs added\n");
  expect_same_exports(place, "all", "whole");
  const std::string provenance = place.weir("export all --provenance").output;
  std::size_t elsewhere = 0;
  for (std::size_t at = provenance.find("elsewhere"); at != std::string::npos;
       at = provenance.find("elsewhere", at + 1))
    ++elsewhere;
  EXPECT_EQ(elsewhere, 5U);
  // Nothing is left to run: the command writes the files of the whole.
  const Outcome files = place.weir("run x.toml -o all --no-report");
  EXPECT_THAT(files.errors, HasSubstr("all of 16 runs there already"));
  EXPECT_EQ(read_file(place.folder() / "all/scalars.csv"),
            read_file(place.folder() / "whole/scalars.csv"));
}

TEST_F(Merge, WhatIsThereTwiceIsKeptOnce) {
  run_part(1, 2, "part");
  const auto before = done_in(place.folder() / "whole/results.sqlite");
  const Outcome merged = place.weir("merge whole part part");
  EXPECT_EQ(merged.status, 0) << merged.errors;
  EXPECT_EQ(merged.output, "whole/results.sqlite: 0 runs added, 16 runs there already\n");
  EXPECT_EQ(done_in(place.folder() / "whole/results.sqlite"), before);
}

TEST_F(Merge, DifferentNumbersAreRefusedAndNothingIsWritten) {
  run_part(1, 2, "part");
  run_part(2, 2, "other");
  change(place.folder() / "part/results.sqlite",
         "UPDATE scalars SET value = value + 0.5 WHERE metric = 'efficiency' AND run = 1");
  change(place.folder() / "part/results.sqlite",
         "UPDATE runs SET fingerprint = '0000000000000abc' WHERE id = 2");
  const Outcome merged = place.weir("merge whole other part");
  EXPECT_EQ(merged.status, 2);
  EXPECT_THAT(merged.errors, HasSubstr("is not the same in whole/results.sqlite and "
                                       "part/results.sqlite: scalars efficiency: value is "));
  EXPECT_THAT(merged.errors, HasSubstr(" and 0000000000000abc\n"));
  EXPECT_THAT(merged.errors, HasSubstr("weir: 2 problems\n"));
  const Outcome fresh = place.weir("merge new whole part");
  EXPECT_EQ(fresh.status, 2);
  EXPECT_EQ(runs_in("new"), 0U);
}

TEST_F(Merge, WhatIsDoneWinsOverWhatFailed) {
  run_part(1, 2, "good");
  run_part(1, 2, "bad");
  change(place.folder() / "bad/results.sqlite", "UPDATE runs SET status = 'failed', error = 'x'");
  EXPECT_EQ(place.weir("merge bad good").output,
            "bad/results.sqlite: 0 runs added, 8 runs that had failed\n");
  EXPECT_EQ(runs_in("bad"), 8U);
  EXPECT_EQ(place.weir("merge good bad").status, 0);
  EXPECT_EQ(runs_in("good"), 8U);
}

TEST_F(Merge, WrongInputIsRefused) {
  EXPECT_THAT(place.weir("merge all nowhere").errors, HasSubstr("nowhere"));
  EXPECT_FALSE(fs::exists(place.folder() / "all"));
  for (const char* shard : {"0/2", "3/2", "1", "a/b", "1/2x", "-1/2"}) {
    const Outcome outcome = place.weir(std::string("run x.toml --shard=") + shard);
    EXPECT_EQ(outcome.status, 2) << shard;
    EXPECT_THAT(outcome.errors, HasSubstr("--shard: must be I/N"));
  }
  const Outcome empty = place.weir("run x.toml -q --shard 17/20 -o empty");
  EXPECT_EQ(empty.status, 0);
  EXPECT_THAT(empty.errors, HasSubstr("part 17 of 20 is empty: there are 16 runs"));
}

/// Programs that begin at once on one folder that is not there yet, whatever keeps them apart.
class SharedFolder : public Merge, public ::testing::WithParamInterface<const char*> {
 public:
  SharedFolder() { setenv("WEIR_JOURNAL", GetParam(), 1); }
  ~SharedFolder() override { unsetenv("WEIR_JOURNAL"); }

  [[nodiscard]] std::unique_ptr<Process> start(std::vector<std::string> more) const {
    std::vector<std::string> arguments{WEIR_PROGRAM, "run",    "x.toml", "-o",
                                       "shared",     "--jobs", "1",      "--no-report"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::make_unique<Process>(place.folder(), arguments);
  }
};

TEST_P(SharedFolder, FourProgramsWithTheSameRunsLoseNone) {
  std::vector<std::unique_ptr<Process>> all;
  for (int i = 0; i < 4; ++i) all.push_back(start({}));
  all[3]->wait_for(3, place.folder() / "shared/results.sqlite");
  all[3]->signal(SIGKILL);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(all[static_cast<std::size_t>(i)]->wait(), 0) << read_file(place.folder() / ".errors");
  EXPECT_EQ(runs_in("shared"), 16U);
  expect_same_exports(place, "shared", "whole");
}

TEST_P(SharedFolder, FourProgramsWithPartsRunEachOnce) {
  std::vector<std::unique_ptr<Process>> all;
  for (int i = 1; i <= 4; ++i) all.push_back(start({"--shard", std::to_string(i) + "/4"}));
  for (const auto& one : all) EXPECT_EQ(one->wait(), 0) << read_file(place.folder() / ".errors");
  EXPECT_EQ(runs_in("shared"), 16U);
  expect_same_exports(place, "shared", "whole");
  const std::string mode =
      place.shell("sqlite3 shared/results.sqlite 'PRAGMA journal_mode'").output;
  if (mode.empty()) return;  // there is no sqlite3
  EXPECT_EQ(mode, std::string(GetParam()) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Journals, SharedFolder, ::testing::Values("wal", "delete"),
                         [](const auto& one) { return std::string(one.param); });

TEST_F(Merge, UnknownJournalIsRefused) {
  const Outcome outcome = place.shell("WEIR_JOURNAL=none '" WEIR_PROGRAM "' run x.toml -o y");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("WEIR_JOURNAL: must be wal or delete, not 'none'"));
}

}  // namespace
}  // namespace weir::cli
