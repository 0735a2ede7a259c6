#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/base/error.hpp"

namespace weir::fabric::testing::stop_on_mark_test {
namespace {

SmallNetwork network(const std::string& marking) {
  SmallNetwork net;
  net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 1");
  net.mechanisms.marker = make_marker("every-nth", *net.graph, marking);
  net.reaction = "stop-on-mark";
  net.reaction_toml = "length = \"50 us\"";
  net.settings.mtu = Bytes(1000);
  net.settings.acks = AckMode::in_band;
  return net;
}

// The mark of the first message is back long before the second one is made, which then waits for
// the end of the stop.
TEST(StopOnMark, AMarkedAckStopsItsFlowForItsLength) {
  const auto end = [](const std::string& marking) {
    SmallNetwork net = network(marking);
    auto fabric = net.build();
    send(*fabric, 1,
         {{Time(0), HostId(0), Bytes(1'000)}, {microseconds(5), HostId(0), Bytes(1'000)}});
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    EXPECT_EQ(fabric->counters().messages_completed, 2U);
    EXPECT_EQ(net.journal.deliveries.size(), 2U);
    return net.journal.deliveries.back().delivered;
  };
  const Time free = end("packets = 100");
  const Time stopped = end("packets = 1");
  EXPECT_LT(free, microseconds(10));
  EXPECT_GT(stopped, microseconds(50));
  EXPECT_LT(stopped, microseconds(60));
}

TEST(StopOnMark, NeedsAMarker) {
  SmallNetwork net = network("packets = 1");
  net.mechanisms.marker = nullptr;
  EXPECT_THAT(net.refusal(), ::testing::HasSubstr("who marks?"));
}

}  // namespace
}  // namespace weir::fabric::testing::stop_on_mark_test
