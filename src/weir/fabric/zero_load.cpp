#include "weir/fabric/zero_load.hpp"

#include <algorithm>

namespace weir::fabric {

Time zero_load_latency(const topology::Graph& graph, const routing::Route& route,
                       const FabricSettings& settings, Bytes size) {
  Time start;
  Time before;  // packet time of the link before
  bool is_first = true;
  for (const routing::Channel& channel : route.channels) {
    const topology::LinkSpec& link = graph.port(channel.port).link;
    const Time packet = serialization_time(size, link.rate);
    if (!is_first) {
      start += settings.routing_delay + settings.crossbar_delay;
      start += settings.switching == Switching::cut_through ? std::max(Time(0), before - packet)
                                                            : before;
    }
    start += link.delay;
    before = packet;
    is_first = false;
  }
  return start + before;
}

}  // namespace weir::fabric
