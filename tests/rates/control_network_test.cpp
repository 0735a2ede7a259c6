#include "weir/rates/control_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "rates/protocol_support.hpp"
#include "weir/base/error.hpp"
#include "weir/rates/dafa_protocol.hpp"
#include "weir/rates/dffa_protocol.hpp"
#include "weir/rates/dffa_star_protocol.hpp"
#include "weir/rates/fixed_point.hpp"
#include "weir/rates/saa_m_protocol.hpp"
#include "weir/rates/saa_protocol.hpp"

namespace weir::rates {
namespace {

/// `hosts` hosts at each of two switches, a cable between them.
struct TwoSwitches {
  explicit TwoSwitches(std::uint32_t hosts) {
    for (std::uint32_t i = 0; i < 2 * hosts; ++i) plane.add_element(true);
    const ElementIndex left = plane.add_element(false);
    const ElementIndex right = plane.add_element(false);
    middle = plane.add_cable(left, right);
    for (std::uint32_t i = 0; i < hosts; ++i) up.push_back(plane.add_cable(i, left));
    for (std::uint32_t i = 0; i < hosts; ++i) {
      down.push_back(plane.add_cable(right, hosts + i));
    }
  }
  void add_flow(std::size_t from, std::size_t to, ApplicationIndex application = 0) {
    plane.add_flow(std::vector<LinkIndex>{up[from], middle, down[to]}, 1, application);
  }
  ControlPlane plane;
  LinkIndex middle = 0;
  std::vector<LinkIndex> up;
  std::vector<LinkIndex> down;
};

// Tail to tail: 32 ns on the wire, 15 ns of propagation; in switches 100 ns of routing and, on the
// way there, 60 ns of processing.
constexpr std::int64_t kHostHop = 32'000 + 15'000;
constexpr std::int64_t kHopThere = 100'000 + 60'000 + kHostHop;
constexpr std::int64_t kHopBack = 100'000 + kHostHop;
constexpr std::int64_t kTrip = 2 * kHostHop + 2 * kHopThere + 2 * kHopBack;

TEST(ControlNetwork, ATripTakesWhatItsPartsTake) {
  TwoSwitches network(1);
  network.add_flow(0, 0);
  using Protocol = DffaStarProtocol<double>;
  ControlNetwork<Protocol> carrier(network.plane, {});
  Protocol protocol(network.plane, carrier);
  carrier.attach(protocol);
  carrier.start_at(Time(500), 0);
  ASSERT_TRUE(carrier.run(Time::max()));
  EXPECT_EQ(carrier.counters().longest_trip, Time(kTrip));
  // Ask, take, leave.
  EXPECT_EQ(protocol.flow(0).found_at, Time(500 + 2 * kTrip));
  EXPECT_EQ(protocol.flow(0).left_at, Time(500 + 3 * kTrip));
  EXPECT_EQ(carrier.counters().along, 3U);
  EXPECT_EQ(carrier.messages_of(0), 3U);
  EXPECT_EQ(carrier.counters().transmissions, 3U * 6U);
  EXPECT_EQ(carrier.counters().bytes, Bytes(3 * 6 * 40));
  EXPECT_EQ(protocol.rate(0), 1.0);
}

TEST(ControlNetwork, PacketsWaitForTheProcessorOfAnOutput) {
  TwoSwitches network(3);
  for (std::size_t i = 0; i < 3; ++i) network.add_flow(i, i);
  using Protocol = SaaProtocol<double>;
  ControlNetwork<Protocol> carrier(network.plane, {});
  Protocol protocol(network.plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < 3; ++f) carrier.start_at(Time(), f);
  ASSERT_TRUE(carrier.run(Time::max()));
  // The third waits twice for 60 ns before the cable; processing is longer than the wire.
  EXPECT_EQ(carrier.counters().longest_trip, Time(kTrip + 2 * 60'000));
  // Three packets in the order of arrival: each sees those before it.
  EXPECT_DOUBLE_EQ(protocol.rate(0), 1.0);
  EXPECT_DOUBLE_EQ(protocol.rate(1), 1.0 / 2);
  EXPECT_DOUBLE_EQ(protocol.rate(2), 1.0 / 3);
}

TEST(ControlNetwork, PacketsOfOneHostShareItsLink) {
  TwoSwitches network(1);
  for (int i = 0; i < 3; ++i) network.add_flow(0, 0);
  using Protocol = SaaProtocol<double>;
  ControlTiming timing;
  timing.control_processing = Time();
  ControlNetwork<Protocol> carrier(network.plane, timing);
  Protocol protocol(network.plane, carrier);
  carrier.attach(protocol);
  for (FlowIndex f = 0; f < 3; ++f) carrier.start_at(Time(), f);
  ASSERT_TRUE(carrier.run(Time::max()));
  EXPECT_EQ(carrier.counters().longest_trip, Time(kTrip - 2 * 60'000 + 2 * 32'000));
}

TEST(ControlNetwork, ABroadcastGoesFasterThanAPacketOfAFlow) {
  TwoSwitches network(2);
  network.add_flow(0, 0);
  using Protocol = DffaProtocol<double>;
  ControlNetwork<Protocol> carrier(network.plane, {});
  Protocol protocol(network.plane, carrier);
  carrier.attach(protocol);
  carrier.start_at(Time(), 0);
  const std::int64_t announced = kHostHop + 2 * kHopThere;
  const std::int64_t host = 6'400 + 15'000;
  const std::int64_t hop = 100'000 + 30'000 + host;
  const std::int64_t reached = announced + host + 2 * hop;  // host 1, beside the source
  carrier.run_until(Time(reached - 1), [] { return false; });
  EXPECT_EQ(protocol.element(1).round, 0U);
  carrier.run_until(Time(reached), [] { return false; });
  EXPECT_EQ(protocol.element(1).round, 1U);
  ASSERT_TRUE(carrier.run(Time::max()));
  // Announcement, question for the round, and the three of DFFA*. The answer to the announcement
  // follows the broadcast: 6.4 ns behind it at the host; in both switches the broadcast is ready
  // 2 ns before it: its tail comes 32 ns earlier, then it is processed for 30 ns.
  EXPECT_EQ(protocol.flow(0).done_at, Time(5 * kTrip + 6'400 + 2 * (6'400 - 2'000)));
  // To the switch of the destination, to its two other neighbours, and from the other switch on.
  EXPECT_EQ(carrier.counters().over, 1U + 2U + 2U);
}

TEST(ControlNetwork, APifTakesItsHeightThereAndBack) {
  TwoSwitches network(2);
  network.add_flow(0, 0, 0);
  network.add_flow(1, 1, 1);
  using Protocol = DafaProtocol<double>;
  ControlNetwork<Protocol> carrier(network.plane, {});
  const ElementIndex left = network.plane.link(network.middle).from;
  Protocol protocol(network.plane, carrier, {left, Time()});
  carrier.attach(protocol);
  protocol.know_all();
  protocol.begin_calculation();
  ASSERT_TRUE(carrier.run(Time::max()));
  EXPECT_EQ(protocol.leader().iterations, 1U);
  EXPECT_DOUBLE_EQ(protocol.rate(0), 0.5);
  // Two hops from the leader to the far hosts, which take no time; each hop back is followed by a
  // reduction, those of the leader come before the next PIF and before the rates are spread.
  const std::int64_t one_way = kHopThere + kHostHop;
  const std::int64_t way_back = 2 * kHopThere + 200'000;
  const std::int64_t pif = one_way + way_back;
  EXPECT_EQ(protocol.leader().found_at, Time(2 * pif + 200'000));
  EXPECT_EQ(protocol.leader().settled_at, Time(3 * pif + 2 * 200'000));
}

TEST(RateAgents, KeepNothingThatGrowsWithFlows) {
  // O(1) per link: plain numbers, for any number of flows. DAFA: three arrays with a place for each
  // application, which the plane's size fixes.
  EXPECT_TRUE(std::is_trivially_copyable_v<SaaProtocol<double>::Link>);
  EXPECT_LE(sizeof(SaaProtocol<double>::Link), 8U);
  EXPECT_TRUE(std::is_trivially_copyable_v<SaaMProtocol<FixedPoint>::Link>);
  EXPECT_LE(sizeof(SaaMProtocol<FixedPoint>::Link), 3 * 8U);
  EXPECT_TRUE(std::is_trivially_copyable_v<DffaLink<double>>);
  EXPECT_LE(sizeof(DffaLink<double>), 5 * 8U + 2 * 4U);
  EXPECT_TRUE(std::is_trivially_copyable_v<DffaProtocol<double>::Element>);
  EXPECT_LE(sizeof(DffaProtocol<double>::Element), 8U);
  EXPECT_TRUE(std::is_trivially_copyable_v<DafaLink<double>>);
  EXPECT_TRUE(std::is_trivially_copyable_v<DafaProtocol<double>::Element>);
  EXPECT_LE(sizeof(DafaProtocol<double>::Element), 64U);
  TwoSwitches network(2);
  for (std::size_t i = 0; i < 50; ++i) {
    network.add_flow(i % 2, i / 2 % 2, static_cast<ApplicationIndex>(i % 3));
  }
  LockstepCarrier<DafaProtocol<double>::Message> carrier(network.plane);
  const DafaProtocol<double> protocol(network.plane, carrier);
  EXPECT_EQ(protocol.link(network.middle).active.size(), 3U);
  EXPECT_EQ(protocol.link(network.middle).announced.size(), 3U);
  // Messages fit into the 40 B of a control packet, numbers as large as they are here.
  EXPECT_LE(sizeof(SaaProtocol<double>::Message), 40U);
  EXPECT_LE(sizeof(SaaMProtocol<FixedPoint>::Message), 40U);
  EXPECT_LE(sizeof(DffaMessage<double>), 40U);
}

TEST(ControlPlane, RefusesWhatIsNoFlow) {
  TwoSwitches network(1);
  ControlPlane& plane = network.plane;
  EXPECT_THROW(plane.add_flow({}), InputError);
  EXPECT_THROW(plane.add_flow(std::vector<LinkIndex>{network.up[0], network.down[0]}), InputError);
  EXPECT_THROW(plane.add_flow(std::vector<LinkIndex>{99}), InputError);
  EXPECT_THROW(plane.add_flow(std::vector<LinkIndex>{network.up[0]}, 0), InputError);
  EXPECT_THROW(plane.add_flow(std::vector<LinkIndex>{network.up[0]}, -1), InputError);
  EXPECT_THROW(plane.add_flow(std::vector<LinkIndex>{network.up[0]}, std::nan("")), InputError);
  EXPECT_THROW(plane.set_capacity(network.middle, 0), InputError);
  EXPECT_EQ(plane.flow_count(), 0U);
}

}  // namespace
}  // namespace weir::rates
