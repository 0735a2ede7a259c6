#include "weir/report/page/page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/page_runs.hpp"
#include "weir/base/error.hpp"
#include "weir/base/random.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/report/page/network.hpp"

namespace weir::report {
namespace {

using experiment::refusal;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string bytes_of(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255U);
  }
  return out;
}

TEST(Page, DataHasTheMembersOfTheContract) {
  const json data = data_of({run_of(kHotSpot)});
  EXPECT_EQ(keys_of(data), (std::set<std::string>{"format", "title", "name", "description", "weir",
                                                  "provenance", "metrics", "columns", "figures",
                                                  "drawn", "look", "runs", "topologies", "notes"}));
  EXPECT_EQ(data["format"], 1);
  EXPECT_EQ(data["title"], "incast on a switch");
  EXPECT_EQ(data["name"], "incast");
  EXPECT_EQ(data["description"], "what it is about");
  EXPECT_EQ(keys_of(data["provenance"]), (std::set<std::string>{"generated", "results"}));
  EXPECT_EQ(keys_of(data["runs"][0]),
            (std::set<std::string>{
                "id",      "case",        "parameters",    "seed",    "status",       "error",
                "host",    "started",     "finished",      "version", "wall_seconds", "cpu_seconds",
                "hash",    "fingerprint", "configuration", "notes",   "duration_ns",  "warmup_ns",
                "scalars", "series",      "histograms",    "marks",   "topology",     "links",
                "frames",  "trees",       "hosts"}));
  EXPECT_EQ(keys_of(data["topologies"][0]),
            (std::set<std::string>{"family", "summary", "nodes", "ports"}));
  EXPECT_EQ(keys_of(data["runs"][0]["links"]),
            (std::set<std::string>{"utilization", "wait", "bytes", "queued_max"}));
  EXPECT_THAT(data["notes"], IsEmpty());
  for (const json& scalar : data["runs"][0]["scalars"]) {
    EXPECT_EQ(keys_of(scalar),
              (std::set<std::string>{"metric", "label", "value", "half_width", "quality"}));
    EXPECT_TRUE(data["metrics"].contains(scalar["metric"].get<std::string>())) << scalar;
  }
}

// What is marked and who is hot is the same for the short form of the hot traffic.
TEST(Page, KnowsTheTimesAndHostsOfFlows) {
  std::string text = kHotSpot;
  const std::size_t at = text.find("[[traffic]]");
  text.replace(at, 11, "[[flow]]");
  for (const std::string line : {"arrivals = { model = \"saturated\" }\n",
                                 "sizes = { model = \"fixed\", size = \"4 KiB\" }\n"}) {
    text.erase(text.find(line, at), line.size());
  }
  const json run = data_of({run_of(text)})["runs"][0];
  EXPECT_EQ(run["marks"], json::parse(R"([{"from_ns": 5000, "to_ns": 15000, "label": "hot"}])"));
  EXPECT_EQ(run["hosts"], json::parse(R"({"hot_sources": [0, 1], "hot_destinations": [3]})"));
}

TEST(Page, RunsAreTheRecords) {
  const RunRecord record = run_of(kHotSpot);
  const json run = data_of({record})["runs"][0];
  EXPECT_EQ(run["id"], 7);
  EXPECT_EQ(run["case"], "one");
  EXPECT_EQ(run["parameters"], json::parse(R"([["queueing.model", "\"1q\""]])"));
  EXPECT_EQ(run["duration_ns"], 20'000);
  EXPECT_EQ(run["warmup_ns"], 2'000);
  EXPECT_EQ(run["hash"], record.configuration_hash);
  EXPECT_EQ(run["configuration"], record.configuration);
  EXPECT_EQ(run["marks"], json::parse(R"([{"from_ns": 5000, "to_ns": 15000, "label": "hot"}])"));
  EXPECT_EQ(run["hosts"], json::parse(R"({"hot_sources": [0, 1], "hot_destinations": [3]})"));
  EXPECT_GT(run["wall_seconds"], 0);
  EXPECT_NEAR(run["cpu_seconds"].get<double>(), record.result.cpu_seconds, 1e-5);
  std::map<std::string, json> series;
  for (const json& one : run["series"]) {
    series[one["metric"].get<std::string>() + "[" + one["label"].get<std::string>() + "]"] = one;
  }
  const metrics::Series* efficiency = record.result.find_series("efficiency");
  const json& shown = series.at("efficiency[]");
  ASSERT_EQ(shown["values"].size(), efficiency->values.size());
  EXPECT_NEAR(shown["values"][3].get<double>(), efficiency->values[3], 1e-6);
  EXPECT_EQ(shown["bin_ns"], 1'000);
  for (const auto& [name, one] : series) {
    EXPECT_FALSE(name.starts_with("link_utilization[")) << name;  // of single ports
  }
  EXPECT_FALSE(run["histograms"].empty());
}

TEST(Page, FiguresAndColumnsComeFromTheConfiguration) {
  const json data = data_of({run_of(kHotSpot)});
  ASSERT_EQ(data["figures"].size(), 1U);
  EXPECT_EQ(data["figures"][0]["metrics"], json::parse(R"(["efficiency", "efficiency[hot]"])"));
  EXPECT_EQ(data["figures"][0]["shade"], json::parse("[5000, 15000]"));
  EXPECT_THAT(data["columns"].get<std::vector<std::string>>(), Contains("efficiency"));
  const json chosen = data_of({run_of(kHotSpot + "[results]\ncolumns = [\"tree_size\"]\n")});
  EXPECT_EQ(chosen["columns"], json::parse(R"(["tree_size"])"));
}

/// Runs of a sweep without simulation: what their scalars are.
std::vector<RunRecord> sweep_with(const std::string& plots) {
  std::vector<RunRecord> runs;
  for (const auto& [load, latency] : {std::pair("0.2", 1'000.0), std::pair("0.6", 3'000.0)}) {
    RunRecord run;
    run.id = static_cast<std::int64_t>(runs.size()) + 1;
    run.experiment = "incast";
    run.status = "done";
    run.configuration = kHotSpot + plots;
    run.parameters = {{"traffic.others.arrivals.load", load}};
    run.result.scalars = {{{"latency_mean", ""}, latency, 100},
                          {{"throughput", ""}, latency / 100},
                          {{"events", ""}, latency * 1e4}};
    runs.push_back(std::move(run));
  }
  return runs;
}

TEST(Page, ReferencesOfAChartAreInTheUnitsOfTheMetrics) {
  const json data = data_of(sweep_with(R"(
[[plot]]
figure = "latency"
metric = "latency_mean"
x = "traffic.others.arrivals.load"
y_unit = "us"
reference = [{ label = "Fig. 7", points = [[0.2, 1.1], [0.6, 2.4]] },
             { what = "limit", x = 0.8 }, { label = "empty", y = 0.5 }]
[[plot]]
figure = "events"
metric = "events"
x = "traffic.others.arrivals.load"
reference = [{ what = "computed", y = 7.5 }]
)"));
  ASSERT_EQ(data["figures"].size(), 3U);
  EXPECT_FALSE(data["figures"][0].contains("references")) << "it has none";
  EXPECT_EQ(data["figures"][1]["references"], json::parse(R"([
    {"text": "published: Fig. 7", "metrics": ["latency_mean"],
     "points": [[0.2, 1100], [0.6, 2400]]},
    {"text": "limit", "metrics": ["latency_mean"], "x": 0.8},
    {"text": "published: empty", "metrics": ["latency_mean"], "y": 500}])"));
  // Up to 30 millions: the axis counts in millions.
  EXPECT_EQ(data["figures"][2]["references"][0]["y"], 7'500'000);
  EXPECT_THAT(data["drawn"], IsEmpty()) << "the comparison shows them";
}

TEST(Page, FiguresThatNoChartFitsAreDrawn) {
  const json data = data_of(sweep_with(R"(
[[plot]]
figure = "curve"
metric = "latency_mean"
x = "throughput"
x_unit = "Gbps"
y_unit = "us"
title = "Latency over accepted traffic"
reference = [{ label = "Fig. 7", points = [[20, 1.1]] }, { what = "limit", x = 80 }]
[[plot]]
figure = "bars"
metric = ["latency_mean", "latency_mean"]
x = "case"
y_unit = "us"
reference = [{ y = 2 }]
[[plot]]
figure = "plain"
metric = ["latency_mean", "latency_mean"]
x = "traffic.others.arrivals.load"
)"));
  ASSERT_EQ(data["drawn"].size(), 3U);
  const json& curve = data["drawn"][0];
  EXPECT_EQ(curve["name"], "curve");
  EXPECT_EQ(curve["title"], "Latency over accepted traffic");
  EXPECT_EQ(curve["x_label"], "throughput (Gbps)");
  EXPECT_TRUE(curve["bars"].is_null());
  ASSERT_EQ(curve["panels"].size(), 1U);
  const json& panel = curve["panels"][0];
  EXPECT_EQ(panel["y_label"], "latency mean (µs)");
  EXPECT_EQ(panel["lines"][0]["points"], json::parse("[[10, 1, 0.1], [30, 3, 0.1]]"));
  EXPECT_EQ(panel["references"], json::parse(R"([
    {"text": "published: Fig. 7", "points": [[20, 1.1]], "symbol": "diamond"},
    {"text": "limit", "x": 80}])"));
  EXPECT_EQ(panel["lines"][0]["symbol"], "circle");
  EXPECT_EQ(panel["lines"][0]["dashed"], false);
  EXPECT_EQ(curve["symbols"], true) << "few points";
  EXPECT_EQ(curve["names"].size(), panel["lines"].size());
  EXPECT_THAT(panel["y_ticks"], IsEmpty()) << "ECharts finds those of linear axes";
  EXPECT_EQ(data["look"]["colours"]["light"].size(), data["look"]["colours"]["dark"].size());
  EXPECT_EQ(data["look"]["colours"]["light"][0], "#0072B2");
  EXPECT_EQ(data["look"]["reference_symbols"][0], "diamond");
  EXPECT_GE(curve["x_range"][1], 80);
  EXPECT_EQ(data["drawn"][1]["bars"].size(), 2U);
  EXPECT_EQ(data["drawn"][2]["name"], "plain") << "two metrics in one chart, without references";
  ASSERT_EQ(data["figures"].size(), 4U);
  const json& points = data["figures"][1];
  EXPECT_EQ(points["x"], "throughput") << "the chart of two metrics begins with it";
  EXPECT_EQ(points["references"], json::parse(R"([
    {"text": "published: Fig. 7", "metrics": ["latency_mean"], "points": [[20, 1100]]},
    {"text": "limit", "metrics": ["latency_mean"], "x": 80}])"));
  for (const std::size_t at : {2U, 3U}) {
    EXPECT_FALSE(data["figures"][at].contains("references"))
        << "several metrics: for which of them?";
  }
}

TEST(Page, ReferencesOverTimeNeedTheSeriesAndThoseOfBarsHaveTheirNames) {
  const json data = data_of({run_of(kHotSpot + R"(
[[plot]]
figure = "over-time"
metric = "efficiency"
x_unit = "us"
reference = [{ label = "start", x = 5 }]
[[plot]]
figure = "by-case"
metric = "efficiency"
x = "case"
reference = [{ label = "Table 2", points = [[0, 0.7], [4, 0.9]] }, { what = "limit", x = 3 }]
[[plot]]
figure = "tail"
metric = "network_latency"
draw = "ccdf"
x_unit = "us"
reference = [{ label = "p99", x = 12 }]
[[plot]]
figure = "not-there"
metric = "efficiency"
x = "nothing"
reference = [{ y = 1 }]
)")});
  const json& figures = data["figures"];
  ASSERT_EQ(figures.size(), 5U);
  EXPECT_EQ(figures[1]["references"][0]["x"], 5'000);
  EXPECT_EQ(figures[2]["references"], json::parse(R"([
    {"text": "published: Table 2", "metrics": ["efficiency"], "points": [["one", 0.7]]}])"));
  EXPECT_EQ(figures[3]["references"][0]["x"], 12'000);
  EXPECT_EQ(figures[3]["references"][0]["above"], true);
  EXPECT_FALSE(figures[4].contains("references")) << "it cannot be drawn";
  EXPECT_THAT(data["drawn"], IsEmpty());
}

TEST(Page, LinksFramesAndTreesSpeakOfThePortsOfTheTopology) {
  const RunRecord record = run_of(kHotSpot);
  const json data = data_of({record});
  const json& ports = data["topologies"][0]["ports"];
  const json& nodes = data["topologies"][0]["nodes"];
  const json& run = data["runs"][0];
  ASSERT_EQ(run["topology"], 0);
  ASSERT_EQ(ports.size(), 12U);  // two directions of six cables
  ASSERT_EQ(nodes.size(), 7U);
  EXPECT_EQ(nodes[6]["kind"], "switch");
  EXPECT_EQ(data["topologies"][0]["summary"], "6 hosts, 1 switch, 1 stage");
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < ports.size(); ++i) index[ports[i]["name"].get<std::string>()] = i;
  for (const metrics::LinkSummary& link : record.result.links) {
    const std::size_t i = index.at(link.name);
    EXPECT_NEAR(run["links"]["utilization"][i].get<double>(), link.utilization, 1e-4);
    EXPECT_EQ(run["links"]["bytes"][i], link.bytes);
    EXPECT_EQ(ports[i]["group"], link.group);
  }
  // The cable into host 3 is busy while the hot spot is on.
  const std::size_t hot = index.at("s0[3]");
  EXPECT_EQ(ports[hot]["to"], 3);
  const auto times = run["frames"]["times_ns"].get<std::vector<double>>();
  const std::string utilization = bytes_of(run["frames"]["utilization"]);
  ASSERT_EQ(times.size(), 20U);
  ASSERT_EQ(utilization.size(), times.size() * ports.size());
  EXPECT_EQ(times[9], 10'000);
  EXPECT_EQ(static_cast<unsigned char>(utilization[9 * ports.size() + hot]), 255);
  ASSERT_FALSE(run["trees"].empty());
  bool is_found = false;
  for (const json& tree : run["trees"]) {
    EXPECT_THAT(times, Contains(tree["t_ns"].get<double>()));
    is_found = is_found || tree["root"] == hot;
    for (const json& branch : tree["branches"]) {
      EXPECT_EQ(ports[branch[0].get<std::size_t>()]["to"], 6);
    }
  }
  EXPECT_TRUE(is_found);
}

TEST(Page, TreesAreShownAtTheTimesOfFrames) {
  std::string text = kHotSpot;
  text.replace(text.find("bin = \"1 us\""), 12, "bin = \"1 us\"\nframes = 4");
  const RunRecord record = run_of(text);
  const json run = data_of({record})["runs"][0];
  const auto times = run["frames"]["times_ns"].get<std::vector<double>>();
  ASSERT_LE(times.size(), 4U);
  EXPECT_LT(run["trees"].size(), record.result.trees.size());
  ASSERT_FALSE(run["trees"].empty());
  for (const json& tree : run["trees"]) EXPECT_THAT(times, Contains(tree["t_ns"].get<double>()));
}

TEST(Page, SetAsideQueuesAreShownOnLinksAndWithTheirRoots) {
  RunRecord record = run_of(kHotSpot);
  json run = data_of({record})["runs"][0];
  EXPECT_FALSE(run.contains("set_aside")) << "no isolation, nothing of it";
  EXPECT_FALSE(run["frames"].contains("set_aside"));
  metrics::FrameBytes frames = metrics::unpack(record.result.frames);
  frames.set_aside.resize(frames.wait.size(), 0);
  const auto link = std::find_if(record.result.links.begin(), record.result.links.end(),
                                 [](const metrics::LinkSummary& one) { return one.name == "h1"; });
  ASSERT_NE(link, record.result.links.end());
  frames.set_aside[static_cast<std::size_t>(link - record.result.links.begin())] = 3;
  record.result.frames = metrics::pack(frames);
  for (int k = 0; k < 600; ++k) {  // more than the page shows
    metrics::SetAsideTree tree;
    tree.root = "s0[3]";
    tree.from = nanoseconds(10 * k);
    tree.until = nanoseconds(10 * k + 5);
    tree.queues_max = k < 100 ? 1 : 4;
    tree.hops_max = 1;
    record.result.set_aside_trees.push_back(std::move(tree));
  }
  const json data = data_of({record});
  const json& ports = data["topologies"][0]["ports"];
  run = data["runs"][0];
  const std::string queues = bytes_of(run["frames"]["set_aside"]);
  ASSERT_EQ(queues.size(), 20 * ports.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    EXPECT_EQ(queues[i], ports[i]["name"] == "h1" ? 3 : 0) << i;
  }
  ASSERT_EQ(run["set_aside"].size(), kMostSetAsideTrees);
  const json& first = run["set_aside"][0];
  EXPECT_EQ(ports[first["root"].get<std::size_t>()]["name"], "s0[3]");
  EXPECT_EQ(first["from_ns"], 1'000) << "the smaller ones are left out";
  EXPECT_EQ(first["until_ns"], 1'005);
  EXPECT_EQ(first["queues"], 4);
  EXPECT_EQ(first["hops"], 1);
}

TEST(Page, WithoutFramesTreesAreShownAtAllSamples) {
  std::string text = kHotSpot;
  text.replace(text.find("bin = \"1 us\""), 12, "bin = \"1 us\"\nframes = 0");
  const RunRecord record = run_of(text);
  const json run = data_of({record})["runs"][0];
  EXPECT_TRUE(run["frames"].is_null());
  EXPECT_EQ(run["links"]["bytes"].size(), 12U);
  EXPECT_EQ(run["trees"].size(), record.result.trees.size());
}

TEST(Page, NumbersThatDoNotExistAreNull) {
  RunRecord record = run_of(kHotSpot);
  record.result.scalars = {{{"efficiency", ""}, std::nan("")},
                           {{"throughput", ""}, 12.3456789, 0.25, metrics::Quality::estimated},
                           {{"latency_mean", ""}, HUGE_VAL}};
  record.result.series = {{{"efficiency", ""}, Time(0), nanoseconds(1), {1, std::nan(""), 3}}};
  const json run = data_of({record})["runs"][0];
  EXPECT_TRUE(run["scalars"][0]["value"].is_null());
  EXPECT_TRUE(run["scalars"][0]["half_width"].is_null());
  EXPECT_EQ(run["scalars"][1]["value"], 12.3457);
  EXPECT_EQ(run["scalars"][1]["half_width"], 0.25);
  EXPECT_EQ(run["scalars"][1]["quality"], "estimated");
  EXPECT_TRUE(run["scalars"][2]["value"].is_null());
  EXPECT_EQ(run["series"][0]["values"], json::parse("[1, null, 3]"));
}

TEST(Page, FailedRunsAreShownWithTheirError) {
  RunRecord failed = run_of(kHotSpot, "two");
  failed.status = "failed";
  failed.error = "a deadlock";
  failed.result = {};
  const json data = data_of({run_of(kHotSpot), failed});
  const json& run = data["runs"][1];
  EXPECT_EQ(run["status"], "failed");
  EXPECT_EQ(run["error"], "a deadlock");
  EXPECT_EQ(run["duration_ns"], 20'000);
  EXPECT_TRUE(run["wall_seconds"].is_null());
  EXPECT_TRUE(run["cpu_seconds"].is_null());
  EXPECT_TRUE(run["links"].is_null());
  EXPECT_TRUE(run["frames"].is_null());
  EXPECT_THAT(data["notes"], IsEmpty());
}

TEST(Page, RunsOnOneNetworkShareIt) {
  std::string bigger = kHotSpot;
  bigger.replace(bigger.find("hosts = 6"), 9, "hosts = 8");
  const json data = data_of({run_of(kHotSpot, "a"), run_of(bigger, "b"), run_of(kHotSpot, "c")});
  ASSERT_EQ(data["topologies"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["topology"], 0);
  EXPECT_EQ(data["runs"][1]["topology"], 1);
  EXPECT_EQ(data["runs"][2]["topology"], 0);
}

class PageOfAFile : public testing::Test {
 protected:
  PageOfAFile() : file_(std::filesystem::temp_directory_path() / "weir-page-fabric.txt") {
    write("host a\nhost b\nhost c\nhost d\nswitch s 4\nlink a s\nlink b s\nlink c s\nlink d s\n");
    std::string text = kHotSpot;
    const std::string model = "model = \"single-switch\"\nhosts = 6";
    text.replace(text.find(model), model.size(),
                 "model = \"edge-list\"\nfile = \"" + file_.string() + "\"");
    record_ = run_of(text);
  }
  ~PageOfAFile() override { std::filesystem::remove(file_); }
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  [[nodiscard]] json run() const { return data_of({record_})["runs"][0]; }

  std::filesystem::path file_;
  RunRecord record_;
};

TEST_F(PageOfAFile, ShowsTheNetworkWhileTheFileIsThere) {
  EXPECT_EQ(run()["topology"], 0);
  EXPECT_THAT(run()["notes"], IsEmpty());
}

TEST_F(PageOfAFile, GoesOnWithoutTheNetworkWhenTheFileIsGone) {
  std::filesystem::remove(file_);
  const json shown = run();
  EXPECT_TRUE(shown["topology"].is_null());
  EXPECT_TRUE(shown["links"].is_null());
  EXPECT_FALSE(shown["series"].empty());
  ASSERT_EQ(shown["notes"].size(), 1U);
  EXPECT_THAT(shown["notes"][0].get<std::string>(), HasSubstr("weir-page-fabric.txt"));
}

TEST_F(PageOfAFile, NoticesThatTheFileHasChanged) {
  write("host a\nhost b\nhost c\nhost d\nswitch t 4\nlink a t\nlink b t\nlink c t\nlink d t\n");
  const json shown = run();
  EXPECT_TRUE(shown["topology"].is_null());
  EXPECT_THAT(shown["notes"][0].get<std::string>(), HasSubstr("changed since the run"));
}

TEST(Page, SelectedRunsOnly) {
  const std::vector<RunRecord> runs{run_of(kHotSpot, "a, b"), run_of(kHotSpot, "c"),
                                    run_of(kHotSpot, "d")};
  const auto cases = [&](std::vector<std::string> names) {
    PageOptions options;
    options.runs = std::move(names);
    std::string text;
    const json data = data_of(runs, options);
    for (const json& run : data["runs"]) {
      text += run["case"].get<std::string>() + ";";
    }
    return text;
  };
  EXPECT_EQ(cases({"c"}), "c;");
  EXPECT_EQ(cases({"d", "a, b"}), "a, b;d;");
  EXPECT_EQ(cases({"d, c"}), "c;d;");
  EXPECT_THAT(refusal([&] { (void)cases({"cc"}); }), HasSubstr("no run is called 'cc'"));
  EXPECT_THAT(refusal([] { (void)data_of({}); }), HasSubstr("no runs"));
}

TEST(Page, NothingInTheDataEndsTheScript) {
  RunRecord record = run_of(kHotSpot, "</script><script>alert(1)</script>");
  record.configuration += "# </script> \xFF\n";
  const std::string page = make_page(in_memory({record}), {}, "<script>@WEIR_REPORT@</script>");
  EXPECT_EQ(page.find('<', 1), page.size() - std::string("</script>").size());
}

TEST(Page, WithoutATemplateSaysHowToGetIt) {
  const PageRuns runs = in_memory({run_of(kHotSpot)});
  EXPECT_THAT(refusal([&] { (void)make_page(runs, {}, ""); }), HasSubstr("npm"));
  EXPECT_THAT(refusal([&] { (void)make_page(runs, {}, "no place"); }), HasSubstr("@WEIR_REPORT@"));
}

TEST(Page, IsTheSameForTheSameRuns) {
  const RunRecord record = run_of(kHotSpot);
  json first = data_of({record});
  json second = data_of({record});
  first["provenance"].erase("generated");
  second["provenance"].erase("generated");
  EXPECT_EQ(first, second);
}

TEST(Page, LeavesOutViewsThenChartsThatDoNotFit) {
  constexpr std::size_t kRuns = 16;
  std::vector<RunRecord> runs(kRuns, run_of(kHotSpot));
  for (std::size_t k = 0; k < kRuns; ++k) {
    runs[k].case_name = "case " + std::to_string(k % 4);
    runs[k].seed = k;
  }
  const auto count = [](const json& data, const char* member) {
    std::size_t number = 0;
    for (const json& run : data["runs"]) number += run[member].empty() ? 0 : 1;
    return number;
  };
  const json all = data_of(runs);
  EXPECT_EQ(count(all, "series"), kRuns);
  EXPECT_EQ(count(all, "frames"), kRuns);
  std::size_t series = kRuns;
  std::size_t views = kRuns;
  for (std::size_t room = 640'000; room > 20'000; room /= 2) {
    const json data = data_of(runs, {}, room);
    SCOPED_TRACE(room);
    EXPECT_LE(count(data, "series"), series);
    EXPECT_LE(count(data, "frames"), views);
    series = count(data, "series");
    views = count(data, "frames");
    EXPECT_GE(series, views);
    EXPECT_EQ(data["notes"].size(), (data["runs"].size() < kRuns ? 1U : 0U) +
                                        (series < data["runs"].size() ? 1U : 0U) +
                                        (views < data["runs"].size() ? 1U : 0U));
  }
  EXPECT_LT(series, kRuns);
  EXPECT_EQ(views, 0U);
  PageOptions full;
  full.is_full = true;
  EXPECT_EQ(count(data_of(runs, full, 10'000), "frames"), kRuns);
}

/// A run as it would be on a fat tree of 3456 hosts, without simulating it: every link as busy as
/// chance will have it, which compresses as badly as anything can.
RunRecord large_run(const experiment::Configuration& configuration,
                    const std::vector<std::string>& links, std::uint64_t number) {
  RunRecord run;
  run.experiment = "large";
  run.configuration = to_toml(configuration.resolved);
  RandomStream random(number, 0, StreamPurpose::test);
  metrics::FrameBytes frames;
  frames.links = links.size();
  for (std::int64_t k = 1; k <= 48; ++k) frames.times.push_back(microseconds(k));
  for (std::size_t i = 0; i < links.size() * frames.times.size(); ++i) {
    frames.utilization.push_back(static_cast<std::uint8_t>(random()));
    frames.wait.push_back(i % 7 == 0 ? 255 : 0);
  }
  run.result.frames = metrics::pack(frames);
  for (const std::string& link : links) {
    run.result.links.push_back({link, "up", 0.1234, 0.4321, 123'456'789, 1'000, 65'536});
  }
  for (std::int64_t k = 1; k <= 48; ++k) {
    metrics::TreeRecord tree{microseconds(k), links[0], 1, {}, {}, {}};
    for (std::size_t i = 1; i < 400; ++i) {
      tree.branches.push_back(links[i]);
      tree.branch_depths.push_back(1);
    }
    run.result.trees.push_back(std::move(tree));
  }
  for (int s = 0; s < 20; ++s) {
    std::vector<double> values;
    for (int k = 0; k < 2'000; ++k) {
      values.push_back(1e-9 * static_cast<double>(random() % 1'000'000'000));
    }
    run.result.add_series("throughput", "class " + std::to_string(s), Time(0), nanoseconds(20),
                          std::move(values));
  }
  run.result.add_scalar("efficiency", "", 0.5);
  return run;
}

TEST(PageSlow, FiftyRunsOfThreeThousandHostsStayBelowTenMegabytes) {
  std::string text = kHotSpot;
  const std::string model = "model = \"single-switch\"\nhosts = 6";
  text.replace(text.find(model), model.size(), "model = \"rlft\"\nports = 24\nstages = 3");
  text.replace(text.find("shortest-path"), 13, "d-mod-k");
  const auto configuration = experiment::resolve(experiment::table_of(text));
  const topology::Graph graph =
      experiment::make_graph(configuration.source, configuration.topology, configuration.link);
  ASSERT_EQ(graph.host_count(), 3456U);
  std::vector<std::string> links;
  for (const PortId port : metrics::links_by_name(graph)) links.push_back(graph.name(port));
  const RunRecord large = large_run(configuration, links, 1);
  PageRuns runs;
  for (std::uint64_t k = 0; k < 50; ++k) {
    runs.list.push_back(large);
    runs.list.back().case_name = "case " + std::to_string(k % 5);
    runs.list.back().seed = k;
    runs.list.back().result = {};
    runs.list.back().result.scalars = large.result.scalars;
  }
  runs.read = [&](RunRecord& run, const experiment::ResultParts&) { run.result = large.result; };
  const std::string page = make_page(runs, {}, std::string(800'000, ' ') + "@WEIR_REPORT@");
  EXPECT_LT(page.size(), 10'000'000U);
  EXPECT_GT(page.size(), 5'000'000U);  // what fits is there
}

}  // namespace
}  // namespace weir::report
