// Multistage networks of ferrer2012, lippens2010 and zdornov2009.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/support.hpp"
#include "weir/topology/bmin.hpp"
#include "weir/topology/modified_tree.hpp"
#include "weir/topology/statistics.hpp"
#include "weir/topology/umin.hpp"

namespace weir::topology {
namespace {

using testing::HasSubstr;

struct BminRow {
  std::size_t hosts;
  int k;
  int n;
  std::size_t switches;
  int longest;
  std::vector<double>
      turn_percent;  ///< of ordered pairs of hosts (each with itself too), by turn stage
  double mean_switches;
};

class BminTable : public testing::TestWithParam<BminRow> {};

// Ferrer 2012, chapter 7, and the fractions that follow from the wiring.
INSTANTIATE_TEST_SUITE_P(
    Spec, BminTable,
    testing::Values(BminRow{64, 4, 3, 48, 5, {6.25, 18.75, 75}, 4.375},
                    BminRow{512, 4, 5, 640, 9, {0.78125, 2.34375, 9.375, 37.5, 50}, 7.671875},
                    BminRow{512, 8, 3, 192, 5, {1.5625, 10.9375, 87.5}, 4.71875}));

TEST_P(BminTable, HasTheSizesAndTurnsOfTheDocument) {
  const BminRow& row = GetParam();
  const Graph graph = make("bmin-perfect-shuffle",
                           fmt::format("hosts = {}\nk = {}\nn = {}", row.hosts, row.k, row.n));
  const TopologyStatistics numbers = statistics(graph);
  EXPECT_EQ(numbers.hosts, row.hosts);
  EXPECT_EQ(numbers.switches, row.switches);
  EXPECT_EQ(numbers.diameter, row.longest);
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
  EXPECT_EQ(numbers.links, row.hosts * static_cast<std::size_t>(row.n));
  ASSERT_EQ(numbers.by_hops.size(), 2 * row.turn_percent.size());
  const auto all = static_cast<double>(row.hosts * row.hosts);
  double mean = 0;
  for (std::size_t stage = 0; stage < row.turn_percent.size(); ++stage) {
    const auto pairs =
        static_cast<double>(numbers.by_hops[2 * stage + 1].pairs + (stage == 0 ? row.hosts : 0));
    EXPECT_DOUBLE_EQ(100 * pairs / all, row.turn_percent[stage]) << "turn at stage " << stage;
    mean += static_cast<double>(2 * stage + 1) * pairs / all;
  }
  EXPECT_DOUBLE_EQ(mean, row.mean_switches);
}

TEST(Bmin, UpPortAtAPositionMeetsTheDownPortAtItsShuffle) {
  const Graph graph = make("bmin-perfect-shuffle", "hosts = 512\nk = 4\nn = 5");
  const auto* shape = graph.shape<BminShape>();
  ASSERT_NE(shape, nullptr);
  ASSERT_EQ(shape->per_stage, 128U);
  // sigma(p) = 4 (p mod 128) + floor(p / 128): position 130 = switch 32, up port 2 goes to 9.
  EXPECT_EQ(shape->shuffle(130), 9U);
  EXPECT_EQ(leads_to(graph, shape->at(0, 32), 4 + 2), "s130[1]");
  EXPECT_EQ(leads_to(graph, shape->at(0, 32), 2), "h130");
  EXPECT_EQ(leads_to(graph, shape->at(4, 17), 4), "-");
  for (std::uint32_t i = 0; i < 128; ++i) {
    for (std::uint32_t c = 0; c < 4; ++c) {
      EXPECT_EQ(leads_to(graph, shape->at(3, i), c),
                graph.name(graph.node(shape->at(2, shape->below(i, c)))) +
                    fmt::format("[{}]", 4 + i % 4));
    }
  }
}

TEST(Bmin, SmallNetworkHasPathsOfOneToFiveSwitches) {
  const TopologyStatistics numbers =
      statistics(make("bmin-perfect-shuffle", "hosts = 8\nk = 2\nn = 3"));
  EXPECT_EQ(numbers.by_hops[1].pairs, 8U);
  EXPECT_EQ(numbers.diameter, 5);
}

TEST(Bmin, RefusesHostsThatItCannotJoin) {
  EXPECT_THAT(refusal("bmin-perfect-shuffle", "hosts = 66\nk = 4\nn = 3"),
              HasSubstr("topology.hosts: 66 hosts cannot be spread over 4-host switches"));
  EXPECT_THAT(refusal("bmin-perfect-shuffle", "hosts = 512\nk = 4\nn = 4"),
              HasSubstr("4 stages of 4-ary switches join at most 256 hosts, not 512"));
}

struct UminRow {
  int k;
  int n;
  std::size_t hosts;
  std::size_t switches;
};

class UminTable : public testing::TestWithParam<UminRow> {};

INSTANTIATE_TEST_SUITE_P(Spec, UminTable,
                         testing::Values(UminRow{4, 4, 256, 256}, UminRow{8, 3, 512, 192},
                                         UminRow{2, 3, 8, 12}, UminRow{3, 1, 3, 1}));

TEST_P(UminTable, EveryPathCrossesAllStagesOnce) {
  const UminRow& row = GetParam();
  const TopologyStatistics numbers =
      statistics(make("umin-butterfly", fmt::format("k = {}\nn = {}", row.k, row.n)));
  EXPECT_EQ(numbers.hosts, row.hosts);
  EXPECT_EQ(numbers.switches, row.switches);
  // With one stage the two directions of a host meet at the same port: one cable.
  EXPECT_EQ(numbers.links, row.hosts * static_cast<std::size_t>(row.n > 1 ? row.n + 1 : 1));
  ASSERT_EQ(numbers.by_hops.size(), static_cast<std::size_t>(row.n) + 1);
  EXPECT_EQ(numbers.by_hops.back().pairs, row.hosts * (row.hosts - 1));
  EXPECT_EQ(numbers.by_hops.back().most_paths, 1U);
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
}

// Output digit i+1 of the destination at stage i, digit 0 at the last, reaches it from any source.
TEST_P(UminTable, DestinationDigitsLeadToTheDestination) {
  const UminRow& row = GetParam();
  const Graph graph = make("umin-butterfly", fmt::format("k = {}\nn = {}", row.k, row.n));
  const auto* shape = graph.shape<UminShape>();
  ASSERT_NE(shape, nullptr);
  const std::size_t step = row.hosts > 16 ? row.hosts / 16 - 1 : 1;
  for (std::size_t source = 0; source < row.hosts; source += step) {
    for (std::uint32_t d = 0; d < row.hosts; ++d) {
      PortId at = graph.port(graph.host_port(HostId(source))).to;
      for (std::uint32_t stage = 0; stage < shape->n; ++stage) {
        EXPECT_EQ(shape->stage(graph.switch_of(graph.port(at).node)), stage);
        const std::uint32_t out = shape->digit(d, stage + 1 < shape->n ? stage + 1 : 0);
        at = graph.port(graph.port(graph.port(at).node, out)).to;
      }
      ASSERT_EQ(graph.name(at), fmt::format("h{}", d)) << "from host " << source;
    }
  }
}

TEST(Umin, LinksGoOneWay) {
  const Graph graph = make("umin-butterfly", "k = 2\nn = 3");
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const Port& port = graph.port(PortId(i));
    ASSERT_TRUE(port.to.valid() && port.from.valid());
    EXPECT_EQ(graph.port(port.to).from, PortId(i));
    EXPECT_EQ(graph.port(port.from).to, PortId(i));
    EXPECT_NE(graph.port(port.to).to, PortId(i));
  }
  EXPECT_THAT(refusal("umin-butterfly", "k = 16\nn = 7"), HasSubstr("topology.n: a 16-ary 7-fly"));
}

/// Horizontal ports of a graph that are cabled, and the ports of the tree it is made from.
struct PortCount {
  double horizontal_ends = 0;
  double tree_ports = 0;
  double added_per_rule = 0;  ///< 2 * width on every switch above the leaves
};

PortCount count_horizontal(const Graph& graph, int width) {
  PortCount count;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    const NodeId node = graph.node(SwitchId(s));
    if (graph.stage(node) > 1) count.added_per_rule += 2 * width;
    for (const Port& port : graph.ports(node)) {
      if (port.role == PortRole::horizontal) {
        count.horizontal_ends += port.to.valid() ? 1 : 0;
      } else {
        count.tree_ports += 1;
      }
    }
  }
  return count;
}

// Zdornov 2009, table 6.1: rows are heights 2, 3, 4, columns radix 4, 8, 12, 16.
TEST(ModifiedTree, PortOverheadIsThatOfTable61) {
  const std::vector<std::vector<double>> table = {
      {0.33, 0.17, 0.11, 0.08}, {0.40, 0.20, 0.13, 0.10}, {0.43, 0.21, 0.14, 0.11}};
  for (int n = 2; n <= 4; ++n) {
    for (int column = 0; column < 4; ++column) {
      const int k = 4 * (column + 1);
      const Graph graph = make("modified-k-ary-n-tree", fmt::format("k = {}\nn = {}", k, n));
      const PortCount count = count_horizontal(graph, 2);
      EXPECT_NEAR(count.added_per_rule / count.tree_ports,
                  table[static_cast<std::size_t>(n - 2)][static_cast<std::size_t>(column)], 0.005)
          << k << "-ary " << n << "-tree";
    }
  }
}

TEST(ModifiedTree, EndsOfTheLinesStayFree) {
  const PortCount count =
      count_horizontal(make("modified-k-ary-n-tree", "k = 16\nn = 3\nwidth = 2"), 2);
  EXPECT_EQ(count.horizontal_ends, 1980);
  EXPECT_EQ(count.tree_ports, 20480);
}

TEST(ModifiedTree, LinesFollowThePositions) {
  const Graph graph = make("modified-k-ary-n-tree", "k = 4\nn = 3\nwidth = 2");
  const auto* shape = graph.shape<ModifiedTreeShape>();
  ASSERT_NE(shape, nullptr);
  const FatTreeShape& tree = shape->fat_tree;
  // At the roots the position reads the digit chosen last first: place 1 is copy 4, place 4 copy 1.
  EXPECT_EQ(shape->position[tree.at(3, 0, 4).index()], 1U);
  EXPECT_EQ(shape->position[tree.at(3, 0, 1).index()], 4U);
  EXPECT_EQ(shape->line_length(3), 16U);
  EXPECT_EQ(shape->first_left_port(3), 4);
  EXPECT_EQ(shape->first_right_port(3), 6);
  EXPECT_EQ(leads_to(graph, tree.at(3, 0, 0), 6), fmt::format("s{}[4]", tree.at(3, 0, 4).value));
  EXPECT_EQ(leads_to(graph, tree.at(3, 0, 0), 7), fmt::format("s{}[5]", tree.at(3, 0, 4).value));
  EXPECT_EQ(leads_to(graph, tree.at(3, 0, 0), 4), "-");
  EXPECT_EQ(leads_to(graph, tree.at(3, 0, 15), 6), "-");
  for (std::uint32_t t = 0; t < 4; ++t) {
    EXPECT_EQ(leads_to(graph, tree.at(2, t, 1), 10), fmt::format("s{}[8]", tree.at(2, t, 2).value));
  }
}

TEST(ModifiedTree, IsThePlainTreeWithoutHorizontalPorts) {
  const Graph plain = make("k-ary-n-tree", "k = 3\nn = 3");
  const Graph graph = make("modified-k-ary-n-tree", "k = 3\nn = 3\nwidth = 0");
  ASSERT_EQ(graph.port_count(), plain.port_count());
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    EXPECT_EQ(graph.port(PortId(i)).to, plain.port(PortId(i)).to);
    EXPECT_EQ(graph.port(PortId(i)).role, plain.port(PortId(i)).role);
  }
}

TEST(ModifiedTree, HorizontalCablesHaveTheirOwnRate) {
  const Graph graph = make("modified-k-ary-n-tree",
                           "k = 2\nn = 2\nhorizontal_rate = '10 Gbps'\nhorizontal_delay = '7 ns'");
  for (const Port& port : graph.ports()) {
    if (port.role != PortRole::horizontal || !port.to.valid()) continue;
    EXPECT_EQ(port.link.rate, gigabits_per_second(10));
    EXPECT_EQ(port.link.delay, nanoseconds(7));
  }
  EXPECT_THAT(refusal("modified-k-ary-n-tree", "k = 100\nn = 3\nwidth = 60"),
              HasSubstr("a stage-2 switch would have 200 ports of the tree and 120 horizontal"));
}

struct RecnRow {
  std::size_t hosts;
  std::size_t switches;
  int stages;
};

class RecnMin : public testing::TestWithParam<RecnRow> {};

INSTANTIATE_TEST_SUITE_P(Spec, RecnMin,
                         testing::Values(RecnRow{64, 48, 3}, RecnRow{256, 256, 4},
                                         RecnRow{512, 640, 5}, RecnRow{2048, 3072, 6}));

TEST_P(RecnMin, HasTheSizesOfTheDocument) {
  const RecnRow& row = GetParam();
  const TopologyStatistics numbers =
      statistics(make("recn-min", fmt::format("hosts = {}", row.hosts)));
  EXPECT_EQ(numbers.hosts, row.hosts);
  EXPECT_EQ(numbers.switches, row.switches);
  EXPECT_EQ(numbers.diameter, 2 * row.stages - 1);
  EXPECT_EQ(numbers.fewest_ports, 4U);  // the last stage
  EXPECT_EQ(numbers.most_ports, 8U);
  EXPECT_EQ(numbers.bisection, row.hosts / 2);
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
}

TEST(RecnMinSizes, KnowsOnlyThoseOfTheDocument) {
  EXPECT_THAT(refusal("recn-min", "hosts = 128"), HasSubstr("must be 64, 256, 512 or 2048"));
}

}  // namespace
}  // namespace weir::topology
