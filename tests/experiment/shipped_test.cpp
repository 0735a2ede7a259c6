#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::shipped_test {
namespace {

namespace fs = std::filesystem;

/// All experiment files that weir ships; a folder's parts that only others include begin with "_".
std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(WEIR_SOURCE_DIR "/experiments")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".toml" || path.filename().string().starts_with("_")) continue;
    const std::string name = path.filename().string();
    if (name == "claims.toml" || name.starts_with("findings.")) continue;
    files.push_back(path.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Shipped : public ::testing::TestWithParam<std::string> {};

TEST_P(Shipped, ResolvedReadsBackToItself) {
  const std::string first = to_toml(ExperimentFile(read_experiment(GetParam()), {}).resolved());
  const std::string second =
      to_toml(ExperimentFile(parse_experiment(first, "/elsewhere/dump.toml"), {}).resolved());
  EXPECT_EQ(second, first);
}

/// All of few, else some that are spread evenly.
std::vector<Variant> some(std::vector<Variant> all) {
  constexpr std::size_t kMost = 3;
  if (all.size() <= kMost) return all;
  std::vector<Variant> chosen;
  for (std::size_t i = 0; i < kMost; ++i) chosen.push_back(all[i * all.size() / kMost]);
  return chosen;
}

// A hundredth of the duration, with all times and many messages of traffic scaled alike.
TEST_P(Shipped, RunsShortened) {
  std::vector<Variant> variants = some(ExperimentFile(read_experiment(GetParam()), {}).variants());
  bool may_compute_only = false;
  for (Variant& variant : variants) {
    for (const char* key : {"experiment.duration", "experiment.warmup", "metrics.bin"}) {
      const ConfigValue* value = find_value(variant.table, key);
      if (value == nullptr) continue;
      const Time shorter = std::max(Time(1), parse_time(value->text()) / 100);
      lay_over(variant.table, nested(key, ConfigValue(to_string(shorter), {})));
    }
    // A search finds no load that so short runs deliver: its run at the load of the file.
    variant.table.find("experiment")->table().erase("find");
    const ConfigValue* until = find_value(variant.table, "experiment.until");
    if (until != nullptr && until->is_text() && until->text() == "workload") {
      may_compute_only = true;
      lay_over(variant.table,
               nested("experiment.duration", ConfigValue(std::string("0.2 ms"), {})));
    }
    if (find_value(variant.table, "queue.simulate") != nullptr) {
      lay_over(variant.table, nested("queue.simulate", ConfigValue(std::int64_t{10'000}, {})));
    }
    if (!variant.table.contains("traffic"))
      continue;  // a network that is only measured, flows, or a queue
    for (ConfigValue& entry : std::get<ConfigArray>(variant.table.find("traffic")->data)) {
      for (const char* key : {"start", "stop"}) {
        ConfigValue* value = entry.table().find(key);
        if (value != nullptr) value->data = to_string(parse_time(value->text()) / 100);
      }
      ConfigValue* messages = entry.table().find("messages");
      if (messages == nullptr) continue;
      std::int64_t& count = std::get<std::int64_t>(messages->data);
      if (count >= 100'000) count /= 100;
    }
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

INSTANTIATE_TEST_SUITE_P(Slow, Shipped, ::testing::ValuesIn(shipped()), test_name);

}  // namespace
}  // namespace weir::experiment::shipped_test
