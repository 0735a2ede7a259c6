#include "weir/reaction/network_constants.hpp"

#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/reaction/waiting_slots.hpp"

namespace weir::reaction {
namespace {

using fabric::testing::make_routing;
using fabric::testing::make_topology;

/// A network of ferrer2012, section 5.3.1; one cycle is 1 ns, so 1 byte a cycle is 8 Gbps.
struct Row {
  const char* topology;
  const char* settings;
  const char* routing;
  std::uint32_t hops;
  std::uint32_t radix;
  std::uint32_t stages;
  double overhead;     ///< K
  double omega[4];     ///< 64, 256, 512, 1024 B of payload
  std::int64_t round;  ///< RTT_min of 256 B
  std::int64_t base;   ///< latency of 256 B
  std::int64_t waits[5];
};

constexpr Row kRows[] = {
    {"bmin-perfect-shuffle",
     "hosts = 512\nk = 4\nn = 5",
     "turnaround",
     9,
     4,
     5,
     76,
     {1.884, 1.273, 1.142, 1.07},
     354,
     305,
     {354, 1'416, 5'664, 22'656, 90'624}},
    {"bmin-perfect-shuffle",
     "hosts = 64\nk = 4\nn = 3",
     "turnaround",
     5,
     4,
     3,
     52,
     {1.605, 1.187, 1.097, 1.050},
     330,
     293,
     {330, 1'320, 5'280}},
    {"bmin-perfect-shuffle",
     "hosts = 512\nk = 8\nn = 3",
     "turnaround",
     5,
     8,
     3,
     52,
     {1.605, 1.187, 1.097, 1.050},
     330,
     293,
     {330, 2'640, 21'120}},
    {"umin-butterfly",
     "k = 4\nn = 4",
     "destination-tag",
     4,
     4,
     4,
     46,
     {1.535, 1.165, 1.086, 1.044},
     324,
     290,
     {324, 1'296, 5'184, 20'736}},
    {"umin-butterfly",
     "k = 8\nn = 3",
     "destination-tag",
     3,
     8,
     3,
     40,
     {1.465, 1.144, 1.075, 1.038},
     318,
     287,
     {318, 2'544, 20'352}},
};

NetworkConstants constants_of(const Row& row, std::int64_t payload) {
  const auto graph =
      make_topology(row.topology, row.settings, {Rate(8'000'000'000), nanoseconds(1)});
  fabric::FabricSettings settings;
  settings.mtu = Bytes(payload);
  settings.header = Bytes(22);
  settings.ack_size = Bytes(22);
  settings.routing_delay = settings.crossbar_delay = nanoseconds(1);
  return network_constants(*graph, *make_routing(row.routing, *graph), settings);
}

TEST(NetworkConstants, AreThoseOfTheFiveNetworks) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.topology) + " " + row.settings);
    const NetworkConstants c = constants_of(row, 256);
    EXPECT_EQ(c.hops, row.hops);
    EXPECT_EQ(c.hop_time, nanoseconds(3));
    EXPECT_EQ(c.radix, row.radix);
    EXPECT_EQ(c.stages, row.stages);
    EXPECT_DOUBLE_EQ(c.overhead(), row.overhead);
    EXPECT_EQ(c.round_trip(c.data), nanoseconds(row.round));
    EXPECT_EQ(c.latency(c.data), nanoseconds(row.base));
    EXPECT_EQ(c.slot(), nanoseconds(row.round));
    int i = 0;
    for (const std::int64_t payload : {64, 256, 512, 1'024}) {
      EXPECT_NEAR(c.round_trip_packets(Bytes(payload + 22)), row.omega[i++], 0.003) << payload;
      EXPECT_EQ(constants_of(row, payload).window(), 2U);
    }
  }
}

TEST(NetworkConstants, WindowFollowsThePacketSize) {
  NetworkConstants c = constants_of(kRows[0], 256);
  EXPECT_NEAR(c.round_trip_packets(Bytes(22)), 4.45, 0.01);
  EXPECT_NEAR(c.round_trip_packets(Bytes(1'000'000'000)), 1, 1e-6);
  c.data = Bytes(22);
  EXPECT_EQ(c.window(), 5U);
  // Nothing to wait for: one packet fills the round trip exactly.
  c.hop_time = Time(0);
  c.ack = Bytes(0);
  EXPECT_EQ(c.window(), 1U);
  // Packets of 64 and 512 B: the slot is that of the larger one.
  EXPECT_EQ(constants_of(kRows[0], 512).slot(), nanoseconds(610));
}

TEST(NetworkConstants, WaitsGrowByTheRadixUpToTheStages) {
  for (const Row& row : kRows) {
    const NetworkConstants c = constants_of(row, 256);
    SlotSettings settings;
    settings.factor = c.radix;
    settings.most_steps = c.stages;
    settings.slot = c.slot();
    const WaitingSlots slots(settings);
    EXPECT_EQ(slots.wait(0), Time(0));
    FlowState flow;
    for (std::uint32_t step = 1; step <= row.stages; ++step) {
      EXPECT_TRUE(slots.raise(flow));
      EXPECT_EQ(slots.wait(step), nanoseconds(row.waits[step - 1])) << row.settings << step;
    }
    EXPECT_FALSE(slots.raise(flow));
  }
}

TEST(Reduction, IsOneOverKWhenAllSendToTheHotSpot) {
  EXPECT_DOUBLE_EQ(reduction(4, 0), 1);
  EXPECT_NEAR(reduction(4, 1), 0.5714, 5e-5);
  EXPECT_NEAR(reduction(4, 2), 0.4, 5e-5);
  EXPECT_NEAR(reduction(4, 3), 0.3077, 5e-5);
  EXPECT_DOUBLE_EQ(reduction(4, 4), 0.25);
  EXPECT_NEAR(reduction(8, 1), 0.5333, 5e-5);
  EXPECT_DOUBLE_EQ(reduction(8, 8), 0.125);
  EXPECT_NEAR(reduction(512, 102), 0.009728, 5e-7);
  EXPECT_NEAR(reduction(64, 12), 0.078049, 5e-7);
  EXPECT_NEAR(reduction(256, 51), 0.019305, 5e-7);
}

TEST(WaitingSlots, StayWithinTheLongestWaitHoweverManySteps) {
  SlotSettings settings;
  settings.slot = microseconds(1);
  const WaitingSlots slots(settings);
  EXPECT_EQ(slots.wait(1), microseconds(1));
  EXPECT_EQ(slots.wait(5), microseconds(256));
  EXPECT_EQ(slots.wait(60), Time(kLongestWait));
  EXPECT_EQ(slots.wait(100'000), Time(kLongestWait));
}

}  // namespace
}  // namespace weir::reaction
