#include "weir/experiment/config/variants.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"

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
set = { "queueing.model" = "voqsw" }
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
      names(kSmall + "[sweep]\nqueueing.model = [\"voqsw\"]\nswitch.routing_delay = [\"1 ns\"]\n"),
      "queueing.model = voqsw, routing_delay = 1 ns; ");
}

TEST(Variants, CasesSetWhatTheySay) {
  const auto variants = ExperimentFile(table_of(kTwoCases), {}).variants();
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(value_in(variants[0], "host.mtu"), "4 KiB");
  EXPECT_EQ(value_in(variants[1], "queueing.queues"), "3");
  EXPECT_EQ(value_in(variants[1], "host.mtu"), "2 KiB");
  EXPECT_EQ(variants[1].case_name, "three");
}

const std::string kGroups = kSmall + R"(
[[case]]
group = "scheme"
name = "one"
set = { "queueing.model" = "voqsw", "host.mtu" = "1 KiB" }
[[case]]
group = "load"
name = "low"
set = { "traffic.all.arrivals.load" = 0.25 }
[[case]]
group = "scheme"
name = "three"
set = { "queueing.model" = "dbbm", "queueing.queues" = 3 }
[[case]]
group = "load"
name = "high"
set = { "traffic.all.arrivals.load" = 0.75, "host.mtu" = "2 KiB" }
)";

TEST(Variants, EveryCaseOfAGroupMeetsEveryCaseOfTheOthers) {
  EXPECT_EQ(names(kGroups), "one, low; one, high; three, low; three, high; ");
  const auto variants = ExperimentFile(table_of(kGroups), {}).variants();
  ASSERT_EQ(variants.size(), 4U);
  EXPECT_EQ(value_in(variants[0], "host.mtu"), "1 KiB");
  EXPECT_EQ(value_in(variants[1], "host.mtu"), "2 KiB");  // the later group wins
  EXPECT_EQ(value_in(variants[2], "host.mtu"), "4 KiB");
  EXPECT_EQ(value_in(variants[3], "queueing.queues"), "3");
  EXPECT_EQ(variants[3].case_name, "three, high");
}

TEST(Variants, CombinationsReadBack) {
  const ExperimentFile file(table_of(kGroups), {});
  const ExperimentFile again(file.resolved(), {});
  EXPECT_EQ(to_toml(again.resolved()), to_toml(file.resolved()));
  ASSERT_EQ(again.variants().size(), 4U);
  EXPECT_EQ(again.variants()[2].name, "three, low");
}

TEST(Variants, TwoCombinationsMustNotBeCalledTheSame) {
  const std::string twice = kSmall + R"(
[[case]]
name = "a"
[[case]]
name = "a, b"
[[case]]
group = "g"
name = "b, c"
[[case]]
group = "g"
name = "c"
)";
  EXPECT_THROW(names(twice), InputError);
}

TEST(Variants, CombinationsAreBounded) {
  std::string many = kSmall;
  for (int group = 0; group < 20; ++group) {
    for (int i = 0; i < 4; ++i) {
      many += fmt::format("[[case]]\ngroup = \"{0}\"\nname = \"{0}{1}\"\n", group, i);
    }
  }
  EXPECT_THROW(names(many), InputError);
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
      ExperimentFile(table_of(kSmall + "[sweep]\nqueueing = [\"voqsw\", \"dbbm\"]\n"), {})
          .variants();
  ASSERT_EQ(variants.size(), 2U);
  EXPECT_EQ(variants[1].name, "queueing = dbbm");
  EXPECT_EQ(value_in(variants[1], "queueing.queues"), "3");
}

TEST(Variants, TablesOfOneModelAreNamedByWhatTellsThemApart) {
  const std::string sweep =
      "[sweep]\nqueueing = [{ model = \"voqsw\" }, { model = \"dbbm\", queues = 2 }, "
      "{ model = \"dbbm\", queues = 4 }]\n";
  const auto variants = ExperimentFile(table_of(kSmall + sweep), {}).variants();
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[0].name, "queueing = voqsw");
  EXPECT_EQ(variants[1].name, "queueing = dbbm, queues = 2");
  EXPECT_EQ(variants[2].name, "queueing = dbbm, queues = 4");
  EXPECT_NE(variants[1].settings, variants[2].settings) << "points of a claim or a plot";
  EXPECT_EQ(value_in(variants[2], "queueing.queues"), "4");
}

TEST(Variants, ResolvedReadsBackToItself) {
  const std::string text = kTwoCases +
                           "[sweep]\n\"host.mtu\" = [\"1024 B\", \"2 KiB\"]\n"
                           "queueing = [\"voqsw\", \"dbbm\"]\n";
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
            "x.toml:16:24: sweep.host.mtu: the list mixes a string and an integer");
  EXPECT_EQ(refused_file(kSmall + "[sweep]\nhost.mtu = \"1 KiB\"\n"),
            "x.toml:16:12: sweep.host.mtu: must be a list of values, not a string");
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

TEST(Replicate, GivesEveryPointConsecutiveSeeds) {
  const std::string text = kSmall +
                           "[sweep]\n\"host.mtu\" = [\"1 KiB\", \"2 KiB\"]\n"
                           "[replicate]\nseeds = 3\n";
  EXPECT_EQ(names(text, {"experiment.seed=7"}),
            "mtu = 1 KiB, seed = 7; mtu = 1 KiB, seed = 8; mtu = 1 KiB, seed = 9; "
            "mtu = 2 KiB, seed = 7; mtu = 2 KiB, seed = 8; mtu = 2 KiB, seed = 9; ");
  const ExperimentFile file(table_of(text), {});
  EXPECT_EQ(file.run_count(), 6U);
  const auto variants = file.variants();
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(variants[i].place, static_cast<std::int64_t>(i));
    EXPECT_EQ(variants[i].settings.size(), 1U);  // the seed is no setting
    EXPECT_EQ(resolve(variants[i].table).fabric.seed, 1 + i % 3);
  }
}

TEST(Replicate, CountsFromTheSeedOfTheCase) {
  const std::string text =
      kSmall +
      "[replicate]\nseeds = 2\n[[case]]\nname = \"a\"\n[[case]]\nname = \"b\"\n"
      "set = { \"experiment.seed\" = 40 }\n";
  EXPECT_EQ(names(text, {}), "a, seed = 1; a, seed = 2; b, seed = 40; b, seed = 41; ");
}

TEST(Replicate, CanBeSetFromOutsideAndReadsBack) {
  const ExperimentFile file(table_of(kSmall), {parse_override("replicate.seeds=4")});
  EXPECT_EQ(file.variants().size(), 4U);
  const std::string dump = to_toml(file.resolved());
  EXPECT_NE(dump.find("[replicate]\nseeds = 4\n"), std::string::npos) << dump;
  EXPECT_EQ(to_toml(ExperimentFile(table_of(dump), {}).resolved()), dump);
  EXPECT_EQ(names(kSmall + "[replicate]\nseeds = 3\n", {"replicate.seeds=1"}), "small; ");
}

TEST(Replicate, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { (void)ExperimentFile(table_of(kSmall + text), {}).variants(); });
  };
  EXPECT_EQ(refused("[replicate]\nseeds = 0\n").find("x.toml:16:9: replicate.seeds: "), 0U)
      << refused("[replicate]\nseeds = 0\n");
  EXPECT_EQ(refused("[replicate]\nseed = 3\n"),
            "x.toml:16:1: replicate.seed: unknown key (did you mean 'seeds'?)");
  EXPECT_EQ(refused("[replicate]\nseeds = 3\n[sweep]\nexperiment.seed = [1, 2]\n"),
            "x.toml:16:9: replicate.seeds: the sweep lists values of experiment.seed already; give "
            "one of the two");
  EXPECT_EQ(refused("[sweep]\nreplicate.seeds = [1, 2]\n"),
            "x.toml:16:19: sweep.replicate.seeds: belongs to no single run");
  EXPECT_EQ(refused("[[case]]\nname = \"a\"\nset = { sweep = { host = 1 } }\n"),
            "x.toml:17:17: case[0].set.sweep: belongs to no single run");
  EXPECT_EQ(refused("[replicate]\nseeds = 900000\n[sweep]\nhost.mtu = [\"1 KiB\", \"2 KiB\"]\n"),
            "x.toml:16:9: replicate.seeds: makes more than 1000000 runs");
  EXPECT_THAT(refused("[replicate]\nseeds = 900000\n[host]\nmut = 3\n[sweep]\nhost.mtu = [\"1 "
                      "KiB\", \"2 KiB\"]\n"),
              testing::AllOf(testing::HasSubstr("makes more than 1000000 runs"),
                             testing::HasSubstr("x.toml:18:1: host.mut: unknown key")));
  EXPECT_EQ(refused("[replicate]\nseeds = 9\n[[case]]\nname = \"a\"\n"
                    "set = { experiment.seed = 9223372036854775807 }\n"),
            "x.toml:16:9: replicate.seeds: there are not so many seeds left");
}

TEST(Sweep, RefusesMixedKindsAndUnknownKeys) {
  const auto refused = [](const std::string& text) {
    return refusal([&] {
      for (const Variant& one : ExperimentFile(table_of(kSmall + text), {}).variants()) {
        (void)resolve(one.table);
      }
    });
  };
  EXPECT_EQ(refused("[sweep]\nhost.mtu = [\"1 KiB\", 2]\n"),
            "x.toml:16:22: sweep.host.mtu: the list mixes a string and an integer");
  EXPECT_EQ(refused("[sweep]\nhsot.mtu = [\"1 KiB\"]\n"),
            "x.toml:16:12: hsot: unknown section (did you mean 'host'?)");
  EXPECT_EQ(refused("[sweep]\nhost.mut = [\"1 KiB\"]\n"),
            "x.toml:16:13: host.mut: unknown key (did you mean 'mtu'?)");
  EXPECT_EQ(refused("[sweep]\ntraffic.al.start = [\"1 us\"]\n"),
            "x.toml:16:21: traffic.al: no table of 'traffic' has this name (did you mean 'all'?)");
}

}  // namespace
}  // namespace weir::experiment
