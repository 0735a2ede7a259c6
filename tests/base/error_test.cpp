#include "weir/base/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace weir {
namespace {

SourcePosition place(int line, int column) {
  return {std::make_shared<const std::string>("net.toml"), line, column};
}

TEST(SourcePosition, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(place(3, 7).to_string(), "net.toml:3:7");
  EXPECT_EQ(place(3, 0).to_string(), "net.toml:3");
  EXPECT_EQ(place(0, 0).to_string(), "net.toml");
  EXPECT_EQ(SourcePosition{}.to_string(), "");
  EXPECT_EQ((SourcePosition{nullptr, 3, 7}.to_string()), "3:7");
}

TEST(InputError, SaysWhereWhichAndWhat) {
  EXPECT_STREQ(InputError(place(3, 7), "link.rate", "is wrong").what(),
               "net.toml:3:7: link.rate: is wrong");
  EXPECT_STREQ(InputError(place(3, 7), "", "is wrong").what(), "net.toml:3:7: is wrong");
  EXPECT_STREQ(InputError({}, "link.rate", "is wrong").what(), "link.rate: is wrong");
  EXPECT_STREQ(InputError("is wrong").what(), "is wrong");
}

const std::vector<std::string> kKnown{"1q", "voqsw", "voqnet", "dbbm", "enhanced-recn", "recn"};

TEST(NearestName, FindsOneSlipOfTheKeyboard) {
  EXPECT_EQ(nearest_name("voqs", kKnown), "voqsw");  // left out
  EXPECT_EQ(nearest_name("dbbbm", kKnown), "dbbm");  // doubled
  EXPECT_EQ(nearest_name("rean", kKnown), "recn");   // wrong letter
  EXPECT_EQ(nearest_name("rcen", kKnown), "recn");   // swapped
  EXPECT_EQ(nearest_name("RECN", kKnown), "recn");   // other case
  EXPECT_EQ(nearest_name("2q", kKnown), "1q");
}

TEST(InputError, KnowsWhereItStands) {
  const InputError error(place(3, 7), "net.color", "must be a word");
  EXPECT_EQ(error.position().line, 3);
  EXPECT_EQ(error.position().column, 7);
  EXPECT_EQ(error.position().to_string(), place(3, 7).to_string());
  EXPECT_TRUE(error.has_place());
  EXPECT_FALSE(InputError("net.color", "must be a word").has_place());
}

TEST(NearestName, CountsASwapOfNeighboursOnce) {
  // A swap counted as two changes would be beyond the one that four letters allow.
  EXPECT_EQ(nearest_name("dbmb", kKnown), "dbbm");
}

TEST(NearestName, AllowsMoreSlipsInLongerNames) {
  EXPECT_EQ(nearest_name("enhancd_recn", kKnown), "enhanced-recn");
  EXPECT_EQ(nearest_name("enhanced-rn", kKnown), "enhanced-recn");
  EXPECT_EQ(nearest_name("rn", kKnown), "");
}

TEST(NearestName, PrefersTheCloserName) {
  const std::vector<std::string> known{"sources", "source"};
  EXPECT_EQ(nearest_name("source", known), "source");
  EXPECT_EQ(nearest_name("sourcs", known), "sources");
}

TEST(NearestName, GivesUpWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("fbicm", kKnown), "");
  EXPECT_EQ(nearest_name("x", kKnown), "");
  EXPECT_EQ(nearest_name("", kKnown), "");
  EXPECT_EQ(nearest_name("recn", {}), "");
}

TEST(Suggestion, NamesTheNearestOrAll) {
  const std::vector<std::string> known{"fixed", "random"};
  EXPECT_EQ(suggestion("randm", known), " (did you mean 'random'?)");
  EXPECT_EQ(suggestion("arn", known), " (known: fixed, random)");
  EXPECT_EQ(suggestion("arn", {}), "");
  // Of many names, some that begin alike come first.
  std::vector<std::string> many;
  for (int i = 0; i < 40; ++i) many.push_back("metric_" + std::to_string(i));
  many.emplace_back("hot_link_utilization");
  const std::string found = suggestion("hot_queue", many);
  EXPECT_EQ(found.rfind(" (41 are known, among them hot_link_utilization, metric_0, ", 0), 0U);
  EXPECT_LT(found.size(), 200U);
}

}  // namespace
}  // namespace weir
