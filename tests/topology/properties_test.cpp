// What holds for the graph of every generator.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/topology/support.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::topology {
namespace {

/// A model with random small sizes, as name and settings.
struct Sample {
  std::string model;
  std::string toml;
};

std::string list(const std::vector<int>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::vector<int> numbers(std::size_t count, int low, int high) {
  return *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(low, high + 1));
}

int number(int low, int high) { return *rc::gen::inRange(low, high + 1); }

Sample any_fat_tree() {
  const auto stages = static_cast<std::size_t>(number(1, 3));
  std::vector<int> parents = numbers(stages, 1, 3);
  std::vector<int> parallel = numbers(stages, 1, 2);
  parents[0] = parallel[0] = 1;
  return {"pgft", fmt::format("children = {}\nparents = {}\nparallel = {}",
                              list(numbers(stages, 1, 4)), list(parents), list(parallel))};
}

Sample any_bmin() {
  const int k = number(2, 4);
  const int n = number(1, 4);
  int most = 1;
  for (int i = 1; i < n; ++i) most *= k;
  return {"bmin-perfect-shuffle",
          fmt::format("k = {}\nn = {}\nhosts = {}", k, n, k * number(1, std::min(most, 40)))};
}

Sample any_grid() {
  const auto dimensions = static_cast<std::size_t>(number(1, 3));
  return {number(0, 1) == 0 ? "mesh" : "torus",
          fmt::format("sizes = {}\nhosts_per_switch = {}", list(numbers(dimensions, 1, 5)),
                      number(1, 3))};
}

Sample any_dragonfly() {
  const int a = number(1, 4);
  const int h = number(1, 3);
  return {"dragonfly",
          fmt::format("p = {}\na = {}\nh = {}\ng = {}", number(1, 2), a, h, number(1, a * h + 1))};
}

Sample any_sample() {
  switch (number(0, 6)) {
    case 0:
      return any_fat_tree();
    case 1:
      return any_bmin();
    case 2:
      return {"umin-butterfly", fmt::format("k = {}\nn = {}", number(2, 4), number(1, 3))};
    case 3:
      return {"modified-k-ary-n-tree",
              fmt::format("k = {}\nn = {}\nwidth = {}", number(1, 4), number(1, 3), number(0, 3))};
    case 4:
      return any_grid();
    case 5:
      return any_dragonfly();
    default:
      return {"line",
              fmt::format("switches = {}\nhosts_per_switch = [{}]", number(1, 6), number(1, 3))};
  }
}

RC_GTEST_PROP(EveryGenerator, CablesAreSymmetricAndHostsReachEachOther, ()) {
  const Sample sample = any_sample();
  RC_LOG() << sample.model << '\n' << sample.toml << '\n';
  const Graph graph = make(sample.model, sample.toml);
  const bool one_way = sample.model == "umin-butterfly";
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const Port& port = graph.port(PortId(i));
    if (!port.to.valid()) {
      RC_ASSERT(!port.from.valid());
      continue;
    }
    RC_ASSERT(graph.port(port.to).from == PortId(i));
    RC_ASSERT(graph.port(port.from).to == PortId(i));
    if (!one_way) RC_ASSERT(port.to == port.from);
    RC_ASSERT(graph.port(graph.port(port.node, port.number)).node == port.node);
  }
  RC_ASSERT(statistics(graph).unreachable_pairs == 0U);
  RC_ASSERT(graph.family() == sample.model);
}

TEST(Catalog, EveryTopologyDescribesItself) {
  for (const ModelInfo* info : topology_registry().models()) {
    EXPECT_FALSE(info->purpose.empty()) << info->name;
    EXPECT_FALSE(info->citation.empty()) << info->name;
    for (const Parameter& parameter : info->parameters) {
      EXPECT_FALSE(parameter.help.empty()) << info->name << "." << parameter.name;
    }
  }
}

}  // namespace
}  // namespace weir::topology
