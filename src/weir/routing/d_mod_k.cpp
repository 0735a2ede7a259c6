#include <memory>
#include <utility>
#include <vector>

#include "weir/routing/fit.hpp"
#include "weir/routing/staged_tree.hpp"
#include "weir/topology/fat_tree.hpp"
#include "weir/topology/modified_tree.hpp"

namespace weir::routing {
namespace {

using topology::FatTreeShape;
using topology::Graph;

/// The fat tree that the graph is or contains, or nullptr.
const FatTreeShape* tree_of(const Graph& graph) {
  if (const auto* modified = graph.shape<topology::ModifiedTreeShape>()) return &modified->fat_tree;
  return graph.shape<FatTreeShape>();
}

std::vector<StagedTree::Stage> stages_of(const FatTreeShape& tree) {
  std::vector<StagedTree::Stage> stages;
  for (std::size_t s = 0; s < static_cast<std::size_t>(tree.stages); ++s) {
    StagedTree::Stage stage;
    stage.parallel = static_cast<std::uint16_t>(tree.parameters.parallel[s]);
    stage.first_up = tree.down_ports[s + 1];
    stage.ups = tree.up_ports[s + 1];
    stages.push_back(stage);
  }
  return stages;
}

/// With W_s = w_1 * .. * w_s: going up from stage s, q = floor(d / W_s) mod (w_{s+1} p_{s+1}) takes
/// parent q mod w_{s+1} over parallel link floor(q / w_{s+1}); the way down to the same child takes
/// the same parallel link, so that the two directions of a cable serve the same destinations.
std::vector<StagedTree::Digits> digits_of(const FatTreeShape& tree) {
  const auto& [children, parents, parallel] = tree.parameters;
  const std::size_t stages = children.size();
  const std::uint32_t hosts = tree.hosts_below[stages];
  std::vector<StagedTree::Digits> digits;
  digits.reserve(hosts * stages);
  for (std::uint32_t d = 0; d < hosts; ++d) {
    std::uint32_t q = d;  // floor(d / W_{s-1}), then floor(d / W_s)
    for (std::size_t s = 1; s <= stages; ++s) {
      const auto children_here = static_cast<std::uint32_t>(children[s - 1]);
      const auto parallel_here = static_cast<std::uint32_t>(parallel[s - 1]);
      StagedTree::Digits at;
      at.subtree = d / tree.hosts_below[s];
      at.child =
          static_cast<std::uint8_t>(d / tree.hosts_below[s - 1] % children_here * parallel_here);
      q /= static_cast<std::uint32_t>(parents[s - 1]);
      at.parallel = static_cast<std::uint8_t>(q % parallel_here);
      if (s < stages) {
        const auto w = static_cast<std::uint32_t>(parents[s]);
        const auto p = static_cast<std::uint32_t>(parallel[s]);
        at.up = static_cast<std::uint8_t>(tree.down_ports[s] + q % w * p + q / w % p);
      }
      digits.push_back(at);
    }
  }
  return digits;
}

std::vector<StagedTree::Place> places_of(const FatTreeShape& tree) {
  std::vector<StagedTree::Place> places;
  places.reserve(tree.switch_stage.size());
  for (std::size_t s = 0; s < tree.switch_stage.size(); ++s) {
    places.push_back({tree.switch_subtree[s], tree.switch_stage[s] - 1U});
  }
  return places;
}

const FittedRouting kDModK(
    {"d-mod-k",
     "Fat trees: up port by a digit of the destination, so that every down link serves one host",
     "zahavi2010dmodk; gomez2007fattrees; rocher2021, sections 2.1 and 4.1"},
    "a fat tree", [](const Graph& graph) { return tree_of(graph) != nullptr; },
    Keys<UpSettings>{choice(&UpSettings::up, "up",
                            "what chooses the up port: a digit of the destination (D-mod-K), a "
                            "digit of the source (S-mod-K), or a hash of both",
                            {{"destination", UpChoice::destination},
                             {"source", UpChoice::source},
                             {"hash", UpChoice::hash}})},
    [](const Checked<UpSettings>& settings, const Graph& graph) {
      const FatTreeShape& tree = *tree_of(graph);
      return std::make_unique<StagedTree>(settings->up, stages_of(tree), places_of(tree),
                                          digits_of(tree));
    });

}  // namespace
}  // namespace weir::routing
