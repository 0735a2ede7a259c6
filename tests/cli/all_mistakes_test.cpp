#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A dozen mistakes: every section is read to its end, however wrong those before it are.
constexpr const char* kWrong = R"([experiment]
duration = "20 us"
warmpu = "1 us"
[topolgy]
model = "rlft"
ports = 4
stages = 2
[routing]
model = "d-mod-n"
tie_break = "low"
[switch]
speedup = "fast"
architecture = "cioqs"
[buffer]
ingress = 4096
[host]
mtu = "2 KiB"
acks = "sometimes"
[[traffic]]
name = "one"
lode = 1
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed" }
[[traffic]]
name = "two"
destinations = { model = "unifrom" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
[metrics]
bin = "0 s"
[results]
columns = ["efficiency", "eficiency"]
[[plot]]
figure = "f"
metric = "latencyp99"
)";

constexpr const char* kAll =
    R"(weir: x.toml:3:1: experiment.warmpu: unknown key (did you mean 'warmup'?)
weir: x.toml:4:2: topolgy: unknown section (did you mean 'topology'?)
weir: x.toml:9:9: routing.model: no routing is called 'd-mod-n' (did you mean 'd-mod-k'?)
weir: x.toml:12:11: switch.speedup: must be a number, as in 0.5, not a string
weir: x.toml:13:16: switch.architecture: no choice is called 'cioqs' (did you mean 'cioq'?)
weir: x.toml:15:11: buffer.ingress: needs a unit, as in "4 KiB"
weir: x.toml:18:8: host.acks: no choice is called 'sometimes' (known: none, ideal, in-band, becn)
weir: x.toml:21:1: traffic[0].lode: )";

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(AllMistakes, OfAFileAreToldAtOnceInTheOrderOfItsLines) {
  const Workplace place;
  place.write("x.toml", kWrong);
  const Outcome run = place.weir("run x.toml");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors.substr(0, std::string(kAll).size()), kAll);
  for (const char* more :
       {"weir: x.toml:24:9: traffic[0].sizes.size: is missing",
        "weir: x.toml:27:26: traffic[1].destinations.model: no pattern is called 'unifrom' (did "
        "you mean 'uniform'?)",
        "weir: x.toml:31:7: metrics.bin: ", "weir: x.toml:33:26: results.columns: ",
        "weir: x.toml:36:10: plot[0].metric: "}) {
    EXPECT_EQ(lines_with(run.errors, more), 1U) << more << "\n" << run.errors;
  }
  EXPECT_THAT(run.errors, HasSubstr("\nweir: 13 problems\n"));
  EXPECT_EQ(lines_with(run.errors, "\n"), 14U) << run.errors;
  EXPECT_EQ(place.weir("check x.toml").errors, run.errors);
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "results"));
}

constexpr const char* kRight = R"(topology = { model = "rlft", ports = 4, stages = 2 }
[experiment]
duration = "20 us"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";

TEST(AllMistakes, OfCasesAndSweepsAreToldOnceForAllRuns) {
  const Workplace place;
  place.write("x.toml", std::string(kRight) + R"([[case]]
name = "a"
set = { "queueing.model" = "voqs" }
[[case]]
nmae = "b"
[sweep]
"host.mtu" = ["1 KiB", 2]
"metrics.bin" = ["1 us", "0 s", "0 ns"]
)");
  const Outcome outcome = place.weir("check x.toml");
  EXPECT_EQ(outcome.status, 2);
  for (const char* one : {"x.toml:11:28: queueing.model: no queueing is called 'voqs'",
                          "x.toml:13:1: case[1].nmae: unknown key (did you mean 'name'?)",
                          "x.toml:15:24: sweep.host.mtu: the list mixes",
                          "x.toml:16:26: metrics.bin: must be at least",
                          "x.toml:16:33: metrics.bin: must be at least"}) {
    EXPECT_EQ(lines_with(outcome.errors, one), 1U) << one << "\n" << outcome.errors;
  }
  EXPECT_THAT(outcome.errors, HasSubstr("weir: 5 problems\n"));
}

TEST(AllMistakes, FollowUpsAreNotTold) {
  const Workplace place;
  // Nothing but the preset is wrong: that its models are not there follows from that.
  place.write("x.toml", R"(management = { preset = "dcqnc" }
marking = { low_bytes = "10 KB" }
)" + std::string(kRight));
  place.write("y.toml", R"(topology = { model = "rlft", ports = 4, stages = 2 }
[experiment]
kind = "netwrok"
)");
  for (const char* file : {"x.toml", "y.toml"}) {
    const Outcome outcome = place.weir(std::string("check ") + file);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(lines_with(outcome.errors, "\n"), 1U) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr("did you mean"));
    EXPECT_THAT(outcome.errors, Not(HasSubstr("problems")));
  }
}

}  // namespace
}  // namespace weir::cli
