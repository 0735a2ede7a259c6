#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace weir::cli::compare_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// An incast among 16 hosts beside other traffic.
const std::string kIncast =
    "[experiment]\nname = \"storage\"\nduration = \"200 us\"\nwarmup = \"20 us\"\n"
    "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
    "[link]\nrate = \"100 Gbps\"\n[host]\nmtu = \"2 KiB\"\n"
    "[[traffic]]\nname = \"storage\"\nrole = \"hot\"\nsources = { count = 6, choose = \"random\", "
    "exclude = [3] }\ndestinations = { model = \"fixed\", host = 3 }\n"
    "arrivals = { model = \"once\", count = 1 }\nsizes = { model = \"fixed\", size = \"100 KB\" }\n"
    "[[traffic]]\nname = \"compute\"\nrole = \"cold\"\ndestinations = { model = \"uniform\" }\n"
    "arrivals = { model = \"poisson\", load = 0.3 }\n"
    "sizes = { model = \"fixed\", size = \"4 KiB\" }\nstop = \"150 us\"\n";

class Compare : public ::testing::Test {
 public:
  Compare() { place.write("incast.toml", kIncast); }
  [[nodiscard]] nlohmann::json json(const std::string& arguments) const {
    const Outcome run =
        place.weir("compare incast.toml --quiet --no-report --format json " + arguments);
    EXPECT_EQ(run.status, 0) << run.errors;
    return nlohmann::json::parse(run.output);
  }

  Workplace place;
};

TEST_F(Compare, RanksShippedMechanismsAndSaysWhoIsLeftOut) {
  const nlohmann::json all = json("");
  EXPECT_EQ(all["measure"], "slowdown_p99[cold]");
  EXPECT_EQ(all["lower_is_better"], true);
  EXPECT_THAT(all["left_out"]["explicit rates"].get<std::string>(),
              HasSubstr("rate = \"calculated\""));
  ASSERT_EQ(all["rankings"].size(), 1U);
  const nlohmann::json& ranking = all["rankings"][0];
  EXPECT_EQ(ranking["draws"], 5);
  EXPECT_GT(ranking["choices"].size(), 15U);
  double last = 0;
  std::size_t rank = 0;
  for (const nlohmann::json& one : ranking["choices"]) {
    ASSERT_TRUE(one.contains("rank")) << one["mechanism"];
    const double value = one["metrics"]["slowdown_p99[cold]"][0];
    EXPECT_GE(value, last) << one["mechanism"];
    EXPECT_GE(one["rank"].get<std::size_t>(), rank) << one["mechanism"];
    EXPECT_EQ(one.contains("times_better"), one["mechanism"] != "none") << one["mechanism"];
    // The same switch and the same hosts for all.
    EXPECT_GT(one["metrics"]["queues_per_host"][0], 1) << one["mechanism"];
    last = value;
    rank = one["rank"];
  }
}

TEST_F(Compare, NumbersAreThoseOfARun) {
  const nlohmann::json some = json("--only MVCM -o compared --set replicate.seeds=2");
  place.write("run.toml", kIncast +
                              "[switch]\narchitecture = \"cioq\"\nspeedup = 2\n"
                              "[management]\npreset = \"mvcm\"\n[metrics]\nslowdown = true\n"
                              "[replicate]\nseeds = 2\n");
  std::string text = read_file(place.folder() / "run.toml");
  text.replace(text.find("mtu ="), 0, "source_queues = \"per-destination\"\n");
  place.write("run.toml", text);
  ASSERT_EQ(place.weir("run run.toml --quiet --no-report -o run").status, 0);
  const nlohmann::json runs = nlohmann::json::parse(read_file(place.folder() / "run/results.json"));
  double sum = 0;
  for (const nlohmann::json& run : runs["runs"]) {
    for (const nlohmann::json& scalar : run["scalars"]) {
      const bool is_it = scalar["metric"] == "slowdown_p99" && scalar["label"] == "cold";
      if (is_it) sum += scalar["value"].get<double>();
    }
  }
  const nlohmann::json& choices = some["rankings"][0]["choices"];
  ASSERT_EQ(choices.size(), 2U);
  for (const nlohmann::json& one : choices) {
    if (one["mechanism"] != "MVCM") continue;
    EXPECT_DOUBLE_EQ(one["metrics"]["slowdown_p99[cold]"][0], sum / 2);
  }
}

// The incast is the same for them and for the baseline, and has its victims in all cases.
TEST_F(Compare, RanksExplicitRatesOnTheSameTraffic) {
  std::string rated = kIncast;
  rated.replace(rated.find("role = \"hot\""), 0, "rate = \"calculated\"\n");
  place.write("incast.toml", rated);
  const nlohmann::json some =
      json("--only \"explicit rates,explicit rates by DFFA\" --set replicate.seeds=2");
  EXPECT_TRUE(some["left_out"].empty()) << some["left_out"];
  const nlohmann::json& choices = some["rankings"][0]["choices"];
  ASSERT_EQ(choices.size(), 3U);
  for (const nlohmann::json& one : choices) {
    EXPECT_GT(one["metrics"]["slowdown_p99[victim]"][0], 1) << one["mechanism"];
    EXPECT_EQ(one["metrics"]["messages_unfinished"][0], 0) << one["mechanism"];
  }
}

TEST_F(Compare, PrintsARankingAndABill) {
  const Outcome run = place.weir("compare incast.toml --only MVCM,FBICM --set replicate.seeds=2");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("By slowdown_p99[cold], lower is better; means of 2 draws"));
  EXPECT_THAT(run.output, HasSubstr("times better than none"));
  EXPECT_THAT(run.output, HasSubstr("What it costs:"));
  EXPECT_THAT(run.output, HasSubstr("cam lines per port"));
  EXPECT_THAT(run.output, Not(HasSubstr("Left out")));
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "results/storage-compared/ranking.svg"));
  const Outcome one = place.weir("compare incast.toml --only MVCM --set replicate.seeds=1 -q");
  EXPECT_THAT(one.output, HasSubstr("of a single draw"));
  // The same command goes on from what is there.
  const Outcome again = place.weir("compare incast.toml --only MVCM,FBICM --set replicate.seeds=2");
  EXPECT_THAT(again.errors, HasSubstr("all of 6 runs there already"));
}

TEST_F(Compare, TakesMechanismsOfOnesOwnAndAnotherMeasure) {
  place.write("mine.toml",
              "[[case]]\nname = \"as it is\"\n[[case]]\nname = \"small\"\n"
              "set = { \"buffer.ingress\" = \"16 KiB\" }\n[[case]]\nname = \"wrong\"\n"
              "set = { \"buffer.ingress\" = \"1 KiB\" }\n");
  const nlohmann::json all = json(
      "--mechanisms mine.toml --baseline \"as it is\" --by efficiency --set replicate.seeds=2");
  EXPECT_EQ(all["lower_is_better"], false);
  EXPECT_EQ(all["rankings"][0]["choices"].size(), 2U);
  EXPECT_THAT(all["left_out"]["wrong"].get<std::string>(), HasSubstr("buffer"));
}

TEST_F(Compare, DrawsHelpAgainstACostThatIsChosen) {
  const std::string few = "compare incast.toml -q --only MVCM,DBBM --set replicate.seeds=2 ";
  const Outcome run = place.weir(few + "--cost overhead_share --plot help.gp");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("By help and overhead_share nothing beats "));
  EXPECT_THAT(run.output, HasSubstr("Drawn:   help.gp"));
  const std::string script = read_file(place.folder() / "help.gp");
  for (const char* text : {"'MVCM'", "'DBBM'", "'none'", "'Pareto front'",
                           "times better than ''none''", "overhead share"}) {
    EXPECT_THAT(script, HasSubstr(text));
  }
  const auto kept = place.folder() / "results/storage-compared/help-against-cost.svg";
  EXPECT_THAT(read_file(kept), HasSubstr("overhead share")) << "the experiment's own figure is it";
  EXPECT_EQ(place.weir("plot results/storage-compared --figure help-against-cost").status, 0);
  const std::string page = read_file(place.folder() / "results/storage-compared/report.html");
  EXPECT_FALSE(page.empty());
  EXPECT_THAT(place.weir(few + "--cost throughput").errors,
              HasSubstr("--cost: 'throughput' is no cost, of which less is better; the bill has "));
  EXPECT_THAT(place.weir(few + "--cost queues_per_prt").errors,
              HasSubstr("did you mean 'queues_per_port'?"));
  EXPECT_THAT(place.weir(few + "--plot help.jpg").errors,
              HasSubstr("--plot: 'help.jpg' ends in none of .svg, .png, .pdf, .gp"));
}

TEST_F(Compare, RefusesWhatItCannotCompare) {
  const auto errors = [&](const std::string& arguments) {
    const Outcome run = place.weir("compare " + arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    return run.errors;
  };
  EXPECT_THAT(errors("incast.toml --only MVMC"),
              HasSubstr("is called 'MVMC' (did you mean 'MVCM'?)"));
  EXPECT_THAT(errors("incast.toml --baseline nothing"), HasSubstr("is called 'nothing'"));
  EXPECT_THAT(errors("incast.toml --by events"), HasSubstr("'events' has no better direction"));
  EXPECT_THAT(errors("incast.toml --by slowdwn_p99"), HasSubstr("did you mean 'slowdown_p99'?"));
  EXPECT_THAT(errors("incast.toml --set topology.k=0"), HasSubstr("topology.k"))
      << "what is wrong without any mechanism is an error of the file";
  place.write("cases.toml", kIncast + "[[case]]\nname = \"x\"\n");
  EXPECT_THAT(errors("cases.toml"), HasSubstr("need a `group` of another name"));
  place.write("list.toml", "[topology]\nmodel = \"rlft\"\n[[case]]\nname = \"none\"\n");
  EXPECT_THAT(errors("incast.toml --mechanisms list.toml"), HasSubstr("has nothing but [[case]]s"));
}

}  // namespace
}  // namespace weir::cli::compare_test
