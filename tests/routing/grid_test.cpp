#include <gmock/gmock.h>

#include "routing/support.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/topology/grid.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;
using topology::GridShape;

/// Switches on a shortest path.
std::size_t shortest(const GridShape& shape, HostId source, HostId destination) {
  std::size_t switches = 1;
  for (std::size_t d = 0; d < shape.dimensions(); ++d) {
    const std::uint32_t a = shape.coordinate(shape.switch_of(source), d);
    const std::uint32_t b = shape.coordinate(shape.switch_of(destination), d);
    const std::uint32_t direct = a > b ? a - b : b - a;
    switches += shape.wraps(d) ? std::min(direct, shape.sizes[d] - direct) : direct;
  }
  return switches;
}

struct Grid {
  const char* name;
  const char* topology;
  const char* settings;
  int lanes;
};

class DimensionOrder : public testing::TestWithParam<Grid> {
 protected:
  Graph graph_ = make_graph(GetParam().topology, GetParam().settings);
  std::unique_ptr<RoutingFunction> routing_ = make_routing("dimension-order", graph_);
};

TEST_P(DimensionOrder, DeliversAllPairsOnShortestPaths) {
  const auto& shape = *graph_.shape<GridShape>();
  EXPECT_EQ(routing_->lanes(), GetParam().lanes);
  for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
    for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
      if (s == d) continue;
      const Route route = trace(graph_, *routing_, HostId(s), HostId(d));
      ASSERT_EQ(route.end, RouteEnd::delivered);
      ASSERT_EQ(route.switches(), shortest(shape, HostId(s), HostId(d))) << s << " to " << d;
    }
  }
}

TEST_P(DimensionOrder, HasNoCycle) {
  const DependencyReport report = check_dependencies(graph_, *routing_);
  EXPECT_TRUE(report.ok()) << describe(graph_, report);
  EXPECT_TRUE(report.complete());
}

INSTANTIATE_TEST_SUITE_P(
    Grids, DimensionOrder,
    testing::Values(Grid{"Mesh1", "mesh", "sizes = [6]\nhosts_per_switch = 2", 1},
                    Grid{"Mesh3", "mesh", "sizes = [3, 4, 2]\nhosts_per_switch = 3", 1},
                    Grid{"Ring4", "torus", "sizes = [4]", 2},
                    Grid{"Ring7", "torus", "sizes = [7]\nhosts_per_switch = 2", 2},
                    Grid{"Torus2", "torus", "sizes = [8, 5]\nhosts_per_switch = 2", 2},
                    Grid{"Torus3", "torus", "sizes = [4, 2, 3]", 2},
                    Grid{"Torus2of2", "torus", "sizes = [2, 2]", 1}),
    [](const testing::TestParamInfo<Grid>& grid) { return grid.param.name; });

TEST(DimensionOrder, HalfwayRoundARingBothDirectionsAreUsedAlike) {
  const Graph graph = make_graph("torus", "sizes = [6]");
  const AllPairs all = route_all_pairs(graph, *make_routing("dimension-order", graph));
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    if (!joins_switches(graph, graph.port(PortId(i)))) continue;
    // Each way: 6 hosts to 2 others by 1 + 2 links, and half of them to the third by 3: 27 / 6.
    EXPECT_GE(all.pairs[i], 4U);
    EXPECT_LE(all.pairs[i], 5U);
  }
}

TEST(DimensionOrder, ChangesToLaneOneBehindTheCableRoundTheEnd) {
  const Graph graph = make_graph("torus", "sizes = [5]");
  const auto routing = make_routing("dimension-order", graph);
  const Route route = trace(graph, *routing, HostId(3), HostId(0));
  std::vector<std::string> names;
  for (const Channel& channel : route.channels) names.push_back(name(graph, channel));
  EXPECT_THAT(names, testing::ElementsAre("h3 -> s3[0], lane 0", "s3[2] -> s4[1], lane 0",
                                          "s4[2] -> s0[1], lane 0", "s0[0] -> h0, lane 0"));
  EXPECT_EQ(trace(graph, *routing, HostId(4), HostId(1)).channels[2].lane, 1);
  EXPECT_EQ(trace(graph, *routing, HostId(0), HostId(2)).channels[1].lane, 1);
}

}  // namespace
}  // namespace weir::routing::test
