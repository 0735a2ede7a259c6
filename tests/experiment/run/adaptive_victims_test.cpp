// Who is a victim where packets choose their routes.
#include <gtest/gtest.h>

#include <string>

#include "experiment/one_run.hpp"

namespace weir::experiment::adaptive_victims_test {
namespace {

/// 16 hosts, four to a switch, four roots. Hosts 4 and 8 send all they can to host 0.
std::string experiment(const std::string& selection, int source, int destination,
                       const std::string& more = "") {
  const auto number = [](int n) { return std::to_string(n); };
  return "[experiment]\nduration = \"300 us\"\nwarmup = \"50 us\"\n"
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"10 Gbps\"\n[host]\nmtu = \"2 KiB\"\n"
         "[[traffic]]\nname = \"storage\"\nrole = \"hot\"\nsources = [4, 8]\n"
         "destinations = { model = \"fixed\", host = 0 }\narrivals = \"saturated\"\n"
         "sizes = { model = \"fixed\", size = \"2 KiB\" }\n"
         "[[traffic]]\nname = \"other\"\nrole = \"cold\"\nsources = [" +
         number(source) + "]\ndestinations = { model = \"fixed\", host = " + number(destination) +
         " }\narrivals = { model = \"constant\", load = 0.1 }\n"
         "sizes = { model = \"fixed\", size = \"2 KiB\" }\n" +
         selection + more;
}

bool is_victim(const std::string& selection, int source, int destination) {
  const metrics::RunResult result = simulated(experiment(selection, source, destination));
  EXPECT_GT(number(result, "latency_mean", "cold"), 0);
  return result.scalar("latency_mean", "victim") != nullptr;
}

TEST(AdaptiveVictims, AreThoseThatMayMeetHotPackets) {
  const std::string fixed;
  const std::string adaptive = "[selection]\nmodel = \"most-credits\"\n";
  // From the switch of a hot source: by default it has another way up (d mod 4 = 1) than host 0.
  EXPECT_FALSE(is_victim(fixed, 5, 13));
  EXPECT_TRUE(is_victim(adaptive, 5, 13));
  // To the switch of the hot host.
  EXPECT_FALSE(is_victim(fixed, 12, 1));
  EXPECT_TRUE(is_victim(adaptive, 12, 1));
  // By the hot source's own link.
  EXPECT_TRUE(is_victim(fixed, 4, 13));
  EXPECT_TRUE(is_victim(adaptive, 4, 13));
  // Neither, whatever they choose.
  EXPECT_FALSE(is_victim(adaptive, 12, 9));
  EXPECT_FALSE(is_victim(adaptive, 5, 6));
  EXPECT_FALSE(is_victim(adaptive, 0, 13));
  // To the hot host itself.
  EXPECT_FALSE(is_victim(adaptive, 12, 0));
}

TEST(AdaptiveVictims, AreKnownBesideAHotLinkForEverySelection) {
  for (const std::string model : {"random", "most-credits", "adaptive-threshold", "ecmp", "arn"}) {
    const metrics::RunResult result =
        simulated(experiment("[selection]\nmodel = \"" + model + "\"\n", 5, 13));
    EXPECT_GT(number(result, "latency_mean", "victim"), 0) << model;
    EXPECT_NEAR(number(result, "hot_link_utilization", "aimed"), 1, 0.02) << model;
  }
}

// Packets that set paths up take what the tables allow.
TEST(AdaptiveVictims, AreKnownWherePacketsSetPathsUp) {
  const metrics::RunResult result =
      simulated(experiment("[flow_routing]\npolicy = \"ascent\"\nset_up = \"packets\"\n", 5, 13));
  EXPECT_GT(number(result, "latency_mean", "victim"), 0);
}

}  // namespace
}  // namespace weir::experiment::adaptive_victims_test
