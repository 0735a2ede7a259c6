#include "weir/experiment/campaign/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

std::vector<Variant> variants_of(const std::string& text) {
  return ExperimentFile(table_of(text), {}).variants();
}

const std::string kSixRuns = kSmall + R"(
[sweep]
"traffic.all.arrivals.load" = [0.2, 0.5, 0.9]
"experiment.seed" = [1, 2]
)";

TEST(Runner, ResultsDoNotDependOnTheNumberOfThreads) {
  std::vector<std::vector<RunOutcome>> all;
  for (const unsigned jobs : {1U, 2U, 5U}) {
    all.push_back(run_all(variants_of(kSixRuns), {jobs, nullptr}, {}));
  }
  for (const auto& outcomes : all) {
    ASSERT_EQ(outcomes.size(), 6U);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      ASSERT_TRUE(outcomes[i].record);
      EXPECT_EQ(outcomes[i].record->result.fingerprint, all[0][i].record->result.fingerprint);
      EXPECT_EQ(outcomes[i].record->parameters, all[0][i].record->parameters);
    }
  }
  EXPECT_NE(all[0][0].record->result.fingerprint, all[0][1].record->result.fingerprint);
}

TEST(Runner, ARunLastsAsLongAsItSaysWhateverTheTraffic) {
  const auto outcomes = run_all(variants_of(kSmall + "messages = 1\n"), {1, nullptr}, {});
  const auto& result = outcomes.front().record->result;
  EXPECT_EQ(*result.scalar("simulated_time"), 20'000);
  EXPECT_EQ(*result.scalar("packets_delivered"), 4);
}

TEST(Runner, UntilDrainedEndsWithTheLastPacket) {
  const std::string text = "[experiment]\nuntil = \"drained\"\n" +
                           kSmall.substr(kSmall.find("[topology]")) + "messages = 1\n";
  const auto outcomes = run_all(variants_of(text), {1, nullptr}, {});
  const auto& result = outcomes.front().record->result;
  EXPECT_EQ(*result.scalar("packets_delivered"), 4);
  EXPECT_EQ(*result.scalar("simulated_time"), *result.scalar("completion_time"));
}

TEST(Runner, SourcesThatWaitForPacketsBeginLater) {
  const std::string text = kSmall + R"(
messages = 2
[[traffic]]
name = "later"
start_after_packets = 3
messages = 1
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "1 KiB" }
[[traffic]]
name = "never"
start_after_packets = 100
messages = 1
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "1 KiB" }
)";
  const auto outcomes = run_all(variants_of(text), {1, nullptr}, {});
  const auto& result = outcomes.front().record->result;
  EXPECT_EQ(*result.scalar("packets_delivered", "all"), 8);
  EXPECT_EQ(*result.scalar("packets_delivered", "later"), 4);
  EXPECT_THAT(result.notes,
              ::testing::Contains(::testing::StartsWith("4 sources never began: 12 data packets")));
}

TEST(Runner, OneRunThatCannotBeBuiltIsTheUsersMistake) {
  EXPECT_THROW(run_all(variants_of(kSmall + "[buffer]\ningress = \"1 KiB\"\n"), {1, nullptr}, {}),
               InputError);
}

TEST(Runner, OfSeveralRunsTheOthersGoOn) {
  const auto outcomes = run_all(
      variants_of(kSmall + "[sweep]\nbuffer.ingress = [\"1 KiB\", \"8 KiB\"]\n"), {2, nullptr}, {});
  EXPECT_EQ(outcomes[0].record->status, "failed");
  EXPECT_TRUE(outcomes[0].is_input_error);
  EXPECT_NE(outcomes[0].record->error.find("buffer.ingress: 1 KiB"), std::string::npos);
  EXPECT_EQ(outcomes[1].record->status, "done");
}

TEST(Runner, AnInterruptEndsRuns) {
  const std::atomic<bool> interrupt{true};
  const auto outcomes = run_all(variants_of(kSixRuns), {2, &interrupt}, {});
  ASSERT_EQ(outcomes.size(), 6U);
  for (const RunOutcome& outcome : outcomes) EXPECT_FALSE(outcome.record);
}

TEST(Runner, ProgressIsTold) {
  std::vector<Time> seen;
  RunListener listener;
  listener.on_progress = [&](const RunProgress& progress) {
    EXPECT_EQ(progress.end, microseconds(20));
    seen.push_back(progress.now);
  };
  std::size_t ended = 0;
  listener.on_end = [&](std::size_t, const RunRecord&) { ++ended; };
  run_all(variants_of(kSmall), {1, nullptr}, listener);
  EXPECT_GT(seen.size(), 50U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(ended, 1U);
}

}  // namespace
}  // namespace weir::experiment
