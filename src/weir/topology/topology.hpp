#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Makes a graph from a model's settings. `link` applies to every link that the model does not set
/// itself. Throws InputError for impossible sizes.
using TopologyFactory = std::function<Graph(const Settings& settings, const LinkSpec& link)>;

Registry<TopologyFactory>& topology_registry();

using TopologyRegistration = Registration<TopologyFactory>;

/// Says which routing an experiment takes that has this topology and names none. It stands beside
/// the topology's registration; a topology without one leaves the choice to each experiment.
struct NaturalRouting {
  /// Names of routings. Of several the first is taken whose required keys stand in [routing]: a
  /// fabric that was read from a file goes by its tables where the experiment gives them.
  NaturalRouting(std::string topology, std::vector<std::string> routings);
};

/// What NaturalRouting says of a topology; empty: nothing.
std::vector<std::string> natural_routings(std::string_view topology);

}  // namespace weir::topology
