#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "routing/support.hpp"
#include "weir/base/random.hpp"
#include "weir/topology/fat_tree.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;
using topology::PortRole;

struct Rlft {
  std::uint32_t ports;
  std::uint32_t stages;
};

class RealLifeFatTree : public testing::TestWithParam<Rlft> {
 protected:
  Graph graph_ = make_graph("rlft", "ports = " + std::to_string(GetParam().ports) +
                                        "\nstages = " + std::to_string(GetParam().stages));
  std::unique_ptr<RoutingFunction> routing_ = make_routing("d-mod-k", graph_);
};

// Rocher 2021, section 2.2: the paths are balanced; every down link serves one destination.
TEST_P(RealLifeFatTree, LinksOfAStageCarryEquallyManyPairsAndDownLinksOneDestination) {
  const AllPairs all = route_all_pairs(graph_, *routing_);
  EXPECT_EQ(all.undelivered, 0U);
  std::map<std::pair<int, PortRole>, std::set<std::uint32_t>> pairs_of_kind;
  std::size_t shared_down_links = 0;
  for (std::size_t i = 0; i < graph_.port_count(); ++i) {
    const topology::Port& port = graph_.port(PortId(i));
    if (!joins_switches(graph_, port)) continue;
    pairs_of_kind[{graph_.stage(port.node), port.role}].insert(all.pairs[i]);
    if (port.role == PortRole::down && all.destination[i] >= graph_.host_count()) {
      ++shared_down_links;
    }
  }
  EXPECT_EQ(pairs_of_kind.size(), 2U * (GetParam().stages - 1));
  for (const auto& [kind, pairs] : pairs_of_kind) EXPECT_EQ(pairs.size(), 1U) << kind.first;
  EXPECT_EQ(shared_down_links, 0U);
}

TEST_P(RealLifeFatTree, RoutesTurnAtTheLowestCommonStage) {
  const std::uint64_t k = GetParam().ports / 2;
  const std::uint64_t hosts = graph_.host_count();
  const AllPairs all = route_all_pairs(graph_, *routing_);
  std::uint64_t nearer = 1;
  for (std::uint32_t stage = 1; stage <= GetParam().stages; ++stage) {
    const std::uint64_t below = stage == GetParam().stages ? hosts : nearer * k;
    EXPECT_EQ(all.routes_of_length[2 * stage - 1], hosts * (below - nearer));
    nearer = below;
  }
}

TEST_P(RealLifeFatTree, PortsFollowTheFormula) {
  const auto& tree = *graph_.shape<topology::FatTreeShape>();
  const std::uint32_t k = GetParam().ports / 2;
  for (std::uint32_t s = 0; s < graph_.switch_count(); s += 7) {
    std::uint32_t power = 1;  // K^(stage-1)
    for (int stage = 1; stage < tree.switch_stage[s]; ++stage) power *= k;
    const bool is_top = tree.switch_stage[s] == tree.stages;
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      const bool below = is_top || d / (power * k) == tree.switch_subtree[s];
      const std::uint32_t digit = is_top ? d / power : d / power % k;
      const RouteQuery query{SwitchId(s), {}, HostId(0), HostId(d)};
      ASSERT_EQ(routing_->default_route(query).port, below ? digit : k + digit);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RealLifeFatTree,
                         testing::Values(Rlft{4, 3}, Rlft{6, 3}, Rlft{8, 3}, Rlft{8, 2},
                                         Rlft{12, 3}, Rlft{24, 3}),
                         [](const testing::TestParamInfo<Rlft>& size) {
                           return "P" + std::to_string(size.param.ports) + "n" +
                                  std::to_string(size.param.stages);
                         });

/// Most flows on one link, and on one down link, when host s sends to to[s].
std::pair<int, int> contention(const Graph& graph, const RoutingFunction& routing,
                               const std::vector<std::uint32_t>& to) {
  std::vector<int> flows(graph.port_count(), 0);
  for (std::uint32_t s = 0; s < to.size(); ++s) {
    if (to[s] == s) continue;
    walk(graph, routing, HostId(s), HostId(to[s]), [&](PortId port) { ++flows[port.index()]; });
  }
  int most = 0;
  int most_down = 0;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    most = std::max(most, flows[i]);
    if (graph.port(PortId(i)).role == PortRole::down) most_down = std::max(most_down, flows[i]);
  }
  return {most, most_down};
}

// Zdornov 2009, chapter 2: the two properties of destination-digit routing.
TEST(KAryNTree, ShiftsHaveContentionOneAndPermutationsShareNoDownLink) {
  for (const char* settings : {"k = 4\nn = 3", "k = 2\nn = 5", "k = 3\nn = 3"}) {
    const Graph graph = make_graph("k-ary-n-tree", settings);
    const auto routing = make_routing("d-mod-k", graph);
    const auto hosts = static_cast<std::uint32_t>(graph.host_count());
    std::vector<std::uint32_t> to(hosts);
    for (std::uint32_t shift = 1; shift < hosts; ++shift) {
      for (std::uint32_t s = 0; s < hosts; ++s) to[s] = (s + shift) % hosts;
      ASSERT_EQ(contention(graph, *routing, to).first, 1) << settings << " shift " << shift;
    }
    RandomStream random(5, 0, StreamPurpose::test);
    int most = 0;
    for (int run = 0; run < 50; ++run) {
      std::shuffle(to.begin(), to.end(), random);
      const auto [all, down] = contention(graph, *routing, to);
      ASSERT_EQ(down, 1);
      most = std::max(most, all);
    }
    EXPECT_GT(most, 1) << "random permutations should collide on the way up";
  }
}

// Trees of constant bisection: as many cables up as down at every stage but the last.
TEST(ParallelPortsFatTree, DownLinksServeOneDestinationAndEveryHostIsReached) {
  for (const char* settings : {"children = [4, 4]\nparents = [1, 2]\nparallel = [1, 2]",
                               "children = [4, 4, 8]\nparents = [1, 2, 4]\nparallel = [1, 2, 2]",
                               "children = [6, 3, 4]\nparents = [1, 3, 2]\nparallel = [1, 2, 3]"}) {
    const Graph graph = make_graph("pgft", settings);
    const auto routing = make_routing("d-mod-k", graph);
    const AllPairs all = route_all_pairs(graph, *routing);
    EXPECT_EQ(all.undelivered, 0U) << settings;
    for (std::size_t i = 0; i < graph.port_count(); ++i) {
      const topology::Port& port = graph.port(PortId(i));
      if (!joins_switches(graph, port) || port.role != PortRole::down) continue;
      EXPECT_LT(all.destination[i], graph.host_count()) << settings << " " << graph.name(PortId(i));
    }
  }
}

TEST(DModK, CandidatesAreAllUpPortsOrAllCablesToTheChildDefaultFirst) {
  const Graph graph = make_graph("pgft", "children = [4, 4]\nparents = [1, 2]\nparallel = [1, 2]");
  const auto routing = make_routing("d-mod-k", graph);
  const auto at = [&](std::uint32_t s, std::uint32_t d) {
    return candidates_of(*routing, {SwitchId(s), {}, HostId(0), HostId(d)});
  };
  // Leaf 0, host 6 is elsewhere: 6 mod 4 = 2: parent 0, second cable.
  EXPECT_THAT(at(0, 6).view(), testing::ElementsAre(Candidate{5, 0}, Candidate{4, 0},
                                                    Candidate{6, 0}, Candidate{7, 0}));
  EXPECT_THAT(at(0, 3).view(), testing::ElementsAre(Candidate{3, 0}));
  // Parent 0 to leaf 1: cables 2 and 3, of which host 6 takes the second.
  EXPECT_THAT(at(4, 6).view(), testing::ElementsAre(Candidate{3, 0}, Candidate{2, 0}));
}

TEST(DModK, NumberOfPathsIsKToTheStagesClimbed) {
  const Graph graph = make_graph("rlft", "ports = 8\nstages = 3");
  const auto routing = make_routing("d-mod-k", graph);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(3)), 1U);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(4)), 4U);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(16)), 16U);
}

TEST(DModK, UpBySourceGivesEveryUpLinkOneSource) {
  const Graph graph = make_graph("rlft", "ports = 6\nstages = 3");
  const auto routing = make_routing("d-mod-k", graph, "up = \"source\"");
  EXPECT_TRUE(routing->depends_on_source());
  const AllPairs all = route_all_pairs(graph, *routing);
  EXPECT_EQ(all.undelivered, 0U);
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const topology::Port& port = graph.port(PortId(i));
    if (!joins_switches(graph, port) || port.role != PortRole::up) continue;
    EXPECT_LT(all.source[i], graph.host_count()) << graph.name(PortId(i));
  }
}

TEST(DModK, UpByHashSpreadsPairsOverAllUpLinks) {
  const Graph graph = make_graph("k-ary-n-tree", "k = 4\nn = 3");
  const auto routing = make_routing("d-mod-k", graph, "up = \"hash\"");
  EXPECT_TRUE(routing->depends_on_source());
  const AllPairs all = route_all_pairs(graph, *routing);
  EXPECT_EQ(all.undelivered, 0U);
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const topology::Port& port = graph.port(PortId(i));
    if (!joins_switches(graph, port) || port.role != PortRole::up) continue;
    // A link between leaf and middle expects 60 pairs, above that 48: five standard deviations.
    EXPECT_GT(all.pairs[i], 14U);
    EXPECT_LT(all.pairs[i], 99U);
  }
}

TEST(DModK, ServesTheTreeWithinAModifiedTreeAndTheNetworksWithDoubledCables) {
  for (const auto& [name, settings] : std::vector<std::pair<std::string, std::string>>{
           {"modified-k-ary-n-tree", "k = 3\nn = 3\nwidth = 2"},
           {"recn-min", "hosts = 64"},
           {"recn-min", "hosts = 512"},
           {"xgft", "children = [3, 4, 2]\nparents = [1, 2, 3]"}}) {
    const Graph graph = make_graph(name, settings);
    const AllPairs all = route_all_pairs(graph, *make_routing("d-mod-k", graph));
    EXPECT_EQ(all.undelivered, 0U) << name;
    for (std::size_t i = 0; i < graph.port_count(); ++i) {
      if (graph.port(PortId(i)).role != PortRole::horizontal) continue;
      EXPECT_EQ(all.pairs[i], 0U) << graph.name(PortId(i));
    }
  }
}

TEST(DModK, RefusesOtherTopologiesAndSaysWhatFits) {
  EXPECT_EQ(routing_error("d-mod-k", make_graph("torus", "sizes = [4, 4]")),
            "d-mod-k needs a fat tree; this is a torus; routings that fit: dimension-order, "
            "shortest-path, up-down");
  EXPECT_THAT(routing_error("d-mod-k", make_graph("k-ary-n-tree", "k = 2\nn = 2"), "up = \"dest\""),
              testing::HasSubstr("test.toml:1:"));
}

}  // namespace
}  // namespace weir::routing::test
