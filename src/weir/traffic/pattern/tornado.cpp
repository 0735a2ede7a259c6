#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

const PatternRegistration kTornado(
    pattern_registry(),
    {"tornado", "In every dimension of size k the host ceil(k / 2) - 1 further, around the end",
     "dally2004principles, section 3.2"},
    grid_keys(), [](const Checked<GridKeys>& file, const PatternContext& context) {
      const HostGrid grid = host_grid(file, context.graph);
      return make_permutation(context.graph, [&grid](std::uint64_t host) {
        return grid.moved(host, [](std::uint64_t size) { return (size + 1) / 2 - 1; });
      });
    });

}  // namespace
}  // namespace weir::traffic
