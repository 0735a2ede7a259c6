// Networks divided among threads and processes.
#include "weir/fabric/parallel/territories.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/random.hpp"
#include "weir/topology/topology.hpp"

namespace weir::fabric {
namespace {

topology::Graph tree(int k) {
  const auto& entry = topology::topology_registry().find("k-ary-n-tree", {}, "model");
  const ConfigTable keys = parse_toml("k = " + std::to_string(k) + "\nn = 3", "test");
  return entry.make(Settings::check(keys, entry.info.parameters, "k-ary-n-tree"),
                    topology::LinkSpec{});
}

TEST(Territories, HaveHostsWithTheirSwitches) {
  const topology::Graph graph = tree(4);
  const Territories two = divide(graph, 2);
  EXPECT_EQ(two.parts, 2U);
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    const PortId at_switch = graph.port(graph.host_port(HostId(host))).to;
    EXPECT_EQ(two.of_node[host], two.of_node[graph.port(at_switch).node.index()]);
  }
  EXPECT_EQ(divide(graph, 1'000).parts, graph.switch_count());
}

// METIS writes to standard output what it cannot do, in the midst of results.
TEST(Territories, OfAnyTrafficAreThereAndMadeInSilence) {
  for (const int k : {4, 8}) {
    const topology::Graph graph = tree(k);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      RandomStream random(seed, 0, StreamPurpose::test);
      std::vector<double> packets(graph.port_count(), 0);
      // From a single busy link to all of them, as uneven as can be.
      const std::size_t busy = std::size_t{1} << random.below(10);
      for (std::size_t i = 0; i < busy; ++i)
        packets[random.below(packets.size())] = std::pow(10.0, 12 * random.unit());
      const std::size_t parts = 2 + random.below(graph.switch_count());
      testing::internal::CaptureStdout();
      const Territories some = divide(graph, parts, packets);
      EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << k << ", seed " << seed;
      const std::set<std::uint16_t> used(some.of_node.begin(), some.of_node.end());
      EXPECT_LE(used.size(), some.parts);
      EXPECT_GT(used.size(), 1U);
    }
  }
}

}  // namespace
}  // namespace weir::fabric
