// Enhanced RECN (lippens2010, section 4.2): detection at ingress, and lines for points behind other
// points.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "forged_messages.hpp"

namespace weir::isolation::testing::recn_enhanced_test {
namespace {

constexpr Time kStart(0);

// --- When congestion is detected (3.3)

struct Row {
  double speedup;
  std::uint32_t flows;
  double egress;   ///< growth in bytes/ns
  double ingress;  ///< of each input
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.flows << " flows, speedup " << row.speedup;
}

class DetectionTime : public ::testing::TestWithParam<Row> {
 protected:
  /// `flows` hosts send to one more at full rate. Thresholds that are not looked at are never
  /// reached.
  std::unique_ptr<Fabric> start(Network& net, const std::string& quiet) {
    const Row row = GetParam();
    net.graph = make_topology("single-switch", fmt::format("hosts = {}", row.flows + 1), kLink);
    net.settings.speedup = row.speedup;
    net.isolation_toml = "propagate = \"1 KiB\"\nxoff = \"1792 B\"";
    // Basic RECN does not look at ingress at all.
    const bool looks = net.isolation != "recn" || quiet != "detect_ingress";
    if (looks) net.isolation_toml += fmt::format("\n{} = \"16 KiB\"", quiet);
    auto fabric = net.build();
    for (std::uint32_t h = 0; h < row.flows; ++h)
      send(*fabric, h, row.flows, kStart, microseconds(25));
    fabric->run_until(microseconds(25));
    return fabric;
  }
  /// Two packets and a round trip of 40 ns, at this rate of growth.
  static double slack(double growth) { return (2 * 64 + 40) / growth; }
};

TEST_P(DetectionTime, AtTheEgressSide) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Network net;
    net.isolation = model;
    const auto fabric = start(net, "detect_ingress");
    const double at =
        net.journal.first(SetAsideEvent::detected, Side::egress(net.at_host(GetParam().flows)));
    const double growth = GetParam().egress;
    if (growth == 0) {
      EXPECT_EQ(at, -1) << model;
    } else {
      EXPECT_NEAR(at, 4'096 / growth, slack(growth)) << model;
    }
  }
}

TEST_P(DetectionTime, AtTheIngressSide) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Network net;
    net.isolation = model;
    const auto fabric = start(net, "detect");
    const double growth = GetParam().ingress;
    for (std::uint32_t h = 0; h < GetParam().flows; ++h) {
      const double at = net.journal.first(SetAsideEvent::detected, Side::ingress(net.at_host(h)));
      if (growth == 0 || std::string(model) == "recn") {
        EXPECT_EQ(at, -1) << model;
      } else {
        EXPECT_NEAR(at, 4'096 / growth, slack(growth)) << model;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DetectionTime,
                         ::testing::Values(Row{1, 2, 0, 0.5}, Row{1, 4, 0, 0.75},
                                           Row{1.5, 2, 0.5, 0.25}, Row{2, 2, 1, 0},
                                           Row{2, 3, 1, 1.0 / 3}, Row{1.5, 4, 0.5, 0.625}));

/// Two full flows, each through a switch of its own, meet at a third without speedup. The memory
/// of its inputs grows at half the rate, and so do the queues before them when it is full.
struct WithoutSpeedup : Network {
  explicit WithoutSpeedup(const std::string& the_model) {
    line({1, 1, 1});
    isolation = the_model;
    settings.speedup = 1;
  }
  std::unique_ptr<Fabric> start() {
    auto fabric = build();
    for (const std::uint32_t h : {0U, 2U}) send(*fabric, h, 1, kStart, microseconds(100));
    fabric->run_until(microseconds(100));
    return fabric;
  }
  [[nodiscard]] double earliest() const {
    for (const SetAsideEvent& event : journal.events) {
      if (event.kind == SetAsideEvent::detected) return to_nanoseconds(event.at);
    }
    return -1;
  }
};

// C7: 73.7 us, at the switches before the root.
TEST(DetectionDelay, OfBasicRecnIsThatOfFullMemory) {
  WithoutSpeedup net("recn");
  const auto fabric = net.start();
  EXPECT_NEAR(net.earliest(), (32'768 + 4'096) / 0.5, (2 * 64 + 40) / 0.5);
  EXPECT_EQ(net.journal.count(SetAsideEvent::detected, Side::egress(net.at_host(1))), 0U);
  for (const std::uint32_t s : {0U, 2U}) {
    EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, Side::egress(net.towards(s, 1))), 73'728,
                340);
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected, Side::ingress(net.towards(1, s))), 0U);
  }
}

// 8.2 us, at the root itself.
TEST(DetectionDelay, OfEnhancedRecnIsThatOfADetectionQueue) {
  WithoutSpeedup net("recn-enhanced");
  const auto fabric = net.start();
  EXPECT_NEAR(net.earliest(), 4'096 / 0.5, (2 * 64 + 40) / 0.5);
  EXPECT_EQ(net.earliest(),
            std::min(net.journal.first(SetAsideEvent::detected, Side::ingress(net.towards(1, 0))),
                     net.journal.first(SetAsideEvent::detected, Side::ingress(net.towards(1, 2)))));
}

// --- Detection at ingress (3.6.1, C13)

// The full queue becomes that of the line, an empty one takes its place, and the neighbour upstream
// has its line after 8 bytes and the propagation.
TEST(RecnEnhanced, SwapsTheFullQueueAndNotifiesAtOnce) {
  WithoutSpeedup net("recn-enhanced");
  net.settings.sample_period = nanoseconds(1);
  net.settings.check_period = Time(0);
  const auto fabric = net.build();
  const Side side = Side::ingress(net.towards(1, 0));
  bool is_seen = false;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    if (is_seen || lines_at(now_of, side).empty()) return;
    is_seen = true;
    const SetAsideLine line = lines_at(now_of, side).at(0);
    EXPECT_TRUE(line.is_root);
    EXPECT_FALSE(line.is_leaf) << "has asked upstream";
    EXPECT_FALSE(line.is_held) << "nothing is ahead of it";
    EXPECT_EQ(line.hops, 0U);
    EXPECT_EQ(line.root, PortId(net.at_host(1)));
    EXPECT_GT(line.bytes, 4'096);
    EXPECT_EQ(line.bytes, now_of.stored(PortId(side.port()), 0).count) << "all of it";
  };
  for (const std::uint32_t h : {0U, 2U}) send(*fabric, h, 1, kStart, microseconds(12));
  fabric->run_until(microseconds(12));
  EXPECT_TRUE(is_seen);
  EXPECT_DOUBLE_EQ(net.journal.first(SetAsideEvent::allocated, Side::egress(net.towards(0, 1))),
                   net.journal.first(SetAsideEvent::detected, side) + 8 + 20);
}

// Annex C-4: the egress side asks for a line that the input has made itself; when it is given back,
// its token goes there, so that a second tree can be told of.
TEST(RecnEnhanced, AttachesALineThatWasDetectedAtIngress) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    Network net;
    net.isolation = model;
    net.settings.speedup = 1.5;
    net.graph = make_topology("single-switch", "hosts = 5", kLink);
    const auto fabric = net.build();
    for (std::uint32_t h = 0; h < 4; ++h) send(*fabric, h, 4, kStart, microseconds(12));
    const Side root = Side::egress(net.at_host(4));
    fabric->run_until(microseconds(12));
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected, root), 4U);
    for (std::uint32_t h = 0; h < 4; ++h) {
      const Side side = Side::ingress(net.at_host(h));
      EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, side), 1U) << model;
      EXPECT_EQ(lines_at(*fabric, side).size(), 1U);
      EXPECT_TRUE(lines_at(*fabric, side)[0].is_root);
    }
    EXPECT_EQ(net.journal.count(SetAsideEvent::refused_full), 0U);
    EXPECT_TRUE(fabric->run_until(milliseconds(1))) << model;
    const std::size_t before = net.journal.count(SetAsideEvent::detected, root);
    for (std::uint32_t h = 0; h < 4; ++h)
      send(*fabric, h, 4, fabric->now(), fabric->now() + microseconds(12));
    EXPECT_TRUE(fabric->run_until(milliseconds(2))) << model;
    EXPECT_GE(net.journal.count(SetAsideEvent::detected, root), before + 4) << model;
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
}

// --- Order (R4, 3.6.2, Annex C-3)

/// Host 0 at the first switch sends to hosts 2 and 3 at the second, and host 1 floods the link
/// between them, so that packets wait at ingress.
struct Waiting : Network {
  std::unique_ptr<Fabric> fabric;
  Side side;
  LineName near;  ///< path to the link between the switches
  LineName far;   ///< path on to host 2

  explicit Waiting(const std::string& detect = "16 KiB") {
    line({2, 3});
    settings.speedup = 1;
    settings.check_period = Time(0);  // forged requests have no flags behind them
    settings.sample_period = nanoseconds(4);
    // Lines that are there before their packets must not be given back at once.
    isolation_toml =
        "detect = \"16 KiB\"\npropagate = \"512 B\"\nxoff = \"3 KiB\"\nmin_lifetime = \"50 us\"";
    isolation_toml += "\ndetect_ingress = \"" + detect + "\"";
    fabric = build();
    side = Side::ingress(at_host(0));
    far = turn_name(3, 0, 4);
    send(*fabric, 1, 4, kStart, microseconds(40));
  }
  void notify_near() { Forged::request_inside(*fabric, side.port(), 2, {}, towards(0, 1), 0); }
  void notify_far() { Forged::request_inside(*fabric, side.port(), 2, far, at_host(2), 1); }
  void finish() {
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(journal.out_of_order(), 0U);
    EXPECT_TRUE(lines_of(*fabric).empty());
  }
  /// The line `hops` links from its root.
  static std::optional<SetAsideLine> find(const Fabric& fabric, Side side, std::uint32_t hops) {
    for (const SetAsideLine& one : lines_at(fabric, side)) {
      if (one.hops == hops) return one;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::int64_t stored(const Fabric& of) const {
    return of.stored(PortId(side.port()), 0).count;
  }
};

// R4: what was in the normal queue goes first.
TEST(RecnEnhanced, HoldsANewQueueUntilTheNormalOneHasLetItsPacketsGo) {
  Waiting net;
  send(*net.fabric, 0, 2, kStart, microseconds(10));
  int held = 0;
  int open = 0;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const auto line = Waiting::find(now_of, net.side, 0);
    if (!line) return;
    const std::int64_t normal = net.stored(now_of) - line->bytes;
    EXPECT_EQ(line->is_held, normal > 0);
    ++(line->is_held ? held : open);
  };
  net.fabric->run_until(microseconds(4));
  net.notify_near();
  net.finish();
  EXPECT_GT(held, 100);
  EXPECT_GT(open, 100);
}

TEST(RecnEnhanced, OpensANewQueueAtOnceWhenNothingIsAhead) {
  Waiting net;
  net.fabric->run_until(microseconds(4));
  net.notify_near();
  const auto line = Waiting::find(*net.fabric, net.side, 0);
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->is_held);
  net.finish();
}

// C12: a line for a point behind another one waits for the packets of the nearer one.
TEST(RecnEnhanced, HoldsAMoreSpecificQueueUntilTheNearerOneHasLetItsPacketsGo) {
  Waiting net;
  int held = 0;
  int open = 0;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const auto near = Waiting::find(now_of, net.side, 0);
    const auto far = Waiting::find(now_of, net.side, 1);
    if (!far) return;
    // Only packets for host 2 come, so that the nearer queue gets no more.
    EXPECT_EQ(far->is_held, near && near->packets > 0);
    ++(far->is_held ? held : open);
  };
  net.notify_near();
  send(*net.fabric, 0, 2, nanoseconds(10), microseconds(10));
  net.fabric->run_until(microseconds(6));
  ASSERT_GT(Waiting::find(*net.fabric, net.side, 0)->packets, 0);
  net.notify_far();
  net.finish();
  EXPECT_GT(held, 50);
  EXPECT_GT(open, 100);
}

// The nearer queue is empty but waits itself; the new one waits for the same.
TEST(RecnEnhanced, InheritsWhatAnEmptyNearerQueueWaitsFor) {
  Waiting net;
  int held = 0;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const auto near = Waiting::find(now_of, net.side, 0);
    const auto far = Waiting::find(now_of, net.side, 1);
    if (!far) return;
    const std::int64_t normal = net.stored(now_of) - far->bytes - (near ? near->bytes : 0);
    EXPECT_EQ(far->is_held, normal > 0);
    held += far->is_held ? 1 : 0;
  };
  send(*net.fabric, 0, 2, kStart, microseconds(10));
  net.fabric->run_until(microseconds(4));
  net.notify_near();
  net.notify_far();
  EXPECT_EQ(Waiting::find(*net.fabric, net.side, 0)->packets, 0);
  EXPECT_TRUE(Waiting::find(*net.fabric, net.side, 0)->is_held);
  EXPECT_TRUE(Waiting::find(*net.fabric, net.side, 1)->is_held);
  net.finish();
  EXPECT_GT(held, 50);
}

// 3.6.1 (b): a line waits for packets of a detection queue that becomes a set-aside queue
// meanwhile. It opens when those have left, not when that queue is empty, nor at the swap.
TEST(RecnEnhanced, KeepsWaitingForTheSameQueueWhenItIsSwapped) {
  Waiting net("1 KiB");
  send(*net.fabric, 0, 2, kStart, microseconds(10), 0.2);
  send(*net.fabric, 0, 3, kStart, microseconds(10), 0.8);
  int before_swap = 0;
  int after_swap = 0;
  std::int64_t left_at_opening = -1;
  net.journal.sample = [&](const Fabric& now_of, Time) {
    const auto near = Waiting::find(now_of, net.side, 0);
    const auto far = Waiting::find(now_of, net.side, 1);
    if (!far) return;
    if (far->is_held) {
      ++(near ? after_swap : before_swap);
    } else if (left_at_opening < 0) {
      left_at_opening = near ? near->packets : 0;
    }
  };
  net.fabric->run_until(nanoseconds(1'700));
  ASSERT_TRUE(lines_at(*net.fabric, net.side).empty()) << "detected too early for this test";
  net.notify_far();
  net.finish();
  EXPECT_GT(before_swap, 0);
  EXPECT_GT(after_swap, 0);
  EXPECT_GT(left_at_opening, 0);
}

// --- Look-up (R1, Annex C-2)

// The longest path counts, whichever line came first; what diverges goes to neither.
TEST(RecnEnhanced, PutsPacketsWhereTheLongestPathLeads) {
  for (const bool is_near_first : {false, true}) {
    for (const std::uint32_t to : {2U, 3U}) {
      Waiting net;
      net.fabric->run_until(microseconds(1));
      if (is_near_first) net.notify_near();
      net.notify_far();
      if (!is_near_first) net.notify_near();
      send(*net.fabric, 0, to, microseconds(1), microseconds(3));
      net.fabric->run_until(nanoseconds(2'900));
      const auto near = Waiting::find(*net.fabric, net.side, 0);
      const auto far = Waiting::find(*net.fabric, net.side, 1);
      EXPECT_EQ((to == 2 ? far : near).value().bytes, net.stored(*net.fabric)) << "to host " << to;
      EXPECT_GT(net.stored(*net.fabric), 500);
      net.finish();
    }
  }
}

TEST(RecnEnhanced, PutsPacketsThatDivergeIntoTheNormalQueue) {
  Waiting net;
  net.fabric->run_until(microseconds(1));
  net.notify_far();
  send(*net.fabric, 0, 3, microseconds(1), microseconds(3));
  net.fabric->run_until(nanoseconds(2'900));
  ASSERT_TRUE(Waiting::find(*net.fabric, net.side, 1));
  EXPECT_GT(net.stored(*net.fabric), 500);
  EXPECT_EQ(Waiting::find(*net.fabric, net.side, 1)->bytes, 0);
  net.finish();
}

}  // namespace
}  // namespace weir::isolation::testing::recn_enhanced_test
