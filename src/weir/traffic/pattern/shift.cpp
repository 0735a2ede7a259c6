#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

const PatternRegistration kShift(pattern_registry(),
                                 {"shift",
                                  "Host s sends to host (s + distance) mod N",
                                  "zahavi2010shift; zdornov2009, section 6.2",
                                  {Parameter::of(ParameterType::integer, "distance",
                                                 "distance to the destination, around the end")
                                       .required()
                                       .range(-(1 << 24), 1 << 24)}},
                                 [](const Settings& settings, const PatternContext& context) {
                                   const auto hosts =
                                       static_cast<std::int64_t>(context.graph.host_count());
                                   const std::int64_t distance =
                                       (settings.integer("distance") % hosts + hosts) % hosts;
                                   if (distance == 0) {
                                     throw settings.error("distance",
                                                          "sends every host's messages to itself");
                                   }
                                   const auto step = static_cast<std::uint64_t>(distance);
                                   return make_permutation(context.graph, [&](std::uint64_t host) {
                                     return (host + step) % context.graph.host_count();
                                   });
                                 });

}  // namespace
}  // namespace weir::traffic
