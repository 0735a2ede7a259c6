#include <memory>
#include <utility>
#include <vector>

#include "weir/routing/fit.hpp"
#include "weir/routing/staged_tree.hpp"
#include "weir/topology/bmin.hpp"

namespace weir::routing {
namespace {

using topology::BminShape;
using topology::Graph;

/// min(k^j, k M): how many first-stage switches stage j reaches down to, M being all of them.
std::uint64_t reach(const BminShape& shape, std::size_t j) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < j && power < shape.per_stage; ++i) power *= shape.k;
  return power;
}

/// Every stage either splits the first-stage switches evenly or reaches them all an even number of
/// times.
bool is_even(const BminShape& shape) {
  for (std::size_t j = 0; j < shape.n; ++j) {
    const std::uint64_t below = reach(shape, j);
    const std::uint64_t all = shape.per_stage;
    if (below <= all ? all % below != 0 : below % all != 0 || shape.k % (below / all) != 0) {
      return false;
    }
  }
  return true;
}

/// Index of the set of first-stage switches below a switch or above which a host lies:
/// sd mod (M / k^j) for the host's switch, floor(t / k^j) for switch t. From a stage that reaches
/// all of them: 0.
std::uint32_t host_subtree(const BminShape& shape, std::uint32_t first_switch,
                           std::uint64_t below) {
  const std::uint64_t sets = shape.per_stage / below;
  return sets == 0 ? 0 : static_cast<std::uint32_t>(first_switch % sets);
}

/// Digit c[j] of host d. A last stage that reaches every first-stage switch r times has a free
/// sub-digit, taken from the host's port so that uniform traffic spreads evenly.
std::uint32_t digit(const BminShape& shape, std::uint32_t d, std::size_t j) {
  const std::uint32_t k = shape.k;
  if (j == 0) return d % k;
  const std::uint64_t below = reach(shape, j);
  auto c = static_cast<std::uint32_t>((d / k) * below / shape.per_stage % k);
  if (below > shape.per_stage) {
    const auto r = static_cast<std::uint32_t>(below / shape.per_stage);
    c += d % k / (k / r);
  }
  return c;
}

std::unique_ptr<RoutingFunction> make_turnaround(const Checked<UpSettings>& settings,
                                                 const Graph& graph) {
  const auto& shape = *graph.shape<BminShape>();
  std::vector<StagedTree::Stage> stages;
  for (std::size_t j = 0; j < shape.n; ++j) {
    StagedTree::Stage stage;
    stage.first_up = static_cast<std::uint16_t>(shape.k);
    stage.ups = static_cast<std::uint16_t>(j + 1 < shape.n ? shape.k : 0);
    stages.push_back(stage);
  }
  std::vector<StagedTree::Place> places;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const std::uint32_t j = shape.stage(SwitchId(s));
    const std::uint64_t below = reach(shape, j);
    const std::uint32_t t = shape.index(SwitchId(s));
    places.push_back({below >= shape.per_stage ? 0 : static_cast<std::uint32_t>(t / below), j});
  }
  std::vector<StagedTree::Digits> digits;
  digits.reserve(std::size_t{shape.hosts} * shape.n);
  for (std::uint32_t d = 0; d < shape.hosts; ++d) {
    for (std::size_t j = 0; j < shape.n; ++j) {
      StagedTree::Digits at;
      at.subtree = host_subtree(shape, d / shape.k, reach(shape, j));
      at.child = static_cast<std::uint8_t>(digit(shape, d, j));
      at.up = static_cast<std::uint8_t>(shape.k + at.child);
      digits.push_back(at);
    }
  }
  return std::make_unique<StagedTree>(settings->up, std::move(stages), std::move(places),
                                      std::move(digits));
}

const FittedRouting kTurnaround(
    {"turnaround",
     "Perfect-shuffle bidirectional MINs: up to the first stage above the destination, then down",
     "ferrer2012, section 7.3"},
    "a perfect-shuffle bidirectional MIN with stages that divide evenly",
    [](const Graph& graph) {
      const auto* shape = graph.shape<BminShape>();
      return shape != nullptr && is_even(*shape);
    },
    Keys<UpSettings>{
        choice(&UpSettings::up, "up",
               "whose digits choose the up ports: the destination's or the source's",
               {{"destination", UpChoice::destination}, {"source", UpChoice::source}})},
    make_turnaround);

}  // namespace
}  // namespace weir::routing
