#include <fmt/format.h>

#include <bit>

#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

const PatternRegistration kBitReverse(
    pattern_registry(),
    {"bit-reverse",
     "A host sends to the host with the bits of its number in reverse order",
     "dally2004principles, section 3.2",
     {}},
    [](const Settings& settings, const PatternContext& context) {
      const std::uint64_t hosts = context.graph.host_count();
      if (!std::has_single_bit(hosts)) {
        throw settings.error(
            "model", fmt::format("bit-reverse needs a power of two of hosts, not {}; {} and {} fit",
                                 hosts, std::bit_floor(hosts), std::bit_ceil(hosts)));
      }
      const int bits = std::countr_zero(hosts);
      return make_permutation(context.graph, [bits](std::uint64_t host) {
        std::uint64_t image = 0;
        for (int b = 0; b < bits; ++b) image |= (host >> b & 1U) << (bits - 1 - b);
        return image;
      });
    });

}  // namespace
}  // namespace weir::traffic
