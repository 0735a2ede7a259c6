// FBICM (lippens2010, section 4.3): lines that hold destinations instead of paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forged_messages.hpp"
#include "weir/isolation/flow_map.hpp"

namespace weir::isolation::testing::fbicm_test {
namespace {

constexpr Time kStart(0);

TEST(FlowMap, MapsDestinationsOnceThereIsALine) {
  FlowMap map;
  EXPECT_EQ(map.line_of(7), FlowMap::kNone);
  EXPECT_FALSE(map.is_made());
  map.set(7, 3, 10);
  EXPECT_EQ(map.line_of(7), 3);
  EXPECT_EQ(map.line_of(6), FlowMap::kNone);
  map.set(7, 4, 10);
  map.set(2, 4, 10);
  EXPECT_EQ(map.size(), 2U) << "a destination has one line";
  map.clear(7);
  EXPECT_EQ(map.line_of(7), FlowMap::kNone);
  map.clear(7);
  EXPECT_EQ(map.size(), 1U);
}

TEST(MappedFlows, StayInOrderAndAreFound) {
  MappedFlows flows;
  for (const std::uint32_t d : {5U, 1U, 9U, 3U}) flows.insert(d);
  std::vector<std::uint32_t> all;
  for (const MappedFlow& flow : flows) all.push_back(flow.destination);
  EXPECT_THAT(all, ::testing::ElementsAre(1, 3, 5, 9));
  flows.erase(5);
  EXPECT_EQ(flows.find(5), nullptr);
  EXPECT_EQ(flows.find(4), nullptr);
  EXPECT_EQ(flows.find(10), nullptr);
  ASSERT_NE(flows.find(9), nullptr);
  EXPECT_EQ(flows.find(9)->destination, 9U);
  EXPECT_EQ(flows.size(), 3U);
}

/// Host 0 at the first switch sends to hosts 2 and 3 at the second, and host 1 floods the link
/// between them, so that packets wait at ingress. Requests are forged.
struct Waiting : Network {
  std::unique_ptr<Fabric> fabric;
  Side side;

  explicit Waiting(const std::string& more = "", const std::string& min_lifetime = "50 us") {
    line({2, 3});
    isolation = "fbicm";
    settings.speedup = 1;
    settings.check_period = Time(0);
    settings.sample_period = nanoseconds(4);
    isolation_toml =
        "detect = \"16 KiB\"\ndetect_ingress = \"16 KiB\"\npropagate = \"512 B\"\nxoff = \"3 "
        "KiB\"\n"
        "min_lifetime = \"" +
        min_lifetime + "\"\n" + more;
    fabric = build();
    side = Side::ingress(at_host(0));
    send(*fabric, 1, 4, kStart, microseconds(40));
  }
  /// Line `number` of the output to the second switch asks the input of host 0.
  void ask(std::uint64_t number, std::uint16_t hops, std::uint32_t destination,
           bool has_token = true) {
    const std::uint32_t root = hops == 0 ? towards(0, 1) : at_host(destination);
    Forged::request_inside(*fabric, side.port(), 2, {number, 0}, root, hops, destination,
                           has_token);
  }
  /// Bytes set aside at the input of host 0, by distance of the root.
  [[nodiscard]] static std::int64_t bytes(const Fabric& of, Side side, std::uint32_t hops) {
    std::int64_t sum = 0;
    for (const SetAsideLine& one : lines_at(of, side)) sum += one.hops == hops ? one.bytes : 0;
    return sum;
  }
  [[nodiscard]] std::int64_t bytes(std::uint32_t hops) const { return bytes(*fabric, side, hops); }
  [[nodiscard]] std::int64_t stored() const { return fabric->stored(PortId(side.port()), 0).count; }
  void finish() {
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(journal.out_of_order(), 0U);
    EXPECT_TRUE(lines_of(*fabric).empty());
  }
};

// 3.7.5: packets for a destination that the line was not told of stay in the normal queue.
TEST(Fbicm, SetsAsideTheDestinationsThatItWasToldOf) {
  Waiting net;
  send(*net.fabric, 0, 2, kStart, microseconds(5), 0.7);
  send(*net.fabric, 0, 3, kStart, microseconds(5), 0.3);
  net.fabric->run_until(nanoseconds(500));
  net.ask(77, 1, 2);
  net.fabric->run_until(microseconds(5));
  const std::int64_t before = net.bytes(1);
  EXPECT_GT(before, 500);
  EXPECT_LT(before, net.stored());
  net.ask(77, 1, 3, false);
  EXPECT_EQ(net.bytes(1), net.stored()) << "an addition counts for what waits already";
  net.finish();
}

// What a line was made for may stand far back in the normal queue. What is ahead of it leaves
// without having the line released.
TEST(Fbicm, KeepsALineForWhatStandsInTheNormalQueue) {
  Waiting net("", "0 ns");
  send(*net.fabric, 0, 3, kStart, microseconds(1));
  send(*net.fabric, 0, 2, microseconds(1), nanoseconds(1'064));
  net.fabric->run_until(nanoseconds(1'200));
  net.ask(77, 1, 2);
  const std::int64_t ahead = net.stored() - 2 * 64;
  ASSERT_GT(ahead, 3 * 64) << "the last one is for host 2";
  while (net.stored() > 64) {
    ASSERT_EQ(lines_at(*net.fabric, net.side).size(), 1U) << net.stored() << " bytes wait";
    net.fabric->run_until(net.fabric->now() + nanoseconds(16));
  }
  EXPECT_EQ(net.bytes(1), 64) << "the packet that it was made for";
  net.finish();
  EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, net.side), 1U);
}

// It does not stay for packets that come later.
TEST(Fbicm, ReleasesALineWhenTheNormalQueueHasBeenServed) {
  Waiting net("", "0 ns");
  send(*net.fabric, 0, 3, kStart, microseconds(10));
  net.fabric->run_until(microseconds(1));
  net.ask(77, 1, 2);
  const std::int64_t waits = net.stored();
  ASSERT_GT(waits, 3 * 64);
  // The link carries a packet of each input in turn.
  net.fabric->run_until(net.fabric->now() + nanoseconds(2 * (waits - 128)));
  EXPECT_EQ(lines_at(*net.fabric, net.side).size(), 1U);
  net.fabric->run_until(net.fabric->now() + nanoseconds(2 * 3 * 128));
  EXPECT_TRUE(lines_at(*net.fabric, net.side).empty());
  EXPECT_GT(net.stored(), waits);
  net.finish();
}

// The same at a host, whose packets wait for its link.
TEST(Fbicm, SetsAsideWhatWaitsAtAHost) {
  Waiting net;
  net.fabric->submit(HostId(0), {net.fabric->now(), HostId(2), Bytes(2'000)});
  net.fabric->run_until(nanoseconds(150));
  Forged::request(*net.fabric, 0, {77, 0}, net.at_host(2), 1, 2);
  const auto lines = lines_at(*net.fabric, Side::egress(0));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].hops, 2U);
  EXPECT_EQ(lines[0].bytes, 2'000 - 3 * 64) << "all but what has left";
  net.finish();
}

// An addition to a line that has been given back meanwhile takes none.
TEST(Fbicm, IgnoresALateAddition) {
  Waiting net;
  net.ask(77, 1, 2, false);
  Forged::request(*net.fabric, 0, {78, 0}, net.at_host(2), 1, 2, false);
  EXPECT_TRUE(lines_of(*net.fabric).empty());
  EXPECT_EQ(net.journal.events.size(), 0U);
  net.finish();
}

// 3.7.4: a line for the output itself takes every destination that leaves there.
TEST(Fbicm, ARootsLineTakesAllThatLeavesByItsOutput) {
  Waiting net;
  for (const std::uint32_t to : {2U, 3U}) send(*net.fabric, 0, to, kStart, microseconds(3), 0.5);
  send(*net.fabric, 0, 1, kStart, microseconds(3), 0.2);
  net.fabric->run_until(nanoseconds(1'500));
  net.ask(0, 0, 2);
  EXPECT_GT(net.bytes(0), 200);
  for (int step = 0; step < 100; ++step) {
    net.fabric->run_until(net.fabric->now() + nanoseconds(10));
    EXPECT_LE(net.stored() - net.bytes(0), 64) << "at most one packet for the other output";
  }
  net.finish();
}

// Annex C-9: of two points that a destination crosses the farther counts, whichever came last, and
// the packets that were set aside for the nearer one go first.
TEST(Fbicm, MovesADestinationToTheFartherRootInOrder) {
  Waiting net;
  send(*net.fabric, 0, 2, kStart, microseconds(10));
  net.fabric->run_until(microseconds(2));
  net.ask(0, 0, 2);
  const std::int64_t nearer = net.bytes(0);
  EXPECT_GT(nearer, 500);
  net.ask(77, 1, 2);
  EXPECT_EQ(net.bytes(0), nearer) << "what has been set aside stays where it is";
  int held = 0;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const std::int64_t left = Waiting::bytes(now_of, net.side, 0);
    for (const SetAsideLine& one : lines_at(now_of, net.side)) {
      if (one.hops != 1) continue;
      EXPECT_EQ(one.is_held, left > 0);
      held += one.is_held ? 1 : 0;
    }
  };
  net.fabric->run_until(microseconds(4));
  EXPECT_GT(net.bytes(1), 500);
  net.finish();
  EXPECT_GT(held, 100);
}

TEST(Fbicm, RefusesANearerRootForADestinationThatIsSetAside) {
  Waiting net;
  net.ask(77, 2, 2);
  net.ask(78, 1, 2);
  ASSERT_EQ(lines_at(*net.fabric, net.side).size(), 1U);
  EXPECT_EQ(lines_at(*net.fabric, net.side)[0].hops, 2U);
  // The output itself may still be a root for others.
  net.ask(0, 0, 2);
  EXPECT_EQ(lines_at(*net.fabric, net.side).size(), 2U);
  send(*net.fabric, 0, 2, net.fabric->now(), microseconds(3));
  net.fabric->run_until(microseconds(3));
  EXPECT_GT(net.bytes(2), 300);
  EXPECT_EQ(net.bytes(0), 0);
  net.finish();
}

// Routes that depend on the source: packets for host 2 that come by another way leave by output 1.
// Those of host 0 wait in the line of their own output, and no later one may go past them.
TEST(Fbicm, KeepsADestinationAtTheOutputWhereItsPacketsWait) {
  Waiting net;
  send(*net.fabric, 0, 2, kStart, microseconds(10));
  net.fabric->run_until(microseconds(2));
  net.ask(0, 0, 2);
  ASSERT_GT(net.bytes(0), 500);
  Forged::request_inside(*net.fabric, net.side.port(), 1, {77, 0}, net.at_host(2), 1, 2, true);
  EXPECT_EQ(lines_at(*net.fabric, net.side).size(), 1U);
  net.fabric->run_until(microseconds(10));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  net.finish();
}

// Nor does an addition to a line that is there bring it back.
TEST(Fbicm, LeavesADestinationAtTheFartherRoot) {
  Waiting net;
  net.ask(77, 2, 2);
  net.ask(78, 1, 3);
  net.ask(78, 1, 2, false);
  send(*net.fabric, 0, 2, net.fabric->now(), microseconds(3));
  net.fabric->run_until(microseconds(3));
  EXPECT_GT(net.bytes(2), 300);
  EXPECT_EQ(net.bytes(1), 0);
  net.finish();
}

// The line that the destination comes from is empty, but waits itself.
TEST(Fbicm, InheritsWhatAnEmptyLineWaitsFor) {
  Waiting net;
  send(*net.fabric, 0, 2, kStart, microseconds(10));
  net.fabric->run_until(microseconds(2));
  net.ask(0, 0, 2);
  net.ask(77, 1, 2);
  net.ask(78, 2, 2);
  int held = 0;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const std::int64_t left = Waiting::bytes(now_of, net.side, 0);
    for (const SetAsideLine& one : lines_at(now_of, net.side)) {
      if (one.hops == 2) {
        EXPECT_EQ(one.is_held, left > 0);
        held += one.is_held ? 1 : 0;
      }
    }
  };
  net.finish();
  EXPECT_GT(held, 100);
}

// When a line is given back, its destinations are normal again.
TEST(Fbicm, ForgetsDestinationsWithTheLine) {
  Waiting net("retry = \"1 us\"");
  net.isolation_toml = "min_lifetime = \"1 us\"";
  net.fabric = net.build();
  net.ask(77, 1, 2);
  net.fabric->run_until(microseconds(5));
  ASSERT_TRUE(lines_of(*net.fabric).empty());
  send(*net.fabric, 1, 4, microseconds(5), microseconds(9));
  send(*net.fabric, 0, 2, microseconds(5), microseconds(9));
  net.fabric->run_until(microseconds(8));
  EXPECT_GT(net.stored(), 500);
  EXPECT_EQ(net.bytes(1), 0);
  net.ask(79, 1, 3);
  net.fabric->run_until(microseconds(9));
  EXPECT_EQ(net.bytes(1), 0) << "the same line, for another destination";
  net.finish();
}

// 3.7.5: a finite look-up line.
TEST(Fbicm, AddsNoDestinationToAFullLine) {
  for (const int most : {1, 2}) {
    Waiting net("max_flows = " + std::to_string(most));
    for (const std::uint32_t to : {2U, 3U}) send(*net.fabric, 0, to, kStart, microseconds(3), 0.5);
    net.ask(77, 1, 2);
    net.ask(77, 1, 3, false);
    net.fabric->run_until(microseconds(3));
    if (most == 1) {
      EXPECT_LT(net.bytes(1), net.stored() * 3 / 4);
    } else {
      EXPECT_EQ(net.bytes(1), net.stored());
    }
    net.finish();
  }
}

// 3.7.2: with one normal queue it is the bytes for an output that count, not all. Host 0 gets a
// quarter of output 4 and sends 0.7 there; what it sends to output 5 waits as well.
TEST(Fbicm, CountsBytesByOutputInASingleQueue) {
  for (const char* ingress : {"single", "per-output"}) {
    Network net;
    net.isolation = "fbicm";
    net.settings.speedup = 1;
    net.isolation_toml = std::string("ingress = \"") + ingress + "\"";
    net.graph = make_topology("single-switch", "hosts = 6", kLink);
    const auto fabric = net.build();
    send(*fabric, 0, 4, kStart, microseconds(12), 0.7);
    send(*fabric, 0, 5, kStart, microseconds(12), 0.3);
    for (std::uint32_t h = 1; h < 4; ++h) send(*fabric, h, 4, kStart, microseconds(12));
    fabric->run_until(microseconds(12));
    const Side side = Side::ingress(net.at_host(0));
    EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, side), 4'096 / 0.45, 168 / 0.45)
        << ingress;
    for (const SetAsideEvent& event : net.journal.events) {
      if (event.side.index != side.index) continue;
      EXPECT_EQ(event.root.value, net.at_host(4));
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
}

// 3.7.3: upstream is told of every destination, not only of the first.
TEST(Fbicm, TellsUpstreamOfEveryDestination) {
  Network net;
  net.isolation = "fbicm";
  net.settings.speedup = 1;
  net.settings.sample_period = nanoseconds(50);
  // Hosts 0 and 1 before a link whose far end, the root, is shared with hosts 2 and 3.
  net.line({2, 2, 2});
  const auto fabric = net.build();
  send(*fabric, 0, 4, kStart, microseconds(80), 0.5);
  send(*fabric, 1, 5, kStart, microseconds(80), 0.5);
  for (const auto& [from, to] : {std::pair{2U, 4U}, std::pair{3U, 5U}})
    send(*fabric, from, to, kStart, microseconds(80), 0.8);
  fabric->run_until(microseconds(80));
  // Both destinations cross the link from the middle, and both hosts hold them back.
  const Side root = Side::egress(net.towards(1, 2));
  EXPECT_GT(net.journal.count(SetAsideEvent::detected, root) +
                net.journal.count(SetAsideEvent::detected, Side::ingress(net.towards(1, 0))),
            0U);
  for (const std::uint32_t h : {0U, 1U}) {
    const auto lines = lines_at(*fabric, Side::egress(h));
    ASSERT_EQ(lines.size(), 1U) << "host " << h;
    EXPECT_EQ(lines[0].root.value, root.port());
    EXPECT_EQ(lines[0].hops, 2U);
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(2)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
}

}  // namespace
}  // namespace weir::isolation::testing::fbicm_test
