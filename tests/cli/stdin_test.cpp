#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kRun = R"(include = "net.toml"
[experiment]
duration = "20 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";
constexpr const char* kNet = R"(topology = { model = "single-switch", hosts = 4 }
routing = "shortest-path"
)";

TEST(StandardInput, IsAnExperimentLikeAnyOther) {
  const Workplace place;
  place.write("in/run.toml", kRun);
  place.write("net.toml", kNet);  // sought in the current folder, not beside the file
  const Outcome first = place.shell("'" WEIR_PROGRAM "' run - -q --no-report < in/run.toml");
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_TRUE(std::filesystem::exists(place.folder() / "results/stdin/results.sqlite"));
  EXPECT_THAT(first.output, StartsWith("stdin"));
  // The same run under its other name, and from a pipe: it is done already.
  const Outcome again = place.shell("cat in/run.toml | '" WEIR_PROGRAM
                                    "' run /dev/stdin -q "
                                    "--no-report");
  ASSERT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(again.output, first.output);
  const Outcome runs = place.weir("export results/stdin --table runs");
  EXPECT_EQ(std::count(runs.output.begin(), runs.output.end(), '\n'), 2) << runs.output;
}

TEST(StandardInput, CanBeCheckedAndShown) {
  const Workplace place;
  place.write("net.toml", kNet);
  place.write("run.toml", kRun);
  const auto with = [&](const std::string& file, const std::string& command) {
    const Outcome outcome = place.shell("cat " + file + " | '" WEIR_PROGRAM "' " + command);
    EXPECT_EQ(outcome.status, 0) << command << outcome.errors;
    return outcome.output;
  };
  EXPECT_THAT(with("run.toml", "check -"), HasSubstr("single-switch: 4 hosts"));
  EXPECT_THAT(with("net.toml", "topology /dev/stdin"), HasSubstr("single-switch"));
  place.write("flows.toml", std::string(kNet) + R"([[flow]]
sources = [0, 2]
destinations = { model = "fixed", host = 1 }
)");
  EXPECT_THAT(with("flows.toml", "rates - --algorithm ffa"), HasSubstr("1/2"));
  place.write("queue.toml",
              "experiment = { kind = \"queue\" }\nqueue = { model = \"ge\", arrival_rate = 1.0, "
              "service_rate = 2.0, capacity = 8 }\n");
  EXPECT_THAT(with("queue.toml", "queue -"), HasSubstr("queue length"));
  place.write("two.goal", "num_ranks 2\nrank 0 { send 10b to 1 }\nrank 1 { recv 10b from 0 }\n");
  EXPECT_THAT(with("two.goal", "workload -"), HasSubstr("10 B"));
}

TEST(StandardInput, IsNamedInErrors) {
  const Workplace place;
  const auto errors = [&](const std::string& text, const std::string& command) {
    place.write("x.toml", text);
    const Outcome outcome = place.shell("'" WEIR_PROGRAM "' " + command + " < x.toml");
    EXPECT_EQ(outcome.status, 2) << command;
    return outcome.errors;
  };
  EXPECT_THAT(errors("[experiment]\n  durration = \"1 ms\"\n", "check -"),
              HasSubstr("weir: <stdin>:2:3: experiment.durration:"));
  EXPECT_THAT(errors("[experiment\n", "run /dev/stdin"), StartsWith("weir: <stdin>:1:"));
  EXPECT_THAT(errors("include = \"nowhere.toml\"\n", "run -"),
              StartsWith("weir: <stdin>:1:11: include: there is no file 'nowhere.toml'"));
  EXPECT_THAT(errors("num_ranks 1\nrank 0 { snd }\n", "workload -"),
              StartsWith("weir: <stdin>:2:"));
  EXPECT_THAT(errors("", "run - -"), HasSubstr("one of the experiments, not several"));
  const Outcome folder = place.shell("'" WEIR_PROGRAM "' run - < .");
  EXPECT_EQ(folder.status, 2);
  EXPECT_THAT(folder.errors, StartsWith("weir: <stdin>: cannot be read"));
}

TEST(StandardInput, APipeOfAnotherNameWorks) {
  const Workplace place;
  place.write("run.toml", std::string(kNet) + (kRun + std::string(kRun).find("[experiment]")));
  const Outcome outcome =
      place.shell("mkfifo pipe && { cat run.toml > pipe & '" WEIR_PROGRAM "' check pipe; }");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

}  // namespace
}  // namespace weir::cli
