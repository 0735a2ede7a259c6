#include <memory>
#include <vector>

#include "weir/routing/fit.hpp"
#include "weir/topology/dragonfly.hpp"

namespace weir::routing {
namespace {

using topology::DragonflyShape;
using topology::Graph;

/// To a router that has a cable to the destination's group, over it, and to the destination's
/// router: at most one local cable on each side. Where several cables join two groups, the default
/// route picks one by the destination; the candidates are all of them.
///
/// Local cables on the way to a global one and global cables use lane 0, local cables within the
/// destination's group lane 1: a packet never returns to an earlier class of channels.
class DragonflyMinimal : public RoutingFunction {
 public:
  explicit DragonflyMinimal(const DragonflyShape& shape) : shape_(shape) {
    for (std::uint32_t group = 0; group < shape.g; ++group) {
      for (std::uint32_t router = 0; router < shape.a; ++router) {
        routers_.push_back({group, router});
        for (std::uint32_t port = 0; port < shape.p; ++port) {
          hosts_.push_back({{group, router}, static_cast<std::uint16_t>(port)});
        }
      }
    }
    for (std::uint32_t q = 0; q < shape.a * shape.h; ++q) {
      global_.push_back({shape.router_of_global(q), shape.port_of_global(q)});
    }
  }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    const Router& here = routers_[query.at.index()];
    const Host& to = hosts_[query.destination.index()];
    if (here.group == to.router.group) return within(here, to);
    const auto cables = cables_toward(here, to);
    // Multiplicative hash (Knuth): destinations spread evenly over any number of cables.
    const std::uint32_t hash = query.destination.value * 2654435769U;
    const std::uint32_t q = cables[(std::uint64_t{hash} * cables.size()) >> 32U];
    if (global_[q].router == here.router || arrived_from_host(query)) return toward(here, q);
    return own_cable(here, cables);
  }

  void candidates(const RouteQuery& query, CandidateList& out) const override {
    const Candidate preferred = default_route(query);
    out.add(preferred);
    const Router& here = routers_[query.at.index()];
    const Host& to = hosts_[query.destination.index()];
    if (here.group == to.router.group) return;
    const bool may_go_local = arrived_from_host(query);
    for (const std::uint32_t q : cables_toward(here, to)) {
      if (!may_go_local && global_[q].router != here.router) continue;
      add_once(out, toward(here, q));
    }
  }

  [[nodiscard]] int lanes() const override { return 2; }

 private:
  struct Router {
    std::uint32_t group;
    std::uint32_t router;
  };
  struct Host {
    Router router;
    std::uint16_t port;
  };
  struct Global {
    std::uint32_t router;
    std::uint16_t port;
  };

  [[nodiscard]] std::span<const std::uint32_t> cables_toward(const Router& here,
                                                             const Host& to) const {
    const std::uint32_t from = here.group;
    const std::uint32_t target = to.router.group;
    return shape_.global_ports[target > from ? target - from : target + shape_.g - from];
  }
  [[nodiscard]] Candidate within(const Router& here, const Host& to) const {
    if (here.router == to.router.router) return {to.port, 0};
    return {shape_.local_port(here.router, to.router.router), 1};
  }
  [[nodiscard]] Candidate toward(const Router& here, std::uint32_t q) const {
    const Global& cable = global_[q];
    if (cable.router == here.router) return {cable.port, 0};
    return {shape_.local_port(here.router, cable.router), 0};
  }
  /// For packets that took their local cable toward a cable other than the default one.
  [[nodiscard]] Candidate own_cable(const Router& here,
                                    std::span<const std::uint32_t> cables) const {
    for (const std::uint32_t q : cables) {
      if (global_[q].router == here.router) return toward(here, q);
    }
    return toward(here, cables.front());
  }
  [[nodiscard]] bool arrived_from_host(const RouteQuery& query) const {
    const std::uint32_t ports = shape_.p + shape_.a - 1 + shape_.h;
    const std::size_t hosts = hosts_.size();
    return query.in_port.index() - hosts - query.at.index() * ports < shape_.p;
  }
  static void add_once(CandidateList& out, const Candidate& candidate) {
    for (const Candidate& known : out) {
      if (known == candidate) return;
    }
    out.add(candidate);
  }

  DragonflyShape shape_;
  std::vector<Router> routers_;
  std::vector<Host> hosts_;
  std::vector<Global> global_;  ///< per global port of a group
};

const FittedRouting kDragonflyMinimal(
    {"dragonfly-minimal",
     "Dragonflies: local, global, local cable; two lanes",
     "Kim, Dally, Scott, Abts 2008",
     {}},
    "a dragonfly", [](const Graph& graph) { return graph.shape<DragonflyShape>() != nullptr; },
    [](const Settings&, const Graph& graph) {
      return std::make_unique<DragonflyMinimal>(*graph.shape<DragonflyShape>());
    });

}  // namespace
}  // namespace weir::routing
