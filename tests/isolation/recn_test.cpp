// Basic RECN, rule by rule (recn-fbicm 3.5), on one to three switches.
#include <gtest/gtest.h>

#include "forged_messages.hpp"

namespace weir::isolation::testing {
namespace {

constexpr Time kStart(0);

std::unique_ptr<Fabric> one_switch(Network& net, int hosts, const std::string& model = "recn") {
  net.graph = make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink);
  net.model = model;
  return net.build();
}

/// All first allocations at a side, in ns.
double allocated(const Network& net, Side side) {
  return net.journal.first(SetAsideEvent::allocated, side);
}

// R2, C8: two of three inputs send to one output; an input that sends elsewhere is not asked, and
// none is asked again while it holds a queue.
TEST(Recn, AsksOnlyTheInputsWhosePacketsMeetAtAFullEgressQueue) {
  Network net;
  // Without it the queues, which always run empty when the crossbar keeps up, come and go.
  net.toml = "min_lifetime = \"100 us\"";
  const auto fabric = one_switch(net, 5);
  for (const std::uint32_t h : {0U, 1U}) send(*fabric, h, 4, kStart, microseconds(30));
  send(*fabric, 2, 3, kStart, microseconds(30));
  fabric->run_until(microseconds(30));
  const Side root = Side::egress(net.at_host(4));
  EXPECT_EQ(net.journal.count(SetAsideEvent::detected), 2U);
  EXPECT_EQ(net.journal.count(SetAsideEvent::detected, root), 2U) << "once for each input";
  for (const std::uint32_t h : {0U, 1U}) {
    EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::ingress(net.at_host(h))), 1U);
    const auto lines = lines_at(*fabric, Side::ingress(net.at_host(h)));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].root, PortId(net.at_host(4)));
    EXPECT_EQ(lines[0].hops, 0U);
    EXPECT_FALSE(lines[0].is_root) << "asked for, not detected here";
  }
  EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::ingress(net.at_host(2))), 0U);
  EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::egress(2)), 0U);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
}

// R2, R3: within the switch a message takes a cycle of the crossbar.
TEST(Recn, TakesAQueueOneCrossbarCycleAfterDetection) {
  Network net;
  const auto fabric = one_switch(net, 3);
  for (const std::uint32_t h : {0U, 1U}) send(*fabric, h, 2, kStart, microseconds(20));
  fabric->run_until(microseconds(20));
  const double detected = net.journal.first(SetAsideEvent::detected, Side::egress(net.at_host(2)));
  ASSERT_GT(detected, 0);
  std::vector<double> taken = {allocated(net, Side::ingress(net.at_host(0))),
                               allocated(net, Side::ingress(net.at_host(1)))};
  EXPECT_DOUBLE_EQ(*std::min_element(taken.begin(), taken.end()), detected + 32);
}

/// Host 0 sends through two switches to host 2 behind the third, to which hosts 3 and 4 of that
/// switch send as well; host 1 in the middle sends to host 5 and shares a link with host 0.
struct Chain : Network {
  explicit Chain(const std::string& the_model) {
    line({1, 1, 4});
    model = the_model;
  }
  void start(Fabric& fabric, Time end) const {
    for (const std::uint32_t h : {0U, 3U, 4U}) send(fabric, h, 2, kStart, end);
    send(fabric, 1, 5, kStart, end, 0.4);
  }
  /// From the root to the source: sides that hold a line for host 2, with their links to the root.
  [[nodiscard]] std::vector<std::pair<Side, std::uint32_t>> branch() const {
    return {{Side::ingress(towards(2, 1)), 0}, {Side::egress(towards(1, 2)), 1},
            {Side::ingress(towards(1, 0)), 1}, {Side::egress(towards(0, 1)), 2},
            {Side::ingress(at_host(0)), 2},    {Side::egress(0), 3}};
  }
};

// R5, R6: hop by hop to the source, with the same root and growing distance.
TEST(Recn, NotifiesHopByHopUpToTheSource) {
  Chain net("recn");
  const auto fabric = net.build();
  net.start(*fabric, microseconds(80));
  fabric->run_until(microseconds(80));
  double before = 0;
  for (const auto& [side, hops] : net.branch()) {
    const double at = allocated(net, side);
    EXPECT_GT(at, before) << "after its neighbour downstream, " << hops << " links to the root";
    before = at;
    for (const SetAsideEvent& event : net.journal.events) {
      if (event.side.index != side.index) continue;
      EXPECT_EQ(event.root, PortId(net.at_host(2)));
      EXPECT_EQ(event.hops, hops);
    }
  }
}

// C9: what shares an output with congested packets and leaves the path later is not set aside.
TEST(Recn, LeavesAloneWhatOnlySharesALink) {
  Chain net("recn");
  const auto fabric = net.build();
  net.start(*fabric, microseconds(200));
  fabric->run_until(microseconds(200));
  EXPECT_GT(net.journal.count(SetAsideEvent::allocated, Side::ingress(net.towards(1, 0))), 0U);
  EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::ingress(net.at_host(1))), 0U);
  EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::egress(1)), 0U);
  // Full rate all the time, but for what is on its way.
  EXPECT_GT(net.journal.bytes_to[5], 0.4 * 200'000 - 400);
  EXPECT_GT(net.journal.bytes_to[2], 200'000 - 400) << "the congested link never idles (C25)";
}

// R9, C11: leaves first, the root last, and nothing is left.
TEST(Recn, GivesQueuesBackFromTheLeavesToTheRoot) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Chain net(model);
    const auto fabric = net.build();
    net.start(*fabric, microseconds(60));
    EXPECT_TRUE(fabric->run_until(milliseconds(1))) << model;
    EXPECT_TRUE(lines_of(*fabric).empty());
    const auto last_release = [&](Side side) {
      Time last;
      for (const SetAsideEvent& event : net.journal.events) {
        if (event.side.index == side.index && event.kind == SetAsideEvent::released)
          last = event.at;
      }
      return last;
    };
    Time before = Time::max();
    for (const auto& [side, hops] : net.branch()) {
      EXPECT_LT(last_release(side), before) << model << ", " << hops << " links to the root";
      before = last_release(side);
      EXPECT_GT(before, microseconds(0));
    }
  }
}

/// Three hosts of the first switch and two of the second send to host 3, at the second.
struct Merge : Network {
  explicit Merge(const std::string& the_model) {
    line({3, 3});
    model = the_model;
  }
};

// R9: a line that asked three inputs is a leaf again when it has three tokens back.
TEST(Recn, WaitsForTheTokensOfAllInputs) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Merge net(model);
    net.settings.check_period = microseconds(5);
    net.settings.sample_period = nanoseconds(10);
    const auto fabric = net.build();
    for (const std::uint32_t h : {4U, 5U}) send(*fabric, h, 3, kStart, microseconds(200));
    for (const std::uint32_t h : {0U, 1U, 2U})
      send(*fabric, h, 3, kStart, microseconds(60 + 40 * h), 0.3);
    const Side merge = Side::egress(net.towards(0, 1));
    fabric->run_until(microseconds(50));
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      EXPECT_EQ(lines_at(*fabric, Side::ingress(net.at_host(h))).size(), 1U)
          << model << ", host " << h;
    }
    ASSERT_EQ(lines_at(*fabric, merge).size(), 1U) << model;
    EXPECT_FALSE(lines_at(*fabric, merge)[0].is_leaf);
    const std::size_t released = net.journal.count(SetAsideEvent::released, merge);
    std::size_t inputs = 3;
    net.journal.sample = [&](const Fabric& now_of, Time) {
      if (inputs == 0) return;
      inputs = 0;
      for (const std::uint32_t h : {0U, 1U, 2U})
        inputs += lines_at(now_of, Side::ingress(net.at_host(h))).size();
      if (inputs == 0) return;
      EXPECT_EQ(net.journal.count(SetAsideEvent::released, merge), released)
          << model << ": given back although " << inputs << " inputs hold queues for it";
    };
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_GT(net.journal.count(SetAsideEvent::released, merge), released) << model;
  }
}

// R8: queues on both sides of a link stay near the threshold, and the root's link is kept busy.
TEST(Recn, StopsAndStartsSendersAtTheThresholds) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Chain net(model);
    net.settings.sample_period = nanoseconds(8);
    std::int64_t ingress = 0;
    std::int64_t egress = 0;
    std::int64_t lowest = INT64_MAX;
    const auto fabric = net.build();
    net.journal.sample = [&](const Fabric& now_of, Time now) {
      if (now < microseconds(60)) return;
      for (const SetAsideLine& line : lines_of(now_of)) {
        if (line.side.port() < now_of.graph().host_count()) continue;
        // Where nothing is stopped: the root's own lines are fed by it alone.
        (line.side.is_egress() ? egress : ingress) =
            std::max(line.side.is_egress() ? egress : ingress, line.bytes);
        if (line.side.index == Side::ingress(net.towards(2, 1)).index)
          lowest = std::min(lowest, line.bytes);
      }
    };
    net.start(*fabric, microseconds(200));
    fabric->run_until(microseconds(200));
    // Crosses the threshold with a packet; one is being sent, one goes before the message does;
    // and the message takes its 8 bytes and two propagations of 20.
    EXPECT_GT(ingress, 1'792) << model;
    EXPECT_LE(ingress, 1'792 + 3 * 64 + 8 + 40) << model;
    EXPECT_GT(egress, 1'792) << model;
    EXPECT_LE(egress, 1'792 + 2 * 64) << model;
    EXPECT_LT(lowest, 896) << model << ": goes on below Xon only";
    EXPECT_GT(lowest, 896 - 64 - 8 - 40 - 128) << model << ": goes on below Xon";
  }
}

// 3.5.9-2: a stop for a line that is not there any more does nothing.
TEST(Recn, IgnoresAStopForALineThatIsGone) {
  Network net;
  net.settings.check_period = Time(0);
  const auto fabric = one_switch(net, 3);
  const LineName path = turn_name(0, 2, 3);
  Forged::stop(*fabric, 0, path, true);
  send(*fabric, 0, 2, kStart, microseconds(5));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.bytes_to[2], 5'056);
  // A line for the same path that is made later starts from "go".
  Forged::request(*fabric, 0, path, net.at_host(2), 0);
  ASSERT_EQ(lines_at(*fabric, Side::egress(0)).size(), 1U);
  EXPECT_FALSE(lines_at(*fabric, Side::egress(0))[0].is_held);
}

// 3.5.9-3: a stopped queue that is empty is given back all the same.
TEST(Recn, GivesBackAStoppedQueueThatIsEmpty) {
  Network net;
  net.settings.check_period = Time(0);
  const auto fabric = one_switch(net, 3);
  const LineName path = turn_name(0, 2, 3);
  Forged::request(*fabric, 0, path, net.at_host(2), 0);
  Forged::stop(*fabric, 0, path, true);
  ASSERT_EQ(lines_at(*fabric, Side::egress(0)).size(), 1U);
  EXPECT_TRUE(lines_at(*fabric, Side::egress(0))[0].is_held);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_TRUE(lines_of(*fabric).empty());
  send(*fabric, 0, 2, fabric->now(), fabric->now() + microseconds(1));
  EXPECT_TRUE(fabric->run_until(milliseconds(2))) << "its packets must not wait for the dead line";
}

// A queue that is taken at an idle side waits for packets as long as a retry, then is given back.
TEST(Recn, GivesBackAQueueThatWasNeverUsed) {
  for (const bool has_lifetime : {false, true}) {
    Network net;
    net.settings.check_period = Time(0);
    if (has_lifetime) net.toml = "min_lifetime = \"7 us\"";
    const auto fabric = one_switch(net, 3);
    Forged::request_inside(*fabric, net.at_host(0), 2, {}, net.at_host(2), 0);
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(net.journal.first(SetAsideEvent::released, Side::ingress(net.at_host(0))),
              has_lifetime ? 7'000 : 2'000);
  }
}

// 3.5.8: a queue that runs empty again and again is kept as long as was asked for.
TEST(Recn, KeepsQueuesForTheirLifetime) {
  Network net;
  net.toml = "min_lifetime = \"20 us\"";
  const auto fabric = one_switch(net, 4);
  send(*fabric, 0, 3, kStart, microseconds(60));
  send(*fabric, 1, 3, kStart, microseconds(60), 0.2);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_GT(net.journal.count(SetAsideEvent::released), 0U);
  for (const SetAsideEvent& event : net.journal.events) {
    if (event.kind != SetAsideEvent::released) continue;
    EXPECT_GE(event.lifetime, microseconds(20));
  }
}

// 3.5.7: what is not in the associated queue may enter a full queue at the output. Two inputs are
// asked although the first alone keeps the queue there above its threshold.
TEST(Recn, FullQueueAtTheOutputStopsOnlyItsOwnPairs) {
  Merge net("recn");
  const auto fabric = net.build();
  for (const std::uint32_t h : {4U, 5U}) send(*fabric, h, 3, kStart, microseconds(200));
  send(*fabric, 0, 3, kStart, microseconds(200));
  send(*fabric, 1, 3, microseconds(80), microseconds(200));
  fabric->run_until(microseconds(79));
  EXPECT_GT(lines_at(*fabric, Side::egress(net.towards(0, 1))).at(0).bytes, 896);
  EXPECT_EQ(lines_at(*fabric, Side::ingress(net.at_host(1))).size(), 0U);
  fabric->run_until(microseconds(100));
  EXPECT_EQ(lines_at(*fabric, Side::ingress(net.at_host(1))).size(), 1U);
}

// 3.5.9-5, Annex C-6: with a single queue the second tree is refused, asks again no sooner than
// allowed, and loses nothing.
TEST(Recn, AsksAgainAfterARefusalNoSoonerThanAllowed) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Network net;
    net.toml = std::string(model) == "fbicm" ? "cfqs = 1" : "saqs = 1";
    const auto fabric = one_switch(net, 5, model);
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      send(*fabric, h, 3, kStart, microseconds(50), 0.5);
      send(*fabric, h, 4, kStart, microseconds(50), 0.5);
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(net.journal.out_of_order, 0U);
    EXPECT_EQ(net.journal.bytes_to[3] + net.journal.bytes_to[4], 3 * 2 * 391 * 64);
    std::size_t refusals = 0;
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      for (const std::uint32_t root : {3U, 4U}) {
        std::optional<Time> before;
        for (const SetAsideEvent& event : net.journal.events) {
          if (event.kind != SetAsideEvent::refused_full || event.root.value != net.at_host(root) ||
              event.side.index != Side::ingress(net.at_host(h)).index)
            continue;
          // Detection at ingress itself asks nobody.
          if (before && std::string(model) == "recn") {
            EXPECT_GE(event.at, *before + microseconds(2)) << "host " << h;
          }
          before = event.at;
          ++refusals;
        }
      }
    }
    EXPECT_GT(refusals, 5U) << model;
    EXPECT_EQ(fabric->isolation()->counters().refusals_full,
              net.journal.count(SetAsideEvent::refused_full));
    EXPECT_EQ(fabric->isolation()->counters().side_max, 1U);
  }
}

// R7 over a link: the host has a line for a nearer point, and refuses the farther one each time.
TEST(Recn, AsksUpstreamAgainNoSoonerThanAllowed) {
  Chain net("recn");
  net.settings.check_period = Time(0);
  net.toml = "min_lifetime = \"1 ms\"";
  const auto fabric = net.build();
  Forged::request(*fabric, 0, turn_name(0, 1, 2), net.towards(0, 1), 0);
  net.start(*fabric, microseconds(200));
  fabric->run_until(microseconds(200));
  std::optional<Time> before;
  int refusals = 0;
  for (const SetAsideEvent& event : net.journal.events) {
    if (event.kind != SetAsideEvent::refused_specific) continue;
    EXPECT_EQ(event.side.index, Side::egress(0).index);
    EXPECT_EQ(event.hops, 3U);
    if (before) {
      EXPECT_GE(event.at, *before + microseconds(2));
    }
    before = event.at;
    ++refusals;
  }
  EXPECT_GT(refusals, 20);
}

/// Two flows of 0.6 meet at the first switch, and two more at the second, where all go to host 2.
struct MovingRoot : Network {
  explicit MovingRoot(const std::string& the_model) {
    line({2, 3});
    model = the_model;
  }
  void start(Fabric& fabric) const {
    for (const std::uint32_t h : {0U, 1U}) send(fabric, h, 2, kStart, microseconds(150), 0.6);
    for (const std::uint32_t h : {3U, 4U})
      send(fabric, h, 2, microseconds(60), microseconds(150), 0.6);
  }
};

// R7, RI-8, C12: the point behind another one is refused.
TEST(Recn, RefusesAMoreSpecificNotification) {
  MovingRoot net("recn");
  // The crossbar keeps up with both flows: their queues for the nearer root would come and go.
  net.toml = "min_lifetime = \"100 us\"";
  const auto fabric = net.build();
  net.start(*fabric);
  fabric->run_until(microseconds(59));
  for (const std::uint32_t h : {0U, 1U}) {
    const auto lines = lines_at(*fabric, Side::ingress(net.at_host(h)));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].root, PortId(net.towards(0, 1)));
  }
  fabric->run_until(microseconds(140));
  for (const std::uint32_t h : {0U, 1U}) {
    const Side side = Side::ingress(net.at_host(h));
    EXPECT_GT(net.journal.count(SetAsideEvent::refused_specific, side), 0U);
    for (const SetAsideEvent& event : net.journal.events) {
      if (event.side.index == side.index && event.kind == SetAsideEvent::refused_specific) {
        EXPECT_EQ(event.root, PortId(net.at_host(2)));
        EXPECT_EQ(event.hops, 1U);
      }
    }
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.out_of_order, 0U);
}

// R7: the nearer point, after the farther one, is accepted.
TEST(Recn, AcceptsALessSpecificNotification) {
  Network net;
  net.model = "recn";
  net.line({2, 4});
  const auto fabric = net.build();
  // Host 2 is the root of a first tree; later the link between the switches is that of a second.
  for (const std::uint32_t h : {0U, 3U, 4U}) send(*fabric, h, 2, kStart, microseconds(150), 0.7);
  for (const std::uint32_t h : {0U, 1U}) send(*fabric, h, 5, microseconds(60), microseconds(150));
  const Side side = Side::ingress(net.at_host(0));
  fabric->run_until(microseconds(59));
  ASSERT_EQ(lines_at(*fabric, side).size(), 1U);
  EXPECT_EQ(lines_at(*fabric, side)[0].hops, 1U);
  fabric->run_until(microseconds(100));
  const auto lines = lines_at(*fabric, side);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].root, lines[1].root);
  EXPECT_EQ(lines[0].hops + lines[1].hops, 1U);
  EXPECT_EQ(net.journal.count(SetAsideEvent::refused_specific), 0U);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.out_of_order, 0U);
}

}  // namespace
}  // namespace weir::isolation::testing
