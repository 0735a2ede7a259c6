#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/flow_routing/flow_router.hpp"
#include "weir/rates/flow_routes.hpp"

namespace weir::experiment {

struct Configuration;

/// [flow_routing] of an experiment: how flows find their paths (zdornov2009, chapter 3).
struct FlowRoutingInput {
  Settings settings;  ///< flow_routing_parameters()
  bool is_adaptive = false;
  rates::FlowSetUp set_up;  ///< when adaptive
  std::string tables;       ///< name of the file that has them; empty: computed
  bool by_packets = false;  ///< adaptive, and packets of a simulation find the paths
  flow_routing::FlowRouterSettings router;  ///< then
};

std::vector<Parameter> flow_routing_parameters();

/// Reads the section and, where it is there, puts it with defaults into `resolved`. Throws
/// InputError.
FlowRoutingInput read_flow_routing(const ConfigTable& table, ConfigTable& resolved,
                                   std::uint64_t seed);
/// The tables of a network whose default routes are `defaults`, both of which must outlive them:
/// computed, or from the file. Throws InputError.
std::shared_ptr<const flow_routing::FlowTables> make_flow_tables(
    const FlowRoutingInput& input, const topology::Graph& graph,
    const routing::RoutingFunction& defaults);
/// Of a configuration that has been read.
FlowRoutingInput flow_routing_of(const Configuration& configuration);

}  // namespace weir::experiment
