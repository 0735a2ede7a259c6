#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kExperiment = R"(
[experiment]
name = "small"
title = "two queues"
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
[[plot]]
figure = "load"
metric = "throughput"
)";

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(Program, AloneItShowsThreeExamples) {
  const Outcome outcome = Workplace().weir("");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("weir run experiments/quickstart.toml"));
  EXPECT_EQ(outcome.errors, "");
}

TEST(Program, Version) { EXPECT_THAT(Workplace().weir("--version").output, StartsWith("weir 0.")); }

TEST(Program, HelpOfACommand) {
  const Outcome outcome = Workplace().weir("run --help");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("--jobs"));
}

TEST(Run, TableResultsAndPlots) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  const Outcome outcome = place.weir("run x.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.errors, StartsWith("weir: 2 runs, roughly a second on "));
  EXPECT_THAT(outcome.output, StartsWith("small: two queues\n"));
  EXPECT_THAT(outcome.output, HasSubstr("shared"));
  EXPECT_THAT(outcome.output, HasSubstr("apart"));
  EXPECT_THAT(outcome.output, HasSubstr("results/small"));
  EXPECT_THAT(outcome.output, HasSubstr(" on one core ("));
  EXPECT_THAT(outcome.output, HasSubstr(" by the clock), "));
  for (const char* file :
       {"results.sqlite", "scalars.csv", "series.csv", "results.json", "load.svg", "load.png"}) {
    EXPECT_GT(std::filesystem::file_size(place.folder() / "results/small" / file), 0U) << file;
  }
}

TEST(Run, QuietSaysNothingOnStandardError) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  EXPECT_EQ(place.weir("run x.toml --quiet").errors, "");
  EXPECT_EQ(place.weir("run x.toml --quiet").errors, "");
}

TEST(Run, RepeatsOnlyWhatIsMissing) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  ASSERT_EQ(place.weir("run x.toml").status, 0);
  const auto started = [&] { return place.weir("export results/small --provenance").output; };
  const std::string first = started();
  const Outcome second = place.weir("run x.toml");
  EXPECT_EQ(second.status, 0);
  EXPECT_EQ(second.errors, "weir: all of 2 runs there already (--again repeats them)\n");
  EXPECT_THAT(second.output, HasSubstr("apart"));
  EXPECT_EQ(started(), first);
  EXPECT_THAT(place.weir("run x.toml --set replicate.seeds=2").errors,
              StartsWith("weir: 2 of 4 runs there already (--again repeats them)\nweir: 2 runs, "));
  EXPECT_THAT(place.weir("run x.toml --again").errors, StartsWith("weir: 2 runs, "));
  EXPECT_NE(started(), first);
}

TEST(Run, ReplicationsAreOneLineWithAnInterval) {
  const Workplace place;
  place.write("x.toml", kExperiment + "[replicate]\nseeds = 3\n");
  const Outcome outcome = place.weir("run x.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("Means of 3 seeds ± half width of the 95 % interval."));
  EXPECT_THAT(outcome.output, HasSubstr(" ± "));
  EXPECT_THAT(outcome.output, Not(HasSubstr("seed  ")));
  const Outcome each = place.weir("run x.toml --each");
  EXPECT_THAT(each.output, HasSubstr("case    seed  "));
  EXPECT_THAT(each.output, Not(HasSubstr(" ± ")));
  EXPECT_THAT(place.weir("check x.toml").output, HasSubstr("6\n"));
}

TEST(Run, SameNumbersForAnyNumberOfJobs) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  const auto numbers = [&](const std::string& options) {
    auto json = nlohmann::json::parse(place.weir("run x.toml --format json " + options).output);
    std::string text;
    for (const auto& run : json["runs"]) {
      for (const auto& scalar : run["scalars"]) {
        const std::string name = scalar["metric"];
        text += name + " " + scalar["value"].dump() + "\n";
      }
    }
    return text;
  };
  const std::string one = numbers("--jobs 1");
  EXPECT_GT(one.size(), 100U);
  EXPECT_EQ(numbers("--jobs 3 -o other"), one);
  EXPECT_NE(numbers("--seed 2"), one);
}

TEST(Run, DumpReadsBackToItself) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  const Outcome first = place.weir("run x.toml --set host.mtu='2 KiB' --dump");
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_THAT(first.output, HasSubstr("mtu = \"2 KiB\""));
  place.write("dump.toml", first.output);
  EXPECT_EQ(place.weir("run dump.toml --dump").output, first.output);
  EXPECT_THAT(first.output, HasSubstr("y_scale = \"linear\""));  // defaults of plots too
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "results"));
}

TEST(Run, SeveralFilesHaveAFolderEach) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  place.write("y.toml", "include = \"x.toml\"\n[experiment]\nname = \"other\"\n");
  ASSERT_EQ(place.weir("run x.toml y.toml -o out").status, 0);
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "out/small/results.sqlite"));
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "out/other/results.sqlite"));
}

TEST(Check, SaysWhatARunWouldDo) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  const Outcome outcome = place.weir("check x.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("single-switch: 4 hosts, 1 switches"));
  EXPECT_THAT(outcome.output, HasSubstr("no cycle"));
  EXPECT_THAT(outcome.output, HasSubstr("runs"));
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "results"));
}

TEST(ListAndDescribe, ShowTheCatalog) {
  const Workplace place;
  EXPECT_THAT(place.weir("list").output, HasSubstr("d-mod-k"));
  EXPECT_THAT(place.weir("list queueing").output, HasSubstr("dbbm"));
  EXPECT_THAT(place.weir("list metric").output, HasSubstr("latency_p99"));
  EXPECT_THAT(place.weir("describe dbbm").output, HasSubstr("number of queues"));
  EXPECT_THAT(place.weir("describe switch").output, HasSubstr("store-and-forward"));
  EXPECT_THAT(place.weir("describe plot").output, HasSubstr("shade"));
  EXPECT_THAT(place.weir("describe metric efficiency").output, HasSubstr("delivered payload"));
  EXPECT_THAT(place.weir("describe metric queued_max").output, HasSubstr("sampled"));
  EXPECT_THAT(place.weir("describe metric queued_max").output, HasSubstr("metrics.links = true"));
  EXPECT_THAT(place.weir("describe metric queued").output, Not(HasSubstr("sampled")));
  EXPECT_THAT(place.weir("describe ferrer2012").output, HasSubstr("published   link.rate"));
  EXPECT_THAT(place.weir("describe mvcm").output, HasSubstr("(published)"));
  const Outcome wrong = place.weir("describe dbmm");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.errors, "weir: nothing is called 'dbmm' (did you mean 'dbbm'?)\n");
  EXPECT_EQ(place.weir("describe section switch").output, place.weir("describe switch").output);
  EXPECT_EQ(place.weir("list queues").status, 2);
}

TEST(ListAndDescribe, DescribeHasAFormForPrograms) {
  const Workplace place;
  const auto described = [&](const std::string& words) {
    const Outcome outcome = place.weir("describe " + words + " --format json");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(outcome.output);
  };
  const auto dbbm = described("dbbm");
  ASSERT_EQ(dbbm.size(), 1U);
  EXPECT_EQ(dbbm[0]["kind"], "queueing");
  EXPECT_EQ(dbbm[0]["keys"][0]["name"], "queues");
  // The entry of the catalogue, with its kind.
  auto listed = nlohmann::json::parse(place.weir("list queueing --format json").output);
  for (auto& one : listed) one["kind"] = "queueing";
  EXPECT_TRUE(std::find(listed.begin(), listed.end(), dbbm[0]) != listed.end());
  const auto fixed = described("fixed");
  EXPECT_GT(fixed.size(), 1U) << "patterns, sizes and selections are called so";
  ASSERT_EQ(described("sizes fixed").size(), 1U);
  EXPECT_EQ(described("metric efficiency")[0]["unit"], "1");
  EXPECT_EQ(described("queueing")[0]["kind"], "section");
  EXPECT_EQ(described("queueing")[0]["models"], "queueing");
  EXPECT_GT(described("ferrer2012")[0]["assumptions"].size(), 10U);
  const Outcome wrong = place.weir("describe dbmm --format json");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("did you mean 'dbbm'?"));
}

TEST(Describe, SaysWhatIsWrongWithAKind) {
  const Workplace place;
  const auto refusal = [&](const std::string& words) {
    const Outcome outcome = place.weir("describe " + words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  };
  EXPECT_EQ(refusal("marker mvpm"),
            "weir: there is no kind 'marker'; 'mvpm' is of the kind 'marking': weir describe "
            "marking mvpm\n");
  EXPECT_EQ(refusal("marker nothing"),
            "weir: there is no kind 'marker' (did you mean 'marking'?)\n");
  EXPECT_EQ(refusal("xyz nothing"), "weir: there is no kind 'xyz' (weir list shows the kinds)\n");
  EXPECT_EQ(refusal("queueing mvpm"),
            "weir: no queueing is called 'mvpm'; 'mvpm' is of the kind 'marking': weir describe "
            "marking mvpm\n");
  EXPECT_EQ(refusal("marking mvpn"), "weir: no marking is called 'mvpn' (did you mean 'mvpm'?)\n");
  EXPECT_EQ(refusal("section swich"),
            "weir: no section is called 'swich' (did you mean 'switch'?)\n");
  EXPECT_EQ(refusal("section dbbm"),
            "weir: no section is called 'dbbm'; 'dbbm' is of the kind 'queueing': weir describe "
            "queueing dbbm\n");
}

TEST(Topology, NumbersAndExport) {
  const Workplace place;
  place.write("t.toml", "[topology]\nmodel = \"rlft\"\nports = 4\nstages = 2\n");
  const Outcome numbers = place.weir("topology t.toml");
  ASSERT_EQ(numbers.status, 0) << numbers.errors;
  EXPECT_THAT(numbers.output, HasSubstr("hosts"));
  for (const char* format : {"dot", "graphml", "edge-list", "ibnetdiscover"}) {
    const Outcome exported = place.weir(std::string("topology t.toml --export ") + format);
    EXPECT_EQ(exported.status, 0) << exported.errors;
    EXPECT_GT(exported.output.size(), 200U);
  }
  ASSERT_EQ(place.weir("topology t.toml --export edge-list -o net.txt").status, 0);
  ASSERT_EQ(place.weir("import edge-list net.txt -o net.toml").status, 0);
  EXPECT_EQ(place.weir("topology net.toml --set link.rate='10 Gbps'").status, 0);
}

TEST(Import, ARecordedFabric) {
  const Workplace place;
  const std::string folder = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
  const Outcome outcome = place.weir("import ibnetdiscover " + folder + "topology.txt --lft " +
                                     folder + "lfts.txt -o fabric.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("54 hosts, 45 switches"));
  const Outcome numbers = place.weir("topology fabric.toml");
  EXPECT_EQ(numbers.status, 0) << numbers.errors;
  EXPECT_THAT(numbers.output, HasSubstr("54"));
}

TEST(ExportAndPlot, FromTheDatabase) {
  const Workplace place;
  place.write("x.toml", kExperiment);
  ASSERT_EQ(place.weir("run x.toml").status, 0);
  const Outcome csv = place.weir("export results/small --csv");
  ASSERT_EQ(csv.status, 0) << csv.errors;
  EXPECT_EQ(sorted_lines(csv.output),
            sorted_lines(read_file(place.folder() / "results/small/scalars.csv")));
  EXPECT_THAT(place.weir("export results/small --table series").output, HasSubstr("throughput"));
  EXPECT_THAT(place.weir("export results/small --provenance").output, HasSubstr("hops_per_second"));
  EXPECT_THAT(place.weir("export results/small --json --provenance").output,
              HasSubstr("hops_per_second"));
  const Outcome json = place.weir("export results/small/results.sqlite --json");
  ASSERT_EQ(json.status, 0) << json.errors;
  EXPECT_EQ(nlohmann::json::parse(json.output)["runs"].size(), 2U);
  const Outcome plot = place.weir("plot results/small --format svg -o figures");
  ASSERT_EQ(plot.status, 0) << plot.errors;
  EXPECT_EQ(plot.output, "figures/load.svg\n");
  EXPECT_THAT(read_file(place.folder() / "figures/load.svg"), HasSubstr("<svg"));
}

}  // namespace
}  // namespace weir::cli
