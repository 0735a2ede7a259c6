#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

/// Queue of each of 256 destinations.
std::vector<int> queues_of(const QueueingScheme& scheme) {
  std::vector<int> queues;
  for (std::uint32_t d = 0; d < 256; ++d) {
    Packet p;
    p.destination = d;
    queues.push_back(scheme.classify(p, PortId(0)));
  }
  return queues;
}

TEST(FlowHash, SpreadsDestinationsOverItsQueues) {
  const auto graph = make_topology("k-ary-n-tree", "k = 4\nn = 4");
  const auto scheme = make_queueing("flow-hash", *graph);
  EXPECT_EQ(scheme->classes(), 4);
  EXPECT_EQ(scheme->voq(), std::optional(false));
  EXPECT_TRUE(scheme->is_end_to_end()) << "a flow stays in its queue all the way";
  const std::vector<int> queues = queues_of(*scheme);
  for (int q = 0; q < 4; ++q) {
    // 64 of 256, within three standard deviations.
    EXPECT_NEAR(static_cast<double>(std::count(queues.begin(), queues.end(), q)), 64, 21) << q;
  }
  // Destinations 4, 8, 12, ...: one queue with a modulus.
  std::vector<int> aligned;
  for (std::size_t d = 0; d < 256; d += 4) aligned.push_back(queues[d]);
  for (int q = 0; q < 4; ++q) EXPECT_GT(std::count(aligned.begin(), aligned.end(), q), 4) << q;
  EXPECT_EQ(queues_of(*make_queueing("flow-hash", *graph)), queues) << "the same in every run";
  EXPECT_EQ(make_queueing("flow-hash", *graph, "queues = 7")->classes(), 7);
}

}  // namespace
}  // namespace weir::fabric::testing
