#include "weir/topology/cable_delays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/topology/support.hpp"

namespace weir::topology {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kTree = "ports = 4\nstages = 3";

std::shared_ptr<const LengthDistribution> lengths(const std::string& model,
                                                  const std::string& toml) {
  const auto& found = length_registry().find(model, {}, "link.lengths.model");
  const ConfigTable table = parse_toml(toml, "test.toml");
  return found.make(Settings::check(table, found.info.parameters, "link.lengths"));
}

std::string refused_lengths(const std::string& model, const std::string& toml) {
  try {
    (void)lengths(model, toml);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

CableDelays uniform(std::uint64_t seed) {
  CableDelays rule;
  rule.lengths = lengths("uniform", "shortest = 1\nlongest = 20");
  rule.seed = seed;
  return rule;
}

CableDelays perturbed(Time most, std::uint64_t seed) {
  CableDelays rule;
  rule.perturbation = most;
  rule.seed = seed;
  return rule;
}

std::vector<std::int64_t> delays(const Graph& graph) {
  std::vector<std::int64_t> all;
  for (const Port& port : graph.ports()) {
    if (port.to.valid()) all.push_back(port.link.delay.count);
  }
  return all;
}

std::string refusal_of(const Graph& graph, const CableDelays& rule) {
  try {
    (void)with_drawn_delays(graph, rule);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(CableDelays, NothingIsDrawnWithoutARule) {
  const Graph plain = make("rlft", kTree);
  EXPECT_EQ(delays(with_drawn_delays(plain, {})), delays(plain));
  EXPECT_FALSE(with_drawn_delays(plain, {}).has_drawn_delays());
}

TEST(CableDelays, BothDirectionsOfACableHaveOneLength) {
  CableDelays rule = uniform(1);
  rule.perturbation = nanoseconds(2);
  const Graph graph = with_drawn_delays(make("rlft", kTree), rule);
  for (const Port& port : graph.ports()) {
    if (!port.to.valid()) continue;
    EXPECT_EQ(port.link.delay, graph.port(port.to).link.delay);
  }
  EXPECT_TRUE(graph.has_drawn_delays());
  const std::vector<std::int64_t> all = delays(graph);
  EXPECT_GT(std::set(all.begin(), all.end()).size(), all.size() / 2 - 2) << "cables differ";
}

TEST(CableDelays, FollowTheSeed) {
  const Graph plain = make("rlft", kTree);
  EXPECT_EQ(delays(with_drawn_delays(plain, uniform(3))),
            delays(with_drawn_delays(plain, uniform(3))));
  EXPECT_NE(delays(with_drawn_delays(plain, uniform(3))),
            delays(with_drawn_delays(plain, uniform(4))));
}

// A stream a cable: what others draw does not matter.
TEST(CableDelays, ACableKeepsItsLengthWhenOthersHaveTheirOwn) {
  const Graph own =
      with_drawn_delays(make("torus", "sizes = [4]\nhost_delay = \"1 ns\""), uniform(7));
  const Graph none = with_drawn_delays(make("torus", "sizes = [4]"), uniform(7));
  for (std::size_t p = 0; p < own.port_count(); ++p) {
    const Port& port = own.port(PortId(p));
    if (!port.to.valid()) continue;
    const bool is_host = own.is_host(port.node) || own.is_host(own.port(port.to).node);
    if (is_host) {
      EXPECT_EQ(port.link.delay, nanoseconds(1));
    } else {
      EXPECT_EQ(port.link.delay, none.port(PortId(p)).link.delay);
    }
  }
  EXPECT_THAT(refusal_of(make("rlft", kTree + "\nstage_delays = [\"1 ns\", \"2 ns\", \"3 ns\"]"),
                         uniform(7)),
              AllOf(HasSubstr("link.lengths"), HasSubstr("sets the delays of all cables")));
}

TEST(CableDelays, LengthsKeepTheirLimitsAndMeans) {
  const Graph big = make("rlft", "ports = 12\nstages = 3");  // 1296 cables
  const DelayRange range = delay_range(with_drawn_delays(big, uniform(1)));
  EXPECT_GE(range.shortest, nanoseconds(5));
  EXPECT_LE(range.longest, nanoseconds(100));
  EXPECT_LT(range.shortest, nanoseconds(6));
  EXPECT_GT(range.longest, nanoseconds(99));
  EXPECT_NEAR(range.mean, 52'500, 2'500);

  CableDelays normal;
  normal.lengths = lengths("normal", "mean = 10\ndeviation = 2\nshortest = 5\nlongest = 30");
  normal.per_metre = nanoseconds(4);
  const Graph bell = with_drawn_delays(big, normal);
  const DelayRange drawn = delay_range(bell);
  EXPECT_GE(drawn.shortest, nanoseconds(20));
  EXPECT_LT(drawn.longest, nanoseconds(4 * 19));
  EXPECT_NEAR(drawn.mean, 40'000, 1'000);
  double squares = 0;
  const std::vector<std::int64_t> all = delays(bell);
  for (const std::int64_t one : all) squares += std::pow(static_cast<double>(one) - drawn.mean, 2);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(all.size())), 8'000, 700);
}

TEST(CableDelays, NormalEndsHoweverNarrowItsLimits) {
  const auto narrow =
      lengths("normal", "mean = 10\ndeviation = 1000\nshortest = 10\nlongest = 10.001");
  const auto sharp =
      lengths("normal", "mean = 10\ndeviation = 0.000001\nshortest = 1\nlongest = 1000");
  RandomStream random(1, 2, StreamPurpose::test);
  for (int i = 0; i < 1000; ++i) {
    const double one = narrow->draw(random);
    EXPECT_GE(one, 10);
    EXPECT_LE(one, 10.001);
    EXPECT_NEAR(sharp->draw(random), 10, 1e-5);
  }
}

TEST(CableDelays, ListsAreDrawnByTheirShares) {
  const auto list = lengths("list", "metres = [1, 3, 10]\nshares = [1, 0, 3]");
  EXPECT_EQ(list->shortest(), 1);
  RandomStream random(1, 2, StreamPurpose::test);
  int ones = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double one = list->draw(random);
    EXPECT_TRUE(one == 1 || one == 10) << one;
    ones += one == 1 ? 1 : 0;
  }
  EXPECT_NEAR(ones, 2'500, 200);
}

TEST(CableDelays, APerturbationGoesBothWaysButNeverBelowNothing) {
  LinkSpec link;
  link.delay = nanoseconds(7);
  const Graph real =
      with_drawn_delays(make("rlft", "ports = 12\nstages = 3", link), perturbed(nanoseconds(7), 1));
  EXPECT_GE(delay_range(real).shortest, Time(0));
  EXPECT_LT(delay_range(real).shortest, nanoseconds(1));
  EXPECT_GT(delay_range(real).longest, nanoseconds(13));
  EXPECT_NEAR(delay_range(real).mean, 7'000, 400);

  link.delay = Time(0);
  const Graph ideal =
      with_drawn_delays(make("rlft", "ports = 12\nstages = 3", link), perturbed(nanoseconds(2), 1));
  EXPECT_GE(delay_range(ideal).shortest, Time(0));
  EXPECT_LE(delay_range(ideal).longest, nanoseconds(2));
  EXPECT_NEAR(delay_range(ideal).mean, 1'000, 60);
}

TEST(CableDelays, APerturbationLongerThanACableIsRefused) {
  const Graph graph = make("torus", "sizes = [4]\nhost_delay = \"5 ns\"");
  EXPECT_THAT(refusal_of(graph, perturbed(nanoseconds(7), 1)),
              AllOf(HasSubstr("link.perturbation"), HasSubstr("7 ns"), HasSubstr("cable of h0"),
                    HasSubstr("5 ns"), HasSubstr("at most")));
  EXPECT_EQ(refusal_of(graph, perturbed(nanoseconds(5), 1)), "");
}

TEST(CableDelays, LengthsThatCannotBeAreRefused) {
  EXPECT_THAT(refused_lengths("uniform", "shortest = 5\nlongest = 4"),
              AllOf(HasSubstr("link.lengths.longest"), HasSubstr("less than the shortest")));
  EXPECT_THAT(refused_lengths("uniform", "shortest = 0\nlongest = 4"), HasSubstr("shortest"));
  EXPECT_THAT(refused_lengths("normal", "mean = 50\ndeviation = 1\nshortest = 1\nlongest = 4"),
              AllOf(HasSubstr("link.lengths.mean"), HasSubstr("between")));
  EXPECT_THAT(refused_lengths("list", "metres = []"), HasSubstr("at least one"));
  EXPECT_THAT(refused_lengths("list", "metres = [1, 0]"), HasSubstr("0 m is not between"));
  EXPECT_THAT(refused_lengths("list", "metres = [1, 2]\nshares = [1]"), HasSubstr("shares"));
  EXPECT_THAT(refused_lengths("list", "metres = [1, 2]\nshares = [0, 1]"), HasSubstr("the first"));
}

}  // namespace
}  // namespace weir::topology
