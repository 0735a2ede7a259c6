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
    connections_ = std::max(connections_, connection + 1U);
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
  const Hop* hop = hop_after(path_of(query, connection), query.in_port);
  return hop != nullptr ? Candidate{hop->out, 0} : others_->default_route(query);
}

bool ExplicitRoutes::is_default(const RouteQuery& query) const {
  PortId in = graph_.port(graph_.host_port(query.source)).to;
  for (std::size_t steps = 0; steps < graph_.port_count() && in.valid(); ++steps) {
    const NodeId node = graph_.port(in).node;
    if (graph_.is_host(node)) return false;
    if (in == query.in_port) return true;
    const Candidate next =
        default_route({graph_.switch_of(node), in, query.source, query.destination});
    if (next.port >= graph_.degree(node)) return false;
    in = graph_.port(graph_.port(node, next.port)).to;
  }
  return false;
}

void ExplicitRoutes::candidates(const RouteQuery& query, CandidateList& out) const {
  const auto add = [&out](Candidate one) {
    if (std::find(out.begin(), out.end(), one) == out.end()) out.add(one);
  };
  for (std::uint32_t n = 1; n < connections_; ++n) {
    const Path& path = path_of(query, static_cast<std::uint16_t>(n));
    if (const Hop* hop = hop_after(path, query.in_port)) add({hop->out, 0});
  }
  if (out.empty() || is_default(query)) add(default_route(query));
}

}  // namespace weir::routing
