#include "weir/rates/periodic_dffa_protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/rates/algorithm.hpp"
#include "weir/rates/protocol_run.hpp"
#include "weir/topology/fat_tree.hpp"

namespace weir::rates::periodic_dffa_test {
namespace {

/// Flows between 16 hosts below four leaves and one root.
struct Scene {
  explicit Scene(std::size_t flows, std::uint64_t seed)
      : graph(
            topology::make_fat_tree("k-ary-n-tree", {{4, 4}, {1, 1}, {1, 1}},
                                    topology::LinkSpec{gigabits_per_second(10), nanoseconds(15)})),
        plane(graph) {
    RandomStream random(seed, 0, StreamPurpose::test);
    for (std::size_t f = 0; f < flows; ++f) {
      const auto from = static_cast<std::uint32_t>(random.below(16));
      const auto to = static_cast<std::uint32_t>((from + 4 + random.below(9)) % 16);
      std::vector<LinkId> path;
      const auto cross = [&](PortId port) {
        path.emplace_back(port.value);
        return graph.port(graph.port(port).to).node;
      };
      const NodeId leaf = cross(graph.host_port(HostId(from)));
      const NodeId top = cross(graph.port(leaf, 4));
      const NodeId other = cross(graph.port(top, to / 4));
      cross(graph.port(other, to % 4));
      paths.push_back(std::move(path));
    }
    FlowSetBuilder builder(graph.port_count());
    for (const auto& path : paths) builder.add(path);
    plane = make_control_plane(graph, builder.build());
  }
  /// FFA of the flows that are there.
  [[nodiscard]] std::vector<double> fair(const std::vector<bool>& is_present) const {
    FlowSetBuilder builder(graph.port_count());
    for (std::size_t f = 0; f < paths.size(); ++f) {
      if (is_present[f]) builder.add(paths[f]);
    }
    const FlowSet set = builder.build();
    const Assignment rates = ffa(set);
    std::vector<double> out(paths.size(), 0);
    for (std::size_t f = 0, i = 0; f < paths.size(); ++f) {
      if (is_present[f]) out[f] = rates.rate(set, FlowId(i++)).value();
    }
    return out;
  }
  [[nodiscard]] ProtocolOutcome run(const ProtocolRun& what,
                                    const PeriodicDffaSettings& settings = {}) const {
    ControlWires wires(plane);
    const auto protocol = make_periodic_dffa({plane, {}, wires, 1, {}}, settings);
    return run_protocol(*protocol, wires, plane, what);
  }

  topology::Graph graph;
  ControlPlane plane;
  std::vector<std::vector<LinkId>> paths;
};

void expect_fair(const Scene& scene, const ProtocolOutcome& out) {
  ASSERT_TRUE(out.is_settled);
  const std::vector<double> expected = scene.fair(out.is_present);
  for (std::size_t f = 0; f < expected.size(); ++f) {
    EXPECT_NEAR(out.rates[f], expected[f], 1e-6) << "flow " << f;
  }
}

TEST(PeriodicDffa, MaxMinRatesAreASteadyStateOfSaaM) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Scene scene(40, seed);
    const ProtocolOutcome out = scene.run({});
    expect_fair(scene, out);
    EXPECT_GE(out.rounds, 1U);
  }
}

TEST(PeriodicDffa, FlowsComeAndGoBetweenAndDuringCalculations) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Scene scene(40, seed);
    RandomStream random(seed, 7, StreamPurpose::test);
    ProtocolRun run;
    run.starts.assign(40, Time());
    for (std::uint32_t f = 20; f < 40; ++f) run.starts[f] = Time::max();
    // Calculations begin every 150 us and take about 20: many changes fall into one.
    for (std::uint32_t f = 0; f < 15; ++f) {
      const auto late = [&] { return Time(static_cast<std::int64_t>(random.below(600'000'000))); };
      run.changes.push_back({microseconds(100) + late(), f, false});
      run.changes.push_back({microseconds(100) + late(), 20 + f, true});
    }
    PeriodicDffaSettings settings;
    settings.period = microseconds(150);
    settings.calm = microseconds(40);
    const ProtocolOutcome out = scene.run(run, settings);
    EXPECT_EQ(std::count(out.is_present.begin(), out.is_present.end(), true), 20);
    expect_fair(scene, out);
  }
}

TEST(PeriodicDffa, ANewFlowNeedNotWaitForACalculation) {
  const Scene scene(40, 3);
  ProtocolRun run;
  run.starts.assign(40, Time());
  run.starts[7] = Time::max();
  run.changes.push_back({microseconds(700), 7, true});
  run.limit = microseconds(740);  // the next calculation begins at 1 ms
  const ProtocolOutcome out = scene.run(run);
  EXPECT_FALSE(out.is_settled) << "the rates are not max-min fair yet";
  EXPECT_GT(out.rates[7], 0);
}

}  // namespace
}  // namespace weir::rates::periodic_dffa_test
