#include "weir/routing/reach.hpp"

#include <gmock/gmock.h>

#include <set>

#include "routing/support.hpp"
#include "weir/base/random.hpp"
#include "weir/routing/fit.hpp"

namespace weir::routing::test {
namespace {

std::set<PortId> reach(Reach& all, HostId source, HostId destination) {
  std::vector<PortId> links;
  all.add(source, destination, links);
  std::set<PortId> once(links.begin(), links.end());
  EXPECT_EQ(once.size(), links.size()) << "each once";
  return once;
}

/// What packets take that choose at random at every switch.
std::set<PortId> taken(const topology::Graph& graph, const RoutingFunction& routing, HostId source,
                       HostId destination, RandomStream& random) {
  std::set<PortId> links;
  for (int walks = 0; walks < 400; ++walks) {
    Channel channel{graph.host_port(source), routing.injection_lane(source, destination)};
    while (true) {
      links.insert(channel.port);
      const NodeId node = graph.port(graph.port(channel.port).to).node;
      if (graph.is_host(node)) break;
      CandidateList list;
      routing.candidates(query_after(graph, channel, source, destination), list);
      const Candidate one = list[random.below(list.size())];
      channel = {graph.port(node, one.port), one.lane};
    }
  }
  return links;
}

// With so few hosts 400 random walks come by everything.
TEST(Reach, IsWhatRandomChoicesTake) {
  RandomStream random(3, 0, StreamPurpose::arbitration);
  const std::vector<std::pair<const char*, const char*>> networks{
      {"single-switch", "hosts = 5"},
      {"k-ary-n-tree", "k = 3\nn = 2"},
      {"modified-k-ary-n-tree", "k = 2\nn = 3"},
      {"mesh", "sizes = [3, 3]"},
      {"torus", "sizes = [3, 4]"},
      {"dragonfly", "p = 1\na = 2\nh = 1"}};
  for (const auto& [topology, settings] : networks) {
    const topology::Graph graph = make_graph(topology, settings);
    for (const std::string& name : fitting_routings(graph)) {
      const auto routing = make_routing(name, graph);
      Reach all(graph, *routing);
      for (std::uint32_t d = 1; d < graph.host_count(); ++d) {
        ASSERT_EQ(reach(all, HostId(0), HostId(d)),
                  taken(graph, *routing, HostId(0), HostId(d), random))
            << topology << ", " << name << ", 0 to " << d;
      }
    }
  }
}

TEST(Encounter, IsPossibleWhereALinkIsWithinReach) {
  RandomStream random(4, 0, StreamPurpose::arbitration);
  const std::vector<std::pair<const char*, const char*>> networks{
      {"k-ary-n-tree", "k = 3\nn = 3"},
      {"modified-k-ary-n-tree", "k = 2\nn = 3"},
      {"torus", "sizes = [3, 4]"},
      {"dragonfly", "p = 2\na = 3\nh = 1"}};
  for (const auto& [topology, settings] : networks) {
    const topology::Graph graph = make_graph(topology, settings);
    for (const std::string& name : fitting_routings(graph)) {
      const auto routing = make_routing(name, graph);
      Reach all(graph, *routing);
      std::vector<bool> hot(graph.port_count());
      for (int i = 0; i < 3; ++i) hot[random.below(hot.size())] = true;
      Encounter encounter(graph, *routing, hot);
      int possible = 0;
      // Twice: what is kept says the same.
      for (std::uint32_t i = 0; i < 2 * graph.host_count(); ++i) {
        const auto s = static_cast<std::uint32_t>(i % graph.host_count());
        for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
          if (s == d) continue;
          const std::set<PortId> links = reach(all, HostId(s), HostId(d));
          const bool expected = std::any_of(links.begin(), links.end(),
                                            [&](PortId link) { return hot[link.index()]; });
          ASSERT_EQ(encounter.is_possible(HostId(s), HostId(d)), expected)
              << topology << ", " << name << ", " << s << " to " << d;
          possible += expected ? 1 : 0;
        }
      }
      EXPECT_GT(possible, 0) << topology << ", " << name;
    }
  }
}

TEST(Reach, IsAllWaysUpAndThoseDownToTheDestination) {
  const topology::Graph graph = make_graph("k-ary-n-tree", "k = 4\nn = 2");
  const auto routing = make_routing("d-mod-k", graph);
  Reach all(graph, *routing);
  EXPECT_EQ(reach(all, HostId(0), HostId(1)).size(), 2U);
  // Four roots: 1 + 4 + 4 + 1.
  EXPECT_EQ(reach(all, HostId(0), HostId(5)).size(), 10U);
}

}  // namespace
}  // namespace weir::routing::test
