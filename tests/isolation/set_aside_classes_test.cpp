// Several classes: VLs by service level, and lanes that keep a torus or dragonfly free of deadlock.
// Each has its own set-aside queues, in its own part of the memory.
#include <gtest/gtest.h>

#include <set>

#include "isolation/counters_of.hpp"
#include "isolation/forged_messages.hpp"
#include "set_aside_network.hpp"

namespace weir::isolation::testing {
namespace {

constexpr Time kOver = microseconds(120);

class SetAsideClasses : public ::testing::TestWithParam<const char*> {};

void divide(Network& net, const char* levels = "vls = 2") {
  net.queueing = "service-level";
  net.queueing_toml = levels;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2 * 32'768);
}

/// All arrives, and nothing is left of the queues. A pair of hosts that sends on several VLs may
/// overtake itself.
void finish(const Network& net, Fabric& fabric, bool keeps_order = true) {
  EXPECT_TRUE(fabric.run_until(milliseconds(20)));
  EXPECT_EQ(fabric.counters().packets_delivered, fabric.counters().packets_injected);
  if (keeps_order) {
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
  EXPECT_EQ(counters_of(*fabric.isolation()).in_use, 0U);
}

std::set<std::uint16_t> classes_with_lines(const Network& net) {
  std::set<std::uint16_t> classes;
  for (const SetAsideEvent& event : net.journal.events) {
    if (event.kind == SetAsideEvent::allocated) classes.insert(event.side.buffer);
  }
  return classes;
}

// VL 0 is congested up to host 0; on VL 1 the same hosts send to the same host, and find the link
// free, because the link has turns for each VL.
TEST_P(SetAsideClasses, AHotVlSetsNothingAsideInAnother) {
  Chain net(GetParam());
  divide(net);
  const auto fabric = net.build();
  net.start(*fabric, kOver);
  for (const std::uint32_t h : {0U, 3U}) send(*fabric, h, 2, Time(0), kOver, 0.1, 64, 1);
  std::size_t at_once = 0;
  while (fabric->now() < kOver) {
    fabric->run_until(fabric->now() + microseconds(1));
    at_once = std::max(at_once, lines_of(*fabric).size());
  }
  EXPECT_GE(at_once, net.branch().size()) << "the tree of VL 0 reaches host 0";
  EXPECT_EQ(classes_with_lines(net), std::set<std::uint16_t>{0});
  finish(net, *fabric, false);
}

// Both VLs have a tree for the same root, and a victim that shares links with both.
TEST_P(SetAsideClasses, EachVlHasItsOwnTree) {
  double rate[2] = {};
  for (const bool sets_aside : {false, true}) {
    Chain net(sets_aside ? GetParam() : "");
    divide(net);
    net.settings.voq = false;
    const auto fabric = net.build();
    for (const std::uint8_t vl : {std::uint8_t{0}, std::uint8_t{1}}) {
      for (const std::uint32_t h : {0U, 3U, 4U}) send(*fabric, h, 2, Time(0), kOver, 0.5, 64, vl);
      send(*fabric, 1, 5, Time(0), kOver, 0.2, 64, vl);
    }
    fabric->run_until(kOver);
    rate[sets_aside ? 1 : 0] = static_cast<double>(net.journal.bytes_to[5]) / to_nanoseconds(kOver);
    if (!sets_aside) continue;
    std::map<std::uint16_t, std::size_t> at_root;
    for (const SetAsideLine& line : lines_at(*fabric, Side::ingress(net.towards(2, 1))))
      at_root[line.side.buffer] += line.root == PortId(net.at_host(2)) ? 1 : 0;
    EXPECT_EQ(at_root[0], 1U);
    EXPECT_EQ(at_root[1], 1U);
    EXPECT_EQ(net.journal.count(SetAsideEvent::allocated, Side::egress(1)), 0U);
    finish(net, *fabric, false);
  }
  EXPECT_LT(rate[0], 0.37);
  EXPECT_NEAR(rate[1], 0.4, 0.01);
}

// Lines of two VLs have the same name at their neighbours; a message is for one of them.
TEST(SetAsideClassesOfLinks, StopsAreForOneClass) {
  Chain net("recn-enhanced");
  divide(net);
  const auto fabric = net.build();
  const std::uint32_t egress = net.towards(1, 2);
  const LineName name = turn_name(0, 1, 5);
  for (const std::uint16_t vl : {std::uint16_t{0}, std::uint16_t{1}})
    Forged::request(*fabric, egress, name, net.at_host(2), 0, 0, true, vl);
  const auto held = [&] {
    std::set<std::uint16_t> classes;
    for (const SetAsideLine& line : lines_at(*fabric, Side::egress(egress))) {
      if (line.is_held) classes.insert(line.side.buffer);
    }
    return classes;
  };
  ASSERT_EQ(lines_at(*fabric, Side::egress(egress)).size(), 2U);
  EXPECT_EQ(held(), std::set<std::uint16_t>{});
  Forged::stop(*fabric, egress, name, true, 1);
  EXPECT_EQ(held(), std::set<std::uint16_t>{1});
  Forged::stop(*fabric, egress, name, true, 0);
  EXPECT_EQ(held(), (std::set<std::uint16_t>{0, 1}));
  Forged::stop(*fabric, egress, name, false, 1);
  EXPECT_EQ(held(), std::set<std::uint16_t>{0});
}

// Three hosts send to two others, on a VL each. With one queue at a side the tree of one VL takes
// none from the other; on one VL there is a tree too many.
TEST_P(SetAsideClasses, EveryClassHasItsQueues) {
  for (const std::uint8_t vl : {std::uint8_t{0}, std::uint8_t{1}}) {
    Network net;
    divide(net);
    net.isolation_toml = std::string(GetParam()) == "fbicm" ? "cfqs = 1" : "saqs = 1";
    const auto fabric = one_switch(net, 5, GetParam());
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      send(*fabric, h, 3, Time(0), kOver, 0.5);
      send(*fabric, h, 4, Time(0), kOver, 0.5, 64, vl);
    }
    fabric->run_until(kOver);
    EXPECT_EQ(net.journal.count(SetAsideEvent::refused_full) == 0, vl == 1);
    EXPECT_EQ(counters_of(*fabric->isolation()).side_max, 1U + vl);
    finish(net, *fabric);
  }
}

TEST_P(SetAsideClasses, CcfitMarksTheHotVlAlone) {
  Chain net(GetParam());
  divide(net);
  const auto& model = fabric::marker_registry().find("ccfit", {}, "marking");
  net.mechanisms.marker = model.make(settings_of(model.info, ""), *net.graph);
  const auto fabric = net.build();
  for (const std::uint32_t h : {0U, 3U, 4U}) send(*fabric, h, 2, Time(0), kOver);
  send(*fabric, 1, 2, Time(0), kOver, 0.1, 64, 1);
  finish(net, *fabric);
  for (const std::uint32_t h : {0U, 3U, 4U}) EXPECT_GT(net.journal.marked_from(HostId(h)), 100U);
  EXPECT_EQ(net.journal.marked_from(HostId(1)), 0U);
}

/// A ring of five switches with three hosts each: 3 s .. 3 s + 2 are at switch s. Packets that will
/// pass the cable between the last switch and the first are in lane 0, all others in lane 1.
struct Ring : Network {
  explicit Ring(const std::string& the_model) {
    graph = make_topology("torus", "sizes = [5]\nhosts_per_switch = 3", kLink);
    routing = "dimension-order";
    isolation = the_model;
    settings.ingress_buffer = settings.egress_buffer = Bytes(2 * 32'768);
    settings.voq = false;
  }
};

// Hosts of switches 2 and 4 send to host 12 at switch 4; one of switch 3 sends to host 13 there.
TEST_P(SetAsideClasses, VictimsOfAHotSpotOnARingKeepTheirRate) {
  double rate[2] = {};
  for (const bool sets_aside : {false, true}) {
    Ring net(sets_aside ? GetParam() : "");
    const auto fabric = net.build();
    for (const std::uint32_t h : {6U, 13U, 14U}) send(*fabric, h, 12, Time(0), kOver);
    send(*fabric, 9, 13, Time(0), kOver, 0.4);
    fabric->run_until(kOver);
    rate[sets_aside ? 1 : 0] =
        static_cast<double>(net.journal.bytes_to[13]) / to_nanoseconds(kOver);
    if (sets_aside) finish(net, *fabric);
  }
  EXPECT_LT(rate[0], 0.37);
  EXPECT_NEAR(rate[1], 0.4, 0.004);
}

// From switch 3 upwards: packets to switch 4 and, over the cable that closes the ring, to switch 0.
// Hosts inject all of them in lane 0; behind the same output they are in two lanes, each of which
// has a root, and lines for it up to the host that sends in both.
TEST_P(SetAsideClasses, BothLanesBehindAnOutputHaveTrees) {
  Ring net(GetParam());
  const auto fabric = net.build();
  send(*fabric, 9, 12, Time(0), kOver);
  send(*fabric, 10, 0, Time(0), kOver);
  send(*fabric, 11, 13, Time(0), kOver, 0.5);
  send(*fabric, 11, 1, Time(0), kOver, 0.5);
  const PortId root(net.towards(3, 4));
  std::size_t at_switch = 0;
  std::size_t at_host = 0;
  const auto count = [&](Side side) {
    std::size_t lines = 0;
    for (const SetAsideLine& line : lines_at(*fabric, side)) lines += line.root == root ? 1 : 0;
    return lines;
  };
  while (fabric->now() < kOver) {
    fabric->run_until(fabric->now() + microseconds(1));
    at_switch = std::max(at_switch, count(Side::ingress(net.at_host(11))));
    at_host = std::max(at_host, count(Side::egress(11)));
  }
  EXPECT_EQ(at_switch, 2U);
  EXPECT_EQ(at_host, 2U);
  finish(net, *fabric);
}

// Every host sends two switches up, so that all cables of the ring are full, and buffers hold a few
// packets. In one lane this is the textbook deadlock; a set-aside queue for both lanes would be it.
TEST_P(SetAsideClasses, AFullRingIsFreeOfDeadlock) {
  for (const std::int64_t part : {4'096, 16'384}) {
    Ring net(GetParam());
    net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2 * part);
    const auto fabric = net.build();
    for (std::uint32_t h = 0; h < 15; ++h) {
      send(*fabric, h, (h + 6) % 15, Time(0), kOver);
      send(*fabric, h, h < 12 ? 12 : 0, Time(0), kOver, 0.3);
    }
    fabric->run_until(kOver);
    EXPECT_EQ(classes_with_lines(net), (std::set<std::uint16_t>{0, 1})) << part;
    finish(net, *fabric);
  }
}

// The lane counts the global cables behind a packet.
TEST_P(SetAsideClasses, AHotSpotOnADragonflyHasLinesInTheLanesOfItsTree) {
  Network net;
  net.graph = make_topology("dragonfly", "p = 2\na = 2\nh = 1", kLink);
  net.routing = "dragonfly-minimal";
  net.isolation = GetParam();
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2 * 32'768);
  const auto fabric = net.build();
  const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
  for (std::uint32_t h = 1; h < hosts; ++h) send(*fabric, h, 0, Time(0), kOver, 0.5);
  finish(net, *fabric);
  EXPECT_EQ(classes_with_lines(net), (std::set<std::uint16_t>{0, 1}));
}

TEST(SetAsideClassesOfSchemes, ThatChangeOnTheWayAreRefused) {
  Chain net("recn-enhanced");
  net.queueing = "voqsw";
  net.queueing_toml = "flow_control = \"per-queue\"";
  EXPECT_NE(net.refusal().find("another class in every buffer"), std::string::npos)
      << net.refusal();
  Chain adapting("fbicm");
  adapting.selection = "adaptive-threshold";
  adapting.selection_toml = "isolation = \"afi\"";
  EXPECT_NE(adapting.refusal().find("those that leave their routes another one"), std::string::npos)
      << adapting.refusal();
}

// The thresholds follow from the memory of a class.
TEST(SetAsideClassesOfSchemes, ShareTheMemoryOfASide) {
  Chain net("recn");
  net.queueing = "service-level";
  net.queueing_toml = "vls = 8";
  net.isolation_toml = "saqs = 8\nxoff = \"600 B\"\nxon = \"200 B\"\npropagate = \"200 B\"";
  EXPECT_NE(net.refusal().find("8 queues (isolation.saqs) of 600 B fill the 4 KiB of each of 8 "
                               "classes of a side"),
            std::string::npos)
      << net.refusal();
  net.isolation_toml = "";
  EXPECT_EQ(net.refusal(), "");
}

INSTANTIATE_TEST_SUITE_P(Models, SetAsideClasses,
                         ::testing::Values("recn", "recn-enhanced", "fbicm"), [](const auto& row) {
                           const std::string model = row.param;
                           return model == "recn"    ? "Recn"
                                  : model == "fbicm" ? "Fbicm"
                                                     : "Enhanced";
                         });

}  // namespace
}  // namespace weir::isolation::testing
