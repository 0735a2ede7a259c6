#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/topology/support.hpp"
#include "weir/topology/dragonfly.hpp"
#include "weir/topology/grid.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::topology {
namespace {

using testing::HasSubstr;

TEST(Mesh, DistanceIsThatOfTheCoordinates) {
  const Graph graph = make("mesh", "sizes = [4, 3, 2]\nhosts_per_switch = 2");
  const TopologyStatistics numbers = statistics(graph);
  EXPECT_EQ(numbers.hosts, 48U);
  EXPECT_EQ(numbers.switches, 24U);
  EXPECT_EQ(numbers.diameter, 3 + 2 + 1 + 1);
  EXPECT_EQ(numbers.links, 48U + 3 * 6 + 2 * 8 + 1 * 12);
  EXPECT_EQ(numbers.bisection, 6U);
  EXPECT_EQ(numbers.by_hops[1].pairs, 48U);
  // Corner to corner: 6!/(3! 2! 1!) shortest paths.
  EXPECT_EQ(numbers.by_hops[7].most_paths, 60U);
}

TEST(Torus, DiameterIsHalfOfEachDimension) {
  const TopologyStatistics numbers = statistics(make("torus", "sizes = [8, 5]"));
  EXPECT_EQ(numbers.diameter, 4 + 2 + 1);
  EXPECT_EQ(numbers.links, 40U + 40 + 40);
  EXPECT_EQ(numbers.bisection, 10U);
  EXPECT_EQ(numbers.fewest_ports, 5U);
  EXPECT_EQ(statistics(make("torus", "sizes = [5, 4]")).bisection, std::nullopt);
}

TEST(Torus, SizeTwoHasOneCableAndSizeOneNone) {
  const Graph graph = make("torus", "sizes = [2, 1, 3]");
  const auto* shape = graph.shape<GridShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_FALSE(shape->wraps(0));
  EXPECT_FALSE(shape->wraps(1));
  EXPECT_TRUE(shape->wraps(2));
  const TopologyStatistics numbers = statistics(graph);
  EXPECT_EQ(numbers.links, 6U + 3 + 6);
  EXPECT_EQ(numbers.fewest_ports, 4U);
}

TEST(Torus, PortsLeadToTheNeighbours) {
  const Graph graph = make("torus", "sizes = [4, 3]\nhosts_per_switch = 2");
  const auto* shape = graph.shape<GridShape>();
  ASSERT_NE(shape, nullptr);
  const auto neighbour = [&](std::uint32_t s, std::size_t d, bool larger) {
    return leads_to(graph, SwitchId(s), shape->port(d, larger));
  };
  EXPECT_EQ(neighbour(0, 0, true), "s1[2]");
  EXPECT_EQ(neighbour(0, 0, false), "s3[3]");
  EXPECT_EQ(neighbour(0, 1, true), "s4[4]");
  EXPECT_EQ(neighbour(0, 1, false), "s8[5]");
  EXPECT_EQ(shape->coordinate(SwitchId(7), 0), 3U);
  EXPECT_EQ(shape->coordinate(SwitchId(7), 1), 1U);
  EXPECT_EQ(shape->switch_of(HostId(15)), SwitchId(7));
  EXPECT_EQ(leads_to(graph, SwitchId(7), 1), "h15");
}

TEST(Grid, RefusesImpossibleSizes) {
  EXPECT_THAT(refusal("mesh", "sizes = [4, 0]"), HasSubstr("topology.sizes: entries must be 1"));
  EXPECT_THAT(refusal("torus", "sizes = []"), HasSubstr("at least one dimension"));
  EXPECT_THAT(refusal("torus", "sizes = [100000, 100000]"), HasSubstr("more than"));
  EXPECT_THAT(refusal("mesh", "sizes = [2, 2]\nhosts_per_switch = 254"), HasSubstr("258 ports"));
  EXPECT_THAT(refusal("mesh", "size = [2]"), HasSubstr("sizes"));
}

struct Sizes {
  int p;
  int a;
  int h;
  int g;
};

class Dragonfly : public testing::TestWithParam<Sizes> {
 protected:
  static Graph graph() {
    const auto [p, a, h, g] = GetParam();
    return make("dragonfly", fmt::format("p = {}\na = {}\nh = {}\ng = {}", p, a, h, g));
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, Dragonfly,
                         testing::Values(Sizes{2, 4, 2, 9}, Sizes{1, 2, 1, 3}, Sizes{4, 8, 4, 33},
                                         Sizes{2, 4, 2, 5}, Sizes{2, 4, 2, 6}, Sizes{2, 4, 2, 7},
                                         Sizes{1, 3, 3, 2}, Sizes{3, 5, 1, 4}, Sizes{2, 4, 0, 1}));

TEST_P(Dragonfly, HostsAreAtMostFourSwitchesApart) {
  const auto [p, a, h, g] = GetParam();
  const TopologyStatistics numbers = statistics(graph());
  EXPECT_EQ(numbers.hosts, static_cast<std::size_t>(p * a * g));
  EXPECT_EQ(numbers.switches, static_cast<std::size_t>(a * g));
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
  EXPECT_LE(numbers.diameter, 4);
  if (g == a * h + 1 && h > 0 && a > 1) {
    EXPECT_EQ(numbers.diameter, 4);
  }
}

TEST_P(Dragonfly, CablesBetweenGroupsAreBalanced) {
  const auto [p, a, h, g] = GetParam();
  const Graph network = graph();
  const auto* shape = network.shape<DragonflyShape>();
  ASSERT_NE(shape, nullptr);
  std::vector<std::vector<int>> cables(static_cast<std::size_t>(g),
                                       std::vector<int>(static_cast<std::size_t>(g)));
  for (std::size_t s = 0; s < network.switch_count(); ++s) {
    const std::uint32_t from = shape->group(SwitchId(s));
    for (int x = p + a - 1; x < p + a - 1 + h; ++x) {
      const Port& port =
          network.port(network.port(network.node(SwitchId(s)), static_cast<std::size_t>(x)));
      if (!port.to.valid()) continue;
      const SwitchId to = network.switch_of(network.port(port.to).node);
      ++cables[from][shape->group(to)];
    }
  }
  const int fewest = g > 1 ? a * h / (g - 1) : 0;
  for (std::size_t from = 0; from < cables.size(); ++from) {
    int used = 0;
    for (std::size_t to = 0; to < cables.size(); ++to) {
      used += cables[from][to];
      EXPECT_EQ(cables[from][to], cables[to][from]);
      if (from == to) {
        EXPECT_EQ(cables[from][to], 0);
      } else {
        EXPECT_GE(cables[from][to], fewest);
        EXPECT_LE(cables[from][to], fewest + 1);
      }
    }
    if (g > 1) {
      EXPECT_GE(used, a * h - 1) << "at most one global port a group stays free";
    }
  }
}

TEST_P(Dragonfly, ShapeKnowsWhereGlobalPortsLead) {
  const Graph network = graph();
  const auto* shape = network.shape<DragonflyShape>();
  ASSERT_NE(shape, nullptr);
  for (std::uint32_t from = 0; from < shape->g; ++from) {
    EXPECT_TRUE(shape->ports_toward(from, from).empty());
    for (std::uint32_t to = 0; to < shape->g; ++to) {
      if (from != to) {
        EXPECT_FALSE(shape->ports_toward(from, to).empty());
      }
      for (const std::uint32_t q : shape->ports_toward(from, to)) {
        const NodeId gateway = network.node(shape->at(from, shape->router_of_global(q)));
        const Port& port = network.port(network.port(gateway, shape->port_of_global(q)));
        ASSERT_TRUE(port.to.valid());
        EXPECT_EQ(shape->group(network.switch_of(network.port(port.to).node)), to);
      }
    }
    for (std::uint32_t r = 0; r < shape->a; ++r) {
      for (std::uint32_t t = 0; t < shape->a; ++t) {
        if (r == t) continue;
        EXPECT_EQ(leads_to(network, shape->at(from, r), shape->local_port(r, t)),
                  fmt::format("s{}[{}]", shape->at(from, t).value, shape->local_port(t, r)));
      }
    }
  }
}

TEST(DragonflyModel, TakesAllGroupsByDefaultAndItsOwnLinks) {
  const Graph graph =
      make("dragonfly", "p = 1\na = 2\nh = 2\nglobal_delay = '1 us'\nlocal_rate = '40 Gbps'");
  EXPECT_EQ(graph.host_count(), 10U);
  const auto ports = graph.ports(graph.node(SwitchId(0)));
  EXPECT_EQ(ports[0].link.delay, nanoseconds(30));
  EXPECT_EQ(ports[1].link.rate, gigabits_per_second(40));
  EXPECT_EQ(ports[2].link.delay, microseconds(1));
}

TEST(DragonflyModel, RefusesMoreGroupsThanItCanReach) {
  EXPECT_THAT(refusal("dragonfly", "p = 2\na = 4\nh = 2\ng = 10"),
              HasSubstr("topology.g: 8 global cables a group reach 9 groups, not 10"));
  EXPECT_THAT(refusal("dragonfly", "p = 200\na = 100\nh = 2\ng = 2"), HasSubstr("301 ports"));
}

}  // namespace
}  // namespace weir::topology
