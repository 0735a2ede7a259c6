// Basic RECN, rule by rule (lippens2010, section 4.1), on one to three switches.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forged_messages.hpp"

namespace weir::isolation::testing::recn_test {
namespace {

constexpr Time kStart(0);

/// All first allocations at a side, in ns.
double allocated(const Network& net, Side side) {
  return net.journal.first(SetAsideEvent::allocated, side);
}

// R2, C8: two of three inputs send to one output; an input that sends elsewhere is not asked, and
// none is asked again while it holds a queue.
TEST(Recn, AsksOnlyTheInputsWhosePacketsMeetAtAFullEgressQueue) {
  Network net;
  // Without it the queues, which always run empty when the crossbar keeps up, come and go.
  net.isolation_toml = "min_lifetime = \"100 us\"";
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

// R7 over a link: the host has a line for a nearer point, and refuses the farther one each time.
TEST(Recn, AsksUpstreamAgainNoSoonerThanAllowed) {
  Chain net("recn");
  net.settings.check_period = Time(0);
  net.isolation_toml = "min_lifetime = \"1 ms\"";
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
    isolation = the_model;
  }
  void start(Fabric& fabric) const {
    for (const std::uint32_t h : {0U, 1U}) send(fabric, h, 2, kStart, microseconds(150), 0.6);
    for (const std::uint32_t h : {3U, 4U})
      send(fabric, h, 2, microseconds(60), microseconds(150), 0.6);
  }
};

// The point behind another one is refused.
TEST(Recn, RefusesAMoreSpecificNotification) {
  MovingRoot net("recn");
  // The crossbar keeps up with both flows: their queues for the nearer root would come and go.
  net.isolation_toml = "min_lifetime = \"100 us\"";
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
  EXPECT_EQ(net.journal.out_of_order(), 0U);
}

// With the rule of enhanced RECN by itself.
TEST(Recn, AcceptsAMoreSpecificNotificationWhereAllAreAccepted) {
  MovingRoot net("recn");
  net.isolation_toml = "min_lifetime = \"100 us\"\naccept = \"all\"";
  const auto fabric = net.build();
  net.start(*fabric);
  fabric->run_until(microseconds(140));
  EXPECT_EQ(net.journal.count(SetAsideEvent::refused_specific), 0U);
  for (const std::uint32_t h : {0U, 1U}) {
    const auto lines = lines_at(*fabric, Side::ingress(net.at_host(h)));
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const SetAsideLine& one) {
      return one.root == PortId(net.at_host(2));
    }));
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
}

/// What happened, as text.
std::string course(const std::string& model, const std::string& toml) {
  MovingRoot net(model);
  net.isolation_toml = "min_lifetime = \"100 us\"\n" + toml;
  const auto fabric = net.build();
  net.start(*fabric);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  std::string text;
  for (const SetAsideEvent& event : net.journal.events) {
    text += fmt::format("{} {} {} {}\n", event.at.count, event.side.index,
                        static_cast<int>(event.kind), event.hops);
  }
  return text;
}

TEST(Recn, WithAllRulesOfEnhancedRecnIsEnhancedRecn) {
  const std::string rules = "detection = \"both\"\ningress = \"per-output\"\naccept = \"all\"";
  const std::string basic = course("recn", "");
  const std::string enhanced = course("recn-enhanced", "");
  EXPECT_FALSE(enhanced.empty());
  // Texts of thousands of lines: only whether they are equal.
  EXPECT_TRUE(course("recn", rules) == enhanced);
  EXPECT_TRUE(course("recn-enhanced",
                     "detection = \"egress\"\ningress = \"single\"\naccept = \"less-specific\"") ==
              basic);
  EXPECT_FALSE(basic == enhanced);
  EXPECT_FALSE(course("recn", "accept = \"all\"") == basic);
}

TEST(Recn, RulesThatNeedEachOtherAreRefusedApart) {
  const auto refused = [](const std::string& model, const std::string& toml) -> std::string {
    try {
      (void)course(model, toml);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(refused("recn", "detection = \"both\""),
              ::testing::HasSubstr("isolation.ingress = \"per-output\""));
  EXPECT_THAT(refused("recn", "detect_ingress = \"1 KiB\""),
              ::testing::HasSubstr("means nothing with isolation.detection = \"egress\""));
  EXPECT_THAT(refused("recn-enhanced", "ingress = \"single\""),
              ::testing::HasSubstr("isolation.ingress = \"per-output\""));
}

// R7: the nearer point, after the farther one, is accepted.
TEST(Recn, AcceptsALessSpecificNotification) {
  Network net;
  net.isolation = "recn";
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
  EXPECT_EQ(net.journal.out_of_order(), 0U);
}

// A route that does not fit into the header's bits widens them, and that is said.
TEST(TurnPoolNote, TellsOfRoutesThatDoNotFit) {
  // Two bits for every switch but the ends, which have two ports.
  for (const int switches : {16, 17}) {
    Network net;
    net.line(std::vector<int>(static_cast<std::size_t>(switches), 1));
    const auto fabric = net.build();
    send(*fabric, 0, static_cast<std::uint32_t>(switches - 1), kStart, microseconds(1));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    const auto notes = fabric->isolation()->notes();
    ASSERT_EQ(notes.size(), switches == 17 ? 1U : 0U);
    if (switches == 16) continue;
    EXPECT_NE(notes[0].find("routes of 32 bits do not fit into the turn pool of 31 bits"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace weir::isolation::testing::recn_test
