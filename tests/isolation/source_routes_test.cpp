// Routes in the headers of packets: which networks they fit, and that they are those which packets
// take where connections have ways of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isolation/counters_of.hpp"
#include "set_aside_network.hpp"
#include "weir/fabric/hooks/known_paths.hpp"

namespace weir::isolation::testing::source_routes_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Fit {
  const char* name;
  const char* topology;
  const char* toml;
  const char* routing;
  const char* numbers;  ///< of what does not fit; "": all routes do
  const char* selection = "fixed";
};
void PrintTo(const Fit& fit, std::ostream* out) { *out << fit.name; }

class RoutesInHeaders : public ::testing::TestWithParam<Fit> {};

// Before anything is sent, with the numbers that say by how much.
TEST_P(RoutesInHeaders, AreRefusedWhereTheyDoNotFit) {
  const Fit& fit = GetParam();
  Network net;
  net.graph = make_topology(fit.topology, fit.toml, kLink);
  net.routing = fit.routing;
  net.selection = fit.selection;
  const auto lanes = make_routing(fit.routing, *net.graph)->lanes();
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(32'768 * lanes);
  for (const char* model : {"recn", "recn-enhanced"}) {
    net.isolation = model;
    const std::string refusal = net.refusal();
    if (std::string(fit.numbers).empty()) {
      EXPECT_EQ(refusal, "");
    } else {
      EXPECT_THAT(refusal,
                  AllOf(HasSubstr("isolation.model: the route from host "), HasSubstr(fit.numbers),
                        HasSubstr("the header of a packet holds at most 64; take "
                                  "isolation.model = \"fbicm\"")));
    }
  }
  net.isolation = "fbicm";
  EXPECT_EQ(net.refusal(), "");
}

// A switch of a torus in two dimensions has 5 ports with one host: turns of 3 bits, and one for the
// VC. From end to end of n x n there are 2 (n / 2) + 1 switches. The first route that does not fit
// is named, which need not be the longest.
INSTANTIATE_TEST_SUITE_P(
    Networks, RoutesInHeaders,
    ::testing::Values(
        Fit{"Torus15x15", "torus", "sizes = [15, 15]", "dimension-order", ""},
        Fit{"Torus16x16", "torus", "sizes = [16, 16]", "dimension-order",
            "turns at 17 switches, with 4 bits each (1 of them for the VC): 68 bits"},
        Fit{"Torus16x16OfFourHosts", "torus", "sizes = [16, 16]\nhosts_per_switch = 4",
            "dimension-order",
            "turns at 17 switches, with 4 bits each (1 of them for the VC): 68 bits"},
        Fit{"Torus16x16Ecmp", "torus", "sizes = [16, 16]", "dimension-order",
            "turns at 17 switches, with 4 bits each (1 of them for the VC): 68 bits", "ecmp"},
        Fit{"Torus8x8x8", "torus", "sizes = [8, 8, 8]", "dimension-order", ""},
        Fit{"Torus12x12x12", "torus", "sizes = [12, 12, 12]", "dimension-order",
            "turns at 17 switches, with 4 bits each (1 of them for the VC): 68 bits"},
        Fit{"Mesh11x11", "mesh", "sizes = [11, 11]", "dimension-order", ""},
        Fit{"Mesh12x12", "mesh", "sizes = [12, 12]", "dimension-order",
            "turns at 22 switches, with 3 bits each: 66 bits"},
        Fit{"Line32", "line", "switches = 32\nhosts_per_switch = [2]", "up-down", ""},
        Fit{"Line33", "line", "switches = 33\nhosts_per_switch = [2]", "up-down",
            "turns at 33 switches, with 2 bits each: 66 bits"},
        Fit{"LineOfTwoSizes", "line",
            "switches = 13\nhosts_per_switch = [20, 20, 20, 40, 20, 20, 20, 20, 20, 20, 20, 20, "
            "20]",
            "up-down", "turns at 13 switches, with 5 to 6 bits each: 66 bits"},
        Fit{"Tree1024", "k-ary-n-tree", "k = 4\nn = 5", "d-mod-k", ""},
        Fit{"Tree1024Ecmp", "k-ary-n-tree", "k = 4\nn = 5", "d-mod-k", "", "ecmp"},
        Fit{"Dragonfly", "dragonfly", "p = 2\na = 4\nh = 2", "dragonfly-non-minimal", "", "ecmp"}),
    [](const auto& row) { return std::string(row.param.name); });

/// Two connections of hosts 0 and 63 with different ways up, on a tree of 64 hosts.
struct TwoWays : Network {
  TwoWays() {
    graph = make_topology("k-ary-n-tree", "k = 4\nn = 3", kLink);
    routing = "d-mod-k";
    selection = "ecmp";
  }
};

// Hosts 1, 2 and 3 keep the second way of host 0 to host 63 busy, not its first: packets of its
// connections go to different queues of its injection buffer.
TEST(SourceRoutes, TellConnectionsOfTheSameHostsApart) {
  TwoWays net;
  // The port up that a connection takes at the leaf switch of its source.
  class Probe final : public fabric::Marker {
   public:
    void attach(const fabric::FabricView& fabric) override { paths = fabric::KnownPaths(fabric); }
    std::uint16_t first_output(std::uint32_t from, std::uint32_t to, std::uint16_t number) {
      std::uint16_t out = 0;
      paths.follow({HostId(from), HostId(to), number}, [&](std::uint32_t, auto next) {
        out = next.port;
        return false;
      });
      return out;
    }
    fabric::KnownPaths paths;
  };
  const auto probe = std::make_shared<Probe>();
  net.mechanisms.marker = probe;
  const auto fabric = net.build();
  const std::uint16_t busy = probe->first_output(0, 63, 0);
  std::uint16_t other = 1;
  while (probe->first_output(0, 63, other) == busy) ++other;
  // Hosts of the same leaf switch send to other hosts far away, by connections through that port.
  for (const std::uint32_t h : {1U, 2U, 3U}) {
    std::uint16_t number = 0;
    while (probe->first_output(h, 60 - h, number) != busy) ++number;
    send(*fabric, h, 60 - h, Time(0), microseconds(100), 1.0, 64, 0, number);
  }
  send(*fabric, 0, 63, Time(0), microseconds(100), 0.5, 64, 0, 0);
  send(*fabric, 0, 63, Time(0), microseconds(100), 0.4, 64, 0, other);
  fabric->run_until(microseconds(90));
  // Four hosts share a link: about a quarter is left for the busy connection; the other one is a
  // victim of nobody.
  std::vector<double> got(2);
  for (const fabric::Flow& flow : fabric->flows()) {
    if (flow.source == 0) got[flow.connection == 0 ? 0 : 1] = flow.delivered * 64 / 90'000.0;
  }
  EXPECT_LT(got[0], 0.35);
  EXPECT_NEAR(got[1], 0.4, 0.02);
  EXPECT_TRUE(fabric->run_until(milliseconds(10)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  EXPECT_EQ(counters_of(*fabric->isolation()).in_use, 0U);
}

// Cables fail while trees come and go: packets keep to the ways in their headers.
TEST(SourceRoutes, StayWhereLinksFail) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, 0, StreamPurpose::test);
    Network net;
    net.isolation = seed % 2 == 0 ? "recn" : "recn-enhanced";
    net.selection = "ecmp";
    net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
    net.routing = "d-mod-k";
    net.settings.seed = seed;
    net.settings.acks = fabric::AckMode::in_band;
    const auto fabric = net.build();
    for (std::uint32_t h = 1; h < 8; ++h) {
      for (std::uint16_t number = 0; number < 2; ++number) {
        send(*fabric, h, 0, nanoseconds(100 * h), microseconds(50), 0.5, 64, 0, number);
        send(*fabric, h, (h + 1) % 8, nanoseconds(70 * h), microseconds(50), 0.2, 64, 0,
             static_cast<std::uint16_t>(2 + number));
      }
    }
    for (int n = 0; n < 8; ++n) {
      const PortId port(random.below(net.graph->port_count()));
      if (!net.graph->port(port).to.valid()) continue;
      const Time down = nanoseconds(1'000 + static_cast<std::int64_t>(random.below(40'000)));
      fabric->change_cable(port, down, false);
      if (n % 3 != 0) fabric->change_cable(port, down + microseconds(1 + n), true);
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    const fabric::Counters& c = fabric->counters();
    EXPECT_EQ(c.packets_delivered + c.packets_lost, c.packets_injected);
    EXPECT_GT(c.packets_lost, 0U);
    EXPECT_EQ(net.journal.out_of_order(), 0U);
    EXPECT_EQ(counters_of(*fabric->isolation()).in_use, 0U);
    if (HasFailure()) return;
  }
}

TEST(SourceRoutes, NeedASelectionThatKeepsPaths) {
  for (const char* selection : {"random", "spray", "flowlet", "most-credits", "bxi"}) {
    TwoWays net;
    net.selection = selection;
    net.isolation = "recn";
    EXPECT_THAT(net.refusal(),
                AllOf(HasSubstr("isolation.model"), HasSubstr("selection.model = \"fixed\" or "
                                                              "\"ecmp\"")));
  }
}

}  // namespace
}  // namespace weir::isolation::testing::source_routes_test
