// How long packets stand in queues that hot traffic holds up, on networks small enough to know it
// by hand: links carry 1 B/ns over 10 ns of cable, and switches take no time.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric::testing::waiting_watch_test {
namespace {

constexpr std::uint8_t kHot = 0;
constexpr std::uint8_t kCold = 1;
constexpr std::uint8_t kPlain = 2;

/// Messages of one class from one host, in order of time.
struct Load {
  std::uint32_t host = 0;
  std::uint8_t traffic_class = kCold;
  std::vector<MessageRequest> messages;
};

MessageRequest message(int at, std::uint32_t to, int bytes) {
  return {nanoseconds(at), HostId(to), Bytes(bytes)};
}

struct Watched : SmallNetwork {
  Watched() {
    settings.mtu = Bytes(5'000);
    settings.ingress_buffer = settings.egress_buffer = Bytes(100'000);
    settings.voq = false;
    routing = "shortest-path";
    place("single-switch", "hosts = 6");
    watch({{true, false, false}, {false, true, false}, {}, {}});
  }
  void place(const std::string& topology, const std::string& toml) {
    graph = make_topology(topology, toml, {gigabits_per_second(8), nanoseconds(10)});
  }
  void watch(WaitingSettings waiting) {
    mechanisms.waiting = std::make_shared<WaitingWatch>(std::move(waiting));
  }
  /// Runs until nothing is left.
  void run(const std::vector<Load>& loads) {
    const std::unique_ptr<Fabric> fabric = build();
    for (const Load& load : loads) {
      auto source = std::make_unique<ListSource>(load.messages);
      source->traffic_class = load.traffic_class;
      fabric->add_source(HostId(load.host), std::move(source));
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(1), WhenIdle::stop));
    fingerprint = fabric->fingerprint();
  }
  [[nodiscard]] double waited(std::size_t traffic_class = kCold) const {
    return to_nanoseconds(Time(mechanisms.waiting->tally(traffic_class).time));
  }
  [[nodiscard]] WaitingWatch::Tally tally(std::size_t traffic_class = kCold) const {
    return mechanisms.waiting->tally(traffic_class);
  }

  std::uint64_t fingerprint = 0;
};

/// Host 3 keeps the link to host 1 busy from 10 to 5010 ns. Two packets of host 0 go there, too,
/// and then one to host 2: they leave host 0 at 100, 1100 and 2100 ns.
std::vector<Load> two_before_one() {
  return {{3, kHot, {message(0, 1, 5'000)}},
          {0, kHot, {message(100, 1, 1'000), message(100, 1, 1'000)}},
          {0, kCold, {message(101, 2, 1'000)}}};
}

// In the host the second hot packet is before it from 101 to 1100 ns; then it is first and waits
// for the link. In the switch it stands behind the first one from 2110 to 5010 ns, and behind the
// second one until 6010 ns.
constexpr double kInHost = 1'100 - 101;
constexpr double kInSwitch = 6'010 - 2'110;

TEST(WaitingWatch, CountsTheTimeBehindTwoPacketsInAFifo) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq}) {
    Watched net;
    net.settings.architecture = architecture;
    net.run(two_before_one());
    EXPECT_EQ(net.waited(), kInHost + kInSwitch) << static_cast<int>(architecture);
    const WaitingWatch::Tally tally = net.tally();
    EXPECT_EQ(tally.packets, 1);
    EXPECT_EQ(tally.victims, 1);
    EXPECT_EQ(tally.flows, 1);
    EXPECT_EQ(tally.victim_flows, 1);
  }
}

TEST(WaitingWatch, FindsNobodyBehindThemInVirtualOutputQueues) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq}) {
    Watched net;
    net.settings.architecture = architecture;
    net.settings.voq = true;
    net.run(two_before_one());
    EXPECT_EQ(net.waited(), kInHost) << static_cast<int>(architecture);
  }
  Watched net;
  net.settings.architecture = Architecture::output_queued;
  net.run(two_before_one());
  EXPECT_EQ(net.waited(), kInHost);
}

TEST(WaitingWatch, FindsNobodyWhereHostsHaveAQueueForEachDestination) {
  Watched net;
  net.settings.voq = true;
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.run(two_before_one());
  EXPECT_EQ(net.waited(), 0);
  EXPECT_EQ(net.tally().packets, 1);
  EXPECT_EQ(net.tally().victims, 0);
  EXPECT_EQ(net.tally().victim_flows, 0);
}

std::uint32_t host_named(const SmallNetwork& net, const std::string& name) {
  for (std::uint32_t h = 0; h < net.graph->host_count(); ++h) {
    if (net.graph->name(net.graph->node(HostId(h))) == name) return h;
  }
  ADD_FAILURE() << name;
  return 0;
}

// The first packet takes the cable between the switches from 10 to 5010 ns. The second one is at
// the head of the egress buffer until then, and the cold one has been behind it since 210 ns.
TEST(WaitingWatch, CountsTheTimeInEgressBuffers) {
  Watched net;
  net.place("two-switches", "remote = 2\nvictims = 1\nlocal = 1");
  net.settings.architecture = Architecture::output_queued;
  const std::uint32_t sink = host_named(net, "c1");
  net.run({{host_named(net, "ar1"), kHot, {message(0, sink, 5'000)}},
           {host_named(net, "ar2"), kHot, {message(100, sink, 1'000)}},
           {host_named(net, "av1"), kCold, {message(200, host_named(net, "bv1"), 1'000)}}});
  EXPECT_EQ(net.waited(), 5'010 - 210);
}

// A packet of 20,000 B keeps the link to the sink busy until 20,010 ns. One hot packet waits for it
// in the one queue that switch B has for what comes from A, and a cold one behind it from 6020 ns.
// Another one finds no room there: 10,000 of 25,000 B are taken, and the largest packet would not
// fit. It waits in A from 12,010 ns until A hears, at 25,020 ns, that both have left B.
TEST(WaitingWatch, FollowsTheWaitThroughColdPacketsToTheHotOne) {
  const auto loads = [](const SmallNetwork& net, std::uint8_t first) -> std::vector<Load> {
    const std::uint32_t sink = host_named(net, "c1");
    const std::uint32_t other = host_named(net, "bv1");
    return {{host_named(net, "bl1"), kHot, {message(0, sink, 20'000)}},
            {host_named(net, "ar1"), first, {message(100, sink, 5'000)}},
            {host_named(net, "ar2"), kCold, {message(6'000, other, 5'000)}},
            {host_named(net, "av1"), kCold, {message(12'000, other, 1'000)}}};
  };
  Watched net;
  net.place("two-switches", "remote = 2\nvictims = 1\nlocal = 1");
  net.settings.mtu = Bytes(20'000);
  net.settings.ingress_buffer = Bytes(25'000);
  net.run(loads(net, kHot));
  EXPECT_EQ(net.tally().packets, 2);
  EXPECT_EQ(net.tally().victims, 2);
  EXPECT_EQ(net.waited(), (20'010 - 6'020) + (25'020 - 12'010));
  // Nobody is a victim of what is not hot.
  Watched plain;
  plain.graph = net.graph;
  plain.settings = net.settings;
  plain.run(loads(plain, kPlain));
  EXPECT_EQ(plain.waited(), 0);
  EXPECT_EQ(plain.fingerprint, net.fingerprint);
}

// Hosts 3 to 5 keep the link to host 1 busy until 15,010 ns. Two packets of host 0 for it fill the
// ingress buffer of host 0. One for host 2, which has a source queue and a virtual output queue of
// its own, finds the link free at 10,100 ns and no room behind it; the first packet of host 0 has
// left the buffer at 20,010 ns, of which host 0 hears 10 ns later.
TEST(WaitingWatch, CountsTheTimeWithoutRoomThatHotPacketsHold) {
  const auto loads = [](std::uint8_t filling) -> std::vector<Load> {
    return {{3, kHot, {message(0, 1, 5'000)}},
            {4, kHot, {message(50, 1, 5'000)}},
            {5, kHot, {message(50, 1, 5'000)}},
            {0, filling, {message(100, 1, 5'000), message(100, 1, 5'000)}},
            {0, kCold, {message(6'000, 2, 1'000)}}};
  };
  Watched net;
  net.settings.voq = true;
  net.settings.ingress_buffer = Bytes(10'000);
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.run(loads(kHot));
  EXPECT_EQ(net.waited(), 20'020 - 10'100);
  // The same wait is nobody's fault where other packets hold the room.
  Watched other;
  other.settings = net.settings;
  other.run(loads(kPlain));
  EXPECT_EQ(other.waited(), 0);
  EXPECT_EQ(other.fingerprint, net.fingerprint);
}

TEST(WaitingWatch, LeavesOutWhatGoesToAHotDestination) {
  std::vector<Load> loads = two_before_one();
  loads[2].messages = {message(101, 1, 1'000)};
  Watched net;
  net.run(loads);
  EXPECT_EQ(net.tally().packets, 0);
  EXPECT_EQ(net.waited(), 0);
  // Also one that is only known to be hot beforehand.
  Watched known;
  known.watch({{true, false, false}, {false, true, false}, {HostId(2)}, {}});
  known.run(two_before_one());
  EXPECT_EQ(known.tally().packets, 0);
}

TEST(WaitingWatch, MakesNoVictimOfWhatWaitsNoLongerThanTheLeast) {
  const auto victims = [](Time least) {
    Watched net;
    net.watch({{true, false, false}, {false, true, false}, {}, least});
    net.run(two_before_one());
    EXPECT_EQ(net.waited(), kInHost + kInSwitch);
    EXPECT_EQ(net.tally().victims, net.tally().victim_flows);
    return net.tally().victims;
  };
  EXPECT_EQ(victims(nanoseconds(4'898)), 1);
  EXPECT_EQ(victims(nanoseconds(4'899)), 0);
}

TEST(WaitingWatch, ChangesNothing) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
        Architecture::output_queued}) {
    Watched with;
    with.settings.architecture = architecture;
    with.run(two_before_one());
    Watched without;
    without.settings.architecture = architecture;
    without.mechanisms.waiting = nullptr;
    without.run(two_before_one());
    EXPECT_EQ(with.fingerprint, without.fingerprint);
  }
}

}  // namespace
}  // namespace weir::fabric::testing::waiting_watch_test
