// Queueing schemes that map flows to queues beforehand, made for fat trees: closed forms, and what
// destination modulo Q does there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"
#include "weir/routing/trace.hpp"

namespace weir::fabric::testing {
namespace {

using QueueTable = std::vector<std::vector<int>>;  ///< [source][destination]

int queue_of(const QueueingScheme& scheme, std::uint32_t source, std::uint32_t destination) {
  Packet p;
  p.source = source;
  p.destination = destination;
  return scheme.classify(p, PortId(0));
}

QueueTable queues_of(const QueueingScheme& scheme, std::uint32_t hosts) {
  QueueTable table(hosts, std::vector<int>(hosts));
  for (std::uint32_t s = 0; s < hosts; ++s) {
    for (std::uint32_t d = 0; d < hosts; ++d) table[s][d] = queue_of(scheme, s, d);
  }
  return table;
}

std::string refusal(const std::string& scheme, const topology::Graph& graph,
                    const std::string& toml) {
  try {
    make_queueing(scheme, graph, toml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

struct Tree {
  int ports;
  int queues;
};

class OnFatTrees : public ::testing::TestWithParam<Tree> {
 protected:
  int queues = GetParam().queues;
  std::uint32_t k = static_cast<std::uint32_t>(GetParam().ports / 2);
  std::shared_ptr<const topology::Graph> graph =
      make_topology("rlft", fmt::format("ports = {}\nstages = 3", GetParam().ports));
  std::uint32_t hosts = static_cast<std::uint32_t>(graph->host_count());

  std::shared_ptr<const QueueingScheme> make(const std::string& name) {
    return make_queueing(name, *graph, fmt::format("queues = {}", queues));
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, OnFatTrees,
                         ::testing::Values(Tree{6, 3}, Tree{8, 3}, Tree{8, 2}, Tree{4, 5}),
                         [](const ::testing::TestParamInfo<Tree>& tree) {
                           return fmt::format("P{}Q{}", tree.param.ports, tree.param.queues);
                         });

// The table, filled as its definition says: pairs in order, queues in turn.
TEST_P(OnFatTrees, VFtreeDealsPairsOfLeavesOutInTurn) {
  const auto scheme = make("vftree");
  EXPECT_EQ(scheme->classes(), queues);
  EXPECT_TRUE(scheme->is_end_to_end());
  const std::uint32_t leaves = hosts / k;
  std::vector<int> pairs(static_cast<std::size_t>(queues), 0);
  int next = 0;
  for (std::uint32_t a = 0; a < leaves; ++a) {
    for (std::uint32_t b = a; b < leaves; ++b) {
      const int expected = a == b ? 0 : next;
      for (std::uint32_t x = 0; x < k * k; ++x) {
        const std::uint32_t in_a = a * k + x / k;
        const std::uint32_t in_b = b * k + x % k;
        ASSERT_EQ(queue_of(*scheme, in_a, in_b), expected) << in_a << " to " << in_b;
        ASSERT_EQ(queue_of(*scheme, in_b, in_a), expected) << in_b << " to " << in_a;
      }
      if (a == b) continue;
      ++pairs[static_cast<std::size_t>(next)];
      next = (next + 1) % queues;
    }
  }
  const auto [fewest, most] = std::minmax_element(pairs.begin(), pairs.end());
  EXPECT_LE(*most - *fewest, 1) << "spread over all queues";
  EXPECT_GT(*fewest, 0);
}

TEST_P(OnFatTrees, Flow2SlIsALatinSquareOfGroups) {
  const auto scheme = make("flow2sl");
  EXPECT_EQ(scheme->classes(), queues);
  EXPECT_TRUE(scheme->is_end_to_end());
  const QueueTable table = queues_of(*scheme, hosts);
  // Rows change where a group of sources begins: Q groups, sizes differing by one at most.
  std::vector<std::uint32_t> begins{0};
  for (std::uint32_t s = 1; s < hosts; ++s) {
    if (table[s] != table[s - 1]) begins.push_back(s);
  }
  ASSERT_EQ(begins.size(), static_cast<std::size_t>(queues));
  for (std::size_t g = 0; g < begins.size(); ++g) {
    const std::uint32_t size = (g + 1 < begins.size() ? begins[g + 1] : hosts) - begins[g];
    EXPECT_GE(size, hosts / static_cast<std::uint32_t>(queues));
    EXPECT_LE(size, (hosts - 1) / static_cast<std::uint32_t>(queues) + 1);
  }
  for (const std::uint32_t first : begins) {
    std::set<int> row;
    std::set<int> column;
    for (const std::uint32_t other : begins) {
      row.insert(table[first][other]);
      column.insert(table[other][first]);
      EXPECT_EQ(table[first][other], table[other][first]);
    }
    EXPECT_EQ(row.size(), begins.size()) << "every queue once";
    EXPECT_EQ(column.size(), begins.size());
  }
  EXPECT_EQ(table[0][0], 0);
}

/// Queues that default routes between all pairs use, by the link's transmitting port.
std::map<std::uint32_t, std::set<int>> queues_on_up_links(const topology::Graph& graph,
                                                          const QueueingScheme& scheme) {
  std::map<std::uint32_t, std::set<int>> used;
  const auto routing = make_routing("d-mod-k", graph);
  for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
    for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
      if (s == d) continue;
      for (const routing::Channel& channel :
           routing::trace(graph, *routing, HostId(s), HostId(d)).channels) {
        const topology::Port& port = graph.port(channel.port);
        if (graph.is_host(port.node) || port.role != topology::PortRole::up) continue;
        used[channel.port.value].insert(queue_of(scheme, s, d));
      }
    }
  }
  return used;
}

// Rocher 2021: up link K+u of a leaf serves destinations d with d mod K = u only. Where Q divides K
// they all have the same d mod Q.
TEST_P(OnFatTrees, DbbmUsesOneQueueOfAnUpLinkWhereQDividesK) {
  const auto dbbm = queues_on_up_links(*graph, *make("dbbm"));
  EXPECT_EQ(dbbm.size(), hosts * 2) << "K up links at each of the leaves and middle switches";
  const bool divides = k % static_cast<std::uint32_t>(queues) == 0;
  std::size_t most = 0;
  for (const auto& [port, used] : dbbm) most = std::max(most, used.size());
  EXPECT_EQ(most, divides ? 1U : static_cast<std::size_t>(queues));
  // The schemes that know the tree do not fall into the trap.
  for (const char* name : {"vftree", "flow2sl"}) {
    for (const auto& [port, used] : queues_on_up_links(*graph, *make(name))) {
      EXPECT_GT(used.size(), 1U) << name << " " << graph->name(PortId(port));
    }
  }
}

TEST(VFtree, TakesTheSwitchOfAHostForItsLeafOnAnyTopology) {
  const auto torus = make_topology("torus", "sizes = [2, 2]\nhosts_per_switch = 2");
  const QueueTable table = queues_of(*make_queueing("vftree", *torus), 8);
  // Pairs (0,1) (0,2) (0,3) (1,2) (1,3) (2,3) get 0 1 2 0 1 2.
  EXPECT_EQ(table[0][7], 2);
  EXPECT_EQ(table[3][4], 0);
  EXPECT_EQ(table[7][4], 2);
  EXPECT_EQ(table[2][6], 1);
  EXPECT_EQ(table[6][7], 0) << "below one switch";
}

TEST(StaticSchemes, RefuseMoreQueuesThanTheyCanUse) {
  const auto line = make_topology("line", "switches = 3\nhosts_per_switch = [2, 0, 3]");
  const std::string told = refusal("vftree", *line, "queues = 2");
  EXPECT_NE(told.find("2 queues cannot be used"), std::string::npos) << told;
  EXPECT_NE(told.find("has 2 of them, 1 pairs"), std::string::npos) << told;
  EXPECT_EQ(refusal("vftree", *line, "queues = 1"), "accepted");
  const auto one = make_topology("single-switch", "hosts = 4");
  EXPECT_NE(refusal("vftree", *one, "").find("has 1 of them, 0 pairs"), std::string::npos);
  EXPECT_NE(refusal("flow2sl", *one, "queues = 5").find("5 groups cannot be made of 4 hosts"),
            std::string::npos);
  EXPECT_EQ(refusal("flow2sl", *one, "queues = 4"), "accepted");
  EXPECT_NE(refusal("dbbm", *one, "queues = 5").find("5 queues are more than the destinations, 4"),
            std::string::npos);
  EXPECT_EQ(refusal("dbbm", *one, "queues = 4"), "accepted");
}

}  // namespace
}  // namespace weir::fabric::testing
