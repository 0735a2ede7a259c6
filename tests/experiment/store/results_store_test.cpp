#include "weir/experiment/store/results_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "support/temporary_folder.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/store/results_json.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// What the first version of the tables was, with a few runs.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  experiment TEXT NOT NULL,
  case_name TEXT NOT NULL,
  parameters TEXT NOT NULL,
  configuration TEXT NOT NULL,
  configuration_hash TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  error TEXT NOT NULL,
  host TEXT NOT NULL,
  started TEXT NOT NULL,
  finished TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  notes TEXT NOT NULL,
  UNIQUE (experiment, case_name, configuration_hash, seed, version)
);
CREATE TABLE scalars (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  value REAL,
  unit TEXT NOT NULL,
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE series (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  unit TEXT NOT NULL,
  start INTEGER NOT NULL,
  bin INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE histograms (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE links (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  port TEXT NOT NULL,
  link_group TEXT NOT NULL,
  utilization REAL NOT NULL,
  wait REAL NOT NULL,
  bytes INTEGER NOT NULL,
  packets INTEGER NOT NULL,
  queued_max INTEGER NOT NULL,
  PRIMARY KEY (run, port)
) WITHOUT ROWID;
CREATE TABLE trees (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  root TEXT NOT NULL,
  depth INTEGER NOT NULL,
  branches TEXT NOT NULL,
  leaves TEXT NOT NULL,
  PRIMARY KEY (run, at, root)
) WITHOUT ROWID;
PRAGMA application_id = 0x77656972;
PRAGMA user_version = 1;
INSERT INTO runs VALUES
  (1, 'load', '', '["traffic.all.load","0.5","experiment.seed","2"]', 'a = 1', 'h2', 2, '0.1.0',
   'done', '', 'node7', '2026-01-01T10:00:00Z', '2026-01-01T10:00:09Z', '00000000000000ff', '[]'),
  (2, 'other', '', '[]', 'b = 1', 'h3', 1, '0.1.0', 'failed', 'deadlock', 'node7', '', '',
   '0000000000000000', '["a note"]'),
  (3, 'load', '', '["traffic.all.load","0.5","experiment.seed","1"]', 'a = 1', 'h1', 1, '0.1.0',
   'done', '', 'node7', '', '', '0000000000000001', '[]');
INSERT INTO scalars VALUES
  (1, 'efficiency', '', 0.25, '1'), (1, 'fairness', '', NULL, '1'),
  (1, 'packet_hops', '', 90.0, ''), (1, 'wall_time', '', 9.0, 's'),
  (1, 'hops_per_second', '', 10.0, '1/s');
INSERT INTO series VALUES (1, 'throughput', '', 'Gbps', 0, 1000, '[1.5,null]');
)sql";

RunRecord example(std::uint64_t seed = 7) {
  RunRecord run;
  run.experiment = "quickstart";
  run.case_name = "voqsw";
  run.place = 3;
  run.parameters = {{"queueing.model", "voqsw"}, {"traffic.0.load", "0.9"}};
  run.configuration = "[queueing]\nmodel = \"voqsw\"\n";
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
  r.scalars.push_back({{"latency_mean", ""}, 1234.5, 0.1 + 0.2, metrics::Quality::estimated});
  r.scalars.push_back(
      {{"latency_mean", "cold"}, std::nan(""), std::nan(""), metrics::Quality::not_stationary});
  r.wall_seconds = 1.25;
  r.cpu_seconds = 0.75;
  r.add_series("throughput", "cold", Time(5), microseconds(1), {1.5, std::nan(""), 1.0 / 3});
  metrics::Histogram h;
  for (std::int64_t v = 1; v < 5'000'000'000; v *= 7) h.record(v, 3);
  r.add_histogram("latency", "", h);
  r.links.push_back({"s0[1]", "up", 0.5, 0.25, 1'000'000'000'000, 42, 4'096});
  r.trees.push_back({microseconds(3), "s2[1]", 2, {"s1[2]", "h2"}, {1, 2}, {"h2"}});
  r.frames = metrics::pack({{microseconds(1), microseconds(3)}, 1, {0, 255}, {7, 0}, {0, 5}});
  r.set_aside_trees.push_back({"s2[1]",
                               microseconds(1),
                               microseconds(9),
                               12,
                               5,
                               2,
                               4'096,
                               {"s2[0] ingress", "s1[2] egress"},
                               {0, 1},
                               {"s1[2] egress"}});
  r.set_aside_events.push_back(
      {microseconds(9), "s1[2] egress", "s2[1]", 1, "released", microseconds(4)});
  return run;
}

class Store : public testing::Test {
 public:
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

  support::TemporaryFolder folder_;
};

TEST_F(Store, SeriesOfSomeMetricsComeBackAlone) {
  RunRecord in = example();
  in.result.add_series("efficiency", "", Time(0), microseconds(1), {0.5});
  ResultsStore store(file(), ResultsStore::Mode::create);
  store.write(in);
  ResultParts some;
  some.series_of.emplace().insert(MetricName{"efficiency", ""});
  const RunRecord one = store.read_all(some).front();
  ASSERT_EQ(one.result.series.size(), 1U);
  EXPECT_EQ(one.result.series.front().name.metric, "efficiency");
  EXPECT_FALSE(one.result.scalars.empty());
  some.series_of->clear();
  EXPECT_TRUE(store.read_all(some).front().result.series.empty());
}

TEST_F(Store, SeriesOfOneLabelComeBackWithoutTheOthers) {
  RunRecord in = example();
  in.result.add_series("injection_rate", "A-r1", Time(0), microseconds(1), {0.5});
  in.result.add_series("injection_rate", "B-r1", Time(0), microseconds(1), {0.25});
  ResultsStore store(file(), ResultsStore::Mode::create);
  store.write(in);
  const auto labels = [&](const MetricName& wanted) {
    ResultParts some;
    some.series_of.emplace().insert(wanted);
    std::vector<std::string> found;
    for (const metrics::Series& one : store.read_all(some).front().result.series)
      found.push_back(one.name.label);
    return found;
  };
  EXPECT_THAT(labels({"injection_rate", "B-r1"}), testing::ElementsAre("B-r1"));
  EXPECT_THAT(labels({"injection_rate", ""}), testing::UnorderedElementsAre("A-r1", "B-r1"));
  EXPECT_THAT(labels({"injection_rate", "C-r1"}), testing::IsEmpty());
}

TEST_F(Store, ARunComesBackAsItWas) {
  const RunRecord in = example();
  {
    ResultsStore store(file(), ResultsStore::Mode::create);
    EXPECT_EQ(store.write(in), 1);
  }
  const ResultsStore store(file(), ResultsStore::Mode::existing);
  ResultParts everything;
  everything.frames = everything.events = true;
  const std::vector<RunRecord> runs = store.read_all(everything);
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
  EXPECT_EQ(out.result.wall_seconds, 1.25);
  EXPECT_EQ(out.result.cpu_seconds, 0.75);
  EXPECT_EQ(out.place, 3);
  const auto scalar = [&](const char* metric, const char* label) {
    return *std::find_if(out.result.scalars.begin(), out.result.scalars.end(), [&](const auto& s) {
      return s.name == MetricName{metric, label};
    });
  };
  EXPECT_TRUE(std::isnan(scalar("efficiency", "").half_width));
  EXPECT_EQ(scalar("efficiency", "").quality, metrics::Quality::plain);
  EXPECT_EQ(scalar("latency_mean", "").half_width, 0.1 + 0.2);
  EXPECT_EQ(scalar("latency_mean", "").quality, metrics::Quality::estimated);
  EXPECT_EQ(scalar("latency_mean", "cold").quality, metrics::Quality::not_stationary);
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
  EXPECT_EQ(out.result.frames, in.result.frames);
  EXPECT_EQ(out.result.set_aside_trees, in.result.set_aside_trees);
  EXPECT_EQ(out.result.set_aside_events, in.result.set_aside_events);
}

TEST_F(Store, BringsATableThatFilesOfThisVersionDidNotAlwaysHave) {
  { const ResultsStore store(file(), ResultsStore::Mode::create); }
  sql("DROP TABLE set_aside_trees; DROP TABLE set_aside_events; DROP TABLE set_aside_frames;");
  ResultsStore store(file(), ResultsStore::Mode::existing);
  store.write(example());
  EXPECT_EQ(store.read_all({})[0].result.set_aside_trees, example().result.set_aside_trees);
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
  EXPECT_EQ(run.result.scalars.size(), 4U);
  EXPECT_TRUE(run.result.series.empty());
  EXPECT_TRUE(run.result.histograms.empty());
  EXPECT_TRUE(run.result.links.empty());
  EXPECT_TRUE(run.result.trees.empty());
  EXPECT_TRUE(run.result.frames.times.empty());
  EXPECT_TRUE(run.result.set_aside_trees.empty());
  EXPECT_TRUE(run.result.set_aside_events.empty());
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
  EXPECT_EQ(store.read_all({})[0].result.scalars.size(), 4U);
  EXPECT_FALSE(store.is_done(example(8)));
  store.write(example(8));
  RunRecord other_version = example();
  other_version.version = "0.2.0";
  EXPECT_FALSE(store.is_done(other_version));
  EXPECT_EQ(store.list().size(), 2U);
}

TEST_F(Store, ADoneRunStaysWhereAnotherProgramWasFaster) {
  using enum ResultsStore::Existing;
  ResultsStore one(file(), ResultsStore::Mode::create);
  ResultsStore two(file(), ResultsStore::Mode::existing);
  RunRecord failed = example();
  failed.status = "failed";
  one.write(failed);
  const std::int64_t first = two.write(example(), keep);  // a failed one does not stay

  RunRecord later = example();
  later.host = "another";
  EXPECT_EQ(one.write(later, keep), first);
  EXPECT_EQ(one.read(later, {})->host, example().host);
  EXPECT_EQ(one.read(later, {})->result.scalars.size(), example().result.scalars.size());

  one.write(later, replace);
  EXPECT_EQ(two.read(example(), {})->host, "another");
  EXPECT_EQ(two.list().size(), 1U);
  EXPECT_FALSE(two.read(example(99), {}).has_value());
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

TEST_F(Store, RefusesTablesOfUnknownVersions) {
  { const ResultsStore store(file(), ResultsStore::Mode::create); }
  sql("PRAGMA user_version = 0");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::create); }),
              HasSubstr("an unknown older version"));
  sql("PRAGMA user_version = 99");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::existing); }),
              HasSubstr("a newer version of weir (tables of version 99"));
}

TEST_F(Store, TablesOfVersion1AreBroughtUpToDate) {
  sql(kVersion1);
  for (int time = 0; time < 2; ++time) {
    const ResultsStore store(file(), ResultsStore::Mode::existing);
    const std::vector<RunRecord> runs = store.read_all({});
    ASSERT_EQ(runs.size(), 3U);
    const RunRecord& run = runs[0];
    EXPECT_EQ(run.experiment, "load");
    EXPECT_EQ(run.place, 0);
    EXPECT_EQ(run.seed, 2U);
    EXPECT_EQ(run.parameters, (decltype(run.parameters){{"traffic.all.load", "0.5"}}));
    EXPECT_EQ(run.host, "node7");
    EXPECT_EQ(run.finished, "2026-01-01T10:00:09Z");
    EXPECT_EQ(run.result.fingerprint, 0xffU);
    EXPECT_EQ(run.result.wall_seconds, 9.0);
    EXPECT_EQ(run.result.cpu_seconds, 0);  // not known
    EXPECT_EQ(run.result.hops_per_second(), 10.0);
    ASSERT_EQ(run.result.scalars.size(), 3U);  // neither wall_time nor hops_per_second
    EXPECT_EQ(run.result.scalars[0].value, 0.25);
    EXPECT_TRUE(std::isnan(run.result.scalars[0].half_width));
    EXPECT_EQ(run.result.scalars[0].quality, metrics::Quality::plain);
    EXPECT_EQ(run.result.series.size(), 1U);
    EXPECT_EQ(runs[1].seed, 1U);
    EXPECT_EQ(runs[1].place, 1);
    EXPECT_EQ(runs[2].experiment, "other");
    EXPECT_EQ(runs[2].place, 0);
    EXPECT_EQ(runs[2].error, "deadlock");
    EXPECT_TRUE(store.is_done(run));
  }
  ResultsStore(file(), ResultsStore::Mode::create).write(example());
  EXPECT_EQ(ResultsStore(file(), ResultsStore::Mode::existing).list().size(), 4U);
}

// Version 2 did not have it from the first day.
TEST_F(Store, AFileWithoutCpuTimeGetsTheColumn) {
  { ResultsStore(file(), ResultsStore::Mode::create).write(example()); }
  sql("ALTER TABLE runs DROP COLUMN cpu_seconds");
  ResultsStore store(file(), ResultsStore::Mode::existing);
  ASSERT_EQ(store.list().size(), 1U);
  EXPECT_EQ(store.list()[0].result.wall_seconds, 1.25);
  EXPECT_EQ(store.list()[0].result.cpu_seconds, 0);
  store.write(example());
  EXPECT_EQ(store.list()[0].result.cpu_seconds, 0.75);
}

TEST_F(Store, AMigrationThatFailsChangesNothing) {
  sql(kVersion1);
  sql("UPDATE runs SET parameters = '[experiment.seed' WHERE id = 3");
  EXPECT_THAT(message([&] { ResultsStore(file(), ResultsStore::Mode::existing); }),
              HasSubstr("is damaged"));
  sql("SELECT wall_time.value FROM runs JOIN scalars AS wall_time ON run = id");
  sql("UPDATE runs SET parameters = '[]' WHERE id = 3");
  EXPECT_EQ(ResultsStore(file(), ResultsStore::Mode::existing).list().size(), 3U);
}

TEST_F(Store, RunsStandInTheOrderOfThePlan) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  for (const int place : {2, 0, 1}) {
    RunRecord run = example(static_cast<std::uint64_t>(10 - place));
    run.place = place;
    store.write(run);
  }
  RunRecord first = example();
  first.experiment = "aaa";
  first.place = 9;
  store.write(first);
  std::vector<std::int64_t> places;
  for (const RunRecord& run : store.list()) places.push_back(run.place);
  EXPECT_THAT(places, testing::ElementsAre(9, 0, 1, 2));
}

TEST_F(Store, ARunMayGetANewPlaceInThePlan) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  RunRecord run = example();
  EXPECT_FALSE(store.replan(run));
  store.write(run);
  run.place = 17;
  run.configuration = "[queueing]\nmodel = \"voqsw\"\n[[plot]]\n";
  run.parameters = {{"queueing.model", "voqsw"}};
  EXPECT_TRUE(store.replan(run));
  auto found = store.find(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place, 17);
  EXPECT_EQ(found->configuration, run.configuration);
  EXPECT_EQ(found->parameters, run.parameters);
  store.read_result(*found, {});
  EXPECT_EQ(found->result.scalars.size(), 4U);
  EXPECT_FALSE(store.find(example(8)));
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

TEST_F(Store, AFileThatVanishesIsWrittenAgainAndTold) {
  ResultsStore store(file("a/results.db"), ResultsStore::Mode::create);
  store.write(example(1));
  store.ensure_in_place();
  fs::remove_all(folder_ / "a");
  EXPECT_EQ(message([&] { store.write(example(2)); }),
            file("a/results.db") +
                ": was moved or deleted while runs were going on; the 2 runs that it held were "
                "written there again. The same command goes on from here.");
  store.write(example(3));  // goes to the new file
  EXPECT_EQ(ResultsStore(file("a/results.db"), ResultsStore::Mode::existing).list().size(), 3U);
}

TEST_F(Store, AFileThatAnotherTakesThePlaceOfIsLeftAlone) {
  ResultsStore store(file(), ResultsStore::Mode::create);
  store.write(example(1));
  fs::remove(file());
  std::ofstream(file()) << "mine";
  EXPECT_THAT(message([&] { store.write(example(2)); }),
              HasSubstr("another file stands there now"));
  EXPECT_EQ(fs::file_size(file()), 4U);
}

TEST_F(Store, AFolderThatCannotBeMadeAgainIsTold) {
  ResultsStore store(file("a/results.db"), ResultsStore::Mode::create);
  fs::remove_all(folder_ / "a");
  std::ofstream(file("a")) << "a file";
  EXPECT_THAT(message([&] { store.write(example(2)); }),
              HasSubstr("the 1 runs that it held cannot be written there again: "));
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
