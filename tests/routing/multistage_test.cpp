#include <gmock/gmock.h>

#include <algorithm>

#include "routing/support.hpp"
#include "weir/topology/bmin.hpp"
#include "weir/topology/umin.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;

struct Bmin {
  const char* name;
  const char* settings;
  std::size_t longest;   ///< switches
  double mean;           ///< switches, over all pairs including a host and itself
  double greatest_load;  ///< of one host's rate, on links between switches, under uniform traffic
};

class PerfectShuffle : public testing::TestWithParam<Bmin> {};

// Ferrer 2012, chapter 7: the three networks, with the numbers derived for these digits.
TEST_P(PerfectShuffle, DeliversAllPairsWithTheStatedLengthsAndLoads) {
  const Graph graph = make_graph("bmin-perfect-shuffle", GetParam().settings);
  const AllPairs all = route_all_pairs(graph, *make_routing("turnaround", graph));
  EXPECT_EQ(all.undelivered, 0U);

  std::size_t longest = 0;
  double sum = static_cast<double>(graph.host_count());  // a host to itself: one switch
  for (std::size_t length = 0; length < all.routes_of_length.size(); ++length) {
    if (all.routes_of_length[length] != 0) longest = length;
    sum += static_cast<double>(length * all.routes_of_length[length]);
  }
  EXPECT_EQ(longest, GetParam().longest);
  const auto hosts = static_cast<double>(graph.host_count());
  EXPECT_NEAR(sum / (hosts * hosts), GetParam().mean, 0.0005);

  std::uint32_t most = 0;
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    if (joins_switches(graph, graph.port(PortId(i)))) most = std::max(most, all.pairs[i]);
  }
  EXPECT_NEAR(static_cast<double>(most) / (hosts - 1), GetParam().greatest_load, 0.0005);
}

TEST_P(PerfectShuffle, DeliversAllPairsWithUpPortsByTheSource) {
  const Graph graph = make_graph("bmin-perfect-shuffle", GetParam().settings);
  const auto routing = make_routing("turnaround", graph, "up = \"source\"");
  EXPECT_TRUE(routing->depends_on_source());
  EXPECT_EQ(route_all_pairs(graph, *routing).undelivered, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, PerfectShuffle,
    testing::Values(Bmin{"Hosts64k4", "hosts = 64\nk = 4\nn = 3", 5, 4.375, 0.952},
                    Bmin{"Hosts512k4", "hosts = 512\nk = 4\nn = 5", 9, 7.672, 0.994},
                    Bmin{"Hosts512k8", "hosts = 512\nk = 8\nn = 3", 5, 4.719, 0.986}),
    [](const testing::TestParamInfo<Bmin>& network) { return network.param.name; });

TEST(Turnaround, SmallNetworkHasPathsOfOneToFiveSwitches) {
  const Graph graph = make_graph("bmin-perfect-shuffle", "hosts = 8\nk = 2\nn = 3");
  const auto routing = make_routing("turnaround", graph);
  EXPECT_EQ(trace(graph, *routing, HostId(0), HostId(1)).switches(), 1U);
  EXPECT_EQ(route_all_pairs(graph, *routing).routes_of_length.size(), 6U);
}

TEST(Turnaround, CandidatesGoingUpAreAllUpPorts) {
  const Graph graph = make_graph("bmin-perfect-shuffle", "hosts = 64\nk = 4\nn = 3");
  const auto routing = make_routing("turnaround", graph);
  const auto up = candidates_of(*routing, {SwitchId(0), {}, HostId(0), HostId(62)});
  EXPECT_THAT(up.view(), testing::ElementsAre(Candidate{6, 0}, Candidate{4, 0}, Candidate{5, 0},
                                              Candidate{7, 0}));
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(62)), 16U);
}

TEST(Turnaround, RefusesUnevenStages) {
  const Graph graph = make_graph("bmin-perfect-shuffle", "hosts = 24\nk = 2\nn = 5");
  EXPECT_EQ(routing_error("turnaround", graph),
            "turnaround needs a perfect-shuffle bidirectional MIN with stages that divide evenly; "
            "this is a bmin-perfect-shuffle; routings that fit: shortest-path, up-down");
}

TEST(DestinationTag, DeliversAllPairsInAsManySwitchesAsStages) {
  for (const auto& [settings, stages] : std::vector<std::pair<std::string, std::size_t>>{
           {"k = 2\nn = 3", 3}, {"k = 8\nn = 3", 3}, {"k = 4\nn = 4", 4}}) {
    const Graph graph = make_graph("umin-butterfly", settings);
    const AllPairs all = route_all_pairs(graph, *make_routing("destination-tag", graph));
    const std::uint64_t hosts = graph.host_count();
    EXPECT_EQ(all.undelivered, 0U) << settings;
    EXPECT_EQ(all.routes_of_length[stages], hosts * (hosts - 1)) << settings;
  }
}

TEST(DestinationTag, RefusesAFatTree) {
  EXPECT_THAT(routing_error("destination-tag", make_graph("k-ary-n-tree", "k = 2\nn = 2")),
              testing::HasSubstr("this is a k-ary-n-tree; routings that fit: d-mod-k, "));
}

}  // namespace
}  // namespace weir::routing::test
