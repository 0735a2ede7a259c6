#include "weir/topology/topology.hpp"

#include <map>
#include <utility>

namespace weir::topology {
namespace {

/// Filled beside topology_registry() during static initialization.
std::map<std::string, std::vector<std::string>, std::less<>>& declared_routings() {
  static std::map<std::string, std::vector<std::string>, std::less<>> routings;
  return routings;
}

}  // namespace

Registry<TopologyFactory>& topology_registry() {
  static Registry<TopologyFactory> registry("topology");
  return registry;
}

NaturalRouting::NaturalRouting(std::string topology, std::vector<std::string> routings) {
  declared_routings().insert_or_assign(std::move(topology), std::move(routings));
}

std::vector<std::string> natural_routings(std::string_view topology) {
  const auto it = declared_routings().find(topology);
  return it == declared_routings().end() ? std::vector<std::string>() : it->second;
}

}  // namespace weir::topology
