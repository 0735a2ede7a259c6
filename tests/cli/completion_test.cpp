#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace weir::cli::completion_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Completion : public ::testing::Test {
 public:
  [[nodiscard]] std::string of(const std::string& words) const {
    const Outcome run = place.weir("complete -- " + words);
    EXPECT_EQ(run.status, 0) << run.errors;
    return run.output;
  }
  /// What bash would fill in for the last of `words`, by the script that it is given.
  [[nodiscard]] std::string in_bash(const std::string& words) const {
    place.write("try.sh", "source <(" WEIR_PROGRAM
                          " completion bash)\ncompopt() { :; }\n"
                          "COMP_WORDS=(" WEIR_PROGRAM " " +
                              words +
                              ")\n"
                              "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_weir\n"
                              "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const Outcome run = place.shell("bash try.sh");
    EXPECT_EQ(run.status, 0) << run.errors;
    return run.output;
  }

  Workplace place;
};

TEST_F(Completion, KnowsCommandsModelsKeysAndValues) {
  EXPECT_EQ(of("des"), "describe\n");
  EXPECT_EQ(of("compl"), "completion\n") << "what only scripts call is not offered";
  EXPECT_THAT(of("run --set rou"), AllOf(HasSubstr("routing.model=\n"), Not(HasSubstr("switch."))));
  EXPECT_EQ(of("run --set switch.architecture=c"), "switch.architecture=cioq\n");
  EXPECT_EQ(of("run --set switch.voq="), "switch.voq=true\nswitch.voq=false\n");
  EXPECT_EQ(of("run --set routing.model=d-"), "routing.model=d-mod-k\n");
  EXPECT_EQ(of("describe mvc"), "mvcm\n");
  EXPECT_EQ(of("list topo"), "topology\n");
  EXPECT_EQ(of("reproduce lipp"), "lippens2010\n");
  EXPECT_EQ(of("compare --mech"), "--mechanisms\n");
  EXPECT_EQ(of("run exp"), "<files>\n");
  EXPECT_EQ(of("nonsense x"), "");
}

TEST_F(Completion, KnowsWhatAnOptionTakes) {
  EXPECT_EQ(of("list --format s"), "schema\n");
  EXPECT_EQ(of("export results --table set-aside-t"), "set-aside-trees\n");
  EXPECT_EQ(of("compare x.toml --by slowdown_p9"), "slowdown_p95\nslowdown_p99\nslowdown_p999\n");
  EXPECT_EQ(of("run x.toml --output r"), "<files>\n");
  EXPECT_EQ(of("run x.toml --quiet --for"), "--format\n") << "no word belongs to --quiet";
  EXPECT_EQ(of("describe routing d-"), "d-mod-k\n");
  EXPECT_EQ(of("describe queueing d"), "dbbm\n") << "no models of other kinds";
  EXPECT_EQ(of("describe rocher"), "rocher2021\n");
}

TEST_F(Completion, KnowsTheTrafficOfTheFileAndSweeps) {
  place.write("base.toml", "[[traffic]]\nname = \"calm\"\n");
  place.write("x.toml", "include = \"base.toml\"\n[[traffic]]\nname = \"storm\"\n");
  EXPECT_THAT(of("run x.toml --set traffic.storm.sto"),
              AllOf(HasSubstr("traffic.storm.stop=\n"), HasSubstr("traffic.storm.storage.load=\n"),
                    Not(HasSubstr("start"))));
  EXPECT_EQ(of("run x.toml --set traffic.calm.sources.fr"), "traffic.calm.sources.fraction=\n");
  EXPECT_THAT(of("run x.toml --set traffic.storm.arrivals."),
              AllOf(HasSubstr("traffic.storm.arrivals.model=\n"),
                    HasSubstr("traffic.storm.arrivals.load=\n")));
  EXPECT_EQ(of("run x.toml --set traffic.storm.destinations.model=uni"),
            "traffic.storm.destinations.model=uniform\n");
  place.write("flows.toml", "[[flow]]\nname = \"backup\"\n[[flow]]\nname = \"backup\"\n");
  EXPECT_EQ(of("run flows.toml --set flow.backup.sta"), "flow.backup.start=\n");
  EXPECT_EQ(of("run flows.toml --set flow.backup.sources.fr"), "flow.backup.sources.fraction=\n");
  EXPECT_EQ(of("run flows.toml --set flow.backup.sizes.model=web"),
            "flow.backup.sizes.model=web-search\n");
  EXPECT_EQ(of("run --set traffic.storm.sto"), "") << "no file, no names";
  place.write("broken.toml", "[[traffic]\n");
  EXPECT_EQ(of("run broken.toml --set host.mt"), "host.mtu=\n");
  EXPECT_EQ(of("run x.toml --set sweep.queueing.mod"), "sweep.queueing.model=\n");
  EXPECT_EQ(of("run x.toml --set sweep.traffic.storm.stop"), "sweep.traffic.storm.stop=\n");
}

TEST_F(Completion, WorksInBash) {
  EXPECT_EQ(in_bash("descr"), "describe\n");
  EXPECT_EQ(in_bash("run x.toml --set routing.model=d-"), "routing.model=d-mod-k\n");
  EXPECT_EQ(in_bash("run exper"), "\n") << "files are the shell's own business";
}

TEST_F(Completion, WorksInZshFromTheFirstKeyOn) {
  if (place.shell("command -v zsh").status != 0) GTEST_SKIP() << "zsh is not installed";
  // As zsh does with a file in a folder of $fpath: its first call runs the file itself.
  place.write("_weir", place.weir("completion zsh").output);
  place.write("try.zsh",
              "compdef() { :; }\ncompadd() { printf '%s\\n' \"${found[@]}\"; }\n"
              "fpath=(. $fpath)\nautoload -U _weir\n"
              "words=(" WEIR_PROGRAM " descr)\nCURRENT=2\n_weir\n");
  const Outcome run = place.shell("zsh -f try.zsh");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "describe\n");
}

TEST_F(Completion, HasAScriptForEachShell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(place.weir(std::string("completion ") + shell).output, HasSubstr("complete --"));
  }
  EXPECT_EQ(place.weir("completion tcsh").status, 2);
  EXPECT_THAT(place.weir("--help").output, Not(HasSubstr("What the last word can become")));
}

TEST_F(Completion, CataloguesAreForPrograms) {
  EXPECT_THAT(place.weir("list marking --format json").output, HasSubstr("\"name\": \"qcn\""));
  EXPECT_THAT(place.weir("list section --format json").output, HasSubstr("\"name\": \"switch\""));
  EXPECT_THAT(place.weir("list markin --format json").errors, HasSubstr("did you mean 'marking'?"));
  EXPECT_EQ(place.weir("list marking --format schema").status, 2);
}

}  // namespace
}  // namespace weir::cli::completion_test
