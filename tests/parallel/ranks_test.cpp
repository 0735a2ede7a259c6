// Processes that simulate one network together: what they find, and how they fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "parallel/same_numbers.hpp"
#include "support/ranks_of_threads.hpp"
#include "support/temporary_folder.hpp"
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
       {Division{1, std::nullopt, 2}, {1, std::nullopt, 3}, {2, std::nullopt, 2}, {1, 7, 4}, {3}})
    EXPECT_EQ(difference(whole, run(experiment, division)), "") << to_string(division);
}

/// Of 20 switches, with more keys of two sections and more sections.
Configuration tree(const std::string& experiment, const std::string& more,
                   const std::string& host = "") {
  return configuration_of("[experiment]\n" + experiment + R"([topology]
model = "rlft"
ports = 4
stages = 3
[link]
rate = "100 Gbps"
delay = "30 ns"
[buffer]
ingress = "32 KiB"
[routing]
model = "d-mod-k"
[metrics]
bin = "5 us"
[host]
mtu = "2 KiB"
)" + host + more);
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
  for (const char* host :
       {"", "order = \"reorder\"\n", "backlog = \"8 KiB\"\nwhen_full = \"discard\"\n"}) {
    SCOPED_TRACE(host);
    expect_the_same(tree(until, kCross + traffic("counted", counted), host), 500);
  }
}

std::string workload(const std::string& model, const std::string& more = "") {
  return "[[workload]]\nname = \"" + model + "\"\nmodel = \"" + model +
         "\"\nbytes = \"24 KiB\"\nmapping = \"random\"\n" + more;
}

TEST(RanksOfARun, EndWorkloadsInTheSameInstant) {
  expect_the_same(tree("until = \"workload\"\n",
                       kCross +
                           workload("ring-all-reduce",
                                    "overhead = \"40 ns\"\ncompute = \"2 us\"\nrounds = 2\n") +
                           workload("all-to-all", "start = \"1 us\"\n")),
                  1000);
}

TEST(RanksOfARun, PlaySeveralRanksAHostWithRendezvous) {
  expect_the_same(tree("until = \"workload\"\n",
                       workload("all-to-all", "ranks = 20\nrendezvous = \"4 KiB\"\n") +
                           workload("gather", "rendezvous = \"1 KiB\"\noverhead = \"100 ns\"\n")),
                  1000);
}

TEST(RanksOfARun, PlayWorkloadsUntilNothingIsLeftOrTimeIsOver) {
  const std::string two =
      workload("recursive-doubling-all-reduce", "compute = \"1 us\"\nrounds = 3\n");
  expect_the_same(tree("until = \"drained\"\n", two), 100);
  expect_the_same(tree("duration = \"9 us\"\n", two + kCross), 100);
}

TEST(RanksOfARun, SearchForSaturationTogether) {
  const std::string all = R"(destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "2 KiB" }
)";
  expect_the_same(tree("find = { goal = \"saturation\", low = 0.4, high = 1.0, resolution = 0.1 }\n"
                       "duration = \"20 us\"\nwarmup = \"4 us\"\n",
                       traffic("all", all)),
                  500);
}

TEST(RanksOfARun, EndWorkloadsThatCannotGoOnBecausePacketsAreLost) {
  const Configuration experiment =
      tree("until = \"workload\"\nduration = \"200 us\"\n",
           workload("all-to-all") + "[[failure]]\nrandom = 3\nat = \"3 us\"\nuntil = \"8 us\"\n");
  expect_the_same(experiment, 100);
}

TEST(RanksOfARun, NameAllOperationsOfADeadlock) {
  const support::TemporaryFolder folder;
  const std::string file = (folder / "ring.goal").string();
  std::ofstream(file) << "num_ranks 16\n";
  std::ofstream goal(file, std::ios::app);
  for (int rank = 0; rank < 16; ++rank) {
    const int next = (rank + 1) % 16;
    const int before = (rank + 15) % 16;
    goal << "rank " << rank << " {\n"
         << "first: recv 8b from " << before << " tag 1\n"
         << "then: send 8b to " << next << " tag 1\n"
         << "then requires first\n}\n";
  }
  goal.close();
  const Configuration experiment =
      tree("until = \"workload\"\n",
           "[[workload]]\nname = \"ring\"\nmodel = \"goal\"\nfile = \"" + file + "\"\n");
  const Numbers whole = run(experiment, {});
  ASSERT_THAT(whole.failure, HasSubstr("16 operations wait for a partner and 16 behind them"));
  for (const std::uint32_t ranks : {2U, 4U})
    EXPECT_EQ(run(experiment, {1, std::nullopt, ranks}).failure, whole.failure) << ranks;
}

/// Phases of flows with calculated rates.
std::string phases(const std::string& barrier, const std::string& last) {
  const auto flow = [](const char* name, int by, const std::string& more) {
    return "[[flow]]\nname = \"" + std::string(name) +
           "\"\nsources = \"all\"\ndestinations = { model = \"shift\", distance = " +
           std::to_string(by) + " }\n" + more;
  };
  return "[rates]\nalgorithm = \"ffa\"\nbarrier = \"" + barrier +
         "\"\n[injection]\nmodel = \"periodic-selection\"\n" +
         flow("one", 3, "size = \"40 KiB\"\nphase = 1\n") +
         flow("two", 5, "size = \"20 KiB\"\nphase = 2\n") + flow("three", 2, last + "phase = 3\n");
}

Configuration tree_with_flows(const std::string& more) {
  return tree("duration = \"60 us\"\nwarmup = \"5 us\"\n", more,
              "source_queues = \"per-destination\"\n");
}

TEST(RanksOfARun, BeginPhasesOfFlowsTogether) {
  expect_the_same(tree_with_flows(phases("1 us", "")), 500);
  expect_the_same(tree_with_flows(phases("0 ns", "size = \"30 KiB\"\n")), 500);
}

TEST(RanksOfARun, StartAndStopFlows) {
  std::string flows = phases("1 us", "start = \"4 us\"\nstop = \"21 us\"\n");
  for (const char* phase : {"phase = 1\n", "phase = 2\n", "phase = 3\n"})
    flows.erase(flows.find(phase), 10);
  expect_the_same(tree_with_flows(flows + kCross), 1000);
}

TEST(RanksOfARun, KeepRatesOfConnectionsThatFlowsShareOrHaveAlone) {
  for (const char* connection : {"own", "shared"}) {
    SCOPED_TRACE(connection);
    std::string flows;
    for (int flow = 0; flow < 12; ++flow) {
      flows += "[[flow]]\nname = \"of " + std::to_string(flow % 3) +
               "\"\nsource = " + std::to_string(flow % 4) +
               "\ndestination = " + std::to_string(9 + flow % 5) + "\nsize = \"" +
               std::to_string(8 + flow) + " KiB\"\nconnection = \"" + connection + "\"\n";
    }
    expect_the_same(tree_with_flows("[rates]\nalgorithm = \"ffa\"\n"
                                    "[injection]\nmodel = \"periodic-selection\"\n" +
                                    flows + kCross),
                    500);
  }
}

TEST(RanksOfARun, EndFlowsThatTrafficMakes) {
  expect_the_same(
      tree_with_flows("[rates]\nalgorithm = \"ffa\"\n"
                      "[injection]\nmodel = \"periodic-selection\"\n" +
                      traffic("rated", R"(destinations = { model = "shift", distance = 3 }
arrivals = { model = "poisson", load = 0.4 }
sizes = { model = "fixed", size = "5 KiB" }
rate = "calculated"
messages = 4
)") + kCross),
      500);
}

TEST(RanksOfARun, AdmitConnectionsAlongRoutesThroughAllOfThem) {
  const Configuration experiment = tree("duration = \"60 us\"\nwarmup = \"5 us\"\n",
                                        R"([queueing]
model = "service-level"
vls = 2
[switch]
arbiter = "vl-weighted"
[vl_arbitration]
low = [{ vl = 0, weight = 10 }]
[admission]
model = "link-by-link"
budgets = [0.3, 0.5]
retry = "3 us"
attempts = 8
tables = "connections"
[[traffic]]
name = "reserved"
role = "hot"
destinations = "uniform"
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "6 KiB" }
service_level = 1
reserve = "20 Gbps"
)" + kCross,
                                        "source_queues = \"per-destination\"\n");
  expect_the_same(experiment, 1000);
  // Some are rejected, and give back what they hold elsewhere.
  const Numbers whole = run(experiment, {});
  const auto rejected = std::find_if(whole.rows.begin(), whole.rows.end(), [](const auto& row) {
    return row.starts_with("scalars | connections_rejected | reserved | ");
  });
  ASSERT_NE(rejected, whole.rows.end());
  EXPECT_FALSE(rejected->starts_with("scalars | connections_rejected | reserved | 0"));
}

/// Also on the way, in a process that has neither of their hosts.
TEST(RanksOfARun, KnowVictimsAmongLostPackets) {
  const std::string hot = R"(role = "hot"
sources = [2, 5, 9, 12]
destinations = { model = "fixed", host = 0 }
arrivals = { model = "constant", load = 1.0 }
sizes = { model = "fixed", size = "2 KiB" }
)";
  const Configuration experiment = tree(
      "duration = \"40 us\"\n", traffic("hot", hot) + kCross + "role = \"cold\"\n" +
                                    "[[failure]]\nrandom = 4\nat = \"10 us\"\nuntil = \"20 us\"\n");
  expect_the_same(experiment, 1000);
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
