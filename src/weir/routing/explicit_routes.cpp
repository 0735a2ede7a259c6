#include "weir/routing/explicit_routes.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::routing {

ExplicitRoutes::ExplicitRoutes(const topology::Graph& graph,
                               std::shared_ptr<const RoutingFunction> others)
    : graph_(graph), others_(std::move(others)), paths_(16) {
  if (others_->lanes() > 1) throw InputError("explicit routes cannot change lanes");
}

bool ExplicitRoutes::add(HostId source, HostId destination, std::span<const PortId> path,
                         std::uint16_t connection) {
  std::vector<Hop> hops;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const PortId in = graph_.port(path[i - 1]).to;
    const NodeId node = graph_.port(path[i]).node;
    hops.push_back({in, static_cast<std::uint16_t>(path[i].value - graph_.first_port(node).value)});
  }
  Path& known = paths_[place_of(key(source, destination), connection)];
  if (known.key == kNobody) {
    known = {key(source, destination), static_cast<std::uint32_t>(hops_.size()),
             static_cast<std::uint16_t>(hops.size()), connection};
    hops_.insert(hops_.end(), hops.begin(), hops.end());
    if (++count_ * 2 > paths_.size()) grow();
    return true;
  }
  return known.count == hops.size() &&
         std::equal(hops.begin(), hops.end(), hops_.begin() + known.first,
                    [](const Hop& a, const Hop& b) { return a.in == b.in && a.out == b.out; });
}

void ExplicitRoutes::grow() {
  std::vector<Path> old(paths_.size() * 2);
  old.swap(paths_);
  --shift_;
  for (const Path& path : old) {
    if (path.key != kNobody) paths_[place_of(path.key, path.connection)] = path;
  }
}

Candidate ExplicitRoutes::default_route(const RouteQuery& query) const {
  const bool is_told = connection_of_ && query.message != RouteQuery::kNoMessage;
  const std::uint16_t connection = is_told ? connection_of_(query.message) : 0;
  const Path& path = paths_[place_of(key(query.source, query.destination), connection)];
  const Hop* hop = hops_.data() + path.first;
  for (std::uint32_t i = 0; i < path.count; ++i, ++hop) {
    if (hop->in == query.in_port) return {hop->out, 0};
  }
  return others_->default_route(query);
}

}  // namespace weir::routing
