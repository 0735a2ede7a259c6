#include "weir/base/keys.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace weir {
namespace {
namespace keys_test {

enum class Start { full, least };

struct Window {
  int packets = 8;
};

struct Recovery {
  Time period = microseconds(5);
};

struct Timer : Window {
  double step = 0.5;
  Start start = Start::full;
  std::optional<Bytes> limit;
  std::uint8_t stages = 5;
  bool fast = true;
  std::vector<double> weights{1, 0.25};
  ConfigValue pattern{std::string("uniform"), {}};
  FilePath file;
  std::string name;
  std::int64_t count = 0;  ///< 0: no bound
  Recovery recovery;
};

const Keys<Window> kWindow{key(&Window::packets, "window", "packets on their way").range(1, 100)};
const Keys<Recovery> kRecovery{key(&Recovery::period, "period", "time between increases")};

const Keys<Timer>& keys() {
  static const Keys<Timer> all =
      Keys<Timer>{
          key(&Timer::step, "step", "what each adds").range(0, 1),
          choice(&Timer::start, "start", "rate of a flow",
                 {{"full", Start::full}, {"least", Start::least}}),
          key(&Timer::limit, "limit", "most bytes"),
          key(&Timer::stages, "stages", "number of stages"),
          key(&Timer::fast, "fast", "whether it is fast"),
          key(&Timer::weights, "weights", "of the stages"),
          key(&Timer::pattern, "pattern", "read by the model"),
          key(&Timer::name, "name", "of the timer").required(),
          key(&Timer::count, "count", "most of them").at_least(1).without_default(),
      }
          .with(kWindow)
          .with(&Timer::recovery, kRecovery);
  return all;
}

Checked<Timer> read(const std::string& text) {
  return keys().check(parse_toml(text, "x.toml"), "reaction");
}

const Parameter& parameter(const std::string& name) {
  for (const Parameter& one : keys().parameters()) {
    if (one.name == name) return one;
  }
  throw std::logic_error("no parameter " + name);
}

TEST(Keys, InitialValuesAreTheDefaults) {
  EXPECT_EQ(parameter("step").default_text, "0.5");
  EXPECT_EQ(parameter("start").default_text, "full");
  EXPECT_EQ(parameter("limit").default_text, std::nullopt);
  EXPECT_EQ(parameter("stages").default_text, "5");
  EXPECT_EQ(parameter("fast").default_text, "true");
  EXPECT_EQ(parameter("weights").default_text, "[1.0, 0.25]");
  EXPECT_EQ(parameter("pattern").default_text, "uniform");
  EXPECT_EQ(parameter("name").default_text, std::nullopt);
  EXPECT_EQ(parameter("count").default_text, std::nullopt);
  EXPECT_EQ(parameter("window").default_text, "8");
  EXPECT_EQ(parameter("period").default_text, "5 us");
  EXPECT_TRUE(parameter("name").is_required);
  EXPECT_EQ(parameter("start").choices, (std::vector<std::string>{"full", "least"}));
}

TEST(Keys, TypesFollowFromTheMembers) {
  EXPECT_EQ(parameter("step").type, ParameterType::real);
  EXPECT_EQ(parameter("start").type, ParameterType::text);
  EXPECT_EQ(parameter("limit").type, ParameterType::bytes);
  EXPECT_EQ(parameter("stages").type, ParameterType::integer);
  EXPECT_EQ(parameter("pattern").type, ParameterType::any);
  EXPECT_EQ(parameter("period").type, ParameterType::time);
}

TEST(Keys, FillMembers) {
  const Checked<Timer> timer = read(
      "name = \"a\"\nstep = 1\nstart = \"least\"\nlimit = \"4 KiB\"\nstages = 7\nfast = false\n"
      "weights = [3]\npattern = [1]\ncount = 9\nwindow = 2\nperiod = \"1 us\"");
  EXPECT_EQ(timer->name, "a");
  EXPECT_EQ(timer->step, 1.0);
  EXPECT_EQ(timer->start, Start::least);
  EXPECT_EQ(timer->limit, Bytes(4096));
  EXPECT_EQ(timer->stages, 7);
  EXPECT_FALSE(timer->fast);
  EXPECT_EQ(timer->weights, std::vector<double>{3});
  EXPECT_EQ(timer->pattern.array().size(), 1U);
  EXPECT_EQ(timer->count, 9);
  EXPECT_EQ(timer->packets, 2);
  EXPECT_EQ(timer->recovery.period, microseconds(1));
}

TEST(Keys, WhatIsLeftOutKeepsItsValue) {
  const Checked<Timer> timer = read("name = \"a\"");
  EXPECT_EQ(timer->step, 0.5);
  EXPECT_EQ(timer->start, Start::full);
  EXPECT_EQ(timer->limit, std::nullopt);
  EXPECT_EQ(timer->count, 0);
  EXPECT_EQ(timer->packets, 8);
  EXPECT_EQ(timer->pattern.text(), "uniform");
  EXPECT_FALSE(timer.is_given(&Timer::step));
  EXPECT_TRUE(timer.is_given(&Timer::name));
}

TEST(Keys, ErrorsStandAtTheMembersKey) {
  const Checked<Timer> timer = read("name = \"a\"\nwindow = 3");
  EXPECT_STREQ(timer.error(&Timer::packets, "too few").what(),
               "x.toml:2:10: reaction.window: too few");
  EXPECT_STREQ(timer.error(&Timer::step, "too much").what(), "x.toml:1:1: reaction.step: too much");
}

TEST(Keys, TellWhereAMemberStands) {
  const Checked<Timer> timer = read("name = \"a\"\nwindow = 3");
  EXPECT_EQ(timer.path_to(&Timer::packets), "reaction.window");
  EXPECT_EQ(timer.position_of(&Timer::packets).line, 2);
  EXPECT_EQ(timer.position_of(&Timer::step).line, 1);
}

TEST(Keys, MoreThanThoseThatWereCopiedAndUsed) {
  const Keys<Window> few{key(&Window::packets, "window", "packets")};
  EXPECT_EQ(few.check(ConfigTable(), "")->packets, 8);
  const auto more = Keys<Timer>{}.with(few).with({key(&Timer::step, "step", "what each adds")});
  EXPECT_EQ(more.check(parse_toml("step = 2", "x.toml"), "")->step, 2.0);
  EXPECT_THROW((void)few.check(parse_toml("step = 2", "x.toml"), ""), InputError);
  EXPECT_EQ(Keys<Window>{}.check(ConfigTable(), "")->packets, 8);
}

TEST(Keys, RefuseWhatTheMemberCannotHold) {
  try {
    read("name = \"a\"\nstages = 300");
    FAIL() << "300 does not fit into a byte";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "x.toml:2:10: reaction.stages: this key cannot hold 300");
  }
}

TEST(Keys, OtherDefaults) {
  const Keys<Window> wide(Window{64}, {key(&Window::packets, "window", "packets")});
  EXPECT_EQ(wide.parameters().front().default_text, "64");
  EXPECT_EQ(wide.check(ConfigTable(), "reaction")->packets, 64);
}

TEST(Keys, ADefaultThatIsNoChoiceIsAMistakeOfTheProgram) {
  EXPECT_THROW(
      Keys<Timer>({choice(&Timer::start, "start", "rate of a flow", {{"least", Start::least}})}),
      std::logic_error);
}

TEST(Keys, AMemberWithoutAKeyIsAMistakeOfTheProgram) {
  const Keys<Timer> few{key(&Timer::step, "step", "what each adds")};
  EXPECT_EQ(few.name_of(&Timer::step), "step");
  EXPECT_THROW((void)few.name_of(&Timer::name), std::logic_error);
}

}  // namespace keys_test
}  // namespace
}  // namespace weir
