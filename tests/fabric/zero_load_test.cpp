#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/fabric/zero_load.hpp"

namespace weir::fabric::testing {
namespace {

struct Case {
  Architecture architecture;
  Switching switching;
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  static const char* const kNames[] = {"iq", "iqSingle", "cioq", "oq"};
  return std::string(kNames[static_cast<int>(info.param.architecture)]) +
         (info.param.switching == Switching::cut_through ? "CutThrough" : "StoreAndForward");
}

class ZeroLoad : public ::testing::TestWithParam<Case> {};

// One packet alone, over 0, 1, 3 and 5 switches: cut-through pays the packet time once,
// store-and-forward once a link (ferrer2012, equation 5.2, h switches, each with routing, crossbar
// and link).
TEST_P(ZeroLoad, LatencyIsTheFormula) {
  for (const int last_digit : {1, 3, 10, 53}) {
    SmallNetwork net;
    net.graph =
        make_topology("rlft", "ports = 6\nstages = 3", {gigabits_per_second(8), nanoseconds(3)});
    net.settings.architecture = GetParam().architecture;
    net.settings.switching = GetParam().switching;
    net.settings.speedup = 2;
    net.settings.routing_delay = nanoseconds(5);
    net.settings.crossbar_delay = nanoseconds(7);
    auto fabric = net.build();
    std::vector<MessageRequest> one{{nanoseconds(100), HostId(last_digit), Bytes(278)}};
    fabric->add_source(HostId(0), std::make_unique<ListSource>(one));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    const std::int64_t switches = last_digit < 3 ? 1 : last_digit < 9 ? 3 : 5;
    const std::int64_t packet = 278;
    const std::int64_t expected = GetParam().switching == Switching::cut_through
                                      ? (switches + 1) * 3 + switches * 12 + packet
                                      : (switches + 1) * (3 + packet) + switches * 12;
    ASSERT_EQ(net.journal.deliveries.size(), 1U);
    EXPECT_EQ(net.journal.deliveries[0].delivered - net.journal.deliveries[0].injected,
              nanoseconds(expected))
        << switches << " switches";
    EXPECT_EQ(net.journal.deliveries[0].injected, nanoseconds(100));
    EXPECT_EQ(fabric->packets_in_flight(), 0U);
  }
}

/// A line of switches whose links have different rates: slower, faster, slower again.
topology::Graph uneven_line() {
  topology::GraphBuilder builder("custom");
  const HostId a = builder.add_host();
  const HostId b = builder.add_host();
  const SwitchId left = builder.add_switch(2);
  const SwitchId middle = builder.add_switch(2);
  const SwitchId right = builder.add_switch(2);
  builder.connect(a, left, 0, {gigabits_per_second(40), nanoseconds(3)});
  builder.connect(left, 1, middle, 0, {gigabits_per_second(8), nanoseconds(11)});
  builder.connect(middle, 1, right, 0, {gigabits_per_second(80), nanoseconds(5)});
  builder.connect(b, right, 1, {gigabits_per_second(16), nanoseconds(2)});
  return builder.build();
}

// zero_load_latency() says what a packet alone needs, also where rates differ.
TEST_P(ZeroLoad, LatencyIsPredicted) {
  SmallNetwork net;
  net.graph = std::make_shared<const topology::Graph>(uneven_line());
  net.routing = "shortest-path";
  net.settings.architecture = GetParam().architecture;
  net.settings.switching = GetParam().switching;
  net.settings.speedup = 1.5;
  net.settings.routing_delay = nanoseconds(5);
  net.settings.crossbar_delay = nanoseconds(7);
  auto fabric = net.build();
  std::vector<MessageRequest> one{{nanoseconds(100), HostId(1), Bytes(1000)}};
  fabric->add_source(HostId(0), std::make_unique<ListSource>(one));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  ASSERT_EQ(net.journal.deliveries.size(), 1U);
  const auto& delivery = net.journal.deliveries[0];
  const routing::Route route =
      routing::trace(*net.graph, *make_routing(net.routing, *net.graph), HostId(0), HostId(1));
  EXPECT_EQ(delivery.delivered - delivery.injected,
            zero_load_latency(*net.graph, route, net.settings, Bytes(1000)));
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, ZeroLoad,
    ::testing::Values(Case{Architecture::input_queued, Switching::cut_through},
                      Case{Architecture::input_queued, Switching::store_and_forward},
                      Case{Architecture::input_queued_single, Switching::cut_through},
                      Case{Architecture::input_queued_single, Switching::store_and_forward},
                      Case{Architecture::cioq, Switching::cut_through},
                      Case{Architecture::cioq, Switching::store_and_forward},
                      Case{Architecture::output_queued, Switching::cut_through},
                      Case{Architecture::output_queued, Switching::store_and_forward}),
    case_name);

}  // namespace
}  // namespace weir::fabric::testing
