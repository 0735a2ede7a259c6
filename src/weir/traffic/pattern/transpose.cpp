#include <fmt/format.h>

#include <cmath>

#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

const PatternRegistration kTranspose(
    pattern_registry(),
    {"transpose",
     "Hosts in a square: the one at row i, column j sends to the one at row j, column i",
     "dally2004principles, section 3.2",
     {}},
    [](const Settings& settings, const PatternContext& context) {
      const std::uint64_t hosts = context.graph.host_count();
      const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(hosts)));
      if (side * side != hosts) {
        throw settings.error(
            "model", fmt::format("transpose needs a square number of hosts, not {}; {} and {} fit",
                                 hosts, side * side, (side + 1) * (side + 1)));
      }
      return make_permutation(
          context.graph, [side](std::uint64_t host) { return host % side * side + host / side; });
    });

}  // namespace
}  // namespace weir::traffic
