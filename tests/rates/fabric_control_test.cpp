#include "weir/rates/fabric_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"
#include "weir/rates/control_wires.hpp"
#include "weir/rates/flow_routes.hpp"

namespace weir::rates {
namespace {

using fabric::testing::make_routing;
using fabric::testing::make_topology;
using fabric::testing::SaturatedSource;
using fabric::testing::SmallNetwork;

constexpr std::int64_t kPacket = 2048 * 800;  // ps at 10 Gbps

/// 16 hosts below a 4-ary 2-tree with the timing of Table 6.2, flows by static routes.
struct Scene {
  explicit Scene(std::vector<FlowRequest> list)
      : graph(make_topology("k-ary-n-tree", "k = 4\nn = 2",
                            {gigabits_per_second(10), nanoseconds(15)})),
        set(route_flows(*graph, *make_routing("d-mod-k", *graph), list)),
        plane(make_control_plane(*graph, set)) {
    RandomStream random(1, 1, StreamPurpose::test);
    for (std::size_t f = 0; f < list.size(); ++f) {
      starts.emplace_back(static_cast<std::int64_t>(50'000'000 + random.below(20'000'000)));
    }
  }
  using Make = std::function<std::unique_ptr<RateProtocol>(const ProtocolContext&)>;

  [[nodiscard]] ProtocolOutcome alone(const Make& make) const {
    ControlWires wires(plane);
    const auto protocol = make({plane, {}, wires, 1, {}});
    ProtocolRun run;
    run.starts = starts;
    return run_protocol(*protocol, wires, plane, run);
  }
  struct Beside {
    std::shared_ptr<FabricControl> control;
    std::unique_ptr<RateProtocol> protocol;
    std::uint64_t packets = 0;
  };
  /// Beside data: every host sends to all others at random, as fast as it can.
  [[nodiscard]] Beside beside_data(const Make& make, bool preempts) const {
    Beside out;
    out.control = std::make_shared<FabricControl>(preempts);
    out.protocol = make({plane, {}, *out.control, 1, {}});
    out.control->carry(*out.protocol);
    for (std::uint32_t f = 0; f < starts.size(); ++f) out.control->plan({starts[f], f, true});
    SmallNetwork network;
    network.graph = graph;
    network.settings.mtu = Bytes(2048);
    network.settings.header = Bytes(0);
    network.settings.ingress_buffer = Bytes(16 * 1024);
    network.settings.check_period = microseconds(50);
    network.mechanisms.control = out.control;
    const auto fabric = network.build();
    std::vector<HostId> all;
    for (std::uint32_t h = 0; h < 16; ++h) all.emplace_back(h);
    for (std::uint32_t h = 0; h < 16; ++h) {
      std::vector<HostId> others = all;
      others.erase(others.begin() + h);
      fabric->add_source(HostId(h), std::make_unique<SaturatedSource>(others, Bytes(2048), h));
    }
    fabric->run_until(microseconds(400), fabric::WhenIdle::keep_time);
    fabric->check();
    out.packets = fabric->counters().packets_delivered;
    EXPECT_TRUE(out.control->is_quiet());
    return out;
  }

  std::shared_ptr<const topology::Graph> graph;
  FlowSet set;
  ControlPlane plane;
  std::vector<Time> starts;
};

std::vector<FlowRequest> many_flows() {
  std::vector<FlowRequest> list;
  RandomStream random(3, 0, StreamPurpose::test);
  for (std::uint32_t h = 0; h < 16; ++h) {
    for (int i = 0; i < 3; ++i) {
      const auto to = (h + 1 + static_cast<std::uint32_t>(random.below(15))) % 16;
      list.push_back({HostId(h), HostId(to)});
    }
  }
  return list;
}

TEST(FabricControl, PreemptivePacketsKeepTheTimesOfTheControlNetwork) {
  const Scene scene(many_flows());
  const auto star = [](const ProtocolContext& context) { return make_dffa_star(context, true); };
  const ProtocolOutcome alone = scene.alone(star);
  const Scene::Beside beside = scene.beside_data(star, true);
  EXPECT_GT(beside.packets, 16U * 100) << "there is data to preempt";
  for (FlowIndex f = 0; f < scene.plane.flow_count(); ++f) {
    EXPECT_EQ(std::max(beside.protocol->found_at(f), alone.began), alone.found_at[f])
        << "flow " << f;
    EXPECT_EQ(beside.protocol->rate(f), alone.rates[f]) << "flow " << f;
  }
  EXPECT_EQ(beside.protocol->counters().bytes, alone.counters.bytes);
  EXPECT_EQ(beside.protocol->counters().longest_trip, alone.counters.longest_trip);
}

TEST(FabricControl, RoundsAndBroadcastsTravelBesideDataToo) {
  const Scene scene(many_flows());
  const auto dffa = [](const ProtocolContext& context) { return make_dffa(context, {}); };
  const ProtocolOutcome alone = scene.alone(dffa);
  for (const bool preempts : {true, false}) {
    const Scene::Beside beside = scene.beside_data(dffa, preempts);
    double sum = 0;
    for (FlowIndex f = 0; f < scene.plane.flow_count(); ++f) {
      EXPECT_NEAR(beside.protocol->rate(f), alone.rates[f], 1e-12) << "flow " << f;
      const Time found = std::max(beside.protocol->found_at(f), alone.began);
      sum += to_nanoseconds(found - alone.began) / 1'000;
    }
    const double mean = sum / static_cast<double>(scene.plane.flow_count());
    if (preempts) {
      EXPECT_NEAR(mean, alone.mean_time_us(), 0.02 * alone.mean_time_us());
    } else {
      EXPECT_GT(mean, 1.5 * alone.mean_time_us());
    }
  }
}

TEST(FabricControl, OthersWaitForOnePacketAHopAtMost) {
  const Scene scene({{HostId(0), HostId(13)}});
  const auto star = [](const ProtocolContext& context) { return make_dffa_star(context, true); };
  const ProtocolOutcome alone = scene.alone(star);
  const Scene::Beside beside = scene.beside_data(star, false);
  const std::int64_t trip = alone.counters.longest_trip.count;
  const std::int64_t loaded = beside.protocol->counters().longest_trip.count;
  EXPECT_GT(loaded, trip);
  EXPECT_LE(loaded, trip + 8 * kPacket) << "four links there, four back";
  const std::int64_t longer = (beside.protocol->found_at(0) - alone.found_at[0]).count;
  EXPECT_GT(longer, 0);
  EXPECT_LE(longer, 2 * 8 * kPacket) << "two trips";
}

TEST(FabricControl, WhatIsPreemptedIsPaidByData) {
  // The same data with and without a protocol that probes for ever takes as many bytes of a full
  // link as there are control bytes, to a packet.
  const Scene scene(many_flows());
  SaaSettings settings;
  settings.probe_period = nanoseconds(100);
  const auto saa = [&](const ProtocolContext& context) { return make_saa(context, settings); };
  const auto none = [](const ProtocolContext& context) { return make_dffa_star(context, true); };
  const std::uint64_t with = scene.beside_data(saa, true).packets;
  const std::uint64_t without = scene.beside_data(none, true).packets;
  EXPECT_LT(with, without);
}

}  // namespace
}  // namespace weir::rates
