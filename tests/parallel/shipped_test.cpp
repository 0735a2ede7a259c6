// What weir ships gives the same numbers, whatever the number of threads: experiments, shortened,
// until each model, choice and key that they have has been in one of the runs that are compared.
// scripts/check-threads takes each file by itself, with all numbers of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "experiment/shortened.hpp"
#include "parallel/refused.hpp"
#include "parallel/same_numbers.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment::parallel {
namespace {

constexpr std::array<std::uint32_t, 5> kThreads = {2, 3, 4, 8, 16};
/// Of one number for each run. Many threads wait long for each other where cores are few: all
/// numbers take their turn with all files.
constexpr std::array<std::uint32_t, 5> kInTurn = {2, 3, 2, 4, 2};

/// Larger networks take long to make, and have what smaller ones have.
constexpr std::size_t kMostHosts = 1'500;

/// Words that are choices of a key or names of models, not what people call something.
bool is_a_choice(const std::string& key, const std::string& text) {
  static const std::set<std::string> names = {"name",        "title",  "description", "host",
                                              "destination", "source", "exclude",     "same_as",
                                              "job",         "phase"};
  return !names.contains(key) && !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || c == '-';
  });
}

/// What is in an experiment: keys, wherever they stand, and what they choose.
void add_features(const ConfigTable& table, const std::string& where, std::set<std::string>& out);

void add_feature(const std::string& key, const ConfigValue& value, const std::string& where,
                 std::set<std::string>& out) {
  if (value.is_table()) {
    add_features(value.table(), where, out);
  } else if (value.is_array()) {
    for (const ConfigValue& one : value.array()) add_feature(key, one, where, out);
  } else if (value.is_text() && is_a_choice(key, value.text())) {
    out.insert(where + "=" + value.text());
  } else if (value.is_bool()) {
    out.insert(where + (std::get<bool>(value.data) ? "=true" : "=false"));
  }
}

void add_features(const ConfigTable& table, const std::string& where, std::set<std::string>& out) {
  for (const ConfigEntry& entry : table.entries()) {
    static const std::set<std::string> others = {"plot", "results", "case", "sweep", "plugins"};
    if (where.empty() && others.contains(entry.key)) continue;
    const std::string key = where.empty() ? entry.key : where + "." + entry.key;
    out.insert(key);
    add_feature(entry.key, entry.value, key, out);
  }
}

std::set<std::string> features(const ConfigTable& run) {
  std::set<std::string> out;
  add_features(run, "", out);
  return out;
}

bool has_new(const std::set<std::string>& features, const std::set<std::string>& seen) {
  return !std::includes(seen.begin(), seen.end(), features.begin(), features.end());
}

std::string name_of(const std::string& path) {
  return std::filesystem::relative(path, WEIR_SOURCE_DIR "/experiments").string();
}

class ShippedInParts : public ::testing::Test {
 protected:
  /// Runs that have something that `seen` lacks are compared, so many times shorter, with all
  /// numbers of threads or with one of them.
  void compare(const std::string& path, std::int64_t shorter, bool with_all,
               std::set<std::string>& seen) {
    for (Variant& variant : ExperimentFile(read_experiment(path), {}).variants()) {
      const std::set<std::string> has = features(variant.table);
      if (!has_new(has, seen) || is_known_to_be_refused(has)) continue;
      if (!tried_.insert(has).second) continue;
      shorten(variant.table, shorter);
      if (!with_all) bound_bins(variant.table, 30);
      const Configuration configuration = resolve(variant.table);
      if (!configuration.kind->simulates) continue;
      if (!with_all && hosts_of(configuration) > kMostHosts) continue;
      const std::string name = name_of(path) + " " + variant.name;
      if (is_refused(configuration, name, has)) continue;
      compare_threads(configuration, name, with_all);
      seen.insert(has.begin(), has.end());
    }
  }

  void compare_threads(const Configuration& configuration, const std::string& name, bool with_all) {
    std::vector<std::uint32_t> numbers(kThreads.begin(), kThreads.end());
    if (!with_all) numbers = {kInTurn[compared_ % kInTurn.size()]};
    const Numbers whole = run(configuration, {});
    packets_ += whole.packets;
    for (const std::uint32_t threads : numbers) {
      EXPECT_EQ(difference(whole, run(configuration, {threads})), "")
          << name << " with " << threads << " threads";
      ++divided_;
    }
    if (with_all || compared_ % 4 == 0) compare_ranks(configuration, name, whole);
    ++compared_;
  }

  void compare_ranks(const Configuration& configuration, const std::string& name,
                     const Numbers& whole) {
    const Division division{1, std::nullopt, 2 + static_cast<std::uint32_t>(compared_ / 4 % 3)};
    if (const std::optional<InputError> error = refusal(configuration, division)) {
      EXPECT_NE(find_refused(*error, kRefusedInRanks), nullptr)
          << name << " is refused, which refused.hpp does not say: " << error->what();
      return;
    }
    EXPECT_EQ(difference(whole, run(configuration, division)), "")
        << name << ", " << to_string(division);
    ++in_ranks_;
  }

  /// Refused before for what it has.
  [[nodiscard]] bool is_known_to_be_refused(const std::set<std::string>& has) const {
    return std::any_of(refused_features_.begin(), refused_features_.end(),
                       [&](const std::string& one) { return has.contains(one); });
  }

  bool is_refused(const Configuration& configuration, const std::string& name,
                  const std::set<std::string>& has) {
    const std::optional<InputError> error = refusal_in_parts(configuration);
    if (!error) return false;
    const Refused* known = find_refused(*error);
    EXPECT_NE(known, nullptr) << name
                              << " is refused, which refused.hpp does not say: " << error->what();
    if (known != nullptr) ++reasons_[known];
    ++refused_;
    // What holds for one with the same model, or list, holds for all.
    for (const std::string& one : has) {
      if (one.starts_with(error->key() + "=") || (one == error->key() && one != "traffic"))
        refused_features_.insert(one);
    }
    return true;
  }

  void tell() const {
    std::cout << fmt::format(
        "{} runs compared with {} in parts and {} in ranks, {} packets; {} refused\n", compared_,
        divided_, in_ranks_, packets_, refused_);
    for (const auto& [one, count] : reasons_)
      std::cout << fmt::format("  {} {}: {}\n", count, one->key, one->reason);
  }

  std::size_t compared_ = 0;
  std::size_t divided_ = 0;
  std::size_t in_ranks_ = 0;
  std::size_t refused_ = 0;
  std::uint64_t packets_ = 0;
  std::set<std::set<std::string>> tried_;
  std::set<std::string> refused_features_;
  std::map<const Refused*, int> reasons_;
};

TEST_F(ShippedInParts, EachModelAndKeyGivesTheNumbersOfOneThread) {
  std::set<std::string> seen;
  for (const std::string& path : shipped_experiments()) compare(path, 800, false, seen);
  tell();
  EXPECT_GT(compared_, 20U);
  EXPECT_GT(in_ranks_, 2U);
  EXPECT_GT(packets_, 10'000U);
}

TEST_F(ShippedInParts, EachFileGivesTheNumbersOfOneThreadSlow) {
  if (std::getenv("WEIR_SHIPPED_IN_PARTS") == nullptr)
    GTEST_SKIP() << "scripts/check-threads runs it";
  for (const std::string& path : shipped_experiments()) {
    const std::string only = std::getenv("WEIR_SHIPPED_IN_PARTS");
    if (only != "all" && name_of(path).find(only) == std::string::npos) continue;
    std::set<std::string> seen;
    compare(path, 100, true, seen);
  }
  tell();
}

}  // namespace
}  // namespace weir::experiment::parallel
