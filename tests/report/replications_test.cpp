#include "weir/report/table/replications.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/example_runs.hpp"
#include "weir/report/table/summary.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {
namespace {

using experiment::RunRecord;
using metrics::Quality;
using testing::HasSubstr;
using testing::Not;

RunRecord run_of(std::uint64_t seed, double latency) {
  RunRecord run;
  run.experiment = "e";
  run.parameters = {{"load", "0.5"}};
  run.seed = seed;
  run.result.add_scalar("latency_mean", "", latency);
  return run;
}

TEST(AcrossSeeds, GivesTheMeanAndStudentsInterval) {
  // Mean 12, standard deviation 2, t(0.975, 2) = 4.302653: half width 4.302653 x 2 / sqrt(3).
  const auto means = across_seeds({run_of(1, 10), run_of(2, 12), run_of(3, 14)});
  ASSERT_EQ(means.size(), 1U);
  const metrics::Scalar& mean = means[0].result.scalars.at(0);
  EXPECT_DOUBLE_EQ(mean.value, 12);
  EXPECT_NEAR(mean.half_width, 4.302653 * 2 / std::sqrt(3.0), 1e-5);
  EXPECT_EQ(mean.quality, Quality::estimated);
  EXPECT_EQ(means[0].status, "done");
}

TEST(AcrossSeeds, KeepsCasesAndPointsApart) {
  const auto runs = sweep_runs();
  EXPECT_TRUE(has_replications(runs));
  const auto means = across_seeds(runs);
  ASSERT_EQ(means.size(), runs.size() / 2);
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_EQ(means[i].case_name, runs[2 * i].case_name);
    EXPECT_EQ(means[i].parameters, runs[2 * i].parameters);
  }
  EXPECT_EQ(replications_text(runs), "Means of 2 seeds ± half width of the 95 % interval.");
}

TEST(AcrossSeeds, LeavesSingleRunsAlone) {
  const auto runs = hot_spot_runs();
  EXPECT_FALSE(has_replications(runs));
  const auto means = across_seeds(runs);
  ASSERT_EQ(means.size(), runs.size());
  EXPECT_EQ(means[0].result.series.size(), 1U);
  EXPECT_EQ(means[0].seed, 1U);
}

TEST(AcrossSeeds, FailedRunsBecomeNotes) {
  std::vector<RunRecord> runs{run_of(1, 10), run_of(2, 12), run_of(3, 0)};
  runs[2].status = "failed";
  runs[2].error = "deadlock";
  runs[2].result = {};
  auto means = across_seeds(runs);
  ASSERT_EQ(means.size(), 1U);
  EXPECT_EQ(means[0].result.scalars[0].value, 11);
  EXPECT_THAT(means[0].result.notes, testing::ElementsAre("seed 3 failed: deadlock"));
  EXPECT_THAT(replications_text(runs), HasSubstr("Means of 2 seeds"));
  for (RunRecord& run : runs) run.status = "failed";
  means = across_seeds(runs);
  EXPECT_EQ(means[0].status, "failed");
  EXPECT_TRUE(means[0].result.scalars.empty());
}

TEST(AcrossSeeds, WhatIsNotStationaryOnceHasNoMean) {
  std::vector<RunRecord> runs{run_of(1, 10), run_of(2, 12)};
  runs[1].result.scalars[0].value = std::nan("");
  runs[1].result.scalars[0].quality = Quality::not_stationary;
  const auto means = across_seeds(runs);
  EXPECT_TRUE(std::isnan(means[0].result.scalars[0].value));
  EXPECT_EQ(means[0].result.scalars[0].quality, Quality::not_stationary);
  EXPECT_THAT(summary_table(means, {{"latency_mean", ""}}), HasSubstr("not stationary\n"));
}

TEST(AcrossSeeds, TheTableHasALineAPoint) {
  const auto means = across_seeds(sweep_runs());
  const std::string text = summary_table(means, default_columns(means));
  EXPECT_THAT(text, Not(HasSubstr("seed")));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  // 1000 / 0.55 + 30, and 12.706205 x 14.142136 / sqrt(2) = 127.06
  EXPECT_THAT(text, HasSubstr("1.85 ± 0.13 µs\n"));
}

TEST(FormatInterval, ShowsTwoDigitsOfTheHalfWidth) {
  EXPECT_EQ(format_interval(0.450312, 0.00213, "1"), "0.4503 ± 0.0021");
  EXPECT_EQ(format_interval(715'123, 3'456, "ns"), "715.1 ± 3.5 µs");
  EXPECT_EQ(format_interval(496.333, 12.7, ""), "496 ± 13");
  EXPECT_EQ(format_interval(1'543'210, 2'000'000, "ns"), "1.5 ± 2.0 ms");
  EXPECT_EQ(format_interval(0, 0.25, "1"), "0.00 ± 0.25");
  EXPECT_EQ(format_interval(12.5, 0, "Gbps"), "12.50 ± 0.00 Gbps");
  EXPECT_EQ(format_interval(0.5, std::nan(""), "1"), format_quantity(0.5, "1"));
  EXPECT_EQ(format_interval(std::nan(""), 1, "1"), "-");
}

}  // namespace
}  // namespace weir::report
