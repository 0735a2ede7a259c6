#include "weir/report/table/ranking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/base/error.hpp"

namespace weir::report::ranking_test {
namespace {

using experiment::RunRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const RankingSpec kByWait{"mechanism", "none", {"latency_mean", ""}};

RunRecord run_of(const std::string& choice, std::uint64_t seed, double latency) {
  RunRecord run;
  run.experiment = "e";
  run.case_name = choice;
  run.seed = seed;
  run.result.add_scalar("latency_mean", "", latency);
  return run;
}

std::vector<RunRecord> runs_of(const std::string& choice, const std::vector<double>& latencies) {
  std::vector<RunRecord> runs;
  for (const double one : latencies) runs.push_back(run_of(choice, runs.size() + 1, one));
  return runs;
}

std::vector<RunRecord> all_of(const std::vector<std::vector<RunRecord>>& parts) {
  std::vector<RunRecord> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<std::string> names_of(const Ranking& ranking) {
  std::vector<std::string> names;
  for (const RankedChoice& one : ranking.choices) {
    names.push_back(std::to_string(one.rank) + " " + one.name);
  }
  return names;
}

TEST(Rankings, PairDrawsSoThatWhatTheyShareDoesNotCount) {
  // Draws differ by a factor of four, the mechanisms by a tenth in each of them.
  const auto all = rankings(all_of({runs_of("none", {100, 200, 400}), runs_of("a", {90, 180, 360}),
                                    runs_of("b", {50, 101, 199})}),
                            kByWait);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].draws, 3U);
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 b", "2 a", "3 none"));
  const RankedChoice& a = all[0].choices[1];
  ASSERT_TRUE(a.gain);
  EXPECT_NEAR(a.gain->mean, 1 / 0.9, 1e-12);
  EXPECT_NEAR(a.gain->high, 1 / 0.9, 1e-9) << "it is the same in all draws";
  EXPECT_FALSE(all[0].choices[2].gain);
}

TEST(Rankings, WhatCannotBeToldFromTheFirstOfARankSharesIt) {
  const auto all =
      rankings(all_of({runs_of("none", {100, 100, 100, 100}), runs_of("a", {10, 11, 9, 10.5}),
                       runs_of("b", {11, 10, 10.5, 9.2}), runs_of("c", {30, 31, 32, 33})}),
               kByWait);
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 a", "1 b", "3 c", "4 none"));
}

TEST(Rankings, TheGainIsAGeometricMeanWithStudentsInterval) {
  // Ratios 2 and 8: mean 4, logarithms 0.5 (ln 8 - ln 2) apart from it, t(0.975, 1) = 12.7062.
  const auto all = rankings(all_of({runs_of("none", {20, 80}), runs_of("a", {10, 10})}), kByWait);
  const Gain gain = all[0].choices[0].gain.value();
  EXPECT_NEAR(gain.mean, 4, 1e-12);
  EXPECT_NEAR(std::log(gain.high / 4), 12.7062 * std::log(2.0), 1e-4);
  EXPECT_NEAR(std::log(4 / gain.low), 12.7062 * std::log(2.0), 1e-4);
}

TEST(Rankings, HigherCanBeBetter) {
  EXPECT_TRUE(is_lower_better({"latency_mean", ""}));
  EXPECT_FALSE(is_lower_better({"efficiency", ""}));
  EXPECT_THROW((void)is_lower_better({"events", ""}), InputError);
  std::vector<RunRecord> runs;
  for (const auto& [name, value] : {std::pair("none", 0.2), std::pair("a", 0.8)}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      RunRecord run = run_of(name, seed, 1);
      run.result.add_scalar("efficiency", "", value + 0.001 * static_cast<double>(seed));
      runs.push_back(run);
    }
  }
  const auto all = rankings(runs, {"mechanism", "none", {"efficiency", ""}});
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 a", "2 none"));
  EXPECT_NEAR(all[0].choices[0].gain->mean, 4, 0.05);
}

TEST(Rankings, WhoDidNotMeasureInEveryDrawHasNoRank) {
  auto runs = all_of({runs_of("none", {100, 200}), runs_of("a", {1, 1}), runs_of("b", {5, 6})});
  runs[3].result.scalars.clear();
  const auto all = rankings(runs, kByWait);
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 b", "2 none", "0 a"));
  EXPECT_THAT(ranking_table(all[0], kByWait, {}), HasSubstr("   -  a "));
}

TEST(Rankings, OtherCasesAreRankedApart) {
  std::vector<RunRecord> runs;
  for (const char* traffic : {"light", "heavy"}) {
    for (const char* mechanism : {"none", "a"}) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const bool is_worse = (traffic[0] == 'l') == (mechanism[0] == 'a');
        RunRecord run = run_of(std::string(traffic) + ", " + mechanism, seed, is_worse ? 20 : 10);
        run.parameters = {{"traffic", traffic}, {"mechanism", mechanism}};
        runs.push_back(run);
      }
    }
  }
  const auto all = rankings(runs, kByWait);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].at, ElementsAre(std::pair<std::string, std::string>("traffic", "light")));
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 none", "2 a"));
  EXPECT_THAT(names_of(all[1]), ElementsAre("1 a", "2 none"));
}

TEST(Rankings, OneDrawRanksWithoutSayingWhatItIsWorth) {
  const auto all = rankings(all_of({runs_of("none", {20}), runs_of("a", {10})}), kByWait);
  EXPECT_THAT(names_of(all[0]), ElementsAre("1 a", "1 none")) << "nothing tells them apart";
  EXPECT_FALSE(all[0].choices[0].gain);
}

TEST(RankingTables, HaveNoColumnThatNoRunHas) {
  const auto all = rankings(all_of({runs_of("none", {20, 80}), runs_of("a", {10, 10})}), kByWait);
  const std::vector<MetricName> columns{{"efficiency", ""}, {"latency_mean", ""}};
  const std::string table = ranking_table(all[0], kByWait, columns);
  EXPECT_THAT(table, HasSubstr("times better than none"));
  EXPECT_THAT(table, HasSubstr("latency mean"));
  EXPECT_THAT(table, Not(HasSubstr("efficiency")));
  EXPECT_THAT(bill_table(all[0], kByWait, columns), HasSubstr(" 10 ns\n"))
      << "what all draws have alike needs no interval";
}

}  // namespace
}  // namespace weir::report::ranking_test
