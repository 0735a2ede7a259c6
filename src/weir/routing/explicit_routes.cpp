#include "weir/routing/explicit_routes.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::routing {

ExplicitRoutes::ExplicitRoutes(const topology::Graph& graph,
                               std::shared_ptr<const RoutingFunction> others)
    : graph_(graph), others_(std::move(others)) {
  if (others_->lanes() > 1) throw InputError("explicit routes cannot change lanes");
}

bool ExplicitRoutes::add(HostId source, HostId destination, std::span<const PortId> path) {
  std::vector<Hop> hops;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const PortId in = graph_.port(path[i - 1]).to;
    const NodeId node = graph_.port(path[i]).node;
    hops.push_back({in, static_cast<std::uint16_t>(path[i].value - graph_.first_port(node).value)});
  }
  const auto [place, is_new] = paths_.emplace(
      key(source, destination),
      Range{static_cast<std::uint32_t>(hops_.size()), static_cast<std::uint32_t>(hops.size())});
  if (is_new) {
    hops_.insert(hops_.end(), hops.begin(), hops.end());
    return true;
  }
  const Range& known = place->second;
  return known.count == hops.size() &&
         std::equal(hops.begin(), hops.end(), hops_.begin() + known.first,
                    [](const Hop& a, const Hop& b) { return a.in == b.in && a.out == b.out; });
}

Candidate ExplicitRoutes::default_route(const RouteQuery& query) const {
  const auto found = paths_.find(key(query.source, query.destination));
  if (found != paths_.end()) {
    const Hop* hop = &hops_[found->second.first];
    for (std::uint32_t i = 0; i < found->second.count; ++i, ++hop) {
      if (hop->in == query.in_port) return {hop->out, 0};
    }
  }
  return others_->default_route(query);
}

}  // namespace weir::routing
