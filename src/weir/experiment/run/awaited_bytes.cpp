#include "weir/experiment/run/awaited_bytes.hpp"

#include <algorithm>

namespace weir::experiment {

AwaitedBytes::AwaitedBytes(const fabric::Fabric& fabric)
    : fabric_(fabric), hosts_(fabric.graph().host_count()), lacking_(fabric.parts()) {
  const topology::Graph& graph = fabric.graph();
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const PortId feeder = graph.port(graph.host_port(HostId(h))).from;
    if (!feeder.valid()) continue;
    const auto rate = static_cast<double>(graph.port(feeder).link.rate.count);
    const double in_between = to_seconds(fabric.longest_window()) * rate / 8;
    // A packet whose last byte comes then has begun to come before.
    hosts_[h].enough = static_cast<std::int64_t>(in_between) + fabric.settings().mtu.count + 1;
  }
}

void AwaitedBytes::add(HostId host, Bytes bytes) {
  if (!fabric_.has(host)) return;
  Host& one = hosts_[host.index()];
  const bool lacked_more = one.lacks > one.enough;
  one.lacks += bytes.count;
  if (!lacked_more && one.lacks > one.enough) ++lacking_[fabric_.number_of_part(host)].hosts;
}

bool AwaitedBytes::holds_here() const {
  return std::any_of(lacking_.begin(), lacking_.end(),
                     [](const Part& part) { return part.hosts > 0; });
}

}  // namespace weir::experiment
