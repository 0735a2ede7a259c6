#include <gmock/gmock.h>

#include <algorithm>

#include "routing/support.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/fit.hpp"

namespace weir::routing::test {
namespace {

using topology::Graph;

struct Network {
  const char* topology;
  const char* settings;
};

/// Promises of routing.hpp, checked for every routing that fits a network.
class EveryRouting : public testing::TestWithParam<Network> {
 protected:
  Graph graph_ = make_graph(GetParam().topology, GetParam().settings);
};

TEST_P(EveryRouting, DeliversAllPairsOnItsLanes) {
  const auto names = fitting_routings(graph_);
  ASSERT_THAT(names, testing::Contains("shortest-path"));
  for (const std::string& routing_name : names) {
    const auto routing = make_routing(routing_name, graph_);
    for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
      for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
        if (s == d) continue;
        const Route route = trace(graph_, *routing, HostId(s), HostId(d));
        ASSERT_EQ(route.end, RouteEnd::delivered) << routing_name << " " << s << " to " << d;
        for (const Channel& channel : route.channels) {
          ASSERT_LT(channel.lane, routing->lanes()) << routing_name;
        }
        ASSERT_GE(path_count(graph_, *routing, HostId(s), HostId(d)), 1U) << routing_name;
      }
    }
  }
}

// What a routing says that it has shown, a walk along all candidates has to find, too.
TEST_P(EveryRouting, IsSoundWhereItSaysSo) {
  for (const std::string& routing_name : fitting_routings(graph_)) {
    const auto routing = make_routing(routing_name, graph_);
    if (!routing->is_proven(graph_)) continue;
    DependencyOptions options;
    options.all_candidates = true;
    EXPECT_TRUE(check_dependencies(graph_, *routing, options).ok()) << routing_name;
  }
}

TEST_P(EveryRouting, OffersTheDefaultRouteAndNothingTwice) {
  for (const std::string& routing_name : fitting_routings(graph_)) {
    const auto routing = make_routing(routing_name, graph_);
    for (std::uint32_t s = 0; s < graph_.host_count(); ++s) {
      for (std::uint32_t d = 0; d < graph_.host_count(); ++d) {
        if (s == d) continue;
        for (const Channel& channel : trace(graph_, *routing, HostId(s), HostId(d)).channels) {
          const PortId to = graph_.port(channel.port).to;
          if (graph_.is_host(graph_.port(to).node)) continue;
          const RouteQuery query = query_after(graph_, channel, HostId(s), HostId(d));
          const CandidateList list = candidates_of(*routing, query);
          const Candidate preferred = routing->default_route(query);
          ASSERT_EQ(std::count(list.begin(), list.end(), preferred), 1) << routing_name;
          for (const Candidate& candidate : list) {
            ASSERT_EQ(std::count(list.begin(), list.end(), candidate), 1) << routing_name;
          }
        }
      }
    }
  }
}

TEST_P(EveryRouting, IsFreeOfCyclesUnlessItMakesNoSuchPromise) {
  for (const std::string& routing_name : fitting_routings(graph_)) {
    if (routing_name == "shortest-path") continue;
    const auto routing = make_routing(routing_name, graph_);
    for (const bool all_candidates : {false, true}) {
      const auto report = check_dependencies(graph_, *routing, {.all_candidates = all_candidates});
      EXPECT_TRUE(report.ok()) << routing_name << "\n" << describe(graph_, report);
      EXPECT_TRUE(report.complete());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, EveryRouting,
    testing::Values(
        Network{"single-switch", "hosts = 5"}, Network{"two-hosts", ""},
        Network{"congestion-spreading", ""}, Network{"two-switches", ""},
        Network{"rlft", "ports = 6\nstages = 2"}, Network{"k-ary-n-tree", "k = 3\nn = 3"},
        Network{"pgft", "children = [4, 4]\nparents = [1, 2]\nparallel = [1, 2]"},
        Network{"recn-min", "hosts = 64"}, Network{"modified-k-ary-n-tree", "k = 2\nn = 4"},
        Network{"bmin-perfect-shuffle", "hosts = 64\nk = 4\nn = 3"},
        Network{"bmin-perfect-shuffle", "hosts = 32\nk = 4\nn = 3"},
        Network{"umin-butterfly", "k = 3\nn = 3"},
        Network{"mesh", "sizes = [3, 3]\nhosts_per_switch = 2"}, Network{"torus", "sizes = [4, 5]"},
        Network{"dragonfly", "p = 1\na = 3\nh = 1"}));

}  // namespace
}  // namespace weir::routing::test
