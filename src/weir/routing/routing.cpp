#include "weir/routing/routing.hpp"

namespace weir::routing {

Registry<RoutingFactory>& routing_registry() {
  static Registry<RoutingFactory> registry("routing");
  return registry;
}

}  // namespace weir::routing
