// Turns and paths of lippens2010, section 4.1.2, against the definition and against plain lists of
// ports.
#include "weir/isolation/turn_pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "weir/base/random.hpp"

namespace weir::isolation {
namespace {

TEST(Turns, LeadThereAndBackForEveryPairOfPorts) {
  for (unsigned ports = 2; ports <= 32; ++ports) {
    const unsigned limit = 1U << turn_bits(ports);
    EXPECT_GE(limit, ports);
    EXPECT_LT(limit, 2 * ports) << "a bit too many for " << ports << " ports";
    for (unsigned in = 0; in < ports; ++in) {
      std::vector<bool> is_taken(ports);
      for (unsigned out = 0; out < ports; ++out) {
        const unsigned turn = turn_of(in, out, ports);
        ASSERT_EQ((in + turn + 1) % ports, out);
        ASSERT_LT(turn, ports);
        ASSERT_TRUE(in == out || turn <= ports - 2) << "only a turn back may be the last";
        ASSERT_EQ(output_of(in, turn, ports), out);
        ASSERT_EQ(input_of(out, turn, ports), in);
        ASSERT_FALSE(is_taken[turn]);
        is_taken[turn] = true;
      }
    }
  }
}

/// A switch that a route crosses.
struct Hop {
  unsigned ports = 0;
  unsigned in = 0;
  unsigned out = 0;
};

TurnPool pool_of(const std::vector<Hop>& hops) {
  TurnPool pool;
  for (const Hop& hop : hops)
    EXPECT_TRUE(pool.append(turn_of(hop.in, hop.out, hop.ports), turn_bits(hop.ports)));
  return pool;
}

/// A route through switches whose sizes and inputs depend on the ports taken before, as in a
/// network: paths that begin alike lead to the same switches.
class Maze {
 public:
  Maze() {
    RandomStream random(5, 0, StreamPurpose::test);
    for (Node& node : nodes_) {
      node.ports = 2 + static_cast<unsigned>(random.below(9));
      for (unsigned p = 0; p < node.ports; ++p) {
        node.to[p] = static_cast<unsigned>(random.below(nodes_.size()));
        node.entry[p] = static_cast<unsigned>(random());
      }
    }
  }
  [[nodiscard]] std::vector<Hop> walk(unsigned at, unsigned in, std::size_t length,
                                      RandomStream& random,
                                      const std::vector<unsigned>& outs = {}) const {
    std::vector<Hop> hops;
    while (hops.size() < length) {
      const Node& node = nodes_[at];
      in %= node.ports;
      const unsigned out = hops.size() < outs.size()
                               ? outs[hops.size()] % node.ports
                               : static_cast<unsigned>(random.below(node.ports));
      hops.push_back({node.ports, in, out});
      at = node.to[out];
      in = node.entry[out];
    }
    return hops;
  }

 private:
  struct Node {
    unsigned ports = 0;
    std::array<unsigned, 10> to{};
    std::array<unsigned, 10> entry{};
  };
  std::array<Node, 12> nodes_;
};

bool begins_with(const std::vector<Hop>& route, const std::vector<Hop>& path) {
  if (path.size() > route.size()) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (route[i].out != path[i].out) return false;
  }
  return true;
}

TEST(TurnPool, MatchesAsListsOfPortsDo) {
  const Maze maze;
  RandomStream random(6, 0, StreamPurpose::test);
  std::size_t matches = 0;
  for (int round = 0; round < 100'000; ++round) {
    const auto at = static_cast<unsigned>(random.below(12));
    const auto in = static_cast<unsigned>(random.below(10));
    const std::vector<Hop> route = maze.walk(at, in, 3 + random.below(9), random);
    // A path that follows the route for a while, or to its end.
    std::vector<unsigned> outs;
    for (std::size_t i = random.below(route.size() + 1); i > 0; --i)
      outs.push_back(route[outs.size()].out);
    const std::vector<Hop> path = maze.walk(at, in, 1 + random.below(route.size()), random, outs);
    const TurnPool pool = pool_of(path);
    const bool is_match = begins_with(route, path);
    ASSERT_EQ(
        leads_through(pool_of(route).value, {pool.value, static_cast<std::uint8_t>(pool.bits)}),
        is_match)
        << "round " << round;
    matches += is_match ? 1 : 0;
  }
  EXPECT_GT(matches, 30'000U);
  EXPECT_LT(matches, 90'000U);
}

TEST(TurnPool, GrowsInFrontAndIsUsedUpFromThere) {
  const Maze maze;
  RandomStream random(7, 0, StreamPurpose::test);
  for (int round = 0; round < 1'000; ++round) {
    const std::vector<Hop> route =
        maze.walk(static_cast<unsigned>(random.below(12)), 0, 1 + random.below(16), random);
    TurnPool backwards;
    for (auto hop = route.rbegin(); hop != route.rend(); ++hop)
      ASSERT_TRUE(backwards.prepend(turn_of(hop->in, hop->out, hop->ports), turn_bits(hop->ports)));
    const TurnPool pool = pool_of(route);
    ASSERT_EQ(backwards.value, pool.value);
    ASSERT_EQ(backwards.bits, pool.bits);
    std::uint64_t left = pool.value;
    for (std::size_t i = 0; i < route.size(); ++i) {
      const std::vector<Hop> rest(route.begin() + static_cast<std::ptrdiff_t>(i), route.end());
      ASSERT_EQ(left, pool_of(rest).value);
      left = TurnPool::advance(left, turn_bits(route[i].ports));
    }
    ASSERT_EQ(left, 0U);
  }
}

TEST(TurnPool, RefusesWhatDoesNotFit) {
  TurnPool pool;
  for (int turn = 0; turn < 21; ++turn) ASSERT_TRUE(pool.append(7, 3));
  const TurnPool before = pool;
  EXPECT_FALSE(pool.append(1, 2));
  EXPECT_FALSE(pool.prepend(1, 2));
  EXPECT_EQ(pool.value, before.value);
  EXPECT_EQ(pool.bits, 63U);
  EXPECT_TRUE(pool.prepend(0, 1));
  EXPECT_EQ(pool.value, before.value >> 1);
  EXPECT_EQ(TurnPool::advance(pool.value, 64), 0U);
}

// A path that fills the whole pool must still be compared to its last bit.
TEST(TurnPool, ComparesAllOfAFullPath) {
  const LineName path{0x8000'0000'0000'0001ULL, 64};
  EXPECT_TRUE(leads_through(0x8000'0000'0000'0001ULL, path));
  EXPECT_FALSE(leads_through(0x8000'0000'0000'0000ULL, path));
}

}  // namespace
}  // namespace weir::isolation
