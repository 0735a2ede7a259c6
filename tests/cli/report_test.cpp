#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"

namespace weir::cli::report_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kExperiment = R"(
[experiment]
name = "small"
duration = "20 us"
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
[[case]]
name = "shared"
set = { queueing = "voqsw" }
[[case]]
name = "apart"
set = { queueing = "voqnet" }
)";

/// Results of the experiment in the folder r, of a program with the page.
class Report : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("x.toml", kExperiment);
    run_ = place_.weir("run x.toml -o r -q");
    ASSERT_EQ(run_.status, 0) << run_.errors;
    if (run_.output.find("built without it") != std::string::npos) {
      GTEST_SKIP() << "this program was built without the report page";
    }
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return fs::exists(place_.folder() / name);
  }

  Workplace place_;
  Outcome run_;
};

TEST_F(Report, IsWrittenByARunAndFromTheDatabase) {
  EXPECT_THAT(run_.output, HasSubstr("report.html"));
  ASSERT_TRUE(exists("r/report.html"));
  fs::remove(place_.folder() / "r/report.html");
  const Outcome again = place_.weir("report r");
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_THAT(again.output, HasSubstr("r/report.html"));
  const std::string page = read_file(place_.folder() / "r/report.html");
  EXPECT_THAT(page, HasSubstr("<html"));
  EXPECT_THAT(page, HasSubstr("id=\"weir-report\""));
  EXPECT_THAT(page, Not(HasSubstr("@WEIR_REPORT@")));
  EXPECT_LT(page.size(), 10'000'000U);
}

// As on a machine that has the program alone.
TEST_F(Report, IsWrittenWithoutGnuplot) {
  place_.write("y.toml", kExperiment +
                             "[[plot]]\nfigure = \"f\"\n"
                             "metric = \"throughput\"\n");
  const Outcome lone = place_.shell("PATH=/nowhere '" WEIR_PROGRAM "' run y.toml -o lone -q");
  EXPECT_EQ(lone.status, 2);
  EXPECT_THAT(lone.errors, HasSubstr("plots need gnuplot"));
  EXPECT_THAT(lone.output, HasSubstr("report.html"));
  EXPECT_TRUE(exists("lone/report.html"));
  EXPECT_FALSE(exists("lone/f.svg"));
}

TEST_F(Report, GoesWhereItIsTold) {
  EXPECT_EQ(place_.weir("report r/results.sqlite -o out/page.html --title 'Two queues'").status, 0);
  EXPECT_TRUE(exists("out/page.html"));
  const Outcome shown = place_.weir("report r -o -");
  EXPECT_THAT(shown.output, HasSubstr("</html>"));
}

TEST_F(Report, OfSomeRuns) {
  EXPECT_EQ(place_.weir("report r --runs apart").status, 0);
  const Outcome wrong = place_.weir("report r --runs apart,shred");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("no run is called 'shred' (did you mean 'shared'?)"));
}

TEST_F(Report, OfTwoResultsSaysHowTheyDiffer) {
  ASSERT_EQ(place_.weir("run x.toml -o s -q --no-report --set link.rate='\"50 Gbps\"'").status, 0);
  EXPECT_EQ(place_.weir("report r s -o both.html").status, 0);
  const Outcome plot = place_.weir("plot r s");
  EXPECT_EQ(plot.status, 0);
  EXPECT_THAT(plot.errors, HasSubstr("link.rate is"));
  EXPECT_THAT(plot.errors, HasSubstr("in r and \"50 Gbps\" in s"));
  EXPECT_THAT(place_.weir("report r r/results.sqlite").errors, HasSubstr("named twice"));
}

TEST_F(Report, IsNotWrittenWhereNobodyWantsIt) {
  EXPECT_EQ(place_.weir("run x.toml -o quiet -q --no-report").status, 0);
  EXPECT_TRUE(exists("quiet/results.sqlite"));
  EXPECT_FALSE(exists("quiet/report.html"));
  EXPECT_EQ(place_.weir("run x.toml -o off -q --set results.report=false").status, 0);
  EXPECT_FALSE(exists("off/report.html"));
}

TEST(ReportOfNothing, NamesWhatIsMissing) {
  const Workplace place;
  const Outcome outcome = place.weir("report nowhere");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("nowhere: there is no such results file"));
}

}  // namespace
}  // namespace weir::cli::report_test
