#include "weir/topology/topology.hpp"

namespace weir::topology {

Registry<TopologyFactory>& topology_registry() {
  static Registry<TopologyFactory> registry("topology");
  return registry;
}

}  // namespace weir::topology
