#include "weir/topology/statistics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/topology/support.hpp"

namespace weir::topology {
namespace {

/// Random switches, cables (parallel ones too, some one-way) and hosts.
Graph random_graph() {
  const int switches = *rc::gen::inRange(1, 7);
  const int cables = *rc::gen::inRange(0, 14);
  GraphBuilder builder("random");
  std::vector<std::size_t> next(static_cast<std::size_t>(switches));
  for (int s = 0; s < switches; ++s) builder.add_switch(32);
  const auto any_switch = [&] { return SwitchId(*rc::gen::inRange(0, switches)); };
  for (int c = 0; c < cables; ++c) {
    const SwitchId a = any_switch();
    const SwitchId b = any_switch();
    if (a == b) continue;
    if (*rc::gen::inRange(0, 4) == 0) {
      builder.connect_one_way(a, next[a.index()]++, b, next[b.index()]++, {});
    } else {
      builder.connect(a, next[a.index()]++, b, next[b.index()]++, {});
    }
  }
  const int hosts = *rc::gen::inRange(1, 7);
  for (int h = 0; h < hosts; ++h) {
    const SwitchId to = any_switch();
    const SwitchId from = any_switch();
    const HostId host = builder.add_host();
    builder.connect_one_way(host, to, next[to.index()]++, {});
    builder.connect_one_way(from, next[from.index()]++, host, {});
  }
  return builder.build();
}

struct Walks {
  std::size_t hops = 0;
  std::uint64_t paths = 0;
};

/// Shortest walks between two switches by powers of the adjacency matrix: walks[h] of h switches.
Walks shortest_walks(const Graph& graph, SwitchId from, SwitchId to) {
  const std::size_t n = graph.switch_count();
  std::vector<std::uint64_t> walks(n);
  walks[from.index()] = 1;
  for (std::size_t hops = 1; hops <= n; ++hops) {
    if (walks[to.index()] > 0) return {hops, walks[to.index()]};
    std::vector<std::uint64_t> longer(n);
    for (std::size_t s = 0; s < n; ++s) {
      for (const Port& port : graph.ports(graph.node(SwitchId(s)))) {
        if (!port.to.valid()) continue;
        const NodeId peer = graph.port(port.to).node;
        if (!graph.is_host(peer)) longer[graph.switch_of(peer).index()] += walks[s];
      }
    }
    walks = longer;
  }
  return {};
}

RC_GTEST_PROP(Statistics, AgreeWithCountingWalksPairByPair, ()) {
  const Graph graph = random_graph();
  const TopologyStatistics numbers = statistics(graph);
  std::vector<HopClass> expected(numbers.by_hops.size());
  std::uint64_t unreachable = 0;
  for (std::size_t a = 0; a < graph.host_count(); ++a) {
    for (std::size_t b = 0; b < graph.host_count(); ++b) {
      if (a == b) continue;
      const Port& source = graph.port(graph.host_port(HostId(a)));
      const Port& sink = graph.port(graph.host_port(HostId(b)));
      const Walks walks = shortest_walks(graph, graph.switch_of(graph.port(source.to).node),
                                         graph.switch_of(graph.port(sink.from).node));
      if (walks.paths == 0) {
        ++unreachable;
        continue;
      }
      RC_ASSERT(walks.hops < expected.size());
      HopClass& c = expected[walks.hops];
      c.fewest_paths = c.pairs == 0 ? walks.paths : std::min(c.fewest_paths, walks.paths);
      c.most_paths = std::max(c.most_paths, walks.paths);
      c.mean_paths += static_cast<double>(walks.paths);
      ++c.pairs;
    }
  }
  RC_ASSERT(numbers.unreachable_pairs == unreachable);
  for (std::size_t hops = 0; hops < expected.size(); ++hops) {
    const HopClass& c = numbers.by_hops[hops];
    RC_ASSERT(c.pairs == expected[hops].pairs);
    RC_ASSERT(c.fewest_paths == expected[hops].fewest_paths);
    RC_ASSERT(c.most_paths == expected[hops].most_paths);
    if (c.pairs > 0) {
      RC_ASSERT(std::abs(c.mean_paths * static_cast<double>(c.pairs) - expected[hops].mean_paths) <
                1e-6);
    }
  }
}

TEST(Statistics, MeanAndDiameterOfARow) {
  // Two hosts on each of two switches: 2 * 2 pairs over one switch, 8 over two.
  const TopologyStatistics numbers =
      statistics(make("line", "switches = 2\nhosts_per_switch = [2]"));
  EXPECT_EQ(numbers.diameter, 2);
  EXPECT_DOUBLE_EQ(numbers.mean_hops, (4 * 1 + 8 * 2) / 12.0);
  EXPECT_EQ(numbers.fewest_ports, 3U);
}

TEST(Statistics, SamplesWhenTheWorkIsTooMuchAndSaysSo) {
  const Graph graph = make("rlft", "ports = 12\nstages = 3");
  const TopologyStatistics exact = statistics(graph);
  EXPECT_FALSE(exact.is_sampled());
  EXPECT_EQ(exact.source_switches, 72U);
  const TopologyStatistics few = statistics(graph, 20'000);
  EXPECT_TRUE(few.is_sampled());
  EXPECT_GT(few.sampled_sources, 1U);
  EXPECT_LT(few.sampled_sources, 72U);
  // Every leaf of a fat tree sees the same distances.
  EXPECT_EQ(few.diameter, exact.diameter);
  EXPECT_DOUBLE_EQ(few.mean_hops, exact.mean_hops);
  EXPECT_EQ(few.by_hops[5].fewest_paths, 36U);
  EXPECT_EQ(few.links, exact.links);
  EXPECT_EQ(statistics(graph, 0).sampled_sources, 1U);
}

TEST(Statistics, CountsPairsThatNothingJoins) {
  GraphBuilder builder("halves");
  for (int s = 0; s < 2; ++s) {
    const SwitchId here = builder.add_switch(2);
    builder.connect(builder.add_host(), here, 0, {});
    builder.connect(builder.add_host(), here, 1, {});
  }
  const TopologyStatistics numbers = statistics(builder.build());
  EXPECT_EQ(numbers.unreachable_pairs, 8U);
  EXPECT_EQ(numbers.by_hops[1].pairs, 4U);
}

}  // namespace
}  // namespace weir::topology
