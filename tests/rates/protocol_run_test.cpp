#include "weir/rates/protocol_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/random.hpp"
#include "weir/rates/algorithm.hpp"
#include "weir/topology/fat_tree.hpp"

namespace weir::rates {
namespace {

/// The k-ary 2-tree with flows from leaf to leaf over roots drawn at random.
struct Tree {
  explicit Tree(std::size_t flows, std::uint64_t seed, std::uint32_t applications = 1)
      : graph(
            topology::make_fat_tree("k-ary-n-tree", {{4, 4}, {1, 4}, {1, 1}},
                                    topology::LinkSpec{gigabits_per_second(10), nanoseconds(15)})) {
    RandomStream random(seed, 0, StreamPurpose::test);
    FlowSetBuilder builder(graph.port_count());
    const auto host_port = [&](std::uint32_t h) { return graph.host_port(HostId(h)); };
    for (std::size_t f = 0; f < flows; ++f) {
      const auto source = static_cast<std::uint32_t>(random.below(16));
      const auto destination = static_cast<std::uint32_t>((source + 4 + random.below(9)) % 16);
      const auto root = static_cast<std::uint32_t>(random.below(4));
      std::vector<LinkId> path;
      const auto cross = [&](PortId port) {
        path.emplace_back(port.value);
        return graph.port(graph.port(port).to).node;
      };
      const NodeId leaf = cross(host_port(source));
      const NodeId top = cross(graph.port(leaf, 4 + root));
      const NodeId other = cross(graph.port(top, destination / 4));
      cross(graph.port(other, destination % 4));
      builder.add(path, Fraction(static_cast<std::int64_t>(1 + random.below(3))),
                  ApplicationId(static_cast<std::uint32_t>(f) % applications));
    }
    set = std::make_unique<FlowSet>(builder.build());
    plane = make_control_plane(graph, *set);
  }
  [[nodiscard]] double exact(const Assignment& assignment, std::size_t f) const {
    return assignment.rate(*set, FlowId(f)).value();
  }
  topology::Graph graph;
  std::unique_ptr<FlowSet> set;
  ControlPlane plane;
};

TEST(ProtocolRun, DffaFindsTheRatesOfFfa) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Tree tree(60, seed);
    const Assignment expected = ffa(*tree.set);
    const ProtocolOutcome star = run_dffa_star(tree.plane, {});
    const ProtocolOutcome basic = run_dffa_star(tree.plane, {}, false);
    ProtocolRun with_late;
    with_late.late = {7};
    const ProtocolOutcome all = run_dffa(tree.plane, {});
    const ProtocolOutcome late = run_dffa(tree.plane, with_late);
    for (const ProtocolOutcome* out : {&star, &basic, &all, &late}) {
      ASSERT_TRUE(out->is_settled);
      for (std::size_t f = 0; f < 60; ++f) {
        EXPECT_NEAR(out->rates[f], tree.exact(expected, f), 1e-12) << "flow " << f;
      }
      EXPECT_GT(out->mean_time_us(), 0);
      EXPECT_GE(out->longest_time_us(), out->mean_time_us());
      // Theorem 4.2.12 holds from the last start on, beside rounds and announcements.
      const auto bound = 6 * expected.levels.size() + 6;
      EXPECT_LE(out->longest_time_us() * 1e6,
                static_cast<double>(bound) * static_cast<double>(out->counters.longest_trip.count));
    }
    EXPECT_LT(star.mean_messages(), basic.mean_messages());
    EXPECT_GT(all.rounds, 0U);
    EXPECT_GT(late.began, all.began);
    EXPECT_GE(late.rounds, all.rounds);
  }
}

TEST(ProtocolRun, DafaFindsTheRatesOfAfa) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Tree tree(60, seed, 6);
    const Assignment expected = afa(*tree.set);
    const auto root = static_cast<ElementIndex>(tree.plane.element_count() - 1);
    const DafaOutcome out = run_dafa_star(tree.plane, {}, root);
    ASSERT_TRUE(out.is_settled);
    EXPECT_EQ(out.iterations, expected.levels.size());
    for (std::size_t f = 0; f < 60; ++f) {
      EXPECT_NEAR(out.rates[f], tree.exact(expected, f), 1e-12) << "flow " << f;
    }
    // The other roots are the farthest: two hops of 207 ns there and back. Nobody is below them, so
    // that they put nothing together; the leaves and the leader do, 200 ns each, before they go on.
    const std::int64_t pif = 4 * 207'000 + 2 * 200'000;
    EXPECT_EQ(out.found, Time(2 * out.iterations * pif - 200'000));
    // The formula has 200 ns in place of 207, and the leader's last reduction.
    const std::int64_t more = 2 * static_cast<std::int64_t>(out.iterations) * 4 * 7'000 - 200'000;
    EXPECT_EQ(out.found, dafa_latency(out.iterations, 2) + Time(more));
    EXPECT_GT(out.settled, out.found);
    EXPECT_GT(out.informed, out.settled);
  }
}

TEST(ProtocolRun, SaaMFillsAllPathsAndCountsItsPackets) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Tree tree(60, seed);
    const Assignment least = saa(*tree.set);
    ProtocolRun run;
    run.limit = milliseconds(100);
    const ProtocolOutcome out = run_saa_m(tree.plane, run);
    ASSERT_TRUE(out.is_settled);
    std::vector<double> left(tree.plane.link_count(), 1);
    for (FlowIndex f = 0; f < 60; ++f) {
      EXPECT_GE(out.rates[f], tree.exact(least, f) - 1e-11);
      for (const LinkIndex l : tree.plane.route(f)) left[l] -= out.rates[f];
    }
    for (FlowIndex f = 0; f < 60; ++f) {
      double least_left = 1;
      for (const LinkIndex l : tree.plane.route(f)) {
        EXPECT_GE(left[l], -1e-15);
        least_left = std::min(least_left, left[l]);
      }
      EXPECT_NEAR(least_left, 0, 1e-15);
    }
    EXPECT_GE(out.mean_messages(), 1);
    EXPECT_LE(out.mean_messages(), out.most_messages());
  }
}

TEST(ProtocolRun, SaysWhenItHasNotSettled) {
  const Tree tree(60, 1);
  ProtocolRun run;
  run.limit = microseconds(5);
  EXPECT_FALSE(run_dffa(tree.plane, run).is_settled);
  EXPECT_FALSE(run_saa_m(tree.plane, run).is_settled);
  EXPECT_FALSE(run_dafa_star(tree.plane, run, 16).is_settled);
}

TEST(ProtocolRun, RepeatsExactly) {
  const Tree tree(60, 3);
  const ProtocolOutcome one = run_dffa(tree.plane, {});
  const ProtocolOutcome other = run_dffa(tree.plane, {});
  EXPECT_EQ(one.rates, other.rates);
  EXPECT_EQ(one.found_at, other.found_at);
  EXPECT_EQ(one.messages, other.messages);
  EXPECT_EQ(one.counters.bytes, other.counters.bytes);
}

TEST(ProtocolRun, RefusesWhatDoesNotFit) {
  const Tree tree(3, 1);
  ProtocolRun run;
  run.late = {3};
  EXPECT_THROW(run_dffa(tree.plane, run), InputError);
  run.late = {1};
  EXPECT_THROW(run_dffa_star(tree.plane, run), InputError);
  run.late = {};
  run.starts = {Time(), Time()};
  EXPECT_THROW(run_saa_m(tree.plane, run), InputError);
  ControlPlane heavy = tree.plane;
  const auto route = tree.plane.route(0);
  heavy.add_flow(std::vector<LinkIndex>(route.begin(), route.end()), 5e6);
  EXPECT_THROW(run_saa_m(heavy, {}), InputError);
  // Neither a weight that would round to nothing nor a share that would.
  for (const std::pair<double, double>& weights : {std::pair{1e-13, 1e-13}, std::pair{1e-5, 1e6}}) {
    ControlPlane light;
    const ElementIndex a = light.add_element(true);
    const LinkIndex link = light.add_cable(a, light.add_element(true));
    light.add_flow(std::vector<LinkIndex>{link}, weights.first);
    light.add_flow(std::vector<LinkIndex>{link}, weights.second);
    EXPECT_THROW(run_saa_m(light, {}), InputError);
    EXPECT_TRUE(run_dffa(light, {}).is_settled);
  }
}

TEST(ProtocolRun, LatencyFormula) { EXPECT_EQ(dafa_latency(8, 4), Time(38'400'000)); }

}  // namespace
}  // namespace weir::rates
