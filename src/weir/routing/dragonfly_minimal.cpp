#include <memory>

#include "weir/routing/dragonfly_cables.hpp"
#include "weir/routing/fit.hpp"

namespace weir::routing {
namespace {

using topology::DragonflyShape;
using topology::Graph;
using Host = DragonflyCables::Host;
using Router = DragonflyCables::Router;

/// To a router that has a cable to the destination's group, over it, and to the destination's
/// router: at most one local cable on each side. Where several cables join two groups, the default
/// route picks one by the destination; the candidates are all of them.
///
/// Local cables on the way to a global one and global cables use lane 0, local cables within the
/// destination's group lane 1: a packet never returns to an earlier class of channels.
class DragonflyMinimal : public RoutingFunction {
 public:
  explicit DragonflyMinimal(const DragonflyShape& shape) : cables_(shape) {}

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    const Router& here = cables_.at(query.at);
    const Host& to = cables_.host(query.destination);
    if (here.group == to.router.group) {
      const auto lane = static_cast<std::uint8_t>(here.router == to.router.router ? 0 : 1);
      return {cables_.port_within(here, to), lane};
    }
    return {cables_.port_to(here, cables_.default_cable(query)), 0};
  }

  void candidates(const RouteQuery& query, CandidateList& out) const override {
    out.add(default_route(query));
    const Router& here = cables_.at(query.at);
    const Host& to = cables_.host(query.destination);
    if (here.group == to.router.group) return;
    for (const std::uint32_t q : cables_.toward(here, to)) {
      if (cables_.is_open(query, q)) add_once(out, {cables_.port_to(here, q), 0});
    }
  }

  [[nodiscard]] int lanes() const override { return 2; }

 private:
  DragonflyCables cables_;
};

const FittedRouting kDragonflyMinimal(
    {"dragonfly-minimal", "Dragonflies: a local, a global, a local cable; two VCs",
     "kim2008dragonfly"},
    "a dragonfly", [](const Graph& graph) { return graph.shape<DragonflyShape>() != nullptr; },
    [](const Graph& graph) {
      return std::make_unique<DragonflyMinimal>(*graph.shape<DragonflyShape>());
    });

}  // namespace
}  // namespace weir::routing
