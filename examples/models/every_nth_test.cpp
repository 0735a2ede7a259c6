#include <gtest/gtest.h>

#include "support/small_network.hpp"

namespace weir::fabric::testing::every_nth_test {
namespace {

// Host 1 sends 12 packets through one switch to host 0, host 2 four: each port counts by itself.
TEST(EveryNth, MarksEachFourthPacketOfAPort) {
  SmallNetwork net;
  net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 1");
  net.mechanisms.marker = make_marker("every-nth", *net.graph, "packets = 4");
  net.settings.mtu = Bytes(1000);
  auto fabric = net.build();
  send(*fabric, 1, {{Time(0), HostId(0), Bytes(12'000)}});
  send(*fabric, 2, {{Time(0), HostId(0), Bytes(3'000)}});
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.mechanisms.marker->marks_b().set, 3U);
  EXPECT_EQ(net.mechanisms.marker->marks_a().set, 0U);
  EXPECT_EQ(net.mechanisms.marker->marks_b().by_port.at(net.at_host(1)), 3U);
}

TEST(EveryNth, WithOneMarksAll) {
  SmallNetwork net;
  net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 1");
  net.mechanisms.marker = make_marker("every-nth", *net.graph, "packets = 1");
  net.settings.mtu = Bytes(1000);
  auto fabric = net.build();
  send(*fabric, 1, {{Time(0), HostId(0), Bytes(5'000)}});
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.mechanisms.marker->marks_b().set, 5U);
}

}  // namespace
}  // namespace weir::fabric::testing::every_nth_test
