#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiment/shortened.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"

namespace weir::experiment::shipped_test {
namespace {

namespace fs = std::filesystem;

class Shipped : public ::testing::TestWithParam<std::string> {};

TEST_P(Shipped, ResolvedReadsBackToItself) {
  const std::string first = to_toml(ExperimentFile(read_experiment(GetParam()), {}).resolved());
  const std::string second =
      to_toml(ExperimentFile(parse_experiment(first, "/elsewhere/dump.toml"), {}).resolved());
  EXPECT_EQ(second, first);
}

/// All of few, else some that are spread evenly.
std::vector<Variant> some(std::vector<Variant> all) {
  constexpr std::size_t kMost = 2;
  if (all.size() <= kMost) return all;
  std::vector<Variant> chosen;
  for (std::size_t i = 0; i < kMost; ++i) chosen.push_back(all[i * all.size() / kMost]);
  return chosen;
}

TEST_P(Shipped, RunsShortened) {
  std::vector<Variant> variants = some(ExperimentFile(read_experiment(GetParam()), {}).variants());
  bool may_compute_only = false;
  for (Variant& variant : variants) {
    may_compute_only = shorten(variant.table, 100) || may_compute_only;
    bound_bins(variant.table, 100);
  }
  for (const RunOutcome& outcome : run_all(variants, {2, nullptr}, {})) {
    ASSERT_TRUE(outcome.record);
    EXPECT_EQ(outcome.record->status, "done") << outcome.record->error;
    const metrics::RunResult& result = outcome.record->result;
    const double* delivered = result.scalar("packets_delivered");
    const double* hosts = result.scalar("hosts");
    if (const double* length = result.scalar("queue_length")) {
      EXPECT_GT(*length, 0);
      continue;
    }
    if (const double* least = result.scalar("assigned_rate_min")) {
      EXPECT_GT(*least, 0);
      continue;
    }
    ASSERT_TRUE(delivered != nullptr || hosts != nullptr);
    EXPECT_GE(delivered != nullptr ? *delivered : *hosts, may_compute_only ? 0 : 1);
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name =
      fs::relative(info.param, WEIR_SOURCE_DIR "/experiments").replace_extension().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Slow, Shipped, ::testing::ValuesIn(shipped_experiments()), test_name);

}  // namespace
}  // namespace weir::experiment::shipped_test
