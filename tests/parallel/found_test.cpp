// What comparisons have found once, each by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "parallel/same_numbers.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::parallel {
namespace {

/// Two hosts on one switch send to two on another one; the middle has another rate and delay than
/// the ends.
std::string line(const std::string& more) {
  return R"([experiment]
duration = "20 us"
[topology]
model = "line"
switches = 3
hosts_per_switch = [2]
host_rate = "25 Gbps"
host_delay = "40 ns"
[link]
delay = "100 ns"
[host]
mtu = "1 KiB"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.4 }
sizes = { model = "fixed", size = "2 KiB" }
)" + more;
}

void expect_the_same(const std::string& experiment, const char* row) {
  const Configuration configuration = resolve(parse_experiment(experiment, "found"));
  const Numbers whole = run(configuration, {});
  EXPECT_THAT(whole.rows, ::testing::Contains(::testing::HasSubstr(row)));
  EXPECT_EQ(difference(whole, run(configuration, {3})), "");
  EXPECT_EQ(difference(whole, run(configuration, {4, 1})), "");
}

// Ideal times of messages are kept by flows, which were told apart for other metrics only.
TEST(FoundInParts, SlowdownsKnowTheRoutesOfTheirFlows) {
  expect_the_same(line("[metrics]\nslowdown = true\n"), "slowdown_mean");
}

// Parts of a network in which nothing is sent say nothing of marks, and were asked all the same.
TEST(FoundInParts, NothingMarkedIsSaidOfTheWholeNetwork) {
  for (const char* reaction :
       {"model = \"lipd\"",
        "model = \"by-service-level\"\nparts = [{ service_levels = [0], model = \"lipd\" }]"}) {
    std::string experiment =
        line("[switch]\narchitecture = \"cioq\"\n[marking]\nmodel = \"opm\"\n[reaction]\n" +
             std::string(reaction) + "\n");
    experiment.insert(experiment.find("mtu ="), "acks = \"in-band\"\n");
    experiment.insert(experiment.find("destinations"), "sources = [0]\n");
    expect_the_same(experiment, "has set none");
  }
}

// A host that gets its credit while a reaction holds its flow back goes on being woken by what
// comes.
TEST(FoundInParts, EventsAreThoseOfOnePart) {
  const std::string experiment = R"([experiment]
duration = "1 ms"
until = "drained"
[topology]
model = "k-ary-n-tree"
k = 2
n = 3
[link]
delay = "235936 ps"
[buffer]
ingress = "32 KiB"
[host]
mtu = "3496 B"
acks = "in-band"
[marking]
model = "fecn"
[queueing]
model = "flow-hash"
[reaction]
model = "lipd"
[[traffic]]
name = "hot"
stop = "5 us"
sources = { count = 3, choose = "last" }
destinations = { model = "fixed", host = 0 }
arrivals = { model = "constant", load = 1.0 }
sizes = { model = "fixed", size = "2 KiB" }
[[traffic]]
name = "cold"
sources = "rest"
stop = "5 us"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "512 B" }
)";
  const Configuration configuration = resolve(parse_experiment(experiment, "found"));
  const Numbers whole = run(configuration, {});
  EXPECT_EQ(difference(whole, run(configuration, {3, 69})), "");
  EXPECT_EQ(difference(whole, run(configuration, {4, 69})), "");
}

TEST(FoundInParts, SearchesDivideTheirRuns) {
  std::string search = line("");
  search.insert(search.find("[topology]"), "find = { goal = \"saturation\", high = 1.0 }\n");
  const Configuration configuration = resolve(parse_experiment(search, "found"));
  const Numbers whole = run(configuration, {});
  EXPECT_THAT(whole.rows, ::testing::Contains(::testing::HasSubstr("saturation")));
  EXPECT_EQ(difference(whole, run(configuration, {3})), "");
}

}  // namespace
}  // namespace weir::experiment::parallel
