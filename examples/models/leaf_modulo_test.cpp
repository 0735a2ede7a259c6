#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::leaf_modulo_test {
namespace {

int queue_to(const QueueingScheme& scheme, std::uint32_t destination) {
  Packet packet;
  packet.destination = destination;
  return scheme.classify(packet, PortId(0));
}

// Sixteen hosts, four to a leaf: with three queues, leaf 3 shares that of leaf 0.
TEST(LeafModulo, HostsOfOneLeafShareAQueue) {
  const auto graph = make_topology("k-ary-n-tree", "k = 4\nn = 2");
  const auto scheme = make_queueing("leaf-modulo", *graph, "queues = 3");
  EXPECT_EQ(scheme->classes(), 3);
  for (std::uint32_t host = 0; host < 16; ++host) {
    EXPECT_EQ(queue_to(*scheme, host) == queue_to(*scheme, 0), host / 4 == 0 || host / 4 == 3)
        << host;
  }
}

TEST(LeafModulo, RefusesMoreQueuesThanSwitches) {
  const auto graph = make_topology("k-ary-n-tree", "k = 4\nn = 2");  // 8 switches
  EXPECT_NO_THROW(make_queueing("leaf-modulo", *graph, "queues = 8"));
  EXPECT_THROW(make_queueing("leaf-modulo", *graph, "queues = 9"), InputError);
}

}  // namespace
}  // namespace weir::fabric::testing::leaf_modulo_test
