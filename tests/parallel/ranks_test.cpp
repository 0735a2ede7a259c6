// Processes that simulate one network together: what they find, and how they fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "parallel/same_numbers.hpp"
#include "support/ranks_of_threads.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::parallel {
namespace {

using ::testing::HasSubstr;

Configuration configuration_of(const std::string& text) {
  return resolve(parse_experiment(text, "ranks"));
}

void expect_the_same(const Configuration& experiment, std::uint64_t packets) {
  const Numbers whole = run(experiment, {});
  ASSERT_EQ(whole.failure, "");
  ASSERT_GT(whole.packets, packets);
  for (const Division& division :
       {Division{1, std::nullopt, 2}, {1, std::nullopt, 3}, {2, std::nullopt, 2}, {1, 7, 4}})
    EXPECT_EQ(difference(whole, run(experiment, division)), "") << to_string(division);
}

/// Of 12 switches, with more sections.
Configuration tree(const std::string& experiment, const std::string& more) {
  return configuration_of("[experiment]\n" + experiment + R"([topology]
model = "rlft"
ports = 4
stages = 3
[link]
rate = "100 Gbps"
delay = "30 ns"
[buffer]
ingress = "32 KiB"
[host]
mtu = "2 KiB"
[routing]
model = "d-mod-k"
[metrics]
bin = "5 us"
)" + more);
}

std::string traffic(const std::string& name, const std::string& more) {
  return "[[traffic]]\nname = \"" + name + "\"\n" + more;
}

/// Shortest paths on a ring, full of packets that wait for each other.
const char* const kRing = R"([experiment]
duration = "2 ms"
[topology]
model = "torus"
sizes = [6]
hosts_per_switch = 2
[routing]
model = "shortest-path"
allow_cycles = true
[link]
delay = "10 ns"
[buffer]
ingress = "2 KiB"
[host]
mtu = "1 KiB"
[[traffic]]
name = "all"
destinations = { model = "shift", distance = 4 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "8 KiB" }
)";

TEST(RanksOfARun, FindADeadlockThatGoesThroughAllOfThem) {
  const Configuration ring = configuration_of(kRing);
  const Numbers whole = run(ring, {});
  ASSERT_THAT(whole.failure, HasSubstr("wait for each other's buffers"));
  for (const std::uint32_t ranks : {2U, 3U, 6U})
    EXPECT_EQ(run(ring, {1, std::nullopt, ranks}).failure, whole.failure) << ranks;
}

TEST(RanksOfARun, KnowAllThatIsMeasured) {
  ConfigTable table = parse_experiment(small_experiment(), "ranks");
  lay_over(table, expanded(parse_toml(R"([metrics]
bin = "1 us"
per_flow = true
slowdown = true
sizes = ["1 KiB"]
[host]
acks = "in-band"
[marking]
model = "fecn"
[reaction]
model = "congestion-control-table"
)",
                                      "ranks")));
  const Configuration experiment = resolve(table);
  const Numbers whole = run(experiment, {});
  ASSERT_GT(whole.packets, 100U);
  for (const Division& division :
       {Division{1, std::nullopt, 1}, {1, std::nullopt, 2}, {2, std::nullopt, 2}, {1, 7, 4}})
    EXPECT_EQ(difference(whole, run(experiment, division)), "") << to_string(division);
}

const std::string kCross = traffic("cross", R"(destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "3 KiB" }
)");

TEST(RanksOfARun, StartSourcesWhenEnoughHasArrivedEverywhere) {
  const std::string hot = R"(destinations = { model = "fixed", host = 1 }
arrivals = "saturated"
sizes = { model = "fixed", size = "2 KiB" }
)";
  expect_the_same(
      tree("duration = \"30 us\"\n",
           kCross + traffic("later", hot + "sources = [3, 5, 6]\n" + "start_after_packets = 40\n") +
               traffic("last", hot + "sources = [2, 9]\nstart_after_packets = 300\n") +
               traffic("never", hot + "sources = [8]\nstart_after_packets = 100000\n")),
      400);
}

TEST(RanksOfARun, EndWithTheLastMessageOfAll) {
  const std::string counted = R"(destinations = "uniform"
messages = 12
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "5 KiB" }
)";
  const std::string until = "until = { delivered = \"counted\" }\nduration = \"2 ms\"\n";
  for (const char* host : {"", "[host]\norder = \"reorder\"\n",
                           "[host]\nbacklog = \"8 KiB\"\nwhen_full = \"discard\"\n"}) {
    SCOPED_TRACE(host);
    ConfigTable table = tree(until, kCross + traffic("counted", counted)).resolved;
    lay_over(table, expanded(parse_toml(host, "ranks")));
    expect_the_same(resolve(table), 1000);
  }
}

TEST(RanksOfARun, AreNotMoreThanSwitches) {
  const Configuration experiment = configuration_of(small_experiment());
  const auto error = refusal(experiment, {1, std::nullopt, 13});
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message(), HasSubstr("cannot be divided among 13 processes"));
}

TEST(RanksOfARun, FailTogetherWithTheErrorOfTheFirst) {
  for (std::size_t failing = 0; failing < 3; ++failing) {
    std::vector<std::string> errors(3);
    RanksOfThreads(3).run([&](Ranks& ranks) {
      try {
        together(&ranks, [&] {
          if (ranks.rank() >= failing)
            throw RunError("it broke at " + std::to_string(ranks.rank()));
        });
      } catch (const RunError& error) {
        errors[ranks.rank()] = error.what();
      }
    });
    for (const std::string& error : errors)
      EXPECT_EQ(error, "it broke at " + std::to_string(failing));
  }
}

TEST(RanksOfARun, DoNotWaitForOneThatHasEnded) {
  EXPECT_THROW(RanksOfThreads(2).run([](Ranks& ranks) {
    if (ranks.rank() == 0) (void)ranks.gather({});
  }),
               std::logic_error);
}

}  // namespace
}  // namespace weir::experiment::parallel
