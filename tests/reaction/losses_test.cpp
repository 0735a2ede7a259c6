// Paced reactions when a link fails: what is lost is not waited for.
#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing::losses_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

struct Scheme {
  const char* reaction;
  const char* marker;
  AckMode acks;
};

void PrintTo(const Scheme& scheme, std::ostream* out) { *out << scheme.reaction; }

class Losses : public ::testing::TestWithParam<Scheme> {};

/// Hosts 0 and 1 at switch 0, hosts 2 and 3 at switch 1; packets of 1,000 B take 80 ns.
struct TwoSwitches {
  SmallNetwork net;
  std::shared_ptr<FlowPacer> reaction;
  std::unique_ptr<Fabric> fabric;

  explicit TwoSwitches(const Scheme& scheme) {
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [2]",
                              {gigabits_per_second(100), microseconds(1)});
    net.routing = "shortest-path";
    net.settings.mtu = Bytes(952);
    net.settings.header = Bytes(48);
    net.settings.ack_size = Bytes(64);
    net.settings.acks = scheme.acks;
    net.settings.source_queues = SourceQueueKind::per_destination;
    net.settings.architecture = Architecture::cioq;
    net.settings.speedup = 2;
    net.settings.check_period = microseconds(5);
    if (*scheme.marker != '\0') net.mechanisms.marker = make_marker(scheme.marker, *net.graph);
    reaction = make_pacer(scheme.reaction, net);
    net.mechanisms.reaction = reaction;
    fabric = net.build();
  }
  void send(std::uint32_t from, std::uint32_t to, Time at, int packets) const {
    fabric->add_source(HostId(from), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                         {at, HostId(to), Bytes(952 * packets)}}));
  }
  [[nodiscard]] PortId middle() const { return net.graph->port(net.graph->node(SwitchId(0)), 2); }
  /// To host 2, from `from` on.
  [[nodiscard]] int delivered_from(Time from) const {
    int count = 0;
    for (const Delivery& one : net.journal.deliveries)
      count += one.destination == HostId(2) && one.delivered >= from ? 1 : 0;
    return count;
  }
};

// The cable between the switches fails for 40 us in the middle of a message: packets and ACKs are
// lost in both directions. At the end the fabric checks that sources count no packet without ACK.
TEST_P(Losses, WhatIsLostIsNotWaitedFor) {
  TwoSwitches run(GetParam());
  run.fabric->change_cable(run.middle(), microseconds(20), false);
  run.fabric->change_cable(run.middle(), microseconds(60), true);
  for (const std::uint32_t host : {0U, 1U}) run.send(host, 2, Time(0), 2'000);
  run.send(2, 0, Time(0), 2'000);
  ASSERT_TRUE(run.fabric->run_until(milliseconds(50)));
  const Counters& counters = run.fabric->counters();
  EXPECT_GT(counters.packets_lost, 50U);
  EXPECT_EQ(counters.packets_delivered + counters.packets_lost, 6'000U);
  if (GetParam().acks == AckMode::in_band) {
    EXPECT_GT(counters.acks_lost, 0U);
  }
  EXPECT_GT(run.delivered_from(microseconds(70)), 500);
  run.reaction->check(true);
}

// All that a window holds is lost; a message of later goes all the same.
TEST_P(Losses, AFlowThatHasLostAllGoesOn) {
  TwoSwitches run(GetParam());
  run.fabric->change_cable(run.middle(), Time(0), false);
  run.fabric->change_cable(run.middle(), microseconds(500), true);
  run.send(0, 2, microseconds(1), 300);
  run.send(1, 2, microseconds(600), 300);
  run.send(0, 2, microseconds(600), 300);
  ASSERT_TRUE(run.fabric->run_until(milliseconds(50)));
  EXPECT_EQ(run.fabric->counters().packets_lost, 300U);
  EXPECT_EQ(run.delivered_from(microseconds(600)), 600);
  run.reaction->check(true);
}

INSTANTIATE_TEST_SUITE_P(Paced, Losses,
                         ::testing::Values(Scheme{"dcqcn", "red", AckMode::becn},
                                           Scheme{"qcn", "qcn", AckMode::none},
                                           Scheme{"hpcc", "telemetry", AckMode::in_band},
                                           Scheme{"swift", "", AckMode::in_band},
                                           Scheme{"swift", "", AckMode::ideal},
                                           Scheme{"timely", "", AckMode::in_band},
                                           Scheme{"timely", "", AckMode::ideal}));

}  // namespace
}  // namespace weir::reaction::testing::losses_test
