#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment::workload_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Four hosts on a switch: 80 ps a byte, 60 ns of delay.
const std::string kNetwork = R"(
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
)";

std::string experiment(const std::string& keys, const std::string& rest) {
  return "[experiment]\n" + keys + "\n" + kNetwork + rest;
}

std::string workload(const std::string& more, const std::string& name = "app") {
  return "[[workload]]\nname = \"" + name + "\"\n" + more + "\n";
}

const std::string kGather = "model = \"gather\"\nbytes = \"1000 B\"";
const std::string kIncast = R"(
[[traffic]]
name = "hot"
role = "hot"
sources = [2, 3]
destinations = { model = "hot-spots", hosts = [0] }
arrivals = "saturated"
sizes = { model = "fixed", size = "4 KiB" }
)";

std::string refusal_of_run(const std::string& text) {
  return refusal([&] { (void)simulated(text); });
}

TEST(Workload, AloneEndsTheRunWhenItIsDone) {
  const auto result = simulated(experiment("until = \"workload\"", workload(kGather)));
  // Three messages of 1000 bytes one after the other on the link into host 0.
  constexpr double kExpected = 3 * 80e-9 + 60e-9;
  EXPECT_NEAR(number(result, "execution_time"), kExpected, 1e-12);
  EXPECT_NEAR(number(result, "execution_time", "app"), kExpected, 1e-12);
  EXPECT_NEAR(number(result, "simulated_time"), kExpected * 1e9, 1e-6);
  EXPECT_EQ(number(result, "rank_finish_min", "app"), 0);
  EXPECT_NEAR(number(result, "rank_finish_max", "app"), kExpected, 1e-12);
  EXPECT_NEAR(number(result, "rank_finish_mean", "app"), kExpected / 4, 1e-12);
  EXPECT_EQ(number(result, "communication_share", "app"), 1);
  EXPECT_EQ(number(result, "messages_completed"), 3);
  EXPECT_EQ(number(result, "bytes_delivered"), 3000);
  // Its messages are all of one size, and nothing is random.
  EXPECT_THAT(result.notes, ::testing::Each(::testing::HasSubstr(" ties")));
}

TEST(Workload, ComputesWhileTheNetworkIsIdle) {
  const std::string app =
      workload("model = \"ring-all-reduce\"\nbytes = \"4000 B\"\nrounds = 3\ncompute = \"1 ms\"");
  constexpr double kReduce = 6 * (80e-9 + 60e-9);
  for (const char* until : {"until = \"workload\"", "until = \"drained\"", "duration = \"20 ms\"",
                            "until = \"drained\"\nduration = \"20 ms\""}) {
    const auto result = simulated(experiment(until, app));
    EXPECT_NEAR(number(result, "execution_time"), 3 * (1e-3 + kReduce), 1e-12) << until;
    EXPECT_NEAR(number(result, "communication_share", "app"), kReduce / (1e-3 + kReduce), 1e-9);
  }
}

TEST(Workload, WhatIsNotDoneHasNoExecutionTime) {
  const auto result = simulated(experiment("duration = \"50 ns\"", workload(kGather)));
  EXPECT_EQ(result.scalar("execution_time"), nullptr);
  EXPECT_TRUE(std::isnan(number(result, "execution_time", "app")));
  EXPECT_THAT(result.notes,
              ::testing::Contains("workload 'app' was not done: 3 operations were left"));
}

TEST(Workload, SuffersFromTrafficBesideIt) {
  const std::string app = workload(kGather + "\nrounds = 50\nrole = \"cold\"");
  const double alone = number(simulated(experiment("until = \"workload\"", app)), "execution_time");
  const auto result = simulated(experiment("until = \"workload\"", app + kIncast));
  EXPECT_GT(number(result, "execution_time"), 1.3 * alone);
  EXPECT_GT(number(result, "bytes_delivered", "hot"), 0);
  EXPECT_EQ(number(result, "bytes_delivered", "app"), 150'000);
  EXPECT_EQ(number(result, "bytes_delivered", "cold"), 150'000);
}

TEST(Workload, SeveralRunBesideEachOther) {
  const auto result = simulated(experiment(
      "until = \"workload\"", workload("model = \"gather\"\nbytes = \"1000 B\"\nroot = 1", "one") +
                                  workload("model = \"gather\"\nbytes = \"1000 B\"\nstart = "
                                           "\"1 us\"",
                                           "two")));
  EXPECT_NEAR(number(result, "execution_time", "one"), 300e-9, 1e-12);
  EXPECT_NEAR(number(result, "execution_time", "two"), 300e-9, 1e-12);
  EXPECT_NEAR(number(result, "execution_time"), 1300e-9, 1e-12);
}

TEST(Workload, RanksGoToHostsAsTheMappingSays) {
  // Rank 4 of 5 shares host 0 with rank 0: what it sends there takes no time.
  const auto messages = [](const std::string& mapping, int ranks) {
    const auto result = simulated(experiment(
        "until = \"workload\"",
        workload(kGather + "\nranks = " + std::to_string(ranks) + "\nmapping = " + mapping)));
    return number(result, "messages_completed");
  };
  EXPECT_EQ(messages("\"linear\"", 3), 2);
  EXPECT_EQ(messages("\"round-robin\"", 5), 3);
  EXPECT_EQ(messages("\"random\"", 5), 3);
  EXPECT_EQ(messages("[2, 2, \"h2\"]", 3), 0);
  EXPECT_EQ(messages("[2, 1, 1]", 3), 2);
}

TEST(Workload, ExcludedHostsGetNoRank) {
  const auto delivered = [](const std::string& more) {
    return simulated(experiment("until = \"workload\"",
                                workload("model = \"all-to-all\"\nbytes = \"10 B\"\n" + more)));
  };
  const auto messages = [&](const std::string& more) {
    return number(delivered(more), "messages_completed");
  };
  // Of four hosts three have a rank each, which sends to the two others.
  EXPECT_EQ(messages("exclude = [1]"), 6);
  EXPECT_EQ(messages("exclude = \"h1\"\nmapping = \"random\""), 6);
  EXPECT_EQ(messages("exclude = [1, 3]\nmapping = \"round-robin\"\nranks = 4"), 8);
  const auto told = [](const std::string& more) {
    return refusal_of_run(experiment("until = \"workload\"", workload(kGather + "\n" + more)));
  };
  EXPECT_THAT(told("exclude = [1]\nranks = 4"),
              HasSubstr("4 ranks are more than the network has hosts for them, 3"));
  EXPECT_THAT(told("exclude = [0, 1, 2, 3]"),
              HasSubstr("workload[0].exclude: leaves no host for the ranks"));
  EXPECT_THAT(told("exclude = [7]"), HasSubstr("there is no host 7"));
  EXPECT_THAT(told("exclude = [1]\nmapping = [0, 2, 3]"),
              HasSubstr("workload[0].exclude: does not go with a list as mapping"));
}

TEST(Workload, RandomPlacementsDependOnTheSeed) {
  const auto fingerprint = [](int seed) {
    return simulated(experiment("until = \"workload\"\nseed = " + std::to_string(seed),
                                workload("model = \"ring-all-gather\"\nbytes = \"10 B\"\nmapping = "
                                         "\"random\"")))
        .fingerprint;
  };
  EXPECT_EQ(fingerprint(1), fingerprint(1));
  EXPECT_TRUE(fingerprint(1) != fingerprint(2) || fingerprint(1) != fingerprint(3));
}

TEST(Workload, GoalFilesAreFoundBesideTheExperiment) {
  const std::string file = testing::TempDir() + "weir_workload_test.goal";
  std::ofstream(file) << "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
                         "rank 1 {\nrecv 1000b from 0\n}\n";
  const std::string app = workload("model = \"goal\"\nfile = \"" + file + "\"");
  EXPECT_NEAR(number(simulated(experiment("until = \"workload\"", app)), "execution_time"), 140e-9,
              1e-12);
  std::ofstream(file) << "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n";
  EXPECT_THAT(refusal_of_run(experiment("until = \"workload\"", app)),
              HasSubstr("weir_workload_test.goal:3: send: rank 0: send 1000b to 1 tag 0 (line 3)"));
  std::remove(file.c_str());
}

TEST(Workload, DeadlocksEndTheRun) {
  const std::string file = testing::TempDir() + "weir_workload_deadlock.goal";
  std::ofstream(file) << "num_ranks 2\nrank 0 {\na: recv 9b from 1\nb: send 9b to 1\n"
                         "b requires a\n}\n"
                         "rank 1 {\na: recv 9b from 0\nb: send 9b to 0\nb requires a\n}\n";
  EXPECT_THROW(
      (void)simulated(experiment("until = \"workload\"",
                                 kIncast + workload("model = \"goal\"\nfile = \"" + file + "\""))),
      RunError);
  std::remove(file.c_str());
}

TEST(Workload, LostMessagesNeverCome) {
  const std::string text = R"(
[experiment]
until = "workload"
[topology]
model = "rlft"
ports = 4
stages = 3
[routing]
model = "d-mod-k"
[[failure]]
random = 4
at = "5 us"
)" + workload("model = \"all-to-all\"\nbytes = \"100 KB\"");
  const auto result = simulated(text);
  EXPECT_TRUE(std::isnan(number(result, "execution_time", "app")));
  EXPECT_THAT(result.notes,
              testing::Contains(testing::AllOf(StartsWith("workload 'app' was not done: "),
                                               HasSubstr(" messages were lost"))));
}

TEST(Workload, MistakesAreToldWithTheirPlace) {
  const auto told = [](const std::string& more) {
    return refusal_of_run(experiment("until = \"workload\"", workload(more)));
  };
  EXPECT_THAT(
      told(kGather + "\nranks = 5"),
      HasSubstr("workload[0].ranks: 5 ranks are more than the network has hosts for them, 4; "
                "mapping = \"round-robin\""));
  EXPECT_THAT(told(kGather + "\nmapping = \"round-robbin\""),
              HasSubstr("did you mean 'round-robin'?"));
  EXPECT_THAT(told(kGather + "\nmapping = [0, 1]"), HasSubstr("a list of 2 hosts for 4 ranks"));
  EXPECT_THAT(told(kGather + "\nmapping = [0, 1, 2, 7]"), HasSubstr("there is no host 7"));
  EXPECT_THAT(told("model = \"gathr\""), HasSubstr("did you mean 'gather'?"));
  EXPECT_THAT(told("bytes = \"1 B\""), HasSubstr("workload[0].model: is missing"));
  EXPECT_THAT(told("model = \"gather\"\nbyts = \"1 B\""), HasSubstr("did you mean 'bytes'?"));
  EXPECT_THAT(refusal(experiment("until = \"workload\"", kIncast)),
              HasSubstr("waits for a workload, but there is no [[workload]]"));
  EXPECT_THAT(refusal(experiment("duration = \"1 us\"", "")), HasSubstr("[[workload]]"));
  EXPECT_THAT(refusal(experiment("duration = \"1 us\"", kIncast + workload(kGather, "hot"))),
              HasSubstr("'hot' is the name of traffic[0] already"));
  EXPECT_THAT(refusal(experiment("duration = \"1 us\"", workload(kGather) + workload(kGather))),
              HasSubstr("'app' is the name of workload[0] already"));
  EXPECT_THAT(refusal(experiment("duration = \"1 us\"\nfind = \"saturation\"",
                                 kIncast + workload(kGather))),
              HasSubstr("a [[workload]] has none"));
}

TEST(Workload, ResolvesToItself) {
  const Configuration first =
      resolve(table_of(experiment("until = \"workload\"", workload(kGather) + kIncast)));
  const Configuration second = resolve(parse_toml(to_toml(first.resolved), "again.toml"));
  EXPECT_EQ(to_toml(first.resolved), to_toml(second.resolved));
  EXPECT_EQ(configuration_hash(first.resolved), configuration_hash(second.resolved));
}

TEST(Workload, MayBeASingleTableAndChangedByName) {
  std::vector<ConfigTable> overrides{parse_override("workload.app.bytes=\"2000 B\"")};
  const auto variant =
      ExperimentFile(table_of(experiment("until = \"workload\"", workload(kGather))), overrides)
          .variants()
          .front();
  EXPECT_EQ(resolve(variant.table).workloads.at(0).model.bytes("bytes"), Bytes(2000));
  EXPECT_EQ(resolve(table_of(experiment("until = \"workload\"",
                                        "[workload]\nname = \"app\"\n" + kGather)))
                .workloads.size(),
            1U);
}

}  // namespace
}  // namespace weir::experiment::workload_test
