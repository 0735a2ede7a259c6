#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include "routing/support.hpp"
#include "weir/routing/channel_dependency.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;
using topology::GraphBuilder;

/// A connected random graph: a random tree of switches, extra cables (parallel ones too), and at
/// least two hosts.
Graph random_graph() {
  const auto switches = *rc::gen::inRange<std::size_t>(1, 12);
  const auto hosts = *rc::gen::inRange<std::size_t>(2, 12);
  const auto extra = *rc::gen::inRange<std::size_t>(0, 12);
  GraphBuilder builder("irregular");
  std::vector<std::size_t> used(switches, 0);
  for (std::size_t s = 0; s < switches; ++s) builder.add_switch(40);
  const auto cable = [&](std::size_t a, std::size_t b) {
    builder.connect(SwitchId(a), used[a]++, SwitchId(b), used[b]++, {});
  };
  for (std::size_t s = 1; s < switches; ++s) cable(s, *rc::gen::inRange<std::size_t>(0, s));
  for (std::size_t i = 0; i < extra && switches > 1; ++i) {
    const auto a = *rc::gen::inRange<std::size_t>(0, switches);
    const auto b = *rc::gen::inRange<std::size_t>(0, switches);
    if (a != b) cable(a, b);
  }
  for (std::size_t h = 0; h < hosts; ++h) {
    const auto s = *rc::gen::inRange<std::size_t>(0, switches);
    builder.connect(builder.add_host(), SwitchId(s), used[s]++, {});
  }
  return builder.build();
}

/// Steps from `start` to every switch.
std::vector<std::size_t> distances(const Graph& graph, SwitchId start) {
  std::vector<std::size_t> distance(graph.switch_count(), SIZE_MAX);
  std::queue<SwitchId> queue;
  distance[start.index()] = 0;
  queue.push(start);
  for (; !queue.empty(); queue.pop()) {
    for (const topology::Port& port : graph.ports(graph.node(queue.front()))) {
      if (!joins_switches(graph, port)) continue;
      const SwitchId next = graph.switch_of(graph.port(port.to).node);
      if (distance[next.index()] != SIZE_MAX) continue;
      distance[next.index()] = distance[queue.front().index()] + 1;
      queue.push(next);
    }
  }
  return distance;
}

SwitchId switch_of(const Graph& graph, HostId host) {
  return graph.switch_of(graph.port(graph.port(graph.host_port(host)).to).node);
}

RC_GTEST_PROP(UpDown, DeliversEveryPairWithoutUpAfterDownAndWithoutCycle, ()) {
  const Graph graph = random_graph();
  const auto root = *rc::gen::inRange<std::size_t>(0, graph.switch_count());
  const auto routing = make_routing("up-down", graph, "root = \"" + std::to_string(root) + "\"");
  const auto rank = distances(graph, SwitchId(root));
  for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
    for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
      if (s == d) continue;
      const Route route = trace(graph, *routing, HostId(s), HostId(d));
      RC_ASSERT(route.end == RouteEnd::delivered);
      bool went_down = false;
      for (const Channel& channel : route.channels) {
        const topology::Port& port = graph.port(channel.port);
        if (!joins_switches(graph, port)) continue;
        const std::size_t from = graph.switch_of(port.node).index();
        const std::size_t to = graph.switch_of(graph.port(port.to).node).index();
        const bool down = std::pair(rank[from], from) < std::pair(rank[to], to);
        RC_ASSERT(down || !went_down);
        went_down = down;
      }
      RC_ASSERT(path_count(graph, *routing, HostId(s), HostId(d)) >= 1U);
    }
  }
  for (const bool all_candidates : {false, true}) {
    const auto report = check_dependencies(graph, *routing, {.all_candidates = all_candidates});
    RC_ASSERT(report.ok());
    RC_ASSERT(report.complete());
  }
}

/// Number of shortest paths between switches, cables counted one by one, by going over all of them.
std::uint64_t count_shortest(const Graph& graph, SwitchId at, SwitchId to,
                             const std::vector<std::size_t>& to_go) {
  if (at == to) return 1;
  std::uint64_t count = 0;
  for (const topology::Port& port : graph.ports(graph.node(at))) {
    if (!joins_switches(graph, port)) continue;
    const SwitchId next = graph.switch_of(graph.port(port.to).node);
    if (to_go[next.index()] + 1 == to_go[at.index()]) {
      count += count_shortest(graph, next, to, to_go);
    }
  }
  return count;
}

RC_GTEST_PROP(ShortestPath, TakesAndOffersExactlyTheShortestPaths, ()) {
  const Graph graph = random_graph();
  const auto tie = *rc::gen::element<std::string>("balanced", "destination", "lowest-port");
  const auto routing = make_routing("shortest-path", graph, "tie_break = \"" + tie + "\"");
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const SwitchId to = switch_of(graph, HostId(d));
    const auto to_go = distances(graph, to);
    for (std::uint32_t s = 0; s < graph.host_count(); ++s) {
      if (s == d) continue;
      const SwitchId from = switch_of(graph, HostId(s));
      const Route route = trace(graph, *routing, HostId(s), HostId(d));
      RC_ASSERT(route.end == RouteEnd::delivered);
      RC_ASSERT(route.switches() == to_go[from.index()] + 1);
      RC_ASSERT(path_count(graph, *routing, HostId(s), HostId(d)) ==
                count_shortest(graph, from, to, to_go));
    }
  }
}

TEST(UpDown, FromTheTopStageOfAFatTreeIsMinimalAndBalanced) {
  const Graph graph = make_graph("rlft", "ports = 8\nstages = 3");
  const auto routing = make_routing("up-down", graph, "root = \"top-stage\"");
  const AllPairs all = route_all_pairs(graph, *routing);
  const AllPairs best = route_all_pairs(graph, *make_routing("d-mod-k", graph));
  EXPECT_EQ(all.undelivered, 0U);
  EXPECT_EQ(all.routes_of_length, best.routes_of_length);
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(127)), 16U);
  const auto most = [&](const AllPairs& pairs) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < graph.port_count(); ++i) n = std::max(n, pairs.pairs[i]);
    return n;
  };
  EXPECT_LE(most(all), most(best) * 11 / 10);
}

TEST(UpDown, RootIsFoundByNameNumberOrDegree) {
  const Graph star = make_graph("mesh", "sizes = [3, 3]");  // s4 in the middle has four cables
  const AllPairs by_default = route_all_pairs(star, *make_routing("up-down", star));
  const AllPairs by_name = route_all_pairs(star, *make_routing("up-down", star, "root = \"s4\""));
  const AllPairs by_number = route_all_pairs(star, *make_routing("up-down", star, "root = \"4\""));
  const AllPairs other = route_all_pairs(star, *make_routing("up-down", star, "root = \"0\""));
  EXPECT_EQ(by_default.pairs, by_name.pairs);
  EXPECT_EQ(by_default.pairs, by_number.pairs);
  EXPECT_NE(by_default.pairs, other.pairs);
}

// Down through v to d is longer than over w, but a packet that came down to v may not go up again.
TEST(UpDown, WhatMayFollowDependsOnTheWayAPacketCame) {
  GraphBuilder builder("irregular");
  for (const char* switch_name : {"root", "p", "q", "s", "u", "w", "z", "v", "x", "y", "d"}) {
    builder.add_switch(8, switch_name);
  }
  std::vector<std::size_t> used(11, 0);
  const auto cable = [&](std::size_t a, std::size_t b) {
    builder.connect(SwitchId(a), used[a]++, SwitchId(b), used[b]++, {});
  };
  constexpr std::size_t kRoot = 0, kP = 1, kQ = 2, kS = 3, kU = 4, kW = 5, kZ = 6, kV = 7;
  constexpr std::size_t kX = 8, kY = 9, kD = 10;
  for (const auto& [a, b] : std::vector<std::pair<std::size_t, std::size_t>>{{kRoot, kP},
                                                                             {kRoot, kQ},
                                                                             {kRoot, kS},
                                                                             {kP, kU},
                                                                             {kQ, kW},
                                                                             {kS, kZ},
                                                                             {kU, kV},
                                                                             {kW, kV},
                                                                             {kZ, kX},
                                                                             {kZ, kY},
                                                                             {kV, kX},
                                                                             {kX, kY},
                                                                             {kY, kD},
                                                                             {kW, kD}}) {
    cable(a, b);
  }
  for (const std::size_t s : {kU, kV, kD}) {
    builder.connect(builder.add_host(), SwitchId(s), used[s]++, {});
  }
  const Graph graph = builder.build();
  const auto routing = make_routing("up-down", graph, "root = \"root\"");
  const auto switches = [&](std::uint32_t source, std::uint32_t destination) {
    std::string text;
    for (const Channel& c : trace(graph, *routing, HostId(source), HostId(destination)).channels) {
      const NodeId node = graph.port(graph.port(c.port).to).node;
      if (!graph.is_host(node)) text += graph.name(node);
    }
    return text;
  };
  EXPECT_EQ(switches(0, 2), "uvxyd");
  EXPECT_EQ(switches(1, 2), "vwd");
  EXPECT_EQ(path_count(graph, *routing, HostId(0), HostId(2)), 1U);
  EXPECT_TRUE(check_dependencies(graph, *routing, {.all_candidates = true}).ok());
}

TEST(UpDown, RefusesUnknownRootsOneWayCablesAndMissingStages) {
  const Graph mesh = make_graph("mesh", "sizes = [3]");
  EXPECT_EQ(routing_error("up-down", mesh, "root = \"s9\""),
            "test.toml:1:8: routing.root: no switch is called 's9' (did you mean 's0'?)");
  EXPECT_THAT(routing_error("up-down", mesh, "root = \"top-stage\""),
              testing::HasSubstr("a mesh has no stages"));
  EXPECT_EQ(routing_error("up-down", make_graph("umin-butterfly", "k = 2\nn = 2")),
            "up-down needs full-duplex cables and at least one switch; this is a umin-butterfly; "
            "routings that fit: destination-tag, shortest-path");
}

TEST(ShortestPath, NamesSwitchesThatCannotReachEachOther) {
  GraphBuilder builder("irregular");
  for (int i = 0; i < 2; ++i) {
    const SwitchId s = builder.add_switch(2, i == 0 ? "left" : "right");
    builder.connect(builder.add_host(), s, 0, {});
  }
  const Graph graph = builder.build();
  EXPECT_EQ(routing_error("shortest-path", graph),
            "shortest-path finds no path from right to the hosts of left");
  EXPECT_EQ(routing_error("up-down", graph),
            "up-down finds no path from right to the hosts of left");
}

TEST(ShortestPath, RefusesTablesThatWouldNotFit) {
  const Graph graph = make_graph("k-ary-n-tree", "k = 16\nn = 4");
  EXPECT_THAT(routing_error("shortest-path", graph),
              testing::AllOf(testing::HasSubstr("shortest-path keeps a full table"),
                             testing::HasSubstr("MiB")));
}

TEST(ShortestPath, BalancedTiesSpreadPairsOverParallelCables) {
  GraphBuilder builder("irregular");
  const SwitchId left = builder.add_switch(8);
  const SwitchId right = builder.add_switch(8);
  for (std::size_t port = 0; port < 4; ++port) builder.connect(left, port, right, port, {});
  for (std::size_t port = 4; port < 8; ++port) {
    builder.connect(builder.add_host(), left, port, {});
    builder.connect(builder.add_host(), right, port, {});
  }
  const Graph graph = builder.build();
  const AllPairs all = route_all_pairs(graph, *make_routing("shortest-path", graph));
  for (std::size_t port = 0; port < 4; ++port) {
    EXPECT_EQ(all.pairs[graph.port(graph.node(left), port).index()], 4U);
  }
}

TEST(PathTable, TwoHostsBackToBackNeedNoRoutes) {
  const Graph graph = make_graph("two-hosts");
  const auto routing = make_routing("shortest-path", graph);
  EXPECT_EQ(trace(graph, *routing, HostId(0), HostId(1)).end, RouteEnd::delivered);
  EXPECT_TRUE(check_dependencies(graph, *routing).ok());
}

}  // namespace
}  // namespace weir::routing::test
