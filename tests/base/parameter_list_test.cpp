#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/base/catalog.hpp"

namespace weir {
namespace {

using Type = ParameterType;

std::vector<Parameter> described() {
  return {Parameter::of(Type::integer, "count", "a number").by_default("3").at_least(1),
          Parameter::of(Type::any, "range", "a list").by_default("[1, 5]"),
          Parameter::of(Type::path, "file", "a file").by_default("list.txt"),
          Parameter::of(Type::bytes, "size", "a size").by_default("2048 B"),
          Parameter::of(Type::text, "name", "a name").required(),
          Parameter::of(Type::time, "start", "a time")};
}

TEST(ParameterList, SettingsAreThoseOfTheParametersThemselves) {
  const auto list = std::make_shared<const ParameterList>(described());
  for (const char* text : {"name = \"a\"\n", "name = \"b\"\ncount = 7\nsize = \"1 MiB\"\n",
                           "name = \"c\"\nstart = \"3 us\"\nrange = 2\nfile = \"x\"\n"}) {
    const ConfigTable table = parse_toml(text, "folder/one.toml");
    const Settings one = Settings::check(table, described(), "list[0]");
    const Settings other = Settings::check(table, list, "list[0]");
    EXPECT_EQ(to_toml(one.resolved()), to_toml(other.resolved()));
    EXPECT_EQ(one.given("count"), other.given("count"));
    EXPECT_EQ(one.has("start"), other.has("start"));
    EXPECT_EQ(one.path("file"), other.path("file"));
    EXPECT_STREQ(one.error("count", "is odd").what(), other.error("count", "is odd").what());
  }
}

TEST(ParameterList, OutlivesWhoDescribedIt) {
  Settings kept;
  {
    const auto list = std::make_shared<const ParameterList>(described());
    kept = Settings::check(parse_toml("name = \"a\"\n", "one.toml"), list, "");
  }
  const Settings copy = kept;
  EXPECT_EQ(copy.integer("count"), 3);
  EXPECT_EQ(copy.bytes("size"), Bytes(2048));
}

TEST(ParameterList, RefusesWhatTheParametersRefuse) {
  const auto list = std::make_shared<const ParameterList>(described());
  const auto refusal = [&](const char* text) -> std::string {
    try {
      (void)Settings::check(parse_toml(text, "one.toml"), list, "list[4]");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("name = \"a\"\n"), "accepted");
  EXPECT_THAT(refusal("count = 1\n"), ::testing::HasSubstr("list[4].name: is missing"));
  EXPECT_THAT(refusal("name = \"a\"\ncounts = 1\n"),
              ::testing::HasSubstr("list[4].counts: unknown key (did you mean 'count'?)"));
  EXPECT_THAT(refusal("name = \"a\"\ncount = 0\n"), ::testing::HasSubstr("must be at least 1"));
}

TEST(ParameterList, AWrongDefaultIsTheProgrammersMistake) {
  std::vector<Parameter> wrong{Parameter::of(Type::integer, "count", "a number").by_default("x")};
  EXPECT_THROW(ParameterList{wrong}, std::logic_error);
}

}  // namespace
}  // namespace weir
