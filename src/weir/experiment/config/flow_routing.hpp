#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/flow_routing/flow_router.hpp"
#include "weir/rates/flow_routes.hpp"

namespace weir::experiment {

enum class FlowPolicy : std::uint8_t { default_routes, ascent, forced_dir, free_dir, tables };

/// [flow_routing] as it is written.
struct FlowRoutingKeys {
  FlowPolicy policy = FlowPolicy::default_routes;
  std::optional<FilePath> tables;
  ConfigValue max_hops{std::int64_t{8}, {}};
  bool by_weight = false;
  bool default_first = false;
  bool in_random_order = true;
  bool by_packets = false;
  ConfigValue cache_size{std::string("unlimited"), {}};
  bool per_message = false;
  bool piggy_backs = false;
  Bytes packet_size = Bytes(40);
};
const Keys<FlowRoutingKeys>& flow_routing_keys();

/// How flows find their paths (zdornov2009, chapter 3).
struct FlowRoutingInput {
  std::string policy;
  bool is_adaptive = false;
  rates::FlowSetUp set_up;  ///< when adaptive
  std::string tables;       ///< name of the file that has them; empty: computed
  bool by_packets = false;  ///< adaptive, and packets of a simulation find the paths
  flow_routing::FlowRouterSettings router;  ///< then
};

/// Reads the section and, where it is there, puts it with defaults into `resolved`. Throws
/// InputError.
FlowRoutingInput read_flow_routing(const ConfigTable& table, ConfigTable& resolved,
                                   std::uint64_t seed);
/// The tables of a network whose default routes are `defaults`, both of which must outlive them:
/// computed, or from the file. Throws InputError.
std::shared_ptr<const flow_routing::FlowTables> make_flow_tables(
    const FlowRoutingInput& input, const topology::Graph& graph,
    const routing::RoutingFunction& defaults);

}  // namespace weir::experiment
