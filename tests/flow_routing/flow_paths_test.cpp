#include <gmock/gmock.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "routing/support.hpp"
#include "weir/flow_routing/flow_paths.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/explicit_routes.hpp"
#include "weir/topology/modified_tree.hpp"

namespace weir::flow_routing {
namespace {

using routing::DependencyOptions;
using routing::DependencyReport;
using routing::ExplicitRoutes;
using routing::Route;
using routing::RouteEnd;
using routing::RoutingFunction;
using routing::test::make_graph;
using routing::test::make_routing;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Sideways = FlowRules::Sideways;

topology::Graph modified_tree(int k, int n, int width) {
  return make_graph("modified-k-ary-n-tree", "k = " + std::to_string(k) +
                                                 "\nn = " + std::to_string(n) +
                                                 "\nwidth = " + std::to_string(width));
}

FlowRules rules(Sideways sideways, std::uint16_t most_hops = 8, bool default_first = false) {
  return {sideways, most_hops, default_first};
}

std::string refusal(const std::string& topology, const std::string& settings,
                    const std::string& routing, Sideways sideways) {
  const auto graph = make_graph(topology, settings);
  const auto defaults = make_routing(routing, graph);
  try {
    const FlowTables tables(graph, *defaults, rules(sideways));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// A modified 4-ary 2-tree: its roots SW1 to SW4 stand in one line of width 2, as in figure 3.2. A
/// root's ports 0 to 3 descend, 4 and 5 lead left, 6 and 7 right.
class FourInALine : public testing::Test {
 protected:
  [[nodiscard]] SwitchId root(std::uint32_t place) const { return SwitchId(4 + place); }
  [[nodiscard]] PortId port(std::uint32_t place, std::uint16_t number) const {
    return graph_.port(graph_.node(root(place)), number);
  }
  /// Horizontal ports that a flow may take that came in by a port.
  [[nodiscard]] std::set<int> sideways(const FlowTables& tables, std::uint32_t place,
                                       std::uint16_t in) const {
    std::set<int> out;
    for (std::uint16_t p = 4; p < 8; ++p) {
      if (tables.allows(port(place, in), p)) out.insert(p);
    }
    return out;
  }

  topology::Graph graph_ = modified_tree(4, 2, 2);
  std::unique_ptr<RoutingFunction> defaults_ = make_routing("d-mod-k", graph_);
};

TEST_F(FourInALine, AllowedOutputsOfForcedDirAreThoseOfTheDocument) {
  const FlowTables tables(graph_, *defaults_, rules(Sideways::forced));
  const auto& shape = *graph_.shape<topology::ModifiedTreeShape>();
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_EQ(shape.position[root(i).index()], i);
  // SW2: right for those from above (here: below, it is a root) or from SW1, left for those from
  // SW3.
  EXPECT_THAT(sideways(tables, 1, 0), ElementsAre(6, 7));
  EXPECT_THAT(sideways(tables, 1, 4), ElementsAre(6, 7));
  EXPECT_THAT(sideways(tables, 1, 7), ElementsAre(4, 5));
  // New ones at SW1 and SW2 go right, at SW3 and SW4 left.
  EXPECT_THAT(sideways(tables, 0, 3), ElementsAre(6, 7));
  EXPECT_THAT(sideways(tables, 2, 1), ElementsAre(4, 5));
  EXPECT_THAT(sideways(tables, 3, 2), ElementsAre(4, 5));
  for (std::uint32_t place = 0; place < 4; ++place) {
    for (std::uint16_t in = 0; in < 8; ++in) EXPECT_TRUE(tables.allows(port(place, in), 2));
  }
}

TEST_F(FourInALine, FreeDirTurnsEitherWayButNotBack) {
  const FlowTables tables(graph_, *defaults_, rules(Sideways::free));
  EXPECT_THAT(sideways(tables, 1, 0), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(sideways(tables, 1, 5), ElementsAre(6, 7));
  EXPECT_THAT(sideways(tables, 1, 6), ElementsAre(4, 5));
  // What is not cabled is in no group.
  EXPECT_THAT(tables.alternates(root(0), HostId(7)), ElementsAre(6, 7));
  EXPECT_THAT(tables.alternates(root(1), HostId(7)), ElementsAre(4, 5, 6, 7));
}

TEST_F(FourInALine, AFlowGoesSidewaysWhileItMeetsFewerFlowsThere) {
  const FlowTables tables(graph_, *defaults_, rules(Sideways::forced));
  std::vector<std::uint64_t> load(graph_.port_count(), 0);
  RandomStream random(1, 0, StreamPurpose::test);
  const auto choose = [&](std::uint32_t place, std::uint16_t in, HopsLeft hops) {
    return select_port(tables, root(place), port(place, in), HostId(9), hops, load, random);
  };
  // Host 9 is below leaf 2. Ties on the way down: the default port.
  EXPECT_EQ(choose(1, 0, kHopsUnset).port, 2);
  EXPECT_EQ(choose(1, 0, kHopsUnset).hops, kHopsUnset);
  load[port(1, 2).index()] = 1;
  load[port(1, 6).index()] = 1;
  PortChoice choice = choose(1, 0, kHopsUnset);
  EXPECT_EQ(choice.port, 7);
  EXPECT_EQ(choice.default_port, 2);
  EXPECT_EQ(choice.hops, 7);
  // From the right it may only go on to the left, without any hop left only down.
  EXPECT_THAT(choose(1, 7, 3).port, testing::AnyOf(4, 5));
  EXPECT_EQ(choose(1, 7, 3).hops, 2);
  EXPECT_EQ(choose(1, 7, 0).port, 2);
  // At the end of the line, too.
  load[port(0, 2).index()] = 1;
  EXPECT_EQ(choose(0, 7, 3).port, 2);
}

TEST_F(FourInALine, TiesOnTheWayUpAreDrawnOrLeftToTheDefaultPort) {
  std::vector<std::uint64_t> load(graph_.port_count(), 0);
  RandomStream random(1, 0, StreamPurpose::test);
  for (const bool default_first : {false, true}) {
    const FlowTables tables(graph_, *defaults_, rules(Sideways::none, 8, default_first));
    std::vector<int> taken(8, 0);
    for (int i = 0; i < 4000; ++i) {
      ++taken[select_port(tables, SwitchId(0), graph_.port(graph_.node(SwitchId(0)), 0), HostId(9),
                          kHopsUnset, load, random)
                  .port];
    }
    for (std::size_t p = 4; p < 8; ++p) {
      if (default_first) {
        EXPECT_EQ(taken[p], p == 5 ? 4000 : 0);
      } else {
        EXPECT_NEAR(taken[p], 1000, 150);
      }
    }
  }
}

// Without alternates the tables are those of static routing.
TEST_F(FourInALine, NoHopsIsAscentOnly) {
  const FlowTables none(graph_, *defaults_, rules(Sideways::forced, 0));
  for (std::uint32_t place = 0; place < 4; ++place) {
    EXPECT_THAT(none.alternates(root(place), HostId(5)), IsEmpty());
    EXPECT_EQ(none.group_count(root(place)), 1U);
  }
}

TEST(FlowPaths, OneFlowInAnEmptyNetworkGoesStraightDown) {
  const auto graph = modified_tree(4, 3, 2);
  const auto defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, rules(Sideways::forced, 8, true));
  std::vector<PortId> path;
  for (std::uint32_t d = 1; d < graph.host_count(); ++d) {
    FlowPathFinder finder(tables, 1);
    finder.set_up(HostId(0), HostId(d), 1, path);
    const Route route = trace(graph, *defaults, HostId(0), HostId(d));
    ASSERT_EQ(path.size(), route.channels.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_EQ(path[i], route.channels[i].port);
  }
}

struct Policy {
  Sideways sideways;
  std::uint16_t most_hops;
};

class EveryPolicy : public testing::TestWithParam<Policy> {
 protected:
  [[nodiscard]] FlowRules chosen(bool default_first = false) const {
    return rules(GetParam().sideways, GetParam().most_hops, default_first);
  }
};

// Claim 8: all that a flow could take, whatever the loads, without the hop limit.
TEST_P(EveryPolicy, HasNoCycleOfChannels) {
  const struct {
    int k, n, width;
  } trees[] = {{2, 2, 1}, {2, 3, 2}, {3, 3, 2}, {4, 3, 1}, {5, 2, 3}, {2, 5, 1}};
  for (const auto& tree : trees) {
    const auto graph = modified_tree(tree.k, tree.n, tree.width);
    const auto defaults = make_routing("d-mod-k", graph);
    const FlowTables tables(graph, *defaults, chosen());
    DependencyOptions options;
    options.all_candidates = true;
    const DependencyReport report = check_dependencies(graph, tables, options);
    EXPECT_TRUE(report.ok()) << describe(graph, report);
    EXPECT_TRUE(report.complete());
    // No path is longer than up and down with whole lines; path_count() throws for a loop.
    if (graph.host_count() <= 27) {
      EXPECT_GE(path_count(graph, tables, HostId(0), HostId(graph.host_count() - 1)), 1U);
    }
  }
}

TEST_P(EveryPolicy, PathsAreWithoutLoopsAndWithinTheHopLimit) {
  const auto graph = modified_tree(4, 3, 2);
  const auto defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, chosen());
  FlowPathFinder finder(tables, 7);
  RandomStream random(7, 0, StreamPurpose::test);
  std::vector<std::vector<PortId>> paths;
  std::vector<PortId> path;
  std::size_t sideways = 0;
  for (int i = 0; i < 600; ++i) {
    const HostId source(random.below(64));
    const HostId destination((source.value + 1 + random.below(63)) % 64);
    finder.set_up(source, destination, 1, path);
    paths.push_back(path);
    std::set<NodeId> nodes;
    std::size_t here = 0;
    for (const PortId port : path) {
      EXPECT_TRUE(nodes.insert(graph.port(port).node).second);
      here = graph.port(port).role == topology::PortRole::horizontal ? here + 1 : 0;
      sideways += here > 0 ? 1 : 0;
      EXPECT_LE(here, GetParam().most_hops);
    }
    EXPECT_EQ(graph.port(path.front()).node, graph.node(source));
    EXPECT_EQ(graph.port(graph.port(path.back()).to).node, graph.node(destination));
  }
  EXPECT_EQ(sideways > 0, GetParam().sideways != Sideways::none && GetParam().most_hops > 0);
  std::uint64_t loads = 0;
  std::size_t hops = 0;
  for (std::size_t p = 0; p < graph.port_count(); ++p) loads += finder.load(PortId(p));
  for (const auto& links : paths) hops += links.size();
  EXPECT_EQ(loads, hops);
  for (const auto& links : paths) finder.tear_down(links, 1);
  for (std::size_t p = 0; p < graph.port_count(); ++p) EXPECT_EQ(finder.load(PortId(p)), 0U);
}

INSTANTIATE_TEST_SUITE_P(FlowRouting, EveryPolicy,
                         testing::Values(Policy{Sideways::none, 8}, Policy{Sideways::forced, 0},
                                         Policy{Sideways::forced, 1}, Policy{Sideways::forced, 8},
                                         Policy{Sideways::forced, FlowRules::kUnlimited},
                                         Policy{Sideways::free, 1}, Policy{Sideways::free, 3},
                                         Policy{Sideways::free, FlowRules::kUnlimited}));

TEST(FlowPaths, ParallelCablesAreAlternatesOfEachOther) {
  const auto graph = make_graph("pgft", "children = [4, 2]\nparents = [1, 2]\nparallel = [1, 2]");
  const auto defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, rules(Sideways::none));
  const SwitchId top(graph.switch_count() - 1);
  EXPECT_THAT(tables.alternates(top, HostId(1)), ElementsAre(0, 1));
  EXPECT_THAT(tables.alternates(top, HostId(6)), ElementsAre(2, 3));
  FlowPathFinder finder(tables, 3);
  std::vector<PortId> path;
  // Eight flows from one leaf to the other: two over each of its four cables.
  for (std::uint32_t i = 0; i < 8; ++i) finder.set_up(HostId(i % 4), HostId(4 + i % 4), 1, path);
  for (std::uint16_t p = 4; p < 8; ++p) {
    EXPECT_EQ(finder.load(graph.port(graph.node(SwitchId(0)), p)), 2U);
  }
}

TEST(FlowPaths, WeightsCountWhenTheyAreGiven) {
  const auto graph = make_graph("k-ary-n-tree", "k = 2\nn = 2");
  const auto defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, rules(Sideways::none));
  FlowPathFinder finder(tables, 1);
  std::vector<PortId> path;
  finder.set_up(HostId(0), HostId(2), 3, path);
  const PortId heavy = path[1];
  finder.set_up(HostId(1), HostId(3), 1, path);
  const PortId light = path[1];
  EXPECT_NE(light, heavy);
  finder.set_up(HostId(0), HostId(3), 1, path);
  EXPECT_EQ(path[1], light);
  finder.set_up(HostId(1), HostId(2), 1, path);
  EXPECT_EQ(path[1], light);
}

TEST(FlowTables, RefuseWhatTheyCannotServe) {
  EXPECT_THAT(refusal("torus", "sizes = [4, 4]", "dimension-order", Sideways::none),
              HasSubstr("needs a fat tree"));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 4\nn = 2", "d-mod-k", Sideways::forced),
              HasSubstr("policy = \"ascent\""));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 4\nn = 2", "shortest-path", Sideways::none),
              HasSubstr("model = \"d-mod-k\""));
  EXPECT_EQ(refusal("modified-k-ary-n-tree", "k = 4\nn = 2", "d-mod-k", Sideways::none),
            "accepted");
}

TEST(ExplicitRoutes, FollowThePathOfAPairAndElseTheDefault) {
  const auto graph = modified_tree(4, 2, 1);
  const std::shared_ptr<RoutingFunction> defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, rules(Sideways::forced));
  FlowPathFinder finder(tables, 5);
  ExplicitRoutes routes(graph, defaults);
  std::vector<PortId> path;
  for (std::uint32_t i = 0; i < 12; ++i) finder.set_up(HostId(i), HostId(15), 1, path);
  ASSERT_TRUE(routes.add(HostId(11), HostId(15), path));
  EXPECT_TRUE(routes.add(HostId(11), HostId(15), path));
  const Route route = trace(graph, routes, HostId(11), HostId(15));
  ASSERT_EQ(route.end, RouteEnd::delivered);
  ASSERT_EQ(route.channels.size(), path.size());
  for (std::size_t i = 0; i < path.size(); ++i) EXPECT_EQ(route.channels[i].port, path[i]);
  EXPECT_EQ(trace(graph, routes, HostId(10), HostId(15)).channels,
            trace(graph, *defaults, HostId(10), HostId(15)).channels);
  std::vector<PortId> other;
  for (std::uint32_t i = 0; i < 8; ++i) {
    finder.set_up(HostId(11), HostId(15), 1, other);
    if (other != path) break;
  }
  ASSERT_NE(other, path);
  EXPECT_FALSE(routes.add(HostId(11), HostId(15), other));
}

// More than the table of pairs begins with.
TEST(ExplicitRoutes, KeepThePathsOfAllPairs) {
  const auto graph = modified_tree(4, 2, 1);
  const std::shared_ptr<RoutingFunction> defaults = make_routing("d-mod-k", graph);
  const FlowTables tables(graph, *defaults, rules(Sideways::forced));
  FlowPathFinder finder(tables, 5);
  ExplicitRoutes routes(graph, defaults);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<PortId>> paths;
  for (std::uint32_t i = 0; i < 16; ++i) {
    for (std::uint32_t j = 0; j < 16; ++j) {
      if (i == j) continue;
      finder.set_up(HostId(i), HostId(j), 1, paths[{i, j}]);
      ASSERT_TRUE(routes.add(HostId(i), HostId(j), paths[{i, j}]));
    }
  }
  EXPECT_EQ(routes.path_count(), 240U);
  for (const auto& [hosts, path] : paths) {
    const Route route = trace(graph, routes, HostId(hosts.first), HostId(hosts.second));
    ASSERT_EQ(route.channels.size(), path.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_EQ(route.channels[i].port, path[i]);
  }
}

}  // namespace
}  // namespace weir::flow_routing
