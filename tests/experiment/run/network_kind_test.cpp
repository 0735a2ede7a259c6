#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"

namespace weir::experiment::network_kind_test {
namespace {

using ::testing::HasSubstr;

std::string network(const std::string& topology, const std::string& routing = "d-mod-k",
                    const std::string& more = "") {
  return "[experiment]\nkind = \"network\"\n[topology]\n" + topology + "\n[routing]\nmodel = \"" +
         routing + "\"\n" + more;
}

// rocher2021, table 3.
TEST(NetworkKind, CountsAReallifeFatTree) {
  const metrics::RunResult result = result_of(network("model = \"rlft\"\nports = 12\nstages = 3"));
  EXPECT_EQ(number(result, "hosts"), 432);
  EXPECT_EQ(number(result, "switches"), 180);
  EXPECT_EQ(number(result, "switches", "3"), 36);
  EXPECT_EQ(number(result, "stages"), 3);
  EXPECT_EQ(number(result, "ports"), 180 * 12);
  EXPECT_EQ(number(result, "ports_built"), 180 * 12);
  EXPECT_EQ(number(result, "cables"), 432 * 3);
  EXPECT_EQ(number(result, "diameter"), 6);
  EXPECT_EQ(number(result, "route_links_max"), 6);
  EXPECT_EQ(number(result, "paths_max"), 36);
  EXPECT_EQ(number(result, "paths_min"), 1);
  EXPECT_EQ(number(result, "shortest_paths_max", "6"), 36);
  EXPECT_EQ(number(result, "link_destinations_max", "down"), 1);
  EXPECT_EQ(number(result, "link_destinations_min", "down"), 1);
  EXPECT_EQ(number(result, "links", "up 1"), 432);
  // Each stage carries all pairs of hosts that leave their subtree, evenly.
  for (const char* stage : {"up 1", "down 2"}) {
    EXPECT_EQ(number(result, "link_routes_min", stage), 432 - 6) << stage;
    EXPECT_EQ(number(result, "link_routes_max", stage), 432 - 6) << stage;
  }
  EXPECT_EQ(number(result, "link_routes_mean", "injection"), 431);
  EXPECT_EQ(number(result, "dependency_cycle"), 0);
}

// ferrer2012, equation 5.2: 3 h + 278 cycles over h switches, and 354 for packet and ACK at h = 9.
TEST(NetworkKind, LatenciesAreThoseOfTheFormula) {
  const std::string link =
      "[link]\nrate = \"8 Gbps\"\ndelay = \"1 ns\"\n"
      "[switch]\nrouting_delay = \"1 ns\"\ncrossbar_delay = \"1 ns\"\n"
      "[host]\nmtu = \"256 B\"\nheader = \"22 B\"\nack_size = \"22 B\"\n";
  const metrics::RunResult result = result_of(network(
      "model = \"rlft\"\nports = 4\nstages = 5", "d-mod-k", link + "[network]\npair = [0, 1]\n"));
  const auto latency = [](int switches, int size) { return switches * 3 + 1 + size; };
  EXPECT_DOUBLE_EQ(number(result, "zero_load_latency"), latency(1, 278));
  EXPECT_DOUBLE_EQ(number(result, "zero_load_latency_max"), latency(9, 278));
  EXPECT_DOUBLE_EQ(number(result, "round_trip_time"), latency(1, 278) + latency(1, 22));
  EXPECT_DOUBLE_EQ(number(result, "round_trip_time_max"), latency(9, 278) + latency(9, 22));
  EXPECT_EQ(number(result, "route_links"), 2);
  EXPECT_EQ(number(result, "paths"), 1);
}

TEST(NetworkKind, BalanceShowsAPoorRouting) {
  // All hosts of a ring behind one another: the links in the middle carry the most.
  const metrics::RunResult result =
      result_of(network("model = \"mesh\"\nsizes = [4]", "dimension-order"));
  EXPECT_EQ(number(result, "link_routes_max", "switch"), 4);
  EXPECT_EQ(number(result, "link_routes_min", "switch"), 3);
  EXPECT_EQ(number(result, "link_destinations_max", "switch"), 3);
}

TEST(NetworkKind, SomePathsAreCountedOfMany) {
  const std::string tree = "model = \"rlft\"\nports = 4\nstages = 3";
  const metrics::RunResult all = result_of(network(tree));
  const metrics::RunResult some =
      result_of(network(tree, "d-mod-k", "[network]\npath_pairs = 50\n"));
  EXPECT_TRUE(all.notes.empty());
  ASSERT_EQ(some.notes.size(), 1U);
  EXPECT_THAT(some.notes[0], HasSubstr("50 of 240 pairs"));
  EXPECT_NEAR(number(some, "paths_mean"), number(all, "paths_mean"),
              0.2 * number(all, "paths_mean"));
}

TEST(NetworkKind, RoutesNeedNotBeFollowed) {
  const std::string tree = "model = \"k-ary-n-tree\"\nk = 4\nn = 2";
  const metrics::RunResult result =
      result_of(network(tree, "d-mod-k", "[network]\nroutes = false\n"));
  EXPECT_EQ(number(result, "ports"), 4 * 8 + 4 * 4);
  EXPECT_EQ(result.scalar("paths_max"), nullptr);
  EXPECT_EQ(result.scalar("link_routes_max", "down"), nullptr);
}

TEST(NetworkKind, ResolvedReadsBackToItself) {
  const std::string text = network("model = \"rlft\"\nports = 4\nstages = 2");
  const std::string first = to_toml(resolve(table_of(text)).resolved);
  EXPECT_THAT(first, HasSubstr("kind = \"network\""));
  EXPECT_EQ(to_toml(resolve(table_of(first)).resolved), first);
}

TEST(NetworkKind, WrongSettingsAreRefused) {
  const std::string tree = "model = \"rlft\"\nports = 4\nstages = 2";
  const auto refused = [&](const std::string& more) {
    return refusal([&] { (void)result_of(network(tree, "d-mod-k", more)); });
  };
  EXPECT_THAT(refused("[network]\npair = [0, 8]\n"),
              HasSubstr("x.toml:10:8: network.pair: there is no host 8: the network has 0 to 7"));
  EXPECT_THAT(refused("[network]\npair = [3]\n"), HasSubstr("must be source and destination"));
  EXPECT_THAT(refused("[network]\npairs = [0, 1]\n"), HasSubstr("did you mean 'pair'?"));
  EXPECT_THAT(refusal("[experiment]\nkind = \"netwrk\"\n"),
              HasSubstr("no choice is called 'netwrk' (did you mean 'network'?)"));
}

// zdornov2009, table 6.1: with 2 w more ports on all switches above the leaves, those at the ends
// of the lines too, 4 (h - 1) / (k (2 h - 1)) of the ports of the tree.
TEST(NetworkKind, CountsPortsAsBuilt) {
  for (const int k : {4, 8}) {
    for (const int n : {2, 3}) {
      const std::string size = "\nk = " + std::to_string(k) + "\nn = " + std::to_string(n) + "\n";
      const auto built = [&](const std::string& model) {
        return number(result_of(network("model = \"" + model + "\"" + size)), "ports_built");
      };
      const double plain = built("k-ary-n-tree");
      const double share = (built("modified-k-ary-n-tree") - plain) / plain;
      EXPECT_DOUBLE_EQ(share, 4.0 * (n - 1) / (k * (2 * n - 1))) << k << " " << n;
    }
  }
}

}  // namespace
}  // namespace weir::experiment::network_kind_test
