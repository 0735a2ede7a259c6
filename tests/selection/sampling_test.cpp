// Selections that compare a few outputs drawn at random: bxi, slingshot, two-choices.
#include <gmock/gmock.h>

#include <cmath>

#include "selection/mock_view.hpp"
#include "support/small_network.hpp"

namespace weir::selection::test::sampling_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr int kDraws = 12'000;

/// How often each port is taken, the packet being at its n-th switch.
std::map<std::uint16_t, int> drawn(const std::string& name, const std::string& toml,
                                   const Outputs& outputs, std::uint8_t hops = 1) {
  fabric::Packet packet;
  packet.hops = hops;
  return draw(*make_selection(name, toml), outputs, kDraws, packet);
}

/// Within five standard deviations of kDraws * share.
void expect_share(std::map<std::uint16_t, int> taken, std::uint16_t port, double share) {
  const double deviation = std::sqrt(kDraws * share * (1 - share));
  EXPECT_NEAR(taken[port], kDraws * share, 5 * deviation) << port;
}

/// Ports 4 (the default) to 8.
Outputs five() { return {{{4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}}, {}, {}, {}, 100}; }

Outputs queued(std::map<std::uint16_t, std::int64_t> bytes) {
  Outputs outputs = five();
  outputs.queued = std::move(bytes);
  return outputs;
}

Outputs credits(std::map<std::uint16_t, std::int64_t> bytes) {
  Outputs outputs = five();
  outputs.credits = std::move(bytes);
  return outputs;
}

// The n-th best of 5 outputs is taken when the other one drawn is one of the 5 - n worse: 4, 3, 2,
// 1 and 0 of 10 pairs.
TEST(TwoChoices, TakesTheBetterOfTwo) {
  const auto by_queue = drawn("two-choices", "", queued({{4, 9}, {5, 3}, {6, 0}, {7, 7}, {8, 5}}));
  const auto by_credit = drawn("two-choices", "by = \"credits\"",
                               credits({{4, 0}, {5, 60}, {6, 90}, {7, 20}, {8, 50}}));
  for (const auto& taken : {by_queue, by_credit}) {
    EXPECT_EQ(taken.count(4), 0U) << "the worst of all never wins";
    expect_share(taken, 6, 0.4);
    expect_share(taken, 5, 0.3);
    expect_share(taken, 8, 0.2);
    expect_share(taken, 7, 0.1);
  }
}

TEST(TwoChoices, TiesAreEven) {
  const auto taken = drawn("two-choices", "", five());
  for (std::uint16_t port = 4; port <= 8; ++port) expect_share(taken, port, 0.2);
}

TEST(TwoChoices, OneCandidateIsNoChoice) {
  Outputs outputs = five();
  outputs.allowed = {{4, 0}};
  EXPECT_THAT(drawn("two-choices", "", outputs), ElementsAre(Pair(4, kDraws)));
}

// 4 paths: the default and 3 of the 4 others. The best is missing in a quarter of the draws; then
// the second best wins.
TEST(Slingshot, ComparesTheDefaultRouteWithThreeOthers) {
  const auto taken = drawn("slingshot", "", queued({{4, 9}, {5, 3}, {6, 0}, {7, 7}, {8, 5}}));
  expect_share(taken, 6, 0.75);
  expect_share(taken, 5, 0.25);
  EXPECT_EQ(taken.size(), 2U);
}

TEST(Slingshot, DefaultRouteWinsTiesAndShorterQueues) {
  EXPECT_THAT(drawn("slingshot", "", five()), ElementsAre(Pair(4, kDraws)));
  EXPECT_THAT(drawn("slingshot", "", queued({{4, 1}, {5, 2}, {6, 2}, {7, 2}, {8, 1}})),
              ElementsAre(Pair(4, kDraws)));
}

TEST(Slingshot, PathsAreAParameter) {
  const Outputs outputs = queued({{4, 9}, {5, 3}, {6, 0}, {7, 7}, {8, 5}});
  EXPECT_THAT(drawn("slingshot", "paths = 5", outputs), ElementsAre(Pair(6, kDraws)));
  const auto two = drawn("slingshot", "paths = 2", outputs);
  for (std::uint16_t port = 5; port <= 8; ++port) expect_share(two, port, 0.25);
}

TEST(Slingshot, TheDefaultRouteMayHaveALead) {
  const Outputs outputs = queued({{4, 9}, {5, 9}, {6, 4}, {7, 9}, {8, 9}});
  EXPECT_THAT(drawn("slingshot", "paths = 5\nlead = \"4 B\"", outputs),
              ElementsAre(Pair(6, kDraws)));
  EXPECT_THAT(drawn("slingshot", "paths = 5\nlead = \"5 B\"", outputs),
              ElementsAre(Pair(4, kDraws)));
}

TEST(Slingshot, ChoosesAtTheFirstSwitchUnlessToldOtherwise) {
  const Outputs outputs = queued({{4, 9}, {5, 1}, {6, 1}, {7, 1}, {8, 0}});
  EXPECT_THAT(drawn("slingshot", "paths = 5", outputs, 2), ElementsAre(Pair(4, kDraws)));
  EXPECT_THAT(drawn("slingshot", "paths = 5\nat = \"every\"", outputs, 2),
              ElementsAre(Pair(8, kDraws)));
}

/// Bytes delivered in 100 us, of 1 B/ns links, when all 8 hosts of a dragonfly's group send to
/// those of the next group. One cable joins two groups.
std::int64_t delivered_to_the_next_group(const std::string& routing, const std::string& selection,
                                         const std::string& toml) {
  fabric::testing::SmallNetwork net;
  net.graph = fabric::testing::make_topology("dragonfly", "p = 2\na = 4\nh = 2",
                                             {Rate(8'000'000'000), Time(2'000)});
  net.routing = routing;
  net.selection = selection;
  net.selection_toml = toml;
  net.settings.mtu = Bytes(100);
  net.settings.ingress_buffer = Bytes(3 * 2'000);
  const auto fabric = net.build();
  for (std::uint32_t host = 0; host < 8; ++host) {
    fabric->add_source(HostId(host), std::make_unique<fabric::testing::SaturatedSource>(
                                         std::vector<HostId>{HostId(8 + host)}, Bytes(100)));
  }
  fabric->run_until(microseconds(100), fabric::WhenIdle::keep_time);
  return 100 * static_cast<std::int64_t>(fabric->counters().packets_delivered);
}

// Over that cable 100 KB; each of the four routers has two more ways, less the one with that cable.
TEST(Slingshot, GoesRoundWhereTheTopologyOffersIt) {
  const auto minimal = delivered_to_the_next_group("dragonfly-minimal", "slingshot", "");
  EXPECT_NEAR(static_cast<double>(minimal), 100'000, 3'000);
  EXPECT_EQ(delivered_to_the_next_group("dragonfly-non-minimal", "fixed", ""), minimal);
  EXPECT_GT(delivered_to_the_next_group("dragonfly-non-minimal", "slingshot", ""), 400'000);
  EXPECT_LT(delivered_to_the_next_group("dragonfly-non-minimal", "slingshot", "lead = \"100 KiB\""),
            minimal + 5'000);
}

// Two of the four others are drawn: the best is among them in half the draws, the second best
// without it in 2 of 6, the third best with the worst in 1 of 6.
TEST(Bxi, ComparesTheDefaultOutputWithTwoOthers) {
  const auto taken = drawn("bxi", "", credits({{4, 10}, {5, 60}, {6, 90}, {7, 20}, {8, 50}}));
  expect_share(taken, 6, 1.0 / 2);
  expect_share(taken, 5, 1.0 / 3);
  expect_share(taken, 8, 1.0 / 6);
  EXPECT_EQ(taken.size(), 3U);
  // Better than all but one: it stays unless that one is drawn.
  const auto good = drawn("bxi", "", credits({{4, 80}, {5, 60}, {6, 90}, {7, 20}, {8, 80}}));
  expect_share(good, 4, 0.5);
  expect_share(good, 6, 0.5);
}

TEST(Bxi, OutputsAreAParameter) {
  const Outputs outputs = credits({{4, 10}, {5, 60}, {6, 90}, {7, 20}, {8, 50}});
  EXPECT_THAT(drawn("bxi", "outputs = 4", outputs), ElementsAre(Pair(6, kDraws)));
  const auto one = drawn("bxi", "outputs = 1", outputs);
  for (std::uint16_t port = 5; port <= 8; ++port) expect_share(one, port, 0.25);
}

TEST(Bxi, SmallMessagesKeepToTheDefaultRoute) {
  Outputs outputs = credits({{4, 10}, {5, 60}, {6, 90}, {7, 20}, {8, 50}});
  outputs.message = 8192;
  EXPECT_THAT(drawn("bxi", "larger_than = \"8 KiB\"", outputs), ElementsAre(Pair(4, kDraws)));
  outputs.message = 8193;
  EXPECT_EQ(drawn("bxi", "larger_than = \"8 KiB\"", outputs).count(4), 0U);
}

}  // namespace
}  // namespace weir::selection::test::sampling_test
