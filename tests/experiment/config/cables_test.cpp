#include "weir/experiment/config/cables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/campaign/estimate.hpp"

namespace weir::experiment {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kUniform = "lengths = { model = \"uniform\", shortest = 1, longest = 20 }\n";

/// Two hosts that send to a third as fast as they can, through one switch.
std::string incast(const std::string& link, const std::string& more = "",
                   const std::string& arrivals = R"({ model = "saturated" })") {
  return R"(
[experiment]
duration = "200 us"
)" + more +
         R"(
[topology]
model = "single-switch"
hosts = 4
[link]
)" + link +
         R"(
[routing]
model = "shortest-path"
[[traffic]]
name = "hot"
sources = [1, 2, 3]
destinations = { model = "fixed", host = 0 }
arrivals = )" +
         arrivals + R"(
sizes = { model = "fixed", size = "2 KiB" }
)";
}

std::vector<RunOutcome> outcomes(const std::string& text, unsigned jobs) {
  RunOptions options;
  options.jobs = jobs;
  return run_all(ExperimentFile(table_of(text), {}).variants(), options, {});
}

std::vector<std::string> check_notes(const std::string& text) {
  return estimate(ExperimentFile(table_of(text), {}).variants()).notes;
}

TEST(Cables, EveryReplicationDrawsItsOwnAndTheSameSeedTheSame) {
  const std::string text = incast(kUniform) + "[replicate]\nseeds = 4\n";
  const std::vector<RunOutcome> once = outcomes(text, 1);
  const std::vector<RunOutcome> again = outcomes(text, 2);
  std::set<std::uint64_t> fingerprints;
  std::set<double> means;
  ASSERT_EQ(once.size(), 4U);
  for (std::size_t i = 0; i < once.size(); ++i) {
    const metrics::RunResult& result = once[i].record->result;
    EXPECT_EQ(result.fingerprint, again[i].record->result.fingerprint);
    fingerprints.insert(result.fingerprint);
    means.insert(number(result, "cable_delay_mean"));
    EXPECT_GE(number(result, "cable_delay_min"), 5);
    EXPECT_LE(number(result, "cable_delay_max"), 100);
  }
  EXPECT_EQ(fingerprints.size(), 4U);
  EXPECT_EQ(means.size(), 4U);
}

TEST(Cables, WithoutDrawnDelaysNothingChanges) {
  const std::string plain = incast("delay = \"30 ns\"");
  EXPECT_EQ(result_of(plain).fingerprint,
            result_of(incast("delay = \"30 ns\"\nperturbation = \"0 ns\"")).fingerprint);
  EXPECT_EQ(result_of(plain).scalar("cable_delay_mean", ""), nullptr);
}

TEST(Cables, ZeroLoadLatencyCountsWhatWasDrawn) {
  const std::string text = R"(
[experiment]
kind = "network"
[topology]
model = "single-switch"
hosts = 2
[link]
rate = "8 Gbps"
lengths = { model = "list", metres = [10] }
delay_per_metre = "4 ns"
[routing]
model = "shortest-path"
[host]
mtu = "256 B"
header = "22 B"
[network]
pair = [0, 1]
)";
  const metrics::RunResult result = result_of(text);
  EXPECT_DOUBLE_EQ(number(result, "zero_load_latency"), 2 * 40 + 278);
  EXPECT_DOUBLE_EQ(number(result, "cable_delay_min"), 40);
  EXPECT_DOUBLE_EQ(number(result, "cable_delay_max"), 40);
}

TEST(Cables, TheResolvedConfigurationIsTheSame) {
  const Configuration once = resolve(table_of(incast(kUniform + "perturbation = \"2 ns\"")));
  const Configuration again = resolve(once.resolved);
  EXPECT_EQ(to_toml(again.resolved), to_toml(once.resolved));
  EXPECT_EQ(again.cables.perturbation, nanoseconds(2));
  EXPECT_EQ(make_network(once)->graph->ports()[0].link.delay,
            make_network(again)->graph->ports()[0].link.delay);
}

TEST(Cables, NetworksAreOnlySharedWhereTheSeedDrawsNothing) {
  NetworkCache cache;
  const auto with_seed = [](const std::string& link, int seed) {
    return resolve(table_of(incast(link, "seed = " + std::to_string(seed))));
  };
  EXPECT_EQ(cache.get(with_seed("", 1)), cache.get(with_seed("", 2)));
  EXPECT_NE(cache.get(with_seed(kUniform, 1)), cache.get(with_seed(kUniform, 2)));
}

TEST(Cables, WhatCannotBeIsRefusedAtItsPlace) {
  const auto told = [](const std::string& link) {
    return refusal([&] { (void)make_network(resolve(table_of(incast(link)))); });
  };
  EXPECT_THAT(told("delay = \"5 ns\"\nperturbation = \"7 ns\""),
              AllOf(HasSubstr("x.toml:10:"), HasSubstr("link.perturbation"), HasSubstr("7 ns"),
                    HasSubstr("at most"), HasSubstr("5 ns")));
  EXPECT_EQ(told("delay = \"5 ns\"\nperturbation = \"5 ns\""), "no error");
  EXPECT_EQ(told("delay = \"0 ns\"\nperturbation = \"5 ns\""), "no error");
  EXPECT_THAT(told(kUniform + "perturbation = \"6 ns\""),
              AllOf(HasSubstr("x.toml:10:"), HasSubstr("link.perturbation"), HasSubstr("5 ns")));
  EXPECT_THAT(told("delay_per_metre = \"4 ns\""),
              AllOf(HasSubstr("link.delay_per_metre"), HasSubstr("lengths")));
  EXPECT_THAT(told("lengths = \"unifrom\""),
              AllOf(HasSubstr("x.toml:9:"), HasSubstr("link.lengths"), HasSubstr("uniform")));
  EXPECT_THAT(told("lengths = { model = \"uniform\", shortest = 1, longst = 20 }"),
              AllOf(HasSubstr("x.toml:9:"), HasSubstr("longst"), HasSubstr("longest")));
  EXPECT_THAT(told("lengths = { model = \"uniform\", shortest = 5, longest = 2 }"),
              AllOf(HasSubstr("x.toml:9:"), HasSubstr("link.lengths.longest")));
  EXPECT_THAT(told("perturbation = \"-1 ns\""), HasSubstr("link.perturbation"));
  EXPECT_THAT(told("pertubation = \"1 ns\""), HasSubstr("perturbation"));
}

TEST(Ties, CheckNamesConfigurationsThatKeepStep) {
  const auto note = Contains(HasSubstr("systematic ties"));
  EXPECT_THAT(check_notes(incast("delay = \"0 ns\"")), note);
  EXPECT_THAT(check_notes(incast("delay = \"30 ns\"")), note);
  EXPECT_THAT(check_notes(incast("", "", R"({ model = "constant", load = 1.0, overload = true })")),
              note);
  EXPECT_THAT(
      check_notes(incast("", "", R"({ model = "constant", load = 0.2, phase = "aligned" })")),
      note);
}

TEST(Ties, CheckIsSilentWhereSomethingPullsPacketsApart) {
  const auto silent = Not(Contains(HasSubstr("systematic ties")));
  EXPECT_THAT(check_notes(incast(kUniform)), silent);
  EXPECT_THAT(check_notes(incast("delay = \"30 ns\"\nperturbation = \"1 ns\"")), silent);
  EXPECT_THAT(check_notes(incast("delay = \"0 ns\"", "", R"({ model = "poisson", load = 0.3 })")),
              silent);
  EXPECT_THAT(check_notes(incast("delay = \"0 ns\"", "", R"({ model = "constant", load = 0.3 })")),
              silent);
  const auto with_others = [](const std::string& arrivals, const std::string& size) {
    return incast("delay = \"0 ns\"") + R"(
[[traffic]]
name = "others"
sources = [1]
destinations = { model = "fixed", host = 2 }
arrivals = )" +
           arrivals + "\nsizes = { model = \"fixed\", size = \"" + size + "\" }\n";
  };
  EXPECT_THAT(check_notes(with_others("\"saturated\"", "2 KiB")), Not(silent));
  EXPECT_THAT(check_notes(with_others("{ model = \"poisson\", load = 0.1 }", "2 KiB")), silent);
  // The last packet of these has 952 B.
  EXPECT_THAT(check_notes(with_others("\"saturated\"", "3000 B")), silent);
}

TEST(Ties, CheckTellsWhatWasDrawn) {
  EXPECT_THAT(check_notes(incast(kUniform)), Contains(HasSubstr("cables are drawn by the seed")));
  EXPECT_THAT(check_notes(incast("")), Not(Contains(HasSubstr("drawn"))));
}

TEST(Ties, RunsKeepTheNoteOfTheirConfiguration) {
  const auto note = Contains(HasSubstr("systematic ties"));
  EXPECT_THAT(result_of(incast("delay = \"0 ns\"")).notes, note);
  EXPECT_THAT(result_of(incast("delay = \"0 ns\"\nperturbation = \"1 ns\"")).notes, Not(note));
}

TEST(Ties, RunsCountThemAndSaySo) {
  const auto note = Contains(HasSubstr("many ties"));
  // Three packets at once: one decision that any order of them could have made.
  const std::string aligned = R"({ model = "constant", load = 0.2, phase = "aligned" })";
  const metrics::RunResult tied = result_of(incast("delay = \"0 ns\"", "", aligned));
  EXPECT_NEAR(number(tied, "ties_per_packet"), 2.0 / 3, 0.05);
  EXPECT_THAT(tied.notes, note);

  const metrics::RunResult apart =
      result_of(incast("delay = \"0 ns\"\nperturbation = \"1 ns\"", "", aligned));
  EXPECT_LT(number(apart, "ties_per_packet"), 0.01);
  EXPECT_THAT(apart.notes, Not(note));

  const metrics::RunResult random =
      result_of(incast("", "", R"({ model = "poisson", load = 0.25 })"));
  EXPECT_LT(number(random, "ties_per_packet"), 0.05);
  EXPECT_THAT(random.notes, Not(note));
}

}  // namespace
}  // namespace weir::experiment
