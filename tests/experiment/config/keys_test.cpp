#include "weir/experiment/config/keys.hpp"

#include <gtest/gtest.h>

#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

ConfigTable laid(const std::string& base, const std::string& over) {
  ConfigTable table = parse_toml(base, "base.toml");
  lay_over(table, expanded(parse_toml(over, "over.toml")));
  return table;
}

TEST(LayOver, MergesTablesAndReplacesValues) {
  EXPECT_EQ(to_toml(laid("a = 1\n[b]\nx = 1\ny = 2", "a = 3\n[b]\ny = 4\nz = 5")),
            "a = 3\n\n[b]\nx = 1\ny = 4\nz = 5\n");
}

TEST(LayOver, DottedKeysReachIntoTables) {
  EXPECT_EQ(to_toml(laid("[b.c]\nx = 1", "\"b.c.x\" = 7")), "[b.c]\nx = 7\n");
}

TEST(LayOver, AnotherModelForgetsTheSettingsOfTheOld) {
  EXPECT_EQ(to_toml(laid("[q]\nmodel = \"dbbm\"\nqueues = 3", "\"q.model\" = \"voqsw\"")),
            "[q]\nmodel = \"voqsw\"\n");
  EXPECT_EQ(to_toml(laid("[q]\nmodel = \"dbbm\"\nqueues = 3", "\"q.model\" = \"dbbm\"")),
            "[q]\nmodel = \"dbbm\"\nqueues = 3\n");
  // Whatever the order of the keys.
  EXPECT_EQ(to_toml(laid("[q]\nmodel = \"voqsw\"", "\"q.queues\" = 4\n\"q.model\" = \"dbbm\"")),
            "[q]\nqueues = 4\nmodel = \"dbbm\"\n");
}

TEST(LayOver, TablesOfAListByNumberAndByName) {
  const std::string list = "[[t]]\nname = \"a\"\nx = 1\n[[t]]\nname = \"b\"\nx = 2";
  EXPECT_EQ(to_toml(laid(list, "\"t.1.x\" = 9")),
            "[[t]]\nname = \"a\"\nx = 1\n\n[[t]]\nname = \"b\"\nx = 9\n");
  EXPECT_EQ(to_toml(laid(list, "\"t.a.x\" = 9")),
            "[[t]]\nname = \"a\"\nx = 9\n\n[[t]]\nname = \"b\"\nx = 2\n");
}

TEST(LayOver, AListThatHasNoSuchTable) {
  const std::string list = "[[t]]\nname = \"hot\"\n[[t]]\nname = \"cold\"";
  EXPECT_EQ(refusal([&] { laid(list, "\"t.2.x\" = 9"); }),
            "over.toml:1:1: t.2: 't' has 2 tables, counted from 0");
  EXPECT_EQ(refusal([&] { laid(list, "\"t.hott.x\" = 9"); }),
            "over.toml:1:1: t.hott: no table of 't' has this name (did you mean 'hot'?)");
}

TEST(LayOver, ListsAreReplacedAsAWhole) {
  EXPECT_EQ(to_toml(laid("[[t]]\nx = 1\n[[t]]\nx = 2", "[[t]]\nx = 3")), "[[t]]\nx = 3\n");
}

TEST(Keys, EmptyPartsAreRefused) {
  EXPECT_EQ(refusal([] { parse_override("a..b=1"); }),
            "--set: a..b: a key between two dots is empty");
}

TEST(Keys, FlattenedNamesEveryValue) {
  std::string keys;
  for (const KeyedValue& value :
       flattened(parse_toml("a.b = 1\na.c = [1]\n[d]\ne = {f = 1}", ""))) {
    keys += value.key + " ";
  }
  EXPECT_EQ(keys, "a.b a.c d.e.f ");
}

TEST(Keys, FindValueAndPosition) {
  const ConfigTable table = parse_toml("[[t]]\nname = \"a\"\nx = 5\n", "f.toml");
  ASSERT_NE(find_value(table, "t.a.x"), nullptr);
  EXPECT_EQ(find_value(table, "t.0.x")->integer(), 5);
  EXPECT_EQ(find_value(table, "t.0.y"), nullptr);
  EXPECT_EQ(position_of(table, "t.0.x").to_string(), "f.toml:3:5");
}

}  // namespace
}  // namespace weir::experiment
