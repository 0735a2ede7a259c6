#pragma once

#include <functional>

#include "weir/base/catalog.hpp"
#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Makes a graph from a model's settings. `link` applies to every link that the model does not set
/// itself. Throws InputError for impossible sizes.
using TopologyFactory = std::function<Graph(const Settings& settings, const LinkSpec& link)>;

Registry<TopologyFactory>& topology_registry();

using TopologyRegistration = Registration<TopologyFactory>;

}  // namespace weir::topology
