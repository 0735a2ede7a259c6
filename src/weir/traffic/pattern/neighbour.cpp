#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

const PatternRegistration kNeighbour(
    pattern_registry(),
    {"neighbour", "In every dimension the next host, around the end",
     "dally2004principles, section 3.2"},
    grid_keys(), [](const Checked<GridKeys>& file, const PatternContext& context) {
      const HostGrid grid = host_grid(file, context.graph);
      return make_permutation(context.graph, [&grid](std::uint64_t host) {
        return grid.moved(host, [](std::uint64_t) { return 1U; });
      });
    });

}  // namespace
}  // namespace weir::traffic
