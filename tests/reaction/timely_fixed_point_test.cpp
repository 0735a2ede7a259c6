// Where TIMELY's flows come to rest. As published they do not: between the thresholds every rate is
// as good as any other when the queue does not change, so that who began ahead stays ahead. With
// the patch there is one fixed point, and the fluid model says how fast flows come to it
// (zhu2016ecn, section 4; derived anew below).
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction::testing::timely_fixed_point_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)
using fabric::testing::Told;

// All as published: 10 Gbps, least round trip 20 us, T_low 50 us, T_high 500 us, delta 10 Mbps,
// beta 0.8 and 0.008, segments of 16 KB. Bytes and seconds.
constexpr double kLink = 1.25e9;
constexpr double kLow = 50e-6;
constexpr double kAdditive = 1.25e6;
constexpr double kDecrease = 0.008;
constexpr double kSegment = 16e3;

std::string part(std::size_t level, double start, const std::string& variant) {
  return fmt::format(
      "{{ service_levels = [{}], model = \"timely\", variant = \"{}\", start_rate = {}, "
      "least_round_trip = \"20 us\", low_threshold = \"50 us\", high_threshold = \"500 us\" }}",
      level, variant, start);
}

/// Hosts that send to one, each with a start rate of its own.
struct Bottleneck {
  SmallNetwork net;
  QueueWatch watch{PortId(0)};
  std::unique_ptr<Fabric> fabric;

  Bottleneck(const std::vector<double>& starts, const std::string& variant, Time delay) {
    const std::size_t flows = starts.size();
    net = star(flows + 1, gigabits_per_second(10), delay);
    net.settings.mtu = Bytes(1'952);
    net.settings.header = Bytes(48);
    net.settings.ack_size = Bytes(64);
    net.settings.acks = AckMode::in_band;
    net.settings.architecture = Architecture::output_queued;
    net.settings.egress_buffer = Bytes(2'000'000);
    net.settings.sample_period = microseconds(5);
    std::vector<std::string> parts;
    for (std::size_t f = 0; f < flows; ++f) parts.push_back(part(f, starts[f], variant));
    const auto& model = reaction_registry().find("by-service-level", {}, "model");
    net.mechanisms.reaction =
        model.make(settings_of(model.info, fmt::format("parts = [{}]", fmt::join(parts, ", "))),
                   {net.graph, make_routing(net.routing, *net.graph), nullptr, net.settings});
    watch = QueueWatch(output_to(*net.graph, HostId(flows)));
    fabric = net.build(watch);
    for (std::size_t f = 0; f < flows; ++f) {
      auto source =
          std::make_unique<SaturatedSource>(std::vector<HostId>{HostId(flows)}, Bytes(195'200));
      source->service_level = static_cast<std::uint8_t>(f);
      fabric->add_source(HostId(f), std::move(source));
    }
  }
  /// Watches from one time to another.
  void run(Time from, Time to) {
    fabric->run_until(from);
    watch.queued.clear();
    watch.bytes_from.assign(net.graph->host_count(), 0);
    fabric->run_until(to);
  }
};

TEST(TimelyFixedPoint, AsPublishedFlowsStayWhereTheyBegan) {
  const auto share_after = [](double start) {
    Bottleneck link({start, 1 - start}, "original", nanoseconds(500));
    link.run(milliseconds(50), milliseconds(70));
    return link.watch.share(0);
  };
  EXPECT_NEAR(share_after(0.5), 0.5, 0.1);
  EXPECT_GT(share_after(0.7), 0.7);
  EXPECT_GT(share_after(0.9), 0.9);
}

// At rest the gradient is 0, so that increase and decrease weigh a half each: of a flow of rate R
// delta / 2 = beta R e / 2, with e = RTT / RTT_ref - 1. All flows see one RTT: R = C / N for all,
// and RTT = RTT_ref (1 + N delta / (beta C)). The queue is what of that is not the idle round trip.
TEST(TimelyFixedPoint, WithThePatchTheyShareAndTheRoundTripIsOne) {
  for (const Time delay : {nanoseconds(500), microseconds(5)}) {
    for (const std::vector<double>& starts :
         {std::vector<double>{0.7, 0.3}, std::vector<double>{0.4, 0.3, 0.2, 0.1}}) {
      const auto flows = static_cast<double>(starts.size());
      Bottleneck link(starts, "patched", delay);
      link.fabric->run_until(milliseconds(90));
      const Told before(*link.net.mechanisms.reaction, milliseconds(90));
      link.run(milliseconds(90), milliseconds(110));
      const Told after(*link.net.mechanisms.reaction, milliseconds(110));
      const double round_trip = kLow * (1 + flows * kAdditive / (kDecrease * kLink));
      EXPECT_NEAR((after["timely_rtt"] - before["timely_rtt"]) /
                      (after.whole("timely_rtt") - before.whole("timely_rtt")),
                  round_trip, 0.01 * round_trip);
      const Time idle =
          idle_round_trip(*link.net.graph, *make_routing(link.net.routing, *link.net.graph),
                          link.net.settings) -
          packet_time(*link.net.graph, link.net.settings);
      const double queue = (round_trip - static_cast<double>(idle.count) * 1e-12) * kLink;
      EXPECT_NEAR(link.watch.mean(), queue, 0.03 * queue) << flows << " flows";
      for (std::size_t f = 0; f < starts.size(); ++f)
        EXPECT_NEAR(link.watch.share(f), 1 / flows, 0.05 / flows) << f << " of " << flows;
    }
  }
}

// Each segment, every Seg / R, moves a rate by delta / 2 - beta R e / 2. Of two flows with
// R + S = C, at the error e of rest, d(R - S)/dt = -delta / (2 Seg) (R - S): 25.6 ms.
TEST(TimelyFixedPoint, WithThePatchDifferencesDieOutAsTheFluidModelSays) {
  Bottleneck link({0.7, 0.3}, "patched", nanoseconds(500));
  const auto difference = [&](int from) {
    link.run(milliseconds(from), milliseconds(from + 10));
    return 2 * link.watch.share(0) - 1;
  };
  const double first = difference(20);
  const double second = difference(50);
  const double constant = 2 * kSegment / kAdditive;
  EXPECT_NEAR(0.03 / std::log(first / second), constant, 0.1 * constant);
}

}  // namespace
}  // namespace weir::reaction::testing::timely_fixed_point_test
