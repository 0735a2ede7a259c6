#include "weir/experiment/campaign/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <filesystem>

#include "experiment/support.hpp"
#include "support/temporary_folder.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const std::string kSweep = kSmall + R"(
[sweep]
"traffic.all.arrivals.load" = [0.2, 0.5, 0.9]
[replicate]
seeds = 2
)";

std::vector<Variant> plan_of(const std::string& text, const std::vector<std::string>& set = {}) {
  std::vector<ConfigTable> overrides;
  for (const std::string& one : set) overrides.push_back(parse_override(one));
  return ExperimentFile(table_of(text), overrides).variants();
}

class CampaignOf : public testing::Test {
 public:
  [[nodiscard]] std::string file() const { return (folder_ / "results.sqlite").string(); }

  CampaignResult run(const std::vector<Variant>& plan, const CampaignOptions& options = {}) {
    ResultsStore store(file(), ResultsStore::Mode::create);
    begun_.clear();
    CampaignListener listener;
    listener.on_plan = [&](const CampaignStart& start) { start_ = start; };
    listener.runs.on_start = [&](std::size_t run) { begun_.push_back(run); };
    listener.runs.on_end = [&](std::size_t, const RunRecord&) {
      if (++ended_ == stop_after_) interrupt_ = true;
    };
    return run_campaign(plan, store, options, listener);
  }

  support::TemporaryFolder folder_;
  CampaignStart start_;
  std::vector<std::size_t> begun_;
  std::size_t ended_ = 0;
  std::size_t stop_after_ = 0;
  std::atomic<bool> interrupt_{false};
};

TEST_F(CampaignOf, RunsEverythingLongestFirstAndHandsItBackInOrder) {
  CampaignOptions options;
  options.jobs = 1;
  const auto plan = plan_of(kSweep);
  CampaignResult result = run(plan, options);
  EXPECT_EQ(start_.runs, 6U);
  EXPECT_EQ(start_.there, 0U);
  EXPECT_EQ(start_.at_a_time, 1U);
  EXPECT_EQ(start_.cores, 1U);
  EXPECT_GT(start_.needs.memory, 0);
  EXPECT_GT(start_.needs.seconds, 0);
  EXPECT_GT(start_.needs.packet_hops[4], start_.needs.packet_hops[2]);
  EXPECT_THAT(begun_, ElementsAre(4, 5, 2, 3, 0, 1));
  EXPECT_EQ(result.unfinished(), 0U);
  const std::vector<RunRecord> records = result.take_records();
  ASSERT_EQ(records.size(), 6U);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].place, static_cast<std::int64_t>(i));
    EXPECT_EQ(records[i].parameters, plan[i].settings);
    EXPECT_EQ(records[i].seed, 1 + i % 2);
    EXPECT_GT(*records[i].result.scalar("packets_delivered"), 0);
    EXPECT_GT(records[i].result.wall_seconds, 0);
    EXPECT_GT(records[i].result.cpu_seconds, 0);
    EXPECT_LT(records[i].result.cpu_seconds, records[i].result.wall_seconds * 1.1 + 0.01);
  }
}

TEST_F(CampaignOf, RepeatsNothingThatIsDone) {
  const auto plan = plan_of(kSweep);
  const auto first = run(plan).take_records();
  CampaignResult again = run(plan);
  EXPECT_TRUE(begun_.empty());
  EXPECT_EQ(start_.there, 6U);
  for (const CampaignRun& one : again.runs) EXPECT_TRUE(one.was_there);
  const auto second = again.take_records();
  ASSERT_EQ(second.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(second[i].result.fingerprint, first[i].result.fingerprint);
    EXPECT_EQ(second[i].started, first[i].started);
  }
  CampaignOptions options;
  options.again = true;
  run(plan, options);
  EXPECT_EQ(begun_.size(), 6U);
  EXPECT_EQ(ResultsStore(file(), ResultsStore::Mode::existing).list().size(), 6U);
}

TEST_F(CampaignOf, GoesOnAfterAnInterrupt) {
  const auto plan = plan_of(kSweep);
  CampaignOptions options;
  options.jobs = 1;
  options.interrupt = &interrupt_;
  stop_after_ = 2;
  const CampaignResult stopped = run(plan, options);
  EXPECT_EQ(stopped.unfinished(), 4U);
  EXPECT_TRUE(stopped.runs[4].record);
  EXPECT_FALSE(stopped.runs[0].record);
  interrupt_ = false;
  const CampaignResult rest = run(plan, options);
  EXPECT_THAT(begun_, ElementsAre(2, 3, 0, 1));
  EXPECT_EQ(rest.unfinished(), 0U);
  EXPECT_TRUE(rest.runs[4].was_there);
  EXPECT_FALSE(rest.runs[0].was_there);
}

TEST_F(CampaignOf, RepeatsWhatFailed) {
  const auto plan = plan_of(
      kSmall + "[sweep]\nbuffer.ingress = [\"1 KiB\", \"8 KiB\"]\n[host]\nmtu = \"2 KiB\"\n");
  const CampaignResult first = run(plan);
  EXPECT_EQ(first.failed(), 1U);
  EXPECT_TRUE(first.runs[0].is_input_error);
  EXPECT_EQ(first.runs[0].record->status, "failed");
  EXPECT_EQ(first.runs[1].record->status, "done");
  const CampaignResult second = run(plan);
  EXPECT_THAT(begun_, ElementsAre(0));
  EXPECT_EQ(second.failed(), 1U);
}

TEST_F(CampaignOf, AnotherPlanTakesOverTheRunsThatItShares) {
  run(plan_of(kSmall + "[sweep]\n\"traffic.all.arrivals.load\" = [0.5, 0.9]\n"));
  const auto plan = plan_of(kSmall +
                            "[sweep]\n\"traffic.all.arrivals.load\" = [0.2, 0.5, 0.9]\n"
                            "[[plot]]\nfigure = \"f\"\nmetric = \"efficiency\"\n");
  CampaignResult result = run(plan);
  EXPECT_THAT(begun_, ElementsAre(0));
  const ResultsStore store(file(), ResultsStore::Mode::existing);
  const auto rows = store.list();
  ASSERT_EQ(rows.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].parameters, plan[i].settings);
    EXPECT_NE(rows[i].configuration.find("figure = \"f\""), std::string::npos);
  }
}

TEST_F(CampaignOf, TheSameRunTwiceInAPlanRunsOnce) {
  const auto plan = plan_of(kSmall + "[sweep]\nhost.mtu = [\"1 KiB\", \"1024 B\"]\n");
  CampaignResult result = run(plan);
  EXPECT_THAT(begun_, ElementsAre(0));
  ASSERT_EQ(result.runs.size(), 2U);
  EXPECT_EQ(result.runs[1].record->result.fingerprint, result.runs[0].record->result.fingerprint);
}

TEST_F(CampaignOf, OnePlannedRunThatCannotBeBuiltIsTheUsersMistake) {
  EXPECT_THROW(run(plan_of(kSmall + "[buffer]\ningress = \"512 B\"\n")), InputError);
  EXPECT_TRUE(ResultsStore(file(), ResultsStore::Mode::existing).list().empty());
}

TEST_F(CampaignOf, AWrongConfigurationRunsNothing) {
  const auto plan = plan_of(kSmall + "[sweep]\nhost.mtu = [\"1 KiB\", \"0 B\"]\n");
  EXPECT_THROW(run(plan), InputError);
  EXPECT_TRUE(begun_.empty());
}

}  // namespace
}  // namespace weir::experiment
