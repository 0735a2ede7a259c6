// What StagedTree::is_proven() shows, against a walk along all candidates.
#include <gtest/gtest.h>

#include "routing/support.hpp"
#include "weir/base/random.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/staged_tree.hpp"

namespace weir::routing::test {
namespace {

/// D-mod-K on the 2-ary 2-tree by hand: leaf switches 0 and 1 with two hosts each below 2 and 3.
struct Parts {
  std::vector<StagedTree::Stage> stages = {{1, 2, 2}, {1, 2, 0}};
  std::vector<StagedTree::Place> places = {{0, 0}, {1, 0}, {0, 1}, {0, 1}};
  std::vector<StagedTree::Digits> digits;

  Parts() {
    for (std::uint32_t d = 0; d < 4; ++d) {
      digits.push_back(
          {d / 2, static_cast<std::uint8_t>(d % 2), 0, static_cast<std::uint8_t>(2 + d % 2)});
      digits.push_back({0, static_cast<std::uint8_t>(d / 2), 0, 0});
    }
  }
  [[nodiscard]] StagedTree tree(UpChoice up) const { return {up, stages, places, digits}; }

  /// Changes one number.
  void spoil(RandomStream& random) {
    const auto some = [&](auto& number) {
      number = static_cast<std::decay_t<decltype(number)>>(random.below(5));
    };
    StagedTree::Digits& digit = digits[random.below(digits.size())];
    StagedTree::Place& place = places[random.below(places.size())];
    StagedTree::Stage& stage = stages[random.below(stages.size())];
    switch (random.below(9)) {
      case 0:
        return some(digit.subtree);
      case 1:
        return some(digit.child);
      case 2:
        return some(digit.parallel);
      case 3:
        return some(digit.up);
      case 4:
        return some(place.subtree);
      case 5:
        return some(place.stage);
      case 6:
        return some(stage.parallel);
      case 7:
        return some(stage.first_up);
      default:
        return some(stage.ups);
    }
  }
};

TEST(StagedTree, ShowsNothingThatAWalkDoesNotFind) {
  const topology::Graph graph = make_graph("k-ary-n-tree", "k = 2\nn = 2");
  DependencyOptions options;
  options.all_candidates = true;
  RandomStream random(1, 0, StreamPurpose::test);
  int proven = 0;
  int refused = 0;
  for (int i = 0; i < 3'000; ++i) {
    Parts parts;
    const auto changes = random.below(3);
    for (std::uint64_t k = 0; k < changes; ++k) parts.spoil(random);
    for (const UpChoice up : {UpChoice::destination, UpChoice::source, UpChoice::hash}) {
      const StagedTree tree = parts.tree(up);
      if (!tree.is_proven(graph)) {
        EXPECT_NE(changes, 0U);
        ++refused;
        continue;
      }
      ++proven;
      const DependencyReport report = check_dependencies(graph, tree, options);
      ASSERT_TRUE(report.ok()) << describe(graph, report);
    }
  }
  EXPECT_GT(proven, 3'500);  // untouched, or with another port up
  EXPECT_GT(refused, 3'000);
}

TEST(StagedTree, IsNotProvenOnAnotherGraph) {
  const Parts parts;
  for (const char* other : {"k = 2\nn = 3", "k = 3\nn = 2"})
    EXPECT_FALSE(parts.tree(UpChoice::destination).is_proven(make_graph("k-ary-n-tree", other)));
}

TEST(StagedTree, TheRoutingsOfTreesAreProven) {
  const struct {
    const char* topology;
    const char* settings;
    const char* routing;
  } cases[] = {{"rlft", "ports = 8\nstages = 3", "d-mod-k"},
               {"k-ary-n-tree", "k = 3\nn = 3", "d-mod-k"},
               {"pgft", "children = [4, 4]\nparents = [1, 2]\nparallel = [1, 2]", "d-mod-k"},
               {"modified-k-ary-n-tree", "k = 2\nn = 4", "d-mod-k"},
               {"bmin-perfect-shuffle", "hosts = 64\nk = 4\nn = 3", "turnaround"},
               {"bmin-perfect-shuffle", "hosts = 32\nk = 4\nn = 3", "turnaround"}};
  for (const auto& one : cases) {
    const topology::Graph graph = make_graph(one.topology, one.settings);
    for (const char* up : {"destination", "source"}) {
      const auto routing = make_routing(one.routing, graph, std::string("up = \"") + up + "\"");
      EXPECT_TRUE(routing->is_proven(graph)) << one.topology << " " << one.settings << " " << up;
    }
  }
  const topology::Graph rlft = make_graph("rlft", "ports = 8\nstages = 3");
  EXPECT_TRUE(make_routing("d-mod-k", rlft, "up = \"hash\"")->is_proven(rlft));
  DependencyOptions options;
  options.takes_proof = true;
  const auto report = check_dependencies(rlft, *make_routing("d-mod-k", rlft), options);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.work, 0U);
}

}  // namespace
}  // namespace weir::routing::test
