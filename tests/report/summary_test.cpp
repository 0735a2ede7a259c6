#include "weir/report/table/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/example_runs.hpp"

namespace weir::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Summary, ShowsALinePerCaseWithUnits) {
  const auto runs = hot_spot_runs();
  const std::string text = summary_table(runs, default_columns(runs));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, HasSubstr("case    efficiency  throughput [cold]"));
  EXPECT_THAT(text, HasSubstr("1q          0.6550         1.234 Tbps"));
  EXPECT_THAT(text, HasSubstr("latency p99 [cold]"));
  EXPECT_THAT(text, HasSubstr("1.543 ms"));
  EXPECT_THAT(text, Not(HasSubstr("out of order")));    // all zero
  EXPECT_THAT(text, Not(HasSubstr("queueing.model")));  // the case says it
  EXPECT_THAT(text, Not(HasSubstr("seed")));            // all the same
}

TEST(Summary, ShowsWhatASweepSetAndSeeds) {
  const auto runs = sweep_runs();
  const std::string text = summary_table(runs, default_columns(runs));
  EXPECT_THAT(text, HasSubstr("case   traffic.0.load  seed"));
  EXPECT_THAT(text, HasSubstr("0.500000"));
}

TEST(Summary, ShowsSlowdownsWhereTheyWereMeasured) {
  auto runs = sweep_runs();
  EXPECT_THAT(summary_table(runs, default_columns(runs)), Not(HasSubstr("slowdown")));
  for (auto& run : runs) run.result.add_scalar("slowdown_p99", "", 12.5);
  const std::string text = summary_table(runs, default_columns(runs));
  EXPECT_THAT(text, HasSubstr("slowdown p99"));
  EXPECT_THAT(text, HasSubstr("12.50"));
}

TEST(Summary, CompletionTimeIsOfWorkloadsThatEnded) {
  auto runs = sweep_runs();
  for (auto& run : runs) {
    run.result.add_scalar("completion_time", "", 5'000);
    run.result.add_scalar("messages_generated", "", 10);
    run.result.add_scalar("messages_completed", "", 10);
  }
  EXPECT_THAT(summary_table(runs, default_columns(runs)), HasSubstr("completion time"));
  runs[0].result.scalars.back().value = 9;
  EXPECT_THAT(summary_table(runs, default_columns(runs)), Not(HasSubstr("completion time")));
}

TEST(Summary, ANoteStandsOnce) {
  auto runs = hot_spot_runs();
  for (auto& run : runs) run.result.notes = {"of all"};
  runs[0].result.notes.emplace_back("of two");
  runs[1].result.notes.emplace_back("of two");
  const std::string text = summary_table(runs, default_columns(runs));
  EXPECT_THAT(text, HasSubstr("note: all runs: of all\n"));
  EXPECT_THAT(text, HasSubstr("; dbbm: of two\n"));
  EXPECT_EQ(text.find("of all"), text.rfind("of all"));
  EXPECT_EQ(text.find("of two"), text.rfind("of two"));
}

TEST(Summary, FailedRunsSayWhy) {
  auto runs = hot_spot_runs();
  runs[1].status = "failed";
  runs[1].error = "deadlock: s1[2] waits for s1[2]";
  runs[2].result.notes = {"nothing was measured"};
  const std::string text = summary_table(runs, default_columns(runs));
  EXPECT_THAT(text, HasSubstr("dbbm        failed\n"));
  EXPECT_THAT(text, HasSubstr("failed: dbbm: deadlock: s1[2] waits for s1[2]\n"));
  EXPECT_THAT(text, HasSubstr("note: voqnet: nothing was measured\n"));
}

TEST(Summary, SaysWhatLabelsThereAre) {
  auto runs = hot_spot_runs();
  runs[0].result.add_scalar("slowdown_p99", "<= 97.7 KiB", 2);
  const std::string text = summary_table(runs, {{"slowdown_p99", "<= 97 KiB"}});
  EXPECT_THAT(text, HasSubstr("note: no run has slowdown_p99[<= 97 KiB]; labels are others (did "
                              "you mean '<= 97.7 KiB'?)\n"));
}

TEST(Summary, SaysWhatTurnsAMissingColumnOn) {
  auto runs = hot_spot_runs();
  const std::string text = summary_table(
      runs, {{"efficiency", ""}, {"queued_max", ""}, {"injection_rate", "hot"}, {"hosts", ""}});
  EXPECT_THAT(text, HasSubstr("note: no run has queued_max; it needs metrics.links = true\n"));
  EXPECT_THAT(text,
              HasSubstr("note: no run has injection_rate[hot]; it needs a [reaction] model\n"));
  EXPECT_THAT(text, HasSubstr("note: no run has hosts\n"));
  EXPECT_THAT(text, Not(HasSubstr("has efficiency")));
  // Some have it: only a key that turns it off is worth a word.
  runs[0].result.add_scalar("queued_max", "", 1, Reading::sampled);
  runs[0].result.add_scalar("injection_rate", "hot", 1);
  const std::string some = summary_table(runs, {{"queued_max", ""}, {"injection_rate", "hot"}});
  EXPECT_THAT(some, HasSubstr("of the runs have no queued_max; it needs metrics.links = true\n"));
  EXPECT_THAT(some, Not(HasSubstr("injection_rate[hot];")));
  // All have it, some under other labels: it is on.
  for (auto& run : runs) run.result.add_scalar("slowdown_p99", "", 3);
  runs[0].result.add_scalar("slowdown_p99", "job", 3);
  EXPECT_THAT(summary_table(runs, {{"slowdown_p99", "job"}}), Not(HasSubstr("slowdown_p99[job];")));
}

TEST(Summary, OfNothing) { EXPECT_EQ(summary_table({}, {}), "no runs\n"); }

TEST(Summary, NamesRunsByCaseThenSweepThenExperiment) {
  experiment::RunRecord run;
  run.experiment = "e";
  EXPECT_EQ(label_of(run), "e");
  run.parameters = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(label_of(run), "a = 1, b = 2");
  run.case_name = "c";
  EXPECT_EQ(label_of(run), "c");
}

}  // namespace
}  // namespace weir::report
