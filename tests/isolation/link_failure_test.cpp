// Links that fail during congestion: no message of a mechanism crosses one that is down, no line,
// token or stop is left behind, and all of it works again once the link is back.
#include <tuple>

#include <gtest/gtest.h>

#include "isolation/counters_of.hpp"
#include "set_aside_network.hpp"
#include "support/sanitized.hpp"
#include "weir/topology/import_edge_list.hpp"

namespace weir::isolation::testing {
namespace {

class LinkFailure : public ::testing::TestWithParam<std::tuple<const char*, fabric::Architecture>> {
 protected:
  static const char* model() { return std::get<0>(GetParam()); }
  static fabric::Architecture architecture() { return std::get<1>(GetParam()); }
};

/// The tree of a Chain reaches over the link from switch 0 to switch 1, which fails at 40 us.
struct BrokenChain : Chain {
  BrokenChain(const char* the_model, fabric::Architecture architecture) : Chain(the_model) {
    settings.architecture = architecture;
    near = towards(0, 1);
    far = towards(1, 0);
  }
  [[nodiscard]] bool spans(const Fabric& fabric) const {
    return !lines_at(fabric, Side::egress(near)).empty() &&
           !lines_at(fabric, Side::ingress(far)).empty();
  }
  std::uint32_t near = 0;
  std::uint32_t far = 0;
};

TEST_P(LinkFailure, NothingCrossesAndNothingIsLeftOver) {
  for (const bool comes_back : {false, true}) {
    BrokenChain net(model(), architecture());
    const auto fabric = net.build();
    net.start(*fabric, microseconds(150));
    fabric->run_until(microseconds(40));
    ASSERT_TRUE(net.spans(*fabric));
    fabric->change_cable(PortId(net.near), microseconds(40), false);
    if (comes_back) fabric->change_cable(PortId(net.near), microseconds(90), true);
    fabric->run_until(microseconds(40) + nanoseconds(1));
    const fabric::Links& links = fabric->core().links;
    const std::int64_t sent = links[net.near].bytes_sent + links[net.far].bytes_sent;
    for (int us = 41; us < 90; ++us) {
      fabric->run_until(microseconds(us));
      fabric->check();
    }
    // Discarded packets are not sent either.
    EXPECT_EQ(links[net.near].bytes_sent + links[net.far].bytes_sent, sent);
    bool spans_again = false;
    for (int us = 91; us < 150; ++us) {
      fabric->run_until(microseconds(us));
      fabric->check();
      spans_again = spans_again || net.spans(*fabric);
    }
    EXPECT_EQ(spans_again, comes_back);
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    EXPECT_EQ(counters_of(*fabric->isolation()).in_use, 0U);
    EXPECT_EQ(net.journal.out_of_order(), 0U);
    const fabric::Counters& c = fabric->counters();
    EXPECT_EQ(c.packets_delivered + c.packets_lost, c.packets_injected);
    EXPECT_GT(c.packets_lost, 0U);
  }
}

/// Every cable fails for a while, one after another and at random, while trees come and go.
TEST_P(LinkFailure, AnyCableAtAnyTime) {
  for (std::uint64_t seed = 0; seed < 25; seed += kIsSanitized ? 5 : 1) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, 0, StreamPurpose::test);
    Network net;
    net.isolation = model();
    net.settings.architecture = architecture();
    net.graph =
        make_topology("k-ary-n-tree", seed % 2 == 0 ? "k = 2\nn = 3" : "k = 3\nn = 2", kLink);
    net.routing = "d-mod-k";
    if (seed % 3 == 0) net.settings.acks = fabric::AckMode::in_band;
    const auto fabric = net.build();
    const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
    const auto at = [&](int low, int high) {
      return nanoseconds(
          low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low))));
    };
    for (std::uint32_t h = 1; h < hosts; ++h) {
      send(*fabric, h, 0, at(0, 10'000), at(30'000, 60'000));
      send(*fabric, h, (h + 1) % hosts, at(0, 10'000), at(30'000, 60'000), 0.4);
    }
    for (int n = 0; n < 12; ++n) {
      const PortId port(random.below(net.graph->port_count()));
      if (!net.graph->port(port).to.valid()) continue;
      const Time down = at(1'000, 50'000);
      fabric->change_cable(port, down, false);
      // Also for less than a message needs to cross it.
      if (n % 3 != 0) fabric->change_cable(port, down + at(1, n % 2 == 0 ? 15 : 20'000), true);
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(20)));
    EXPECT_EQ(counters_of(*fabric->isolation()).in_use, 0U);
    EXPECT_EQ(counters_of(*fabric->isolation()).allocations,
              counters_of(*fabric->isolation()).releases);
    EXPECT_EQ(net.journal.out_of_order(), 0U);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LinkFailure,
                         ::testing::Combine(::testing::Values("recn", "recn-enhanced", "fbicm"),
                                            ::testing::Values(fabric::Architecture::cioq,
                                                              fabric::Architecture::input_queued)));

/// Hosts 0 and 1 send over a link of switch 0 to hosts 2 and 3 at switch 1; all is stopped early.
TEST(XonXoffLinkFailure, SendersAreNotStoppedForEver) {
  const auto& model = fabric::agent_registry().find("xon-xoff", {}, "agent");
  for (const Time until : {nanoseconds(5'003), microseconds(9), Time::max()}) {
    fabric::testing::SmallNetwork net;
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [3]", kLink);
    net.routing = "shortest-path";
    net.settings.mtu = Bytes(100);
    net.settings.ingress_buffer = Bytes(2'000);
    net.settings.check_period = microseconds(1);
    net.mechanisms.agent =
        model.make(settings_of(model.info, "xoff = \"400 B\"\nxon = \"300 B\""), *net.graph);
    const auto fabric = net.build();
    for (const std::uint32_t host : {0U, 1U, 4U, 5U})
      send(*fabric, host, 3, Time(0), microseconds(20), 1.0, 100);
    const PortId middle = net.graph->port(net.graph->node(SwitchId(0)), 3);
    fabric->change_cable(middle, microseconds(5), false);
    if (until != Time::max()) fabric->change_cable(middle, until, true);
    for (Time now = microseconds(5) + nanoseconds(1); now < std::min(until, microseconds(15));
         now += nanoseconds(50)) {
      fabric->run_until(now);
      fabric->core().events.for_each([&](const engine::Event& event) {
        if (event.kind() != fabric::kControl || event.entity() != middle.value) return;
        EXPECT_EQ(fabric->core().controls.peek(event.payload).recipient(), nullptr)
            << "is on a link that is down";
      });
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(1))) << to_string(until);
    const fabric::Counters& c = fabric->counters();
    EXPECT_EQ(c.packets_delivered + c.packets_lost, 800U);
    EXPECT_GT(c.packets_lost, until > microseconds(6) ? 5U : 0U);
  }
}

/// Detection at an output asks an input for a line: a message inside the switch.
double first_request(const Network& net, std::uint32_t output) {
  double detected = -1;
  for (const SetAsideEvent& event : net.journal.events) {
    if (event.root.value != output) continue;
    if (event.kind == SetAsideEvent::detected && detected < 0) detected = to_nanoseconds(event.at);
    if (event.kind == SetAsideEvent::allocated) return to_nanoseconds(event.at) - detected;
  }
  return -1;
}

// Packets of 64 B, a crossbar of twice the rate of the links: 32 ns at 8 Gbps, 128 ns at 2 Gbps.
TEST(SetAsideInside, MessagesTakeACycleOfTheirOwnSwitch) {
  Network net;
  net.graph = std::make_shared<topology::Graph>(topology::parse_edge_list(
      "host a\nhost b\nhost c\nhost d\nhost e\nhost f\nswitch slow 4\nswitch fast 4\n"
      "link a slow:0 rate=2Gbps\nlink b slow:1 rate=2Gbps\nlink c slow:2 rate=2Gbps\n"
      "link d fast:0 rate=8Gbps\nlink e fast:1 rate=8Gbps\nlink f fast:2 rate=8Gbps\n"
      "link slow:3 fast:3 rate=2Gbps\n",
      "two_rates.txt", kLink));
  net.isolation = "recn";
  const auto fabric = net.build();
  for (const std::uint32_t host : {0U, 1U}) send(*fabric, host, 2, Time(0), microseconds(60), 0.25);
  for (const std::uint32_t host : {3U, 4U}) send(*fabric, host, 5, Time(0), microseconds(60));
  fabric->run_until(microseconds(100));
  EXPECT_DOUBLE_EQ(first_request(net, net.at_host(5)), 32);
  EXPECT_DOUBLE_EQ(first_request(net, net.at_host(2)), 128);
}

}  // namespace
}  // namespace weir::isolation::testing
