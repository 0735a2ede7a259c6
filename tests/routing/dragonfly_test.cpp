#include <gmock/gmock.h>

#include "routing/support.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/topology/dragonfly.hpp"

namespace weir::routing::test {
namespace {

using topology::DragonflyShape;
using topology::Graph;

class Dragonfly : public testing::TestWithParam<const char*> {
 protected:
  Graph graph_ = make_graph("dragonfly", GetParam());
  std::unique_ptr<RoutingFunction> routing_ = make_routing("dragonfly-minimal", graph_);
};

/// Kinds of the cables between switches: 'l' within a group, 'g' between groups.
std::string kinds(const Graph& graph, const Route& route) {
  const auto& shape = *graph.shape<DragonflyShape>();
  std::string text;
  for (const Channel& channel : route.channels) {
    const topology::Port& port = graph.port(channel.port);
    if (!joins_switches(graph, port)) continue;
    const SwitchId from = graph.switch_of(port.node);
    const SwitchId to = graph.switch_of(graph.port(port.to).node);
    text += shape.group(from) == shape.group(to) ? 'l' : 'g';
  }
  return text;
}

TEST_P(Dragonfly, DeliversAllPairsByAtMostLocalGlobalLocal) {
  const auto& shape = *graph_.shape<DragonflyShape>();
  for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (s == d) continue;
      const Route route = trace(graph_, *routing_, HostId(s), HostId(d));
      ASSERT_EQ(route.end, RouteEnd::delivered);
      const SwitchId from = shape.switch_of(HostId(s));
      const SwitchId to = shape.switch_of(HostId(d));
      if (from == to) {
        ASSERT_EQ(kinds(graph_, route), "");
      } else if (shape.group(from) == shape.group(to)) {
        ASSERT_EQ(kinds(graph_, route), "l");
      } else {
        ASSERT_THAT(kinds(graph_, route), testing::AnyOf("g", "lg", "gl", "lgl"));
      }
    }
  }
}

TEST_P(Dragonfly, HasNoCycleOnItsTwoLanes) {
  for (const bool all_candidates : {false, true}) {
    const DependencyReport report =
        check_dependencies(graph_, *routing_, {.all_candidates = all_candidates});
    EXPECT_TRUE(report.ok()) << describe(graph_, report);
  }
}

TEST_P(Dragonfly, DefaultRouteIsAmongTheCandidates) {
  for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
    const NodeId node = graph_.node(SwitchId(s));
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      const RouteQuery query{SwitchId(s), graph_.first_port(node), HostId(0), HostId(d)};
      const CandidateList list = candidates_of(*routing_, query);
      ASSERT_EQ(list[0], routing_->default_route(query));
    }
  }
}

TEST_P(Dragonfly, NonMinimalRoutesAreMinimalByDefaultAndHaveNoCycle) {
  const auto other = make_routing("dragonfly-non-minimal", graph_);
  for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (s == d) continue;
      const Route minimal = trace(graph_, *routing_, HostId(s), HostId(d));
      const Route route = trace(graph_, *other, HostId(s), HostId(d));
      ASSERT_EQ(route.end, RouteEnd::delivered);
      ASSERT_EQ(route.channels.size(), minimal.channels.size());
      for (std::size_t i = 0; i < route.channels.size(); ++i) {
        ASSERT_EQ(route.channels[i].port, minimal.channels[i].port);
      }
    }
  }
  for (const bool all_candidates : {false, true}) {
    const DependencyReport report =
        check_dependencies(graph_, *other, {.all_candidates = all_candidates});
    EXPECT_TRUE(report.ok()) << describe(graph_, report);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Dragonfly,
                         testing::Values("p = 2\na = 4\nh = 2", "p = 1\na = 2\nh = 1",
                                         "p = 2\na = 3\nh = 2\ng = 4", "p = 1\na = 4\nh = 3\ng = 3",
                                         "p = 2\na = 4\nh = 0\ng = 1"));

TEST(DragonflyMinimal, OffersEveryCableBetweenTwoGroupsAndUsesThemAll) {
  const Graph graph = make_graph("dragonfly", "p = 4\na = 4\nh = 1\ng = 2");
  const auto routing = make_routing("dragonfly-minimal", graph);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(16)), 4U);
  const AllPairs all = route_all_pairs(graph, *routing);
  for (std::uint32_t router = 0; router < 4; ++router) {
    const PortId global = graph.port(graph.node(SwitchId(router)), 7);
    EXPECT_GT(all.pairs[global.index()], 0U);
  }
}

// 9 groups of 4 routers with 2 global cables each. Host 0 is on router 0, whose cables lead to
// groups 1 and 2; host 71 on the last router of the last group. Each way round is local-global once
// more.
TEST(DragonflyNonMinimal, GoesRoundThroughGroupsThatTheSourcesRouterReaches) {
  const Graph graph = make_graph("dragonfly", "p = 2\na = 4\nh = 2");
  const auto& shape = *graph.shape<DragonflyShape>();
  const auto minimal = make_routing("dragonfly-minimal", graph);
  const auto routing = make_routing("dragonfly-non-minimal", graph);
  EXPECT_EQ(path_count(graph, *minimal, HostId(0), HostId(71)), 1U);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(71)), 3U);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(2)), 1U) << "within the group";

  Channel channel{graph.host_port(HostId(0)), 0};
  const CandidateList first =
      candidates_of(*routing, query_after(graph, channel, HostId(0), HostId(71)));
  ASSERT_EQ(first.size(), 3U);
  for (std::size_t way = 1; way < 3; ++way) {
    std::string kinds;
    std::string lanes;
    Candidate taken = first[way];
    SwitchId at = shape.switch_of(HostId(0));
    for (int hops = 0; at != shape.switch_of(HostId(71)); ++hops) {
      ASSERT_LT(hops, 5);
      channel = {graph.port(graph.node(at), taken.port), taken.lane};
      const SwitchId next = graph.switch_of(graph.port(graph.port(channel.port).to).node);
      kinds += shape.group(at) == shape.group(next) ? 'l' : 'g';
      lanes += static_cast<char>('0' + taken.lane);
      at = next;
      taken = routing->default_route(query_after(graph, channel, HostId(0), HostId(71)));
    }
    EXPECT_THAT(kinds, testing::AnyOf("glgl", "ggl", "glg", "gg"));
    EXPECT_EQ(kinds.front(), 'g');
    EXPECT_EQ(lanes.front(), '0');
    for (std::size_t i = 1; i < kinds.size(); ++i) {
      EXPECT_EQ(lanes[i] - lanes[i - 1], kinds[i - 1] == 'g' ? 1 : 0) << kinds << ' ' << lanes;
    }
  }
}

}  // namespace
}  // namespace weir::routing::test
