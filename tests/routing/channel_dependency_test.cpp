#include "weir/routing/channel_dependency.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "routing/support.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;

/// A routing function written in a test.
class Scripted : public RoutingFunction {
 public:
  using Script = std::function<Candidate(const RouteQuery&)>;
  explicit Scripted(Script script, bool by_source = false)
      : script_(std::move(script)), by_source_(by_source) {}
  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    return script_(query);
  }
  [[nodiscard]] int lanes() const override { return 2; }
  [[nodiscard]] bool depends_on_source() const override { return by_source_; }

 private:
  Script script_;
  bool by_source_;
};

/// Each channel of the cycle ends at the switch where the next begins.
void expect_closed(const Graph& graph, const std::vector<Channel>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Channel& next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(graph.port(graph.port(cycle[i].port).to).node, graph.port(next.port).node);
  }
}

TEST(ChannelDependency, ShortestPathsRoundARingAreACycleShownLinkByLink) {
  const Graph graph = make_graph("torus", "sizes = [5]");
  const auto routing = make_routing("shortest-path", graph);
  const DependencyReport report = check_dependencies(graph, *routing);
  ASSERT_EQ(report.cycle.size(), 5U);
  EXPECT_TRUE(report.faults.empty());
  EXPECT_EQ(report.channels, 10U);
  EXPECT_EQ(report.dependencies, 10U);
  expect_closed(graph, report.cycle);
  EXPECT_THAT(describe(graph, report),
              testing::AllOf(testing::HasSubstr("cycle of 5 channels"),
                             testing::AnyOf(testing::HasSubstr("  s0[2] -> s1[1], lane 0\n"),
                                            testing::HasSubstr("  s1[1] -> s0[2], lane 0\n")),
                             testing::HasSubstr("packets can deadlock")));
}

TEST(ChannelDependency, ARingOfThreeHasNoCycleBecauseNoPathTakesTwoSteps) {
  const Graph graph = make_graph("torus", "sizes = [3]");
  const auto report = check_dependencies(graph, *make_routing("shortest-path", graph));
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.dependencies, 0U);
}

TEST(ChannelDependency, CandidatesCanCloseACycleThatDefaultRoutesDoNot) {
  // Two rows of two: shortest paths to the opposite corner go either way round.
  const Graph graph = make_graph("mesh", "sizes = [2, 2]");
  const auto routing = make_routing("shortest-path", graph, "tie_break = \"lowest-port\"");
  EXPECT_TRUE(check_dependencies(graph, *routing).ok());
  const auto report = check_dependencies(graph, *routing, {.all_candidates = true});
  EXPECT_EQ(report.cycle.size(), 4U);
  expect_closed(graph, report.cycle);
}

TEST(ChannelDependency, TreesHaveNoneWithAnyUpPort) {
  for (const char* up : {"destination", "source", "hash"}) {
    const Graph graph = make_graph("rlft", "ports = 8\nstages = 3");
    const auto routing = make_routing("d-mod-k", graph, std::string("up = \"") + up + "\"");
    for (const bool all_candidates : {false, true}) {
      const auto report = check_dependencies(graph, *routing, {.all_candidates = all_candidates});
      EXPECT_TRUE(report.ok()) << describe(graph, report);
      EXPECT_EQ(report.channels, 2U * 256U);
    }
  }
}

TEST(ChannelDependency, CountsEveryDependencyOfASmallTree) {
  // Two leaves with two hosts, two roots: up channels 4, down 4; each host takes one root.
  const Graph graph = make_graph("k-ary-n-tree", "k = 2\nn = 2");
  const auto routing = make_routing("d-mod-k", graph);
  const auto fixed = check_dependencies(graph, *routing);
  EXPECT_EQ(fixed.channels, 8U);
  EXPECT_EQ(fixed.dependencies, 4U);
  const auto all = check_dependencies(graph, *routing, {.all_candidates = true});
  EXPECT_EQ(all.dependencies, 4U);
}

TEST(ChannelDependency, UnidirectionalNetworkHasNoCycle) {
  const Graph graph = make_graph("umin-butterfly", "k = 4\nn = 3");
  for (const char* name : {"destination-tag", "shortest-path"}) {
    const auto report = check_dependencies(graph, *make_routing(name, graph));
    EXPECT_TRUE(report.ok()) << describe(graph, report);
    EXPECT_EQ(report.channels, 2U * 64U);
  }
}

TEST(ChannelDependency, TurnaroundHasNoCycleInAnyOfThePublishedNetworks) {
  for (const char* settings :
       {"hosts = 64\nk = 4\nn = 3", "hosts = 512\nk = 4\nn = 5", "hosts = 512\nk = 8\nn = 3"}) {
    const Graph graph = make_graph("bmin-perfect-shuffle", settings);
    const auto routing = make_routing("turnaround", graph);
    const auto report = check_dependencies(graph, *routing, {.all_candidates = true});
    EXPECT_TRUE(report.ok()) << describe(graph, report);
  }
}

TEST(ChannelDependency, NamesPairsWithoutRouteWrongHostsAndLoops) {
  // Hosts h0, h1, h2 on switches s0, s1, s2 in a row: ports 0 host, 1 left, 2 right.
  const Graph graph = make_graph("mesh", "sizes = [3]");
  const Scripted astray([](const RouteQuery& query) -> Candidate {
    if (query.destination == HostId(0)) return {2, 0};  // off the end at s2
    if (query.destination == HostId(1)) return {0, 0};  // out at once, wherever it is
    return {static_cast<std::uint16_t>(query.at.value == 0 ? 2 : 1), 0};  // to and fro
  });
  const auto report = check_dependencies(graph, astray);
  EXPECT_EQ(report.faulty_pairs, 6U);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(describe(graph, report),
              testing::AllOf(testing::HasSubstr("h1 to h0: no route after s1[2] -> s2[1], lane 0"),
                             testing::HasSubstr("h0 to h1: wrong host after s0[0] -> h0, lane 0"),
                             testing::HasSubstr("h0 to h2: loop after s0[2] -> s1[1], lane 0"),
                             testing::HasSubstr("6 pairs of hosts have no working route")));
  EXPECT_EQ(trace(graph, astray, HostId(1), HostId(0)).end, RouteEnd::no_route);
  EXPECT_EQ(trace(graph, astray, HostId(0), HostId(1)).end, RouteEnd::wrong_host);
  EXPECT_EQ(trace(graph, astray, HostId(0), HostId(2)).end, RouteEnd::loop);
  EXPECT_THROW((void)path_count(graph, astray, HostId(0), HostId(2)), RunError);
}

TEST(ChannelDependency, FollowsEachSourceWhereRoutesDependOnIt) {
  const Graph graph = make_graph("mesh", "sizes = [3]\nhosts_per_switch = 2");
  const auto by_order = make_routing("dimension-order", graph);
  const auto script = [&](const RouteQuery& query) {
    if (query.source == HostId(1)) return Candidate{0, 0};
    return by_order->default_route(query);
  };
  const auto report = check_dependencies(graph, Scripted(script, true));
  EXPECT_EQ(report.faulty_pairs, 4U) << "host 1 reaches only host 0";
}

TEST(ChannelDependency, SaysWhenOnlySomeDestinationsWereExamined) {
  const Graph graph = make_graph("rlft", "ports = 8\nstages = 3");
  const auto report =
      check_dependencies(graph, *make_routing("d-mod-k", graph), {.work_limit = 1000});
  EXPECT_FALSE(report.complete());
  EXPECT_GT(report.destinations_examined, 0U);
  EXPECT_THAT(describe(graph, report), testing::HasSubstr("of 128 destinations were examined"));
}

TEST(ChannelDependency, RefusesLanesThatTheRoutingDoesNotHave) {
  const Graph graph = make_graph("mesh", "sizes = [2]");
  const Scripted wrong([](const RouteQuery&) { return Candidate{0, 2}; });
  EXPECT_THROW((void)check_dependencies(graph, wrong), RunError);
}

}  // namespace
}  // namespace weir::routing::test
