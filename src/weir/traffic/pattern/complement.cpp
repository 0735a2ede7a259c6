#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

// For N a power of k this is the complement of all digits of base k, whatever k.
const PatternRegistration kComplement(
    pattern_registry(),
    {"complement",
     "Host s sends to host N - 1 - s: all digits of its number complemented",
     "dally2004principles, section 3.2",
     {}},
    [](const Settings&, const PatternContext& context) {
      return make_permutation(
          context.graph, [&](std::uint64_t host) { return context.graph.host_count() - 1 - host; });
    });

}  // namespace
}  // namespace weir::traffic
