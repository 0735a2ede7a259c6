#include "weir/experiment/results_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "weir/base/error.hpp"
#include "weir/experiment/results_json.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

RunRecord example(std::uint64_t seed = 7) {
  RunRecord run;
  run.experiment = "quickstart";
  run.case_name = "1q";
  run.parameters = {{"queueing.model", "1q"}, {"traffic.0.load", "0.9"}};
  run.configuration = "[queueing]\nmodel = \"1q\"\n";
  run.configuration_hash = configuration_hash(run.configuration);
  run.seed = seed;
  run.version = "0.1.0";
  run.host = host_description();
  run.started = utc_now();
  run.finished = run.started;
  metrics::RunResult& r = run.result;
  r.fingerprint = 0xfedcba9876543210ULL;
  r.notes = {"a note with \"quotes\", a comma and an ü"};
  r.add_scalar("efficiency", "", 0.1 + 0.2);
  r.add_scalar("latency_mean", "hot", std::nan(""));
  r.add_series("throughput", "cold", Time(5), microseconds(1), {1.5, std::nan(""), 1.0 / 3});
  metrics::Histogram h;
  for (std::int64_t v = 1; v < 5'000'000'000; v *= 7) h.record(v, 3);
  r.add_histogram("latency", "", h);
  r.links.push_back({"s0[1]", "up", 0.5, 0.25, 1'000'000'000'000, 42, 4'096});
  r.trees.push_back({microseconds(3), "s2[1]", 2, {"s1[2]", "h2"}, {1, 2}, {"h2"}});
  return run;
}

class Store : public testing::Test {
 public:
  Store()
      : folder_(fs::temp_directory_path() /
                ("weir-store-" + std::to_string(getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Store() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string file(const char* name = "results.db") const {
    return (folder_ / name).string();
  }
  static std::string message(const std::function<void()>& work) {
    try {
      work();
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  /// Runs SQL on the file behind the store's back.
  void sql(const std::string& statement) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  fs::path folder_;
};

TEST_F(Store, ARunComesBackAsItWas) {
  const RunRecord in = example();
  {
    ResultsStore store(file(), ResultsStore::Mode::create);
    EXPECT_EQ(store.write(in), 1);
  }
  const ResultsStore store(file(), ResultsStore::Mode::existing);
  const std::vector<RunRecord> runs = store.read_all({});
  ASSERT_EQ(runs.size(), 1U);
  const RunRecord& out = runs[0];
  EXPECT_EQ(out.experiment, in.experiment);
  EXPECT_EQ(out.case_name, in.case_name);
  EXPECT_EQ(out.parameters, in.parameters);
  EXPECT_EQ(out.configuration, in.configuration);
  EXPECT_EQ(out.configuration_hash, in.configuration_hash);
  EXPECT_EQ(out.seed, in.seed);
  EXPECT_EQ(out.version, in.version);
  EXPECT_EQ(out.status, "done");
  EXPECT_EQ(out.host, in.host);
  EXPECT_EQ(out.finished, in.finished);
  EXPECT_EQ(out.result.fingerprint, in.result.fingerprint);
  EXPECT_EQ(out.result.notes, in.result.notes);
  EXPECT_EQ(*out.result.scalar("efficiency"), 0.1 + 0.2);
  EXPECT_TRUE(std::isnan(*out.result.scalar("latency_mean", "hot")));
  const metrics::Series* series = out.result.find_series("throughput", "cold");
  ASSERT_NE(series, nullptr);
  EXPECT_EQ(series->start, Time(5));
  EXPECT_EQ(series->bin, microseconds(1));
  ASSERT_EQ(series->values.size(), 3U);
  EXPECT_TRUE(std::isnan(series->values[1]));
  EXPECT_EQ(series->values[2], 1.0 / 3);
  ASSERT_EQ(out.result.histograms.size(), 1U);
  EXPECT_EQ(out.result.histograms[0].histogram.stored(),
            in.result.histograms[0].histogram.stored());
  ASSERT_EQ(out.result.links.size(), 1U);
  EXPECT_EQ(out.result.links[0].bytes, 1'000'000'000'000);
  EXPECT_EQ(out.result.links[0].wait, 0.25);
  ASSERT_EQ(out.result.trees.size(), 1U);
  EXPECT_EQ(out.result.trees[0].branches, in.result.trees[0].branches);
  EXPECT_EQ(out.result.trees[0].branch_depths, in.result.trees[0].branch_depths);
  EXPECT_EQ(out.result.trees[0].leaves, in.result.trees[0].leaves);
}

TEST_F(Store, SeedsUseAll64Bits) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  store.write(example(UINT64_MAX));
  EXPECT_EQ(store.list()[0].seed, UINT64_MAX);
}

TEST_F(Store, LeavesOutThePartsNotAskedFor) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  store.write(example());
  const RunRecord run = store.read_all({false, false, false, false})[0];
  EXPECT_EQ(run.result.scalars.size(), 2U);
  EXPECT_TRUE(run.result.series.empty());
  EXPECT_TRUE(run.result.histograms.empty());
  EXPECT_TRUE(run.result.links.empty());
  EXPECT_TRUE(run.result.trees.empty());
}

TEST_F(Store, TheSameRunReplacesItself) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  RunRecord failed = example();
  failed.status = "failed";
  failed.error = "deadlock";
  store.write(failed);
  EXPECT_FALSE(store.is_done(failed));
  store.write(example());
  EXPECT_TRUE(store.is_done(failed));
  EXPECT_EQ(store.read_all({}).size(), 1U);
  EXPECT_EQ(store.read_all({})[0].result.scalars.size(), 2U);
  EXPECT_FALSE(store.is_done(example(8)));
  store.write(example(8));
  RunRecord other_version = example();
  other_version.version = "0.2.0";
  EXPECT_FALSE(store.is_done(other_version));
  EXPECT_EQ(store.list().size(), 2U);
}

TEST_F(Store, AFailedWriteLeavesNothingBehind) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  RunRecord wrong = example();
  wrong.result.links.push_back(wrong.result.links[0]);  // the same port twice
  EXPECT_THAT(message([&] { store.write(wrong); }), HasSubstr(file()));
  EXPECT_TRUE(store.list().empty());
  store.write(example());
  EXPECT_THAT(message([&] { store.write(wrong); }), HasSubstr("UNIQUE"));
  EXPECT_EQ(store.read_all({})[0].result.links.size(), 1U);
}

TEST_F(Store, ListsAreReadableWithSqlAlone) {
  { ResultsStore(file(), ResultsStore::Mode::create).write(example()); }
  sqlite3* db = nullptr;
  sqlite3_open(file().c_str(), &db);
  sqlite3_stmt* query = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(db, "SELECT sum(value) FROM series, json_each(series.data)", -1,
                               &query, nullptr),
            SQLITE_OK);
  ASSERT_EQ(sqlite3_step(query), SQLITE_ROW);
  EXPECT_DOUBLE_EQ(sqlite3_column_double(query, 0), 1.5 + 1.0 / 3);
  sqlite3_finalize(query);
  sqlite3_close(db);
}

TEST_F(Store, TwoProgramsAndManyThreadsWriteOneFile) {
  const auto work = [&](std::uint64_t first) {
    ResultsStore store(file(), ResultsStore::Mode::create);
    std::thread other([&] {
      for (std::uint64_t i = 0; i < 10; ++i) store.write(example(first + i));
    });
    for (std::uint64_t i = 10; i < 20; ++i) store.write(example(first + i));
    other.join();
  };
  std::thread one(work, 100);
  std::thread two(work, 200);
  one.join();
  two.join();
  EXPECT_EQ(ResultsStore(file(), ResultsStore::Mode::existing).list().size(), 40U);
}

TEST_F(Store, MakesFoldersOnTheWay) {
  ResultsStore(file("a/b/results.db"), ResultsStore::Mode::create).write(example());
  EXPECT_TRUE(fs::exists(folder_ / "a/b/results.db"));
}

TEST_F(Store, RefusesWhatIsNoDatabase) {
  std::ofstream(file()) << "time,efficiency\n0,1\n" << std::string(200, 'x');
  EXPECT_EQ(message([&] { ResultsStore(file(), ResultsStore::Mode::create); }),
            file() + ": is not a results database");
}

TEST_F(Store, RefusesDatabasesOfOthers) {
  sql("CREATE TABLE addresses (name TEXT)");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::create); }),
              HasSubstr("but not one with results of weir"));
}

TEST_F(Store, RefusesOtherVersionsOfItsTables) {
  { const ResultsStore store(file(), ResultsStore::Mode::create); }
  sql("PRAGMA user_version = 0");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::create); }),
              HasSubstr("an older version"));
  sql("PRAGMA user_version = 99");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::existing); }),
              HasSubstr("a newer version of weir (tables of version 99"));
}

TEST_F(Store, SaysWhenTheFileIsMissingOrAFolder) {
  EXPECT_EQ(message([&] { ResultsStore(file(), ResultsStore::Mode::existing); }),
            file() + ": there is no such results file");
  EXPECT_EQ(message([&] { ResultsStore(folder_.string(), ResultsStore::Mode::create); }),
            folder_.string() + ": is a folder, not a results file");
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Store, SaysWhenTheFolderCannotBeMade) {
  std::ofstream(file("plain")) << "a file";
  const std::string path = file("plain") + "/results.db";
  EXPECT_THAT(message([&] { ResultsStore(path, ResultsStore::Mode::create); }),
              HasSubstr(file("plain") + ": cannot make the output folder"));
}

TEST_F(Store, SaysWhenTheTablesAreDamaged) {
  { ResultsStore(file(), ResultsStore::Mode::create).write(example()); }
  sql("UPDATE series SET data = '[1, 2'");
  const ResultsStore store(file(), ResultsStore::Mode::existing);
  EXPECT_THAT(message([&] { (void)store.read_all({}); }),
              HasSubstr(file() + ": the results database is damaged"));
}

/// A limit on the size of files stands for a full disk.
TEST_F(Store, AFullDiskIsAnErrorAndKeepsWhatWasWritten) {
  const auto fill = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{400'000, 400'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    ResultsStore store(file(), ResultsStore::Mode::create);
    store.write(example());
    RunRecord large = example(8);
    large.configuration = std::string(2'000'000, 'x');
    const std::string text = message([&] { store.write(large); });
    std::fprintf(stderr, "[%s]\n", text.c_str());
    std::_Exit(store.list().size() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(fill(), testing::ExitedWithCode(0), "results.db: cannot write results");
  EXPECT_EQ(ResultsStore(file(), ResultsStore::Mode::existing).list().size(), 1U);
}

TEST(ConfigurationHash, IsStable) {
  EXPECT_EQ(configuration_hash(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(configuration_hash("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_NE(configuration_hash("a = 1\n"), configuration_hash("a = 2\n"));
}

TEST(ResultsJson, InfinitiesReadAsNothing) {
  const std::vector<double> back = numbers_from_json(
      to_json(std::vector<double>{std::numeric_limits<double>::infinity(), -0.0, 1e300}));
  EXPECT_TRUE(std::isnan(back[0]));
  EXPECT_EQ(back[2], 1e300);
}

}  // namespace
}  // namespace weir::experiment
