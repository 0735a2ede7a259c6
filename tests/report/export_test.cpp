#include "weir/report/table/export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/example_runs.hpp"
#include "support/temporary_folder.hpp"
#include "weir/base/error.hpp"

namespace weir::report {
namespace {

using testing::HasSubstr;

std::string scalars(const std::vector<experiment::RunRecord>& runs) {
  std::ostringstream out;
  write_scalars_csv(out, runs);
  return out.str();
}

TEST(Export, ScalarsAreTidy) {
  const std::string text = scalars(hot_spot_runs());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "experiment,case,queueing.model,seed,version,status,metric,label,value,half_width,unit,"
            "quality");
  EXPECT_THAT(text,
              HasSubstr("\nquickstart,1q,1q,1,0.1.0,done,latency_p99,cold,1543210,,ns,plain\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3 * 6);
}

TEST(Export, QuotesWhatCsvNeedsQuoted) {
  auto run = hot_spot_run("a, \"b\"", 0.5);
  EXPECT_THAT(scalars({run}), HasSubstr("quickstart,\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",1,"));
}

TEST(Export, NothingToMeasureIsEmpty) {
  experiment::RunRecord run;
  run.experiment = "e";
  run.result.add_scalar("fairness", "", std::nan(""));
  EXPECT_THAT(scalars({run}), HasSubstr("fairness,,,,1,plain\n"));
}

TEST(Export, ConfidenceStandsBesideTheValue) {
  experiment::RunRecord run;
  run.experiment = "e";
  run.result.scalars.push_back({{"latency_mean", ""}, 1234.5, 6.25, metrics::Quality::estimated});
  run.result.scalars.push_back(
      {{"latency_mean", "hot"}, std::nan(""), std::nan(""), metrics::Quality::not_stationary});
  EXPECT_THAT(scalars({run}), HasSubstr("latency_mean,,1234.5,6.25,ns,estimated\n"));
  EXPECT_THAT(scalars({run}), HasSubstr("latency_mean,hot,,,ns,not stationary\n"));
  const auto json = nlohmann::json::parse(to_json({run}, {}))["runs"][0]["scalars"];
  EXPECT_EQ(json[0]["half_width"], 6.25);
  EXPECT_EQ(json[0]["quality"], "estimated");
  EXPECT_TRUE(json[1]["half_width"].is_null());
}

TEST(Export, WhatDiffersBetweenTwoRunsOfTheSameThingIsShownOnRequest) {
  auto run = hot_spot_run("1q", 0.5);
  const std::string before = to_json({run}, {}) + scalars({run});
  run.id = 5;
  run.host = "node7";
  run.started = "2026-01-01T10:00:00Z";
  run.result.wall_seconds = 5;
  run.result.cpu_seconds = 2;
  run.result.add_scalar("packet_hops", "", 3e6);
  auto same = hot_spot_run("1q", 0.5);
  same.result.add_scalar("packet_hops", "", 3e6);
  EXPECT_EQ(to_json({run}, {}) + scalars({run}), to_json({same}, {}) + scalars({same}));
  EXPECT_NE(to_json({run}, {}) + scalars({run}), before);
  JsonParts parts;
  parts.provenance = true;
  const auto json = nlohmann::json::parse(to_json({run}, parts))["runs"][0]["provenance"];
  EXPECT_EQ(json["host"], "node7");
  EXPECT_EQ(json["wall_seconds"], 5);
  EXPECT_EQ(json["cpu_seconds"], 2);
  EXPECT_EQ(json["hops_per_second"], 1.5e6);
  std::ostringstream csv;
  write_runs_csv(csv, {run});
  EXPECT_THAT(csv.str(), HasSubstr(",node7,2026-01-01T10:00:00Z,,5,2,1500000\n"));
}

TEST(Export, SeriesHaveARowABin) {
  std::ostringstream out;
  write_series_csv(out, {hot_spot_run("1q", 0.5)});
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 121);
  EXPECT_THAT(text, HasSubstr("efficiency,,100000,100000,"));
}

TEST(Export, LinksHaveARowEach) {
  auto run = hot_spot_run("1q", 0.5);
  run.result.links.push_back({"s0[1]", "up", 0.5, 0.25, 10, 2, 4'096});
  std::ostringstream out;
  write_links_csv(out, {run});
  EXPECT_THAT(out.str(), HasSubstr(",done,s0[1],up,0.5,0.25,10,2,4096\n"));
}

TEST(Export, SetAsideQueuesAreInTablesOfTheirOwn) {
  auto run = hot_spot_run("recn", 0.5);
  run.result.set_aside_trees.push_back({"s2[1]",
                                        nanoseconds(1'000),
                                        nanoseconds(2'500),
                                        12,
                                        5,
                                        1,
                                        4'096,
                                        {"s2[0] ingress", "s1[2] egress"},
                                        {0, 1},
                                        {"s1[2] egress"}});
  run.result.set_aside_events.push_back(
      {nanoseconds(10), "s1[2] egress", "s2[1]", 1, "allocated", Time(0)});
  run.result.set_aside_events.push_back(
      {nanoseconds(30), "s1[2] egress", "s2[1]", 1, "released", nanoseconds(20)});
  std::ostringstream trees;
  write_set_aside_trees_csv(trees, {run});
  EXPECT_THAT(trees.str(), HasSubstr(",root,since_ns,until_ns,allocations,queues_max,hops_max,"
                                     "bytes_max,sides,leaves\n"));
  EXPECT_THAT(trees.str(), HasSubstr(",done,s2[1],1000,2500,12,5,1,4096,s2[0] ingress; s1[2] "
                                     "egress,s1[2] egress\n"));
  std::ostringstream events;
  write_set_aside_events_csv(events, {run});
  EXPECT_THAT(events.str(), HasSubstr(",done,10,s1[2] egress,s2[1],1,allocated,\n"));
  EXPECT_THAT(events.str(), HasSubstr(",done,30,s1[2] egress,s2[1],1,released,20\n"));
  JsonParts parts;
  parts.trees = parts.events = true;
  const auto json = nlohmann::json::parse(to_json({run}, parts))["runs"][0];
  EXPECT_EQ(json["set_aside_trees"][0]["side_hops"][1], 1);
  EXPECT_EQ(json["set_aside_trees"][0]["until_ns"], 2'500);
  EXPECT_EQ(json["set_aside_events"][1]["lifetime_ns"], 20);
  EXPECT_FALSE(json["set_aside_events"][0].contains("lifetime_ns"));
  EXPECT_FALSE(nlohmann::json::parse(to_json({run}, {}))["runs"][0].contains("set_aside_trees"));
}

TEST(Export, JsonParsesAndKeepsNumbers) {
  auto runs = hot_spot_runs();
  runs[0].result.series[0].values[3] = std::nan("");
  runs[0].result.trees.push_back({microseconds(3), "s2[1]", 1, {"s1[2]"}, {1}, {"s1[2]"}});
  runs[0].error = "bad byte \xFF";
  JsonParts parts;
  parts.trees = true;
  const auto json = nlohmann::json::parse(to_json(runs, parts));
  ASSERT_EQ(json["runs"].size(), 3U);
  const auto& run = json["runs"][0];
  EXPECT_EQ(run["case"], "1q");
  EXPECT_EQ(run["parameters"]["queueing.model"], "1q");
  EXPECT_EQ(run["scalars"][0]["metric"], "efficiency");
  EXPECT_EQ(run["scalars"][0]["value"].get<double>(), 0.5 + 0.31 / 2);
  EXPECT_EQ(run["series"][0]["bin_ns"], 100'000);
  EXPECT_TRUE(run["series"][0]["values"][3].is_null());
  EXPECT_EQ(run["trees"][0]["time_ns"], 3'000);
  EXPECT_EQ(run["configuration"], "a = 1\n");
}

TEST(Export, SaysWhichFileCannotBeWritten) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "plain").string();
  write_file(file, "text");
  std::ifstream in(file);
  std::string back;
  std::getline(in, back);
  EXPECT_EQ(back, "text");
  const auto message = [](const std::string& path) {
    try {
      write_file(path, std::string(1'000'000, 'x'));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message(file + "/x.csv"), HasSubstr(file + ": cannot make the output folder"));
  EXPECT_THAT(message(folder.string()), HasSubstr("cannot write"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
            1);  // nothing beside
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(message("/dev/full"), "/dev/full: cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace weir::report
