#include "weir/experiment/variants.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace weir::experiment {
namespace {

std::string names(const std::string& text, const std::vector<std::string>& set = {}) {
  std::vector<ConfigTable> overrides;
  for (const std::string& one : set) overrides.push_back(parse_override(one));
  std::string all;
  for (const Variant& variant : ExperimentFile(table_of(text), overrides).variants()) {
    all += variant.name + "; ";
  }
  return all;
}

std::string value_in(const Variant& variant, const std::string& key) {
  const Configuration configuration = resolve(variant.table);
  const auto dot = key.find('.');
  const ConfigValue* section = configuration.resolved.find(key.substr(0, dot));
  return short_text(*section->table().find(key.substr(dot + 1)));
}

const std::string kTwoCases = kSmall + R"(
[[case]]
name = "one"
set = { "queueing.model" = "1q" }
[[case]]
name = "three"
set = { queueing = { model = "dbbm", queues = 3 }, "host.mtu" = "2 KiB" }
)";

TEST(Variants, WithoutCasesThereIsOne) { EXPECT_EQ(names(kSmall), "small; "); }

TEST(Variants, CasesTimesSweep) {
  EXPECT_EQ(names(kTwoCases + "[sweep]\n\"host.mtu\" = [\"1 KiB\", \"2 KiB\"]\n"
                              "traffic.all.arrivals.load = [0.25, 1]\n"),
            "one, mtu = 1 KiB, load = 0.25; one, mtu = 1 KiB, load = 1; "
            "one, mtu = 2 KiB, load = 0.25; one, mtu = 2 KiB, load = 1; "
            "three, mtu = 1 KiB, load = 0.25; three, mtu = 1 KiB, load = 1; "
            "three, mtu = 2 KiB, load = 0.25; three, mtu = 2 KiB, load = 1; ");
}

TEST(Variants, KeysAreShortenedAsFarAsTheyStayDifferent) {
  EXPECT_EQ(
      names(kSmall + "[sweep]\nqueueing.model = [\"1q\"]\nswitch.routing_delay = [\"1 ns\"]\n"),
      "queueing.model = 1q, routing_delay = 1 ns; ");
}

TEST(Variants, CasesSetWhatTheySay) {
  const auto variants = ExperimentFile(table_of(kTwoCases), {}).variants();
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(value_in(variants[0], "host.mtu"), "4 KiB");
  EXPECT_EQ(value_in(variants[1], "queueing.queues"), "3");
  EXPECT_EQ(value_in(variants[1], "host.mtu"), "2 KiB");
  EXPECT_EQ(variants[1].case_name, "three");
}

TEST(Variants, OverridesWinOverCases) {
  const auto variants =
      ExperimentFile(table_of(kTwoCases), {parse_override("host.mtu=512 B")}).variants();
  EXPECT_EQ(value_in(variants[1], "host.mtu"), "512 B");
}

TEST(Variants, AnOverriddenKeyIsNotSwept) {
  EXPECT_EQ(names(kSmall + "[sweep]\n\"host.mtu\" = [\"1 KiB\", \"2 KiB\"]\n", {"host.mtu=3 KiB"}),
            "small; ");
}

TEST(Variants, ASweepCanBeSetFromOutside) {
  EXPECT_EQ(names(kSmall, {"sweep.experiment.seed=[1, 2]"}), "seed = 1; seed = 2; ");
}

TEST(Variants, ModelsInShortCanBeSwept) {
  const auto variants =
      ExperimentFile(table_of(kSmall + "[sweep]\nqueueing = [\"1q\", \"dbbm\"]\n"), {}).variants();
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(variants[1].name, "queueing = dbbm");
  EXPECT_EQ(value_in(variants[1], "queueing.queues"), "3");
}

TEST(Variants, ResolvedReadsBackToItself) {
  const std::string text = kTwoCases +
                           "[sweep]\n\"host.mtu\" = [\"1024 B\", \"2 KiB\"]\n"
                           "queueing = [\"1q\", \"dbbm\"]\n";
  const std::string first = to_toml(ExperimentFile(table_of(text), {}).resolved());
  const ExperimentFile again(parse_experiment(first, "dump.toml"), {});
  EXPECT_EQ(to_toml(again.resolved()), first);
  EXPECT_EQ(again.variants().size(), 8U);
  EXPECT_NE(first.find("\"host.mtu\" = [\"1 KiB\", \"2 KiB\"]"), std::string::npos) << first;
}

std::string refused_file(const std::string& text) {
  return refusal([&] {
    for (const Variant& variant : ExperimentFile(table_of(text), {}).variants()) {
      (void)resolve(variant.table);
    }
  });
}

TEST(Variants, WrongSweeps) {
  EXPECT_EQ(refused_file(kSmall + "[sweep]\n\"host.mtu\" = []\n"),
            "x.toml:16:14: sweep.host.mtu: has no values: the sweep would have no runs");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\n\"host.mtu\" = [\"1 KiB\", 2]\n"),
            "x.toml:16:24: sweep.host.mtu: the list mixes a text and an integer");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\nhost.mtu = \"1 KiB\"\n"),
            "x.toml:16:12: sweep.host.mtu: must be a list of values, not a text");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\n\"hosst.mtu\" = [\"1 KiB\"]\n"),
            "x.toml:16:15: hosst: unknown section (did you mean 'host'?)");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\n\"host.mut\" = [\"1 KiB\"]\n"),
            "x.toml:16:15: host.mut: unknown key (did you mean 'mtu'?)");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\n\"traffic.cold.start\" = [\"1 us\"]\n"),
            "x.toml:16:25: traffic.cold: no table of 'traffic' has this name (known: all)");
}

TEST(Variants, WrongCases) {
  EXPECT_EQ(
      refused_file(kSmall + "[[case]]\nset = {}\n").find("x.toml:15:1: case[0].name: is missing"),
      0U);
  EXPECT_EQ(refused_file(kTwoCases + "[[case]]\nname = \"one\"\n"),
            "x.toml:23:8: case[2].name: two cases are called 'one'");
  EXPECT_EQ(refused_file(kSmall + "[[case]]\nname = \"a\"\nset = { \"host.mut\" = \"1 KiB\" }\n"),
            "x.toml:17:9: host.mut: unknown key (did you mean 'mtu'?)");
}

}  // namespace
}  // namespace weir::experiment
