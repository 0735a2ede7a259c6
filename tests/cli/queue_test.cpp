#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kGe =
    "queue ge --arrival-rate 4 --scv 5 --service-rate 8 --service-scv 7 --capacity 8";

constexpr const char* kFile = R"([experiment]
kind = "queue"
[queue]
model = "ge"
arrival_rate = 4.0
arrival_scv = 5.0
service_rate = 8.0
service_scv = 7.0
capacity = 8
)";

TEST(Queue, ShowsTheMeasuresOfAModel) {
  const Workplace place;
  const Outcome outcome = place.weir(kGe);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* number : {"1.84684", "0.171172", "3.31531", "0.557064", "0.414414"}) {
    EXPECT_THAT(outcome.output, HasSubstr(number));
  }
  EXPECT_THAT(outcome.output, Not(HasSubstr("simulation")));
}

TEST(Queue, ShowsTheSimulationBesideIt) {
  const Workplace place;
  const Outcome outcome = place.weir(kGe + " --simulate 100000 --states 3");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("error measure"));
  EXPECT_THAT(outcome.output, HasSubstr("±"));
  EXPECT_THAT(outcome.output, HasSubstr("state probability [2]"));
}

TEST(Queue, HelpOfAModelListsItsKeys) {
  const Workplace place;
  const Outcome outcome = place.weir("queue entry-threshold --help");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* part : {"--simulate", "borrowed_rate", "packets_per_entry", "mode"}) {
    EXPECT_THAT(outcome.output, HasSubstr(part));
  }
  EXPECT_THAT(place.weir("queue --help").output, HasSubstr("weir queue MODEL --help"));
  const Outcome wrong = place.weir("queue gee --help");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("no queue is called 'gee'"));
  EXPECT_EQ(place.weir("queue").status, 2);
}

TEST(Queue, WhatCannotBeComputedIsAnError) {
  const Workplace place;
  const auto expect_refused = [&](const std::string& keys, const std::string& part) {
    const Outcome outcome = place.weir("queue " + keys);
    EXPECT_EQ(outcome.status, 2) << keys << outcome.output;
    EXPECT_EQ(outcome.output, "") << keys;
    EXPECT_THAT(outcome.errors, HasSubstr(part)) << keys;
  };
  expect_refused("ge --arrival-rate 1e300 --service-rate 1e-300 --capacity 8",
                 "--arrival-rate: queue.arrival_rate: must be between");
  expect_refused("ge --arrival-rate 1 --service-rate 1e-300 --capacity 8", "queue.service_rate");
  expect_refused("ge --arrival-rate 1 --service-rate 1e999 --capacity 8", "service");
  expect_refused("ge --arrival-rate 0.5 --service-rate 1 --scv 1e308", "queue.arrival_scv");
  expect_refused(
      "credit-tandem --arrival-rate 1 --rate-1 1 --rate-2 1 --capacity-1 100 "
      "--capacity-2 100 --method elimination",
      "queue.method: 10201 states are too many");
  // Wide apart, but within what numbers hold.
  for (const char* keys : {"ge --arrival-rate 1e90 --service-rate 1e-90 --capacity 8",
                           "ge --arrival-rate 1e-90 --service-rate 1e90 --capacity 8"}) {
    const Outcome outcome = place.weir(std::string("queue ") + keys);
    EXPECT_THAT(outcome.output, Not(ContainsRegex("nan|inf"))) << keys;
    EXPECT_EQ(outcome.status == 0, outcome.errors.empty()) << keys << outcome.errors;
  }
}

TEST(Queue, SaysWhereEquationsAndSimulationDiffer) {
  const Workplace place;
  const std::string tandem =
      "queue credit-tandem --arrival-rate 0.5 --rate-1 1 --rate-2 1 --capacity-1 4 --capacity-2 4";
  EXPECT_THAT(place.weir(tandem).output, Not(HasSubstr("note:")));
  EXPECT_THAT(place.weir(tandem + " --credit-delay 0.2 --simulate 20000").output,
              HasSubstr("note: credit_delay is in the simulation only"));
  const std::string lanes =
      "queue lane-sharing --arrival-rates 4,2 --rates 8,16 --capacity 4 --thresholds 2 --lenders 1";
  EXPECT_THAT(place.weir(lanes).output, HasSubstr("simulate says what contention"));
  const Outcome beside = place.weir(lanes + " --simulate 20000");
  ASSERT_EQ(beside.status, 0) << beside.errors;
  EXPECT_THAT(beside.output, HasSubstr("simulated lane wait"));
  const std::string slow =
      "queue entry-threshold --arrival-rate 4 --own-rate 8 --capacity 8 --threshold 4 ";
  EXPECT_THAT(place.weir(slow + "--borrowed-rate 6").output,
              HasSubstr("note: borrowed_rate 6 is below 8"));
  EXPECT_THAT(place.weir(slow + "--borrowed-rate 16").output, Not(HasSubstr("note:")));
}

TEST(Queue, AThresholdMayBeInEntriesOfTheTable) {
  const Workplace place;
  const std::string queue =
      "queue entry-threshold --arrival-rate 4 --own-rate 8 --borrowed-rate 16 "
      "--capacity 8 ";
  const Outcome entries = place.weir(queue + "--threshold-entries 2 --packets-per-entry 2");
  ASSERT_EQ(entries.status, 0) << entries.errors;
  EXPECT_EQ(entries.output, place.weir(queue + "--threshold 4").output);
  const Outcome many = place.weir(queue + "--threshold-entries 3 --packets-per-entry 8");
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.errors, HasSubstr("--threshold-entries: queue.threshold_entries: are worth 24"));
  EXPECT_THAT(place.weir(queue).errors, HasSubstr("queue.threshold: is missing"));
}

TEST(Queue, CheckCountsArrivals) {
  const Workplace place;
  place.write("ge.toml", std::string(kFile) + "simulate = 1000000\n");
  const Outcome outcome = place.weir("check ge.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("1 million simulated arrivals in all"));
}

TEST(Queue, EveryModelWorks) {
  const Workplace place;
  for (const char* model :
       {"poisson --arrival-rate .5 --service-rate 1 --service-scv 0",
        "entry-threshold --arrival-rate 4 --own-rate 8 --borrowed-rate 16 --capacity 8 "
        "--threshold 4 --simulate 20000",
        "arrival-job-threshold --arrival-rate 6 --rates 8,16,12 --thresholds 4,4 --capacity 8 "
        "--simulate 20000",
        "credit-tandem --arrival-rate 5 --rate-1 6 --rate-2 8 --capacity-1 12 --capacity-2 6 "
        "--simulate 20000",
        "lane-sharing --arrival-rates 4,2,0 --rates 8,16 --thresholds 4 --capacity 8 --lenders 2 "
        "--simulate 20000"}) {
    const Outcome outcome = place.weir(std::string("queue ") + model);
    EXPECT_EQ(outcome.status, 0) << model << ": " << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("response time"));
  }
}

TEST(Queue, WritesJson) {
  const Workplace place;
  const Outcome outcome = place.weir(kGe + " --format json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_THAT(json.dump(), HasSubstr("blocking_probability"));
}

TEST(Queue, FilesAreExperiments) {
  const Workplace place;
  place.write("x.toml", std::string(kFile) + "[sweep]\n\"queue.arrival_rate\" = [4.0, 6.0]\n");
  const Outcome shown = place.weir("queue x.toml");
  ASSERT_EQ(shown.status, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("1.847"));
  EXPECT_THAT(shown.output, HasSubstr("2.764"));
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "results"));
  const Outcome ran = place.weir("run x.toml -q");
  EXPECT_EQ(ran.status, 0) << ran.errors;
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "results/x/scalars.csv"));
  const Outcome checked = place.weir("check x.toml");
  EXPECT_EQ(checked.status, 0) << checked.errors;
  EXPECT_THAT(checked.output, ContainsRegex("queue +ge\n"));
  const Outcome dumped = place.weir("run x.toml --dump");
  ASSERT_EQ(dumped.status, 0) << dumped.errors;
  place.write("y.toml", dumped.output);
  EXPECT_EQ(place.weir("queue y.toml").output, shown.output);
}

TEST(Queue, MistakesAreTold) {
  const Workplace place;
  const auto told = [&](const std::string& words) {
    const Outcome outcome = place.weir(words);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  };
  const std::string rest = " --service-rate 8 --capacity 8";
  EXPECT_THAT(told("queue ge --arrival-rate -4" + rest),
              HasSubstr("--arrival-rate: queue.arrival_rate: must be greater than 0, not -4"));
  EXPECT_THAT(told("queue ge --arrival-rate 4 --scv 0.5" + rest),
              HasSubstr("--scv: queue.arrival_scv: must be at least 1, not 0.5"));
  EXPECT_THAT(told("queue ge --arrival-rate 4 --service-rate 8 --capacity 0"),
              HasSubstr("queue.capacity: must be 1 to"));
  EXPECT_THAT(told("queue ge --arrival-rate 9 --service-rate 8"),
              HasSubstr("a queue without bound needs a load below 1"));
  EXPECT_THAT(told("queue ge" + rest), HasSubstr("queue.arrival_rate: is missing"));
  EXPECT_THAT(
      told("queue ge --arival-rate 4" + rest),
      HasSubstr("--arival-rate: queue.arival_rate: unknown key (did you mean 'arrival_rate'?)"));
  EXPECT_THAT(told("queue ge --arrival-rate"), HasSubstr("--arrival-rate: its value is missing"));
  EXPECT_THAT(told("queue gee --arrival-rate 4"), HasSubstr("no queue is called 'gee'"));
  EXPECT_THAT(told("queue entry-threshold --arrival-rate 4 --own-rate 8 --borrowed-rate 16 "
                   "--capacity 8 --threshold 9"),
              HasSubstr("--threshold: queue.threshold: must be 0 to 8"));
  EXPECT_THAT(told(kGe + " --simulate 100"), HasSubstr("must be 0 or at least 10000"));
  place.write("x.toml", std::string(kFile) + "threshold = 4\n");
  EXPECT_THAT(told("queue x.toml"), StartsWith("weir: x.toml:10:1: queue.threshold: unknown key"));
  place.write("y.toml", "[experiment]\nkind = \"queue\"\n");
  EXPECT_THAT(told("run y.toml"), HasSubstr("queue.model: is missing"));
  place.write("z.toml",
              "[experiment]\nduration = \"1 us\"\n[topology]\nmodel = \"two-hosts\"\n"
              "[routing]\nmodel = \"shortest-path\"\n[[traffic]]\nname = \"a\"\n"
              "destinations = { model = \"uniform\" }\narrivals = \"saturated\"\n"
              "sizes = { model = \"fixed\", size = \"1 KiB\" }\n");
  EXPECT_THAT(told("queue z.toml"), HasSubstr("weir run carries it out"));
}

}  // namespace
}  // namespace weir::cli
