#include <memory>

#include "weir/routing/fit.hpp"
#include "weir/routing/path_table.hpp"

namespace weir::routing {
namespace {

const FittedRouting kShortestPath(
    {"shortest-path",
     "Any graph: shortest paths from full tables. May deadlock where the graph has rings",
     "dally2004principles, chapter 8",
     {tie_break_parameter()}},
    "any graph", [](const topology::Graph&) { return true; },
    [](const Settings& settings, const topology::Graph& graph) {
      return std::make_unique<PathTable>("shortest-path", graph, tie_break(settings));
    });

}  // namespace
}  // namespace weir::routing
