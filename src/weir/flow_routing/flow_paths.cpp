#include "weir/flow_routing/flow_paths.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::flow_routing {

FlowPathFinder::FlowPathFinder(const FlowTables& tables, std::uint64_t seed)
    : tables_(tables),
      random_(seed, 0, StreamPurpose::routing),
      load_(tables.graph().port_count(), 0) {}

void FlowPathFinder::set_up(HostId source, HostId destination, std::uint64_t weight,
                            std::vector<PortId>& path) {
  const topology::Graph& graph = tables_.graph();
  path.clear();
  PortId out = graph.host_port(source);
  HopsLeft hops = kHopsUnset;
  while (true) {
    path.push_back(out);
    load_[out.index()] += weight;
    const PortId in = graph.port(out).to;
    const NodeId node = graph.port(in).node;
    if (graph.is_host(node)) break;
    if (path.size() > graph.port_count()) {
      throw RunError(fmt::format("the path of a flow from host {} to host {} does not end",
                                 source.value, destination.value));
    }
    const PortChoice choice =
        select_port(tables_, graph.switch_of(node), in, destination, hops, load_, random_);
    hops = choice.hops;
    out = graph.port(node, choice.port);
  }
}

void FlowPathFinder::tear_down(std::span<const PortId> path, std::uint64_t weight) {
  for (const PortId port : path) load_[port.index()] -= weight;
}

}  // namespace weir::flow_routing
