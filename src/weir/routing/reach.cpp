#include "weir/routing/reach.hpp"

#include <utility>

namespace weir::routing {

Reach::Reach(const topology::Graph& graph, const RoutingFunction& routing)
    : graph_(graph),
      routing_(routing),
      lanes_(static_cast<std::size_t>(routing.lanes())),
      seen_(graph.port_count() * lanes_),
      met_(graph.port_count()) {}

void Reach::add(HostId source, HostId destination, std::vector<PortId>& links) {
  ++call_;
  const auto meet = [&](const Channel& channel) {
    const std::size_t port = channel.port.index();
    if (std::exchange(seen_[port * lanes_ + channel.lane], call_) == call_) return;
    if (std::exchange(met_[port], call_) != call_) links.push_back(channel.port);
    open_.push_back(channel);
  };
  meet({graph_.host_port(source), routing_.injection_lane(source, destination)});
  CandidateList allowed;
  while (!open_.empty()) {
    const Channel channel = open_.back();
    open_.pop_back();
    const NodeId next = graph_.port(graph_.port(channel.port).to).node;
    if (graph_.is_host(next)) continue;
    const RouteQuery query = query_after(graph_, channel, source, destination);
    allowed.clear();
    routing_.candidates(query, allowed);
    for (const Candidate& one : allowed) {
      if (is_cabled(graph_, query.at, one)) meet({graph_.port(next, one.port), one.lane});
    }
  }
}

}  // namespace weir::routing
