#include "weir/base/config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace weir::config_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_toml(text, "x.toml");
    return "no error";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::vector<std::string> keys_of(const ConfigTable& table) {
  std::vector<std::string> keys;
  for (const ConfigEntry& entry : table.entries()) keys.push_back(entry.key);
  return keys;
}

TEST(ParseToml, ReadsEveryKindOfValue) {
  const ConfigTable table = parse_toml(
      "flag = true\ncount = -7\nload = 0.25\nname = \"fat \\\"tree\\\"\"\nlist = [1, \"two\", "
      "[3]]\n"
      "sub = { a = 1 }\n",
      "x.toml");
  EXPECT_TRUE(std::get<bool>(table.find("flag")->data));
  EXPECT_EQ(table.find("count")->integer(), -7);
  EXPECT_EQ(std::get<double>(table.find("load")->data), 0.25);
  EXPECT_EQ(table.find("name")->text(), "fat \"tree\"");
  const ConfigArray& list = table.find("list")->array();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].integer(), 1);
  EXPECT_EQ(list[1].text(), "two");
  EXPECT_EQ(list[2].array().at(0).integer(), 3);
  EXPECT_EQ(table.find("sub")->table().find("a")->integer(), 1);
  EXPECT_EQ(table.find("absent"), nullptr);
  EXPECT_FALSE(table.contains("absent"));
}

TEST(ParseToml, NamesTheKindsOfValues) {
  const ConfigTable table =
      parse_toml("a = true\nb = 1\nc = 1.0\nd = \"\"\ne = []\nf = {}\n", "x.toml");
  const std::vector<std::string> expected{"true or false", "an integer", "a real number",
                                          "a string",      "a list",     "a table"};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(table.entries()[i].value.kind_name(), expected[i]);
  }
}

TEST(ParseToml, KeepsTheOrderOfTheFile) {
  const ConfigTable table = parse_toml(
      "zebra = 1\napple = 2\n[topology]\nz = 1\nb.y = 1\na = 3\nb.x = 2\n[fabric]\n[[traffic]]\n"
      "[[traffic]]\n[routing.tables]\n",
      "x.toml");
  EXPECT_EQ(keys_of(table), (std::vector<std::string>{"zebra", "apple", "topology", "fabric",
                                                      "traffic", "routing"}));
  EXPECT_EQ(keys_of(table.find("topology")->table()), (std::vector<std::string>{"z", "b", "a"}));
  EXPECT_EQ(keys_of(table.find("topology")->table().find("b")->table()),
            (std::vector<std::string>{"y", "x"}));
  EXPECT_EQ(table.find("traffic")->array().size(), 2U);
}

TEST(ParseToml, KnowsWhereEverythingStands) {
  const ConfigTable table =
      parse_toml("[link]\n  rate = \"100 Gbps\"\n  list = [1,\n    2]\n\n[[traffic]]\n", "x.toml");
  const ConfigEntry& link = table.entries()[0];
  EXPECT_EQ(link.key_position.to_string(), "x.toml:1:2");
  EXPECT_EQ(link.value.position.to_string(), "x.toml:1:1");
  EXPECT_EQ(link.value.table().position.to_string(), "x.toml:1:1");
  const ConfigEntry& rate = link.value.table().entries()[0];
  EXPECT_EQ(rate.key_position.to_string(), "x.toml:2:3");
  EXPECT_EQ(rate.value.position.to_string(), "x.toml:2:10");
  const ConfigEntry& list = link.value.table().entries()[1];
  EXPECT_EQ(list.value.array()[1].position.to_string(), "x.toml:4:5");
  EXPECT_EQ(table.find("traffic")->array()[0].table().position.to_string(), "x.toml:6:1");
}

TEST(ParseToml, RefusesWhatHasNoMeaning) {
  const std::string no_dates =
      "dates and times of day have no meaning here; write a duration as a string with a unit, as "
      "in "
      "\"30 ns\"";
  EXPECT_EQ(error_of("[run]\nend = 2024-05-01\n"), "x.toml:2:7: run.end: " + no_dates);
  EXPECT_EQ(error_of("end = 10:30:00\n"), "x.toml:1:7: end: " + no_dates);
  EXPECT_EQ(error_of("end = 2024-05-01T10:30:00Z\n"), "x.toml:1:7: end: " + no_dates);
  EXPECT_EQ(error_of("[a]\nloads = [0.5, nan]\n"),
            "x.toml:2:15: a.loads[1]: must be a finite number");
  EXPECT_EQ(error_of("a.b = -inf\n"), "x.toml:1:7: a.b: must be a finite number");
}

TEST(ParseToml, PointsAtSyntaxErrors) {
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {"a = \n", "x.toml:1:5: "},
           {"a = 1\na = 2\n", "x.toml:2:5: "},
           {"ok = 1\n[half\n", "x.toml:2:6: "},
           {"ok = 1\nb = \"open\n", "x.toml:2:10: "},
           {"ok = 1\n\nc = [1, 2\n", "x.toml:3:11: "},
           {"n = 99999999999999999999\n", "x.toml:1:25: "},
           {"just words\n", "x.toml:1:6: "}}) {
    const std::string message = error_of(text);
    EXPECT_TRUE(message.starts_with(place)) << text << message;
    EXPECT_GT(message.size(), place.size() + 10) << message;
  }
}

std::string repeated(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ParseToml, RefusesEndlessNesting) {
  const std::string lists = "lists and tables are nested too deeply (at most 64)";
  const std::string keys = "a key has too many parts (at most 32)";
  EXPECT_EQ(error_of("a = " + repeated(100'000, "[")), "x.toml:1:69: " + lists);
  EXPECT_EQ(error_of("\na = " + repeated(100'000, "{a=")), "x.toml:2:197: " + lists);
  EXPECT_EQ(error_of(repeated(100'000, "a.") + "a = 1"), "x.toml:1:66: " + keys);
  EXPECT_EQ(error_of("x = 1\n[" + repeated(100'000, "a.") + "a]"), "x.toml:2:67: " + keys);
  EXPECT_EQ(error_of(repeated(100'000, "\"a\".") + "a = 1"), "x.toml:1:132: " + keys);
}

TEST(ParseToml, ReadsNestingUpToItsLimits) {
  EXPECT_EQ(error_of("a = " + repeated(64, "[") + repeated(64, "]")), "no error");
  EXPECT_EQ(error_of(repeated(32, "a.") + "a = 1"), "no error");
}

TEST(ParseToml, CountsNoBracketsOrDotsInTextsAndComments) {
  const std::string many = repeated(100, "[.{.");
  for (const std::string& text :
       {"# " + many, "a = \"\\\"" + many + "\"", "a = '\\' # " + many, "a = '" + many + "'",
        "a = \"\"\"\n" + many + "\"\n\"\"\"\"\" # " + many, "a = '''\n" + many + "\\''' # " + many,
        "a = \"\" # " + many, "a = [" + repeated(100, "0.5, [], ") + "]"}) {
    EXPECT_EQ(error_of(text), "no error") << text;
  }
}

TEST(ReadTomlFile, ReadsAFileAndNamesItInErrors) {
  const std::string path = testing::TempDir() + "weir_config_test.toml";
  std::ofstream(path) << "a = 1\nb = nan\n";
  try {
    read_toml_file(path);
    FAIL() << "nan was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), path + ":2:5: b: must be a finite number");
  }
  std::ofstream(path) << "a = 1\n";
  EXPECT_EQ(read_toml_file(path).find("a")->integer(), 1);
  std::filesystem::remove(path);
}

TEST(ReadTomlFile, SaysWhyAFileCannotBeRead) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      read_toml_file(path);
      return "no error";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("no/such.toml"), "no/such.toml: cannot be read: No such file or directory");
  EXPECT_EQ(message(testing::TempDir()), testing::TempDir() + ": cannot be read: Is a directory");
}

TEST(ConfigTable, SetsReplacesAndErases) {
  ConfigTable table;
  EXPECT_TRUE(table.empty());
  table.set("a", {std::int64_t{1}, {}});
  table.set("b", {std::int64_t{2}, {}});
  table.set("a", {std::string("new"), {}});
  EXPECT_EQ(keys_of(table), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.find("a")->text(), "new");
  table.erase("a");
  table.erase("never there");
  EXPECT_EQ(keys_of(table), (std::vector<std::string>{"b"}));
}

TEST(ConfigTable, StandsWhereItsValueDoesUnlessItKnowsBetter) {
  const ConfigTable file = parse_toml("a = { b = 1 }\nc = 3\n[d]\n", "x.toml");
  ConfigValue made(ConfigTable(), file.find("c")->position);
  EXPECT_EQ(placed_table(made).position.line, 2);
  EXPECT_EQ(placed_table(*file.find("d"), "d").position.line, 3);
  try {
    (void)placed_table(*file.find("c"), "part.c");
    FAIL() << "a number is no table";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "x.toml:2:5: part.c: must be a table, not an integer");
  }
}

}  // namespace
}  // namespace weir::config_test
