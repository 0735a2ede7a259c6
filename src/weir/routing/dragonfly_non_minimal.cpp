#include <memory>

#include "weir/routing/dragonfly_cables.hpp"
#include "weir/routing/fit.hpp"

namespace weir::routing {
namespace {

using topology::DragonflyShape;
using topology::Graph;
using Arrival = DragonflyCables::Arrival;
using Host = DragonflyCables::Host;
using Router = DragonflyCables::Router;

/// Minimal paths, as dragonfly-minimal, and ways round through another group: the source's router
/// may also send over any global cable of its own; from there on the path is minimal. Which one a
/// packet takes is decided at its first router; default routes are minimal.
///
/// The lane is the number of global cables behind the packet: 0, 1 or 2. In the order local 0,
/// global 0, local 1, global 1, local 2 no packet ever goes back.
class DragonflyNonMinimal : public RoutingFunction {
 public:
  explicit DragonflyNonMinimal(const DragonflyShape& shape) : cables_(shape), ports_(shape.a) {
    for (const auto& cables : shape.global_ports) {
      for (const std::uint32_t q : cables) {
        ports_[cables_.global(q).router].push_back(cables_.global(q).port);
      }
    }
  }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    const Router& here = cables_.at(query.at);
    const Host& to = cables_.host(query.destination);
    if (here.group == to.router.group) return {cables_.port_within(here, to), lane(query)};
    return {cables_.port_to(here, cables_.default_cable(query)), lane(query)};
  }

  void candidates(const RouteQuery& query, CandidateList& out) const override {
    out.add(default_route(query));
    const Router& here = cables_.at(query.at);
    const Host& to = cables_.host(query.destination);
    if (here.group == to.router.group) return;
    for (const std::uint32_t q : cables_.toward(here, to)) {
      if (cables_.is_open(query, q)) add_once(out, {cables_.port_to(here, q), lane(query)});
    }
    if (cables_.arrival(query) != Arrival::host) return;
    for (const std::uint16_t port : ports_[here.router]) add_once(out, {port, 0});
  }

  [[nodiscard]] int lanes() const override { return 3; }

 private:
  [[nodiscard]] std::uint8_t lane(const RouteQuery& query) const {
    switch (cables_.arrival(query)) {
      case Arrival::host:
        return 0;
      case Arrival::local:
        return query.lane;
      case Arrival::global:
        break;
    }
    return static_cast<std::uint8_t>(query.lane + 1);
  }

  DragonflyCables cables_;
  std::vector<std::vector<std::uint16_t>> ports_;  ///< [router of a group]: to other groups
};

const FittedRouting kDragonflyNonMinimal(
    {"dragonfly-non-minimal",
     "Dragonflies: minimal paths, and those through another group that begin with a global cable; "
     "three VCs",
     "kim2008dragonfly"},
    "a dragonfly", [](const Graph& graph) { return graph.shape<DragonflyShape>() != nullptr; },
    [](const Graph& graph) {
      return std::make_unique<DragonflyNonMinimal>(*graph.shape<DragonflyShape>());
    });

}  // namespace
}  // namespace weir::routing
