#include <memory>

#include "weir/routing/fit.hpp"
#include "weir/routing/path_table.hpp"

namespace weir::routing {
namespace {

const FittedRouting kShortestPath(
    {"shortest-path",
     "Any graph: shortest paths from full tables. May deadlock where the graph has rings",
     "dally2004principles, chapter 8"},
    "any graph", [](const topology::Graph&) { return true; }, tie_break_keys(),
    [](const Checked<TieBreakSettings>& settings, const topology::Graph& graph) {
      return std::make_unique<PathTable>("shortest-path", graph, settings->tie_break);
    });

}  // namespace
}  // namespace weir::routing
