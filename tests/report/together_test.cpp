// Runs of several results folders beside each other.
#include "weir/report/results/together.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "report/example_runs.hpp"
#include "support/temporary_folder.hpp"
#include "weir/base/error.hpp"
#include "weir/report/figure/figure.hpp"

namespace weir::report {
namespace {

namespace fs = std::filesystem;
using experiment::ResultsStore;
using experiment::RunRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Together : public ::testing::Test {
 protected:
  void SetUp() override {
    write("today/sweep", "100 Gbps", 1, {"1q", "dbbm"});
    write("old/sweep", "200 Gbps", 2, {"1q", "dbbm"});
  }

  void write(const std::string& name, const std::string& rate, double factor,
             const std::vector<std::string>& cases) {
    ResultsStore store(path(name) + "/results.sqlite", ResultsStore::Mode::create);
    std::int64_t place = 0;
    for (const std::string& one : cases) {
      RunRecord run = hot_spot_run(one, 0.5 / factor);
      run.place = place++;
      run.configuration = "[experiment]\nname = \"quickstart\"\ntitle = \"" + name +
                          "\"\n[link]\nrate = \"" + rate + "\"\n";
      run.configuration_hash = rate + one;
      run.started = run.finished = factor > 1 ? "2026-01-01T00:00:00Z" : "2026-02-01T00:00:00Z";
      store.write(run);
    }
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  support::TemporaryFolder folder_;
};

TEST_F(Together, EachRunSaysWhereItIsFrom) {
  const ResultsTogether both({path("old/sweep"), path("today/sweep")});
  EXPECT_THAT(both.names(), ElementsAre("old/sweep", "today/sweep"));
  const std::vector<RunRecord> runs = both.read_all({true, true, false, false});
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].parameters.front(),
            std::pair(std::string("results"), std::string("old/sweep")));
  EXPECT_EQ(*runs[0].result.scalar("efficiency"), 0.5 + 0.25 / 2);
  EXPECT_EQ(*runs[2].result.scalar("efficiency"), 0.5 + 0.5 / 2);
  std::vector<std::int64_t> ids;
  for (const RunRecord& run : runs) ids.push_back(run.id);
  EXPECT_THAT(ids, ElementsAre(1, 2, 3, 4));
}

TEST_F(Together, AFigureHasLinesForEach) {
  const ResultsTogether both({path("old/sweep"), path("today/sweep")});
  PlotSpec plot;
  plot.figure = "efficiency";
  plot.metrics = {{"efficiency", ""}};
  const Figure figure = make_figure(plot, both.read_all({true, true, false, false}));
  std::vector<std::string> names = figure.names;
  std::sort(names.begin(), names.end());
  EXPECT_THAT(names, ElementsAre("1q, old/sweep", "1q, today/sweep", "dbbm, old/sweep",
                                 "dbbm, today/sweep"));
}

TEST_F(Together, PagesReadTheRightRun) {
  const ResultsTogether both({path("old/sweep"), path("today/sweep")});
  const PageRuns runs = both.page_runs();
  RunRecord last = runs.list.back();
  ASSERT_TRUE(last.result.series.empty());
  runs.read(last, {true, true, false, false});
  EXPECT_EQ(last.id, 4);
  ASSERT_FALSE(last.result.series.empty());
  const std::vector<double>& efficiency = last.result.series.front().values;
  EXPECT_NEAR(efficiency[60], 0.5, 0.02) << "that of today's dbbm";
}

TEST_F(Together, TheDifferencesOfSettingsAreNamed) {
  write("today/sweep", "100 Gbps", 1, {"voqnet"});
  const ResultsTogether both({path("old/sweep"), path("today/sweep")});
  EXPECT_THAT(both.differences(),
              ElementsAre("link.rate is \"200 Gbps\" in old/sweep and \"100 Gbps\" in today/sweep",
                          HasSubstr("only today/sweep has voqnet")));
  const ResultsTogether one({path("old/sweep")});
  EXPECT_TRUE(one.differences().empty());
  EXPECT_TRUE(one.read_all({true, true, false, false}).front().parameters.size() == 1);
}

TEST_F(Together, TheSameFolderTwiceIsRefused) {
  EXPECT_THROW(ResultsTogether({path("old/sweep"), path("old/sweep/results.sqlite")}), InputError);
}

}  // namespace
}  // namespace weir::report
