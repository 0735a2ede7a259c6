#pragma once

#include <cstdint>
#include <string>

#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/routing/routing.hpp"

namespace weir::fabric {

/// Of a mechanism that has to know beforehand which way a packet will take: it works beside
/// selections that keep every connection on one path, and is refused beside others.
class NeedsKnownPaths {
 public:
  virtual ~NeedsKnownPaths() = default;
  /// Why, and what to take instead, for the user.
  [[nodiscard]] virtual std::string why_known_paths() const = 0;
};

/// The way of every connection, where SelectionFunction::keeps_paths(): default routes, or what the
/// selection makes of the outputs that the routing allows. Links that are down count like others,
/// as they do for packets beside a mechanism that knows their way.
class KnownPaths {
 public:
  KnownPaths() = default;
  explicit KnownPaths(const FabricView& fabric)
      : ports_(fabric.ports),
        links_(fabric.links),
        routing_(&fabric.routing),
        selection_(&fabric.selector),
        by_connection_(!selection_->is_fixed()) {}

  /// Connections between two hosts may have different ways.
  [[nodiscard]] bool by_connection() const { return by_connection_; }
  /// visit(input port, output there) at each switch from the source on, until it returns false.
  template <class Visit>
  void follow(const ConnectionName& connection, Visit visit);

 private:
  [[nodiscard]] routing::Candidate output(const routing::RouteQuery& query, std::uint16_t number);

  Ports ports_;
  OutputLinks links_;
  const routing::RoutingFunction* routing_ = nullptr;
  const SelectionFunction* selection_ = nullptr;
  bool by_connection_ = false;
  routing::CandidateList list_;
};

inline routing::Candidate KnownPaths::output(const routing::RouteQuery& query,
                                             std::uint16_t number) {
  if (!by_connection_) return routing_->default_route(query);
  list_.clear();
  routing_->candidates(query, list_);
  return selection_->output_of({query.source, query.destination, number}, query.at, list_.view());
}

template <class Visit>
void KnownPaths::follow(const ConnectionName& connection, Visit visit) {
  std::uint32_t at = links_.receiver(ports_.first_of(connection.source.value));
  routing::RouteQuery query;
  query.source = connection.source;
  query.destination = connection.destination;
  query.lane = routing_->injection_lane(query.source, query.destination);
  while (!ports_.is_host(at)) {
    const PortInfo& in = ports_[at];
    query.at = SwitchId(in.node - ports_.host_count());
    query.in_port = PortId(at);
    const routing::Candidate next = output(query, connection.number);
    if (!visit(at, next)) return;
    query.lane = next.lane;
    at = links_.receiver(in.first_port + next.port);
  }
}

}  // namespace weir::fabric
