#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

struct ShiftKeys {
  std::int64_t distance = 0;
};

std::shared_ptr<const Pattern> make_shift(const Checked<ShiftKeys>& file,
                                          const PatternContext& context) {
  const auto hosts = static_cast<std::int64_t>(context.graph.host_count());
  const auto step = static_cast<std::uint64_t>((file->distance % hosts + hosts) % hosts);
  if (step == 0) throw file.error(&ShiftKeys::distance, "sends every host's messages to itself");
  return make_permutation(context.graph, [&](std::uint64_t host) {
    return (host + step) % context.graph.host_count();
  });
}

const PatternRegistration kShift(pattern_registry(),
                                 {"shift", "Host s sends to host (s + distance) mod N",
                                  "zahavi2010shift; zdornov2009, section 6.2"},
                                 Keys<ShiftKeys>{key(&ShiftKeys::distance, "distance",
                                                     "distance to the destination, around the end")
                                                     .required()
                                                     .range(-(1 << 24), 1 << 24)},
                                 make_shift);

}  // namespace
}  // namespace weir::traffic
