#include "weir/topology/export_names.hpp"

#include <unordered_set>

#include <fmt/format.h>

namespace weir::topology {

std::vector<std::string> unique_names(const Graph& graph) {
  std::unordered_set<std::string> taken;
  std::vector<std::string> names;
  names.reserve(graph.node_count());
  taken.reserve(graph.node_count());
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    const std::string name = graph.name(NodeId(n));
    std::string free = name;
    for (int copy = 2; !taken.insert(free).second; ++copy) free = fmt::format("{}#{}", name, copy);
    names.push_back(std::move(free));
  }
  return names;
}

std::vector<Cable> cables(const Graph& graph, bool merge_unequal) {
  std::vector<Cable> found;
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const PortId id(i);
    const Port& port = graph.port(id);
    if (!port.to.valid()) continue;
    const Port& peer = graph.port(port.to);
    const bool back = port.from == port.to && peer.to == id;
    const bool equal = port.link.rate == peer.link.rate && port.link.delay == peer.link.delay;
    if (!back || (!equal && !merge_unequal)) {
      found.push_back({id, port.to, true});
    } else if (id <= port.to) {
      found.push_back({id, port.to, false});
    }
  }
  return found;
}

}  // namespace weir::topology
