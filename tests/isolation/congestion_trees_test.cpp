// Congestion trees that move, overlap and merge (lippens2010, section 3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "set_aside_network.hpp"

namespace weir::isolation::testing {
namespace {

constexpr Time kStart(0);

/// At the first switch flows of 0.3 to host 2 and of 0.9 to host 3 meet, and from 60 to 150 us
/// four of 0.6 join the former at the second.
struct MovingRoot : Network {
  explicit MovingRoot(const std::string& the_model) {
    line({2, 6});
    isolation = the_model;
    isolation_toml = "min_lifetime = \"2 us\"";
  }
  std::unique_ptr<Fabric> start() {
    auto fabric = build();
    send(*fabric, 0, 2, kStart, microseconds(700), 0.3);
    send(*fabric, 1, 3, kStart, microseconds(700), 0.9);
    for (const std::uint32_t h : {4U, 5U, 6U, 7U})
      send(*fabric, h, 2, microseconds(60), microseconds(150), 0.6);
    return fabric;
  }
  [[nodiscard]] std::size_t lines_with_root(const Fabric& fabric, std::uint32_t root) const {
    const auto all = lines_of(fabric);
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const SetAsideLine& one) { return one.root.value == root; }));
  }
};

// T3, T4: the tree of the second switch grows through the first, beside the one that is there, and
// vanishes when its flows end; the first one remains.
TEST(Trees, FollowARootThatMoves) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    MovingRoot net(model);
    const auto fabric = net.start();
    const std::uint32_t near = net.towards(0, 1);
    const std::uint32_t far = net.at_host(2);
    fabric->run_until(microseconds(59));
    EXPECT_GT(net.lines_with_root(*fabric, near), 0U) << model;
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected, Side::egress(far)), 0U);
    EXPECT_EQ(net.lines_with_root(*fabric, far), 0U);
    fabric->run_until(microseconds(149));
    const auto roots_at = [&](Side side) {
      std::vector<std::uint32_t> roots;
      for (const SetAsideLine& one : lines_at(*fabric, side)) roots.push_back(one.root.value);
      return roots;
    };
    EXPECT_THAT(roots_at(Side::egress(near)), ::testing::ElementsAre(far)) << model;
    EXPECT_THAT(roots_at(Side::ingress(net.at_host(0))), ::testing::Contains(far)) << model;
    EXPECT_THAT(roots_at(Side::ingress(net.at_host(1))), ::testing::ElementsAre(near)) << model;
    fabric->run_until(microseconds(690));
    EXPECT_EQ(net.lines_with_root(*fabric, far), 0U) << model;
    EXPECT_GT(net.lines_with_root(*fabric, near), 0U) << model;
    EXPECT_EQ(net.journal.count(SetAsideEvent::refused_specific), 0U);
    EXPECT_TRUE(fabric->run_until(milliseconds(2)));
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
}

/// Payload rates in bytes/ns of hosts 0 and 1 at the first switch, which send to hosts 2 and 3 at
/// the second; one neighbour saturates host 3, and two of them host 2.
std::pair<double, double> overlapping_shares(const std::string& model) {
  Network net;
  net.line({2, 6});
  std::unique_ptr<Fabric> fabric;
  if (model == "voqnet") {
    const auto function = make_routing("shortest-path", *net.graph);
    const fabric::Models models{net.graph, function, fabric::testing::make_selection("fixed"),
                                fabric::testing::make_queueing("voqnet", *net.graph)};
    fabric = std::make_unique<Fabric>(models, fabric::Mechanisms{}, net.settings, net.journal);
  } else {
    net.isolation = model;
    fabric = net.build();
  }
  send(*fabric, 0, 2, kStart, microseconds(500), 0.45);
  send(*fabric, 1, 3, kStart, microseconds(500), 0.45);
  for (const std::uint32_t h : {4U, 5U}) send(*fabric, h, 2, kStart, microseconds(500));
  send(*fabric, 6, 3, kStart, microseconds(500));
  const auto received = [&](std::uint32_t source) {
    for (const fabric::Flow& flow : fabric->flows()) {
      if (flow.source == source) return 64.0 * flow.delivered;
    }
    return 0.0;
  };
  fabric->run_until(microseconds(100));
  const std::pair before(received(0), received(1));
  fabric->run_until(microseconds(500));
  const std::pair shares((received(0) - before.first) / 4e5, (received(1) - before.second) / 4e5);
  EXPECT_TRUE(fabric->run_until(milliseconds(2)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  return shares;
}

// T5, C20: two trees share a link and do not touch each other: as if every destination had queues
// of its own everywhere.
TEST(Trees, OverlapWithoutDisturbingEachOther) {
  const auto ideal = overlapping_shares("voqnet");
  EXPECT_NEAR(ideal.first, 1.0 / 3, 0.01);
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    const auto shares = overlapping_shares(model);
    EXPECT_NEAR(shares.first, ideal.first, 0.02 * ideal.first) << model;
    EXPECT_NEAR(shares.second, ideal.second, 0.02 * ideal.second) << model;
  }
}

// T2: three flows meet at each of two switches whose crossbar does twice the rate, more join on
// the way: queues at ingress where three meet, at egress where two do (C6).
TEST(Trees, CongestIngressWhereMoreFlowsMeetThanTheCrossbarServes) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    topology::GraphBuilder builder("two branches");
    // Switches: 0 and 1 with three hosts each, 2 and 3 behind them with one more, 4 is the root.
    const std::size_t hosts[] = {3, 3, 1, 1, 1};
    for (const std::size_t n : hosts) {
      const SwitchId here = builder.add_switch(n + 2);
      for (std::size_t p = 0; p < n; ++p) builder.connect(builder.add_host(), here, p, kLink);
    }
    builder.connect(SwitchId(0), 3, SwitchId(2), 1, kLink);
    builder.connect(SwitchId(1), 3, SwitchId(3), 1, kLink);
    builder.connect(SwitchId(2), 2, SwitchId(4), 1, kLink);
    builder.connect(SwitchId(3), 2, SwitchId(4), 2, kLink);
    Network net;
    net.isolation = model;
    net.graph = std::make_shared<topology::Graph>(builder.build());
    const auto fabric = net.build();
    for (std::uint32_t h = 0; h < 8; ++h) send(*fabric, h, 8, kStart, microseconds(50));
    fabric->run_until(microseconds(50));
    for (std::uint32_t h = 0; h < 6; ++h) {
      EXPECT_GT(net.journal.count(SetAsideEvent::detected, Side::ingress(net.at_host(h))) +
                    net.journal.count(SetAsideEvent::allocated, Side::ingress(net.at_host(h))),
                0U);
    }
    for (const auto& [from, to] : {std::pair{2U, 4U}, std::pair{3U, 4U}}) {
      EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, Side::egress(net.towards(from, to))),
                  4'096, 500)
          << model;
    }
    EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, Side::egress(net.at_host(8))), 4'096,
                500)
        << model;
    for (std::uint32_t h : {6U, 7U}) {
      EXPECT_EQ(net.journal.count(SetAsideEvent::detected, Side::ingress(net.at_host(h))), 0U);
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(2)));
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
}

}  // namespace
}  // namespace weir::isolation::testing
