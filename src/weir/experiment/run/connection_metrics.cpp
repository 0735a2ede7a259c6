#include "weir/experiment/run/connection_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace weir::experiment {
namespace {

using HostPair = std::pair<HostId, HostId>;

HostPair pair_of(const fabric::ConnectionName& name) { return {name.source, name.destination}; }

/// Connections of the pairs of hosts that have several.
std::vector<std::uint32_t> several(const ConnectionList& connections) {
  std::set<HostPair> pairs;
  for (const fabric::ConnectionName& name : connections.names) {
    if (name.number > 0) pairs.insert(pair_of(name));
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < connections.names.size(); ++c) {
    if (pairs.count(pair_of(connections.names[c])) > 0) out.push_back(c);
  }
  return out;
}

}  // namespace

void add_connections(metrics::RunResult& out, const topology::Graph& graph,
                     const ConnectionList& connections, const FlowOutcome& flows) {
  const std::vector<std::uint32_t> shown = several(connections);
  if (shown.size() > kMostConnections) return;
  for (const std::uint32_t c : shown) {
    const fabric::ConnectionName& name = connections.names[c];
    const std::string label = fmt::format("{} to {}, {}", graph.name(graph.node(name.source)),
                                          graph.name(graph.node(name.destination)), name.number);
    double delivered = 0;
    double assigned = 0;
    std::optional<Time> end = Time();
    for (std::size_t f = 0; f < connections.of_flow.size(); ++f) {
      if (connections.of_flow[f] != c) continue;
      if (!flows.delivered.empty()) delivered += flows.delivered[f];
      if (!flows.assigned.empty()) assigned += flows.assigned[f];
      end = end && flows.ended[f] ? std::optional(std::max(*end, *flows.ended[f])) : std::nullopt;
    }
    if (!flows.delivered.empty()) out.add_scalar("connection_rate", label, delivered);
    if (!flows.assigned.empty()) out.add_scalar("connection_assigned_rate", label, assigned);
    if (end) out.add_scalar("connection_end", label, to_nanoseconds(*end));
  }
}

}  // namespace weir::experiment
