#include "weir/topology/fat_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/topology/support.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::topology {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::size_t> switches_per_stage(const Graph& graph) {
  std::vector<std::size_t> counts;
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    const auto stage = static_cast<std::size_t>(graph.stage(NodeId(n)));
    if (counts.size() < stage) counts.resize(stage);
    ++counts[stage - 1];
  }
  return counts;
}

struct RlftRow {
  int ports;
  int stages;
  std::size_t hosts;
  std::vector<std::size_t> per_stage;
  std::size_t switch_links;
};

class RlftTable : public testing::TestWithParam<RlftRow> {};

// Rocher 2021, table 3 and the sizes that follow from its formulas.
INSTANTIATE_TEST_SUITE_P(Spec, RlftTable,
                         testing::Values(RlftRow{12, 3, 432, {72, 72, 36}, 864},
                                         RlftRow{24, 3, 3456, {288, 288, 144}, 6912},
                                         RlftRow{4, 3, 16, {8, 8, 4}, 32},
                                         RlftRow{6, 3, 54, {18, 18, 9}, 108},
                                         RlftRow{8, 3, 128, {32, 32, 16}, 256},
                                         RlftRow{8, 2, 32, {8, 4}, 32}));

TEST_P(RlftTable, HasTheSizesOfTheDocument) {
  const RlftRow& row = GetParam();
  const Graph graph = make("rlft", fmt::format("ports = {}\nstages = {}", row.ports, row.stages));
  EXPECT_EQ(graph.host_count(), row.hosts);
  EXPECT_EQ(switches_per_stage(graph), row.per_stage);
  EXPECT_EQ(graph.family(), "rlft");

  const TopologyStatistics numbers = statistics(graph);
  EXPECT_EQ(numbers.links, row.hosts + row.switch_links);
  EXPECT_EQ(numbers.fewest_ports, static_cast<std::size_t>(row.ports));
  EXPECT_EQ(numbers.most_ports, static_cast<std::size_t>(row.ports));
  EXPECT_EQ(numbers.bisection, row.hosts / 2);
}

TEST_P(RlftTable, TurnsAtStageTAfterKToTheTMinusOnePaths) {
  const RlftRow& row = GetParam();
  const auto k = static_cast<std::uint64_t>(row.ports / 2);
  const TopologyStatistics numbers =
      statistics(make("rlft", fmt::format("ports = {}\nstages = {}", row.ports, row.stages)));
  EXPECT_EQ(numbers.diameter, 2 * row.stages - 1);
  ASSERT_EQ(numbers.by_hops.size(), static_cast<std::size_t>(2 * row.stages));
  std::uint64_t paths = 1;
  std::uint64_t below = 1;  // hosts below a switch of the stage before
  std::uint64_t all_pairs = 0;
  for (std::size_t stage = 1; stage <= row.per_stage.size(); ++stage) {
    const std::uint64_t children = stage == row.per_stage.size() ? 2 * k : k;
    const HopClass& c = numbers.by_hops[2 * stage - 1];
    EXPECT_EQ(c.fewest_paths, paths) << "turn at stage " << stage;
    EXPECT_EQ(c.most_paths, paths) << "turn at stage " << stage;
    EXPECT_EQ(c.pairs, row.hosts * (children - 1) * below) << "turn at stage " << stage;
    EXPECT_EQ(numbers.by_hops[2 * stage - 2].pairs, 0U) << "an even number of switches";
    all_pairs += c.pairs;
    paths *= k;
    below *= children;
  }
  EXPECT_EQ(all_pairs, row.hosts * (row.hosts - 1));
  EXPECT_EQ(numbers.unreachable_pairs, 0U);
}

// Leaf L(p,l) = p*K + l, middle M(p,i) = p*K + i, top T(i,v) = i*K + v within their stages.
TEST(RlftWiring, FollowsTheCanonicalTable) {
  const std::size_t k = 3;
  const Graph graph = make("rlft", "ports = 6\nstages = 3");
  const auto leaf = [&](std::size_t p, std::size_t l) { return p * k + l; };
  const auto middle = [&](std::size_t p, std::size_t i) { return 18 + p * k + i; };
  const auto top = [&](std::size_t i, std::size_t v) { return 36 + i * k + v; };
  for (std::size_t p = 0; p < 2 * k; ++p) {
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t x = 0; x < k; ++x) {
        EXPECT_EQ(leads_to(graph, SwitchId(leaf(p, l)), x),
                  fmt::format("h{}", p * k * k + l * k + x));
        EXPECT_EQ(leads_to(graph, SwitchId(leaf(p, l)), k + x),
                  fmt::format("s{}[{}]", middle(p, x), l));
        EXPECT_EQ(leads_to(graph, SwitchId(middle(p, l)), x),
                  fmt::format("s{}[{}]", leaf(p, x), k + l));
        EXPECT_EQ(leads_to(graph, SwitchId(middle(p, l)), k + x),
                  fmt::format("s{}[{}]", top(l, x), p));
      }
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t v = 0; v < k; ++v) {
      for (std::size_t p = 0; p < 2 * k; ++p) {
        EXPECT_EQ(leads_to(graph, SwitchId(top(i, v)), p),
                  fmt::format("s{}[{}]", middle(p, i), k + v));
      }
    }
  }
}

TEST(FatTree, ShapeSaysWhichHostsLieBelow) {
  const Graph graph = make("xgft", "children = [2, 3, 4]\nparents = [1, 2, 3]");
  const auto* shape = graph.shape<FatTreeShape>();
  ASSERT_NE(shape, nullptr);
  EXPECT_THAT(shape->hosts_below, ElementsAre(1, 2, 6, 24));
  EXPECT_THAT(shape->copies, ElementsAre(1, 1, 2, 6));
  EXPECT_THAT(switches_per_stage(graph), ElementsAre(12, 8, 6));
  for (std::uint32_t h = 0; h < 24; ++h) {
    // Climb by every parent in turn: the host stays below.
    SwitchId at = graph.switch_of(graph.port(graph.port(graph.host_port(HostId(h))).to).node);
    for (std::size_t stage = 1; stage <= 3; ++stage) {
      EXPECT_EQ(shape->switch_stage[at.index()], stage);
      EXPECT_EQ(shape->switch_subtree[at.index()], h / shape->hosts_below[stage]);
      EXPECT_EQ(at, shape->at(static_cast<int>(stage), shape->switch_subtree[at.index()],
                              shape->switch_copy[at.index()]));
      if (stage == 3) break;
      const std::size_t up = shape->down_ports[stage] + (h + stage) % shape->up_ports[stage];
      const Port& port = graph.port(graph.port(graph.node(at), up));
      EXPECT_EQ(port.role, PortRole::up);
      at = graph.switch_of(graph.port(port.to).node);
    }
  }
}

TEST(FatTree, ParallelCablesJoinTheSameSwitches) {
  const Graph graph = make("pgft", "children = [4, 3]\nparents = [1, 2]\nparallel = [1, 2]");
  EXPECT_EQ(graph.host_count(), 12U);
  EXPECT_EQ(graph.switch_count(), 5U);
  EXPECT_EQ(leads_to(graph, SwitchId(1), 4), "s3[2]");
  EXPECT_EQ(leads_to(graph, SwitchId(1), 5), "s3[3]");
  EXPECT_EQ(leads_to(graph, SwitchId(1), 6), "s4[2]");
  EXPECT_EQ(leads_to(graph, SwitchId(1), 7), "s4[3]");
  EXPECT_EQ(statistics(graph).by_hops[3].fewest_paths, 8U);
}

TEST(FatTree, ThinnestStageLimitsTheBisection) {
  // 4 leaves of 8 hosts with 2 up ports each: 8 cables to the top, 4 from either half.
  EXPECT_EQ(bisection(make("xgft", "children = [8, 4]\nparents = [1, 2]")), 4U);
  EXPECT_EQ(bisection(make("xgft", "children = [8, 3]\nparents = [1, 2]")), std::nullopt);
}

struct TreeSize {
  int k;
  int n;
  std::size_t hosts;
  std::size_t switches;
  std::size_t directed_links;
};

class KAryNTree : public testing::TestWithParam<TreeSize> {};

INSTANTIATE_TEST_SUITE_P(Spec, KAryNTree,
                         testing::Values(TreeSize{16, 3, 4096, 768, 24576},
                                         TreeSize{12, 4, 20736, 6912, 165888},
                                         TreeSize{4, 3, 64, 48, 384},
                                         TreeSize{4, 4, 256, 256, 2048}, TreeSize{2, 1, 2, 1, 4}));

TEST_P(KAryNTree, HasTheSizesOfTheDocument) {
  const TreeSize& size = GetParam();
  const Graph graph = make("k-ary-n-tree", fmt::format("k = {}\nn = {}", size.k, size.n));
  EXPECT_EQ(graph.host_count(), size.hosts);
  EXPECT_EQ(graph.switch_count(), size.switches);
  std::size_t directed = 0;
  for (const Port& port : graph.ports()) directed += port.to.valid() ? 1U : 0U;
  EXPECT_EQ(directed, size.directed_links);
}

TEST(FatTree, StageRatesAndDelaysSetTheCables) {
  const Graph graph = make("k-ary-n-tree",
                           "k = 2\nn = 2\nstage_rates = ['10 Gbps', '40 Gbps']\n"
                           "stage_delays = ['5 ns', '1 us']");
  const Port& host = graph.port(graph.host_port(HostId(3)));
  EXPECT_EQ(host.link.rate, gigabits_per_second(10));
  EXPECT_EQ(host.link.delay, nanoseconds(5));
  const Port& down = graph.port(host.to);
  EXPECT_EQ(down.link.rate, gigabits_per_second(10));
  const Port& up = graph.port(graph.port(graph.node(SwitchId(0)), 2));
  EXPECT_EQ(up.link.rate, gigabits_per_second(40));
  EXPECT_EQ(up.link.delay, microseconds(1));
}

TEST(FatTree, RefusesImpossibleSizes) {
  EXPECT_THAT(refusal("rlft", "ports = 5\nstages = 3"),
              testing::AllOf(HasSubstr("test.toml:1"), HasSubstr("topology.ports"),
                             HasSubstr("even number of ports")));
  EXPECT_THAT(refusal("rlft", "ports = 256\nstages = 9"), HasSubstr("more than 16777216 hosts"));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 200\nn = 2"), HasSubstr("200 ports down and 200 up"));
  EXPECT_THAT(refusal("xgft", "children = [4, 4]\nparents = [2, 2]"),
              HasSubstr("hosts have one port"));
  EXPECT_THAT(refusal("xgft", "children = [4, 4]\nparents = [1]"), HasSubstr("as many numbers"));
  EXPECT_THAT(refusal("xgft", "children = [4, 0]\nparents = [1, 1]"),
              HasSubstr("topology.children: entries must be 1"));
  EXPECT_THAT(refusal("xgft", "children = []\nparents = []"), HasSubstr("1 to 24 stages, not 0"));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 2\nn = 3\nstage_rates = ['1 Gbps']"),
              HasSubstr("stage_rates: has 1 entries; this network has 3"));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 2\nn = 1\nstage_rates = ['fast']"),
              HasSubstr("stage_rates"));
  EXPECT_THAT(refusal("k-ary-n-tree", "k = 0\nn = 1"), HasSubstr("topology.k"));
}

}  // namespace
}  // namespace weir::topology
