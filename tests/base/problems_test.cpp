#include "weir/base/problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/base/catalog.hpp"
#include "weir/base/config.hpp"

namespace weir {
namespace {

SourcePosition at(const std::string& file, int line, int column) {
  return {std::make_shared<const std::string>(file), line, column};
}

InputError raised(const Problems& problems) {
  try {
    problems.raise();
  } catch (const InputError& error) {
    return error;
  }
  return InputError("nothing");
}

TEST(Problems, AreToldByPlaceAndEachOnce) {
  Problems problems;
  EXPECT_NO_THROW(problems.raise());
  EXPECT_TRUE(problems.attempt([] {}));
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_FALSE(problems.attempt([] { throw InputError(at("b", 1, 1), "k", "wrong"); }));
    EXPECT_FALSE(problems.attempt([] { throw InputError("no place"); }));
    EXPECT_FALSE(problems.attempt([] { throw InputError(at("a", 10, 2), "k", "wrong"); }));
    EXPECT_FALSE(problems.attempt([] { throw InputError(at("a", 9, 7), "k", "wrong"); }));
  }
  EXPECT_EQ(std::string(raised(problems).what()),
            "a:9:7: k: wrong\na:10:2: k: wrong\nb:1:1: k: wrong\nno place");
}

TEST(Problems, ErrorOfSeveralIsTakenApartAgain) {
  Problems inner;
  inner.add(InputError(at("a", 2, 1), "second", "wrong"));
  inner.add(InputError(at("a", 1, 1), "first", "wrong"));
  Problems outer;
  outer.attempt([&] { inner.raise(); });
  outer.add(InputError(at("a", 3, 1), "third", "wrong"));
  const InputError error = raised(outer);
  EXPECT_EQ(error.key(), "first");
  EXPECT_EQ(error.position().line, 1);
  ASSERT_EQ(error.all().size(), 3U);
  EXPECT_EQ(error.all()[2].key(), "third");
  EXPECT_EQ(error.all()[2].all().size(), 1U);
}

TEST(Problems, OnlyOneIsAnErrorLikeAnyOther) {
  Problems problems;
  problems.add(InputError(at("a", 2, 1), "key", "wrong"));
  EXPECT_EQ(std::string(raised(problems).what()), "a:2:1: key: wrong");
  EXPECT_EQ(raised(problems).all().size(), 1U);
}

TEST(Problems, OfOneTableAreToldTogether) {
  const ConfigTable table = parse_toml(R"(hosts = 0
prots = 4
delay = "3 parsecs"
list = [1, "two", "three"]
)",
                                       "x.toml");
  const std::vector<Parameter> parameters{
      Parameter::of(ParameterType::integer, "hosts", "hosts").range(1, 8),
      Parameter::of(ParameterType::integer, "ports", "ports").required(),
      Parameter::of(ParameterType::integer, "stages", "stages").required(),
      Parameter::of(ParameterType::time, "delay", "delay"),
      Parameter::of(ParameterType::integers, "list", "list")};
  std::vector<std::string> keys;
  try {
    (void)Settings::check(table, parameters, "topology");
  } catch (const InputError& error) {
    for (const InputError& one : error.all()) keys.push_back(one.key());
  }
  // `ports` is not missing: `prots` is meant to be it.
  EXPECT_THAT(keys,
              ::testing::ElementsAre("topology.stages", "topology.hosts", "topology.prots",
                                     "topology.delay", "topology.list[1]", "topology.list[2]"));
}

}  // namespace
}  // namespace weir
