#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::full_mesh_test {
namespace {

TEST(FullMesh, JoinsEveryTwoSwitchesOnce) {
  const auto graph = make_topology("full-mesh", "switches = 5\nhosts = 3");
  EXPECT_EQ(graph->host_count(), 15U);
  EXPECT_EQ(graph->switch_count(), 5U);
  std::vector<int> cables(25);
  for (const topology::Port& port : graph->ports()) {
    if (graph->is_host(port.node) || graph->is_host(graph->port(port.to).node)) continue;
    const std::size_t from = port.node.index() - 15;
    const std::size_t to = graph->port(port.to).node.index() - 15;
    ++cables[from * 5 + to];
  }
  for (std::size_t from = 0; from < 5; ++from) {
    for (std::size_t to = 0; to < 5; ++to) EXPECT_EQ(cables[from * 5 + to], from == to ? 0 : 1);
  }
}

// Shortest paths are a host cable, at most one cable between switches, and a host cable: no cycle.
TEST(FullMesh, CarriesAllToAll) {
  SmallNetwork net;
  net.graph = make_topology("full-mesh", "switches = 4\nhosts = 2");
  net.routing = "shortest-path";
  auto fabric = net.build();
  for (std::uint32_t host = 0; host < 8; ++host) {
    std::vector<MessageRequest> messages;
    for (std::uint32_t to = 0; to < 8; ++to)
      if (to != host) messages.push_back({Time(0), HostId(to), Bytes(10'000)});
    fabric->add_source(HostId(host), std::make_unique<ListSource>(messages));
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(10)));
  EXPECT_EQ(fabric->counters().messages_completed, 56U);
  // Of three packets each: 8 pairs over two cables, the other 48 over three.
  EXPECT_EQ(fabric->counters().packet_hops, 3U * (8 * 2 + 48 * 3));
}

TEST(FullMesh, RefusesMorePortsThanASwitchHas) {
  EXPECT_THROW(make_topology("full-mesh", "switches = 200\nhosts = 58"), InputError);
  EXPECT_THROW(make_topology("full-mesh", "hosts = 2"), InputError);
}

}  // namespace
}  // namespace weir::fabric::testing::full_mesh_test
