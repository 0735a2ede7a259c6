#include "weir/experiment/config/flow_routing.hpp"

#include <fmt/format.h>

#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/flow_table_file.hpp"

namespace weir::experiment {
namespace {

using flow_routing::FlowRules;
using RoutingFile = Checked<FlowRoutingKeys>;
using RK = FlowRoutingKeys;

/// A whole number from 0 to `most`; nothing for "unlimited".
std::optional<std::int64_t> read_bound(const RoutingFile& file, ConfigValue RK::*member,
                                       std::int64_t most, const char* what) {
  const ConfigValue& value = (*file).*member;
  if (value.is_text() && value.text() == "unlimited") return std::nullopt;
  if (!value.is_integer() || value.integer() < 0 || value.integer() > most) {
    throw file.error(member, fmt::format("must be a number of {} from 0, or \"unlimited\"", what));
  }
  return value.integer();
}

/// With "static" the tables may stay where they are, to be compared with.
std::string read_tables(const RoutingFile& file) {
  if (!file->tables) {
    if (file->policy != FlowPolicy::tables) return {};
    throw file.error(&RK::tables, "is missing; policy = \"tables\" takes the tables of a file");
  }
  if (file->policy == FlowPolicy::tables) return file->tables->name;
  if (file->policy == FlowPolicy::default_routes) return {};
  throw file.error(&RK::tables, "is for policy = \"tables\"; those of \"" +
                                    file.written(&RK::policy) + "\" are computed");
}

flow_routing::FlowRouterSettings read_router(const RoutingFile& file, std::uint64_t seed) {
  flow_routing::FlowRouterSettings out;
  if (const auto size = read_bound(file, &RK::cache_size, 1 << 30, "entries"))
    out.cache_size = static_cast<std::uint32_t>(*size);
  out.per_message = file->per_message;
  out.piggy_backs = file->piggy_backs;
  out.packet_size = file->packet_size;
  out.by_weight = file->by_weight;
  out.seed = seed;
  return out;
}

void check_packets(const ConfigTable& table) {
  if (const ConfigValue* failures = table.find("failure")) {
    throw InputError(failures->position, "failure",
                     "flow routing by packets relies on links that do not fail");
  }
}

}  // namespace

const Keys<FlowRoutingKeys>& flow_routing_keys() {
  static const Keys<RK> keys{
      choice(&RK::policy, "policy",
             "how flows choose ports: static, default routes; ascent, the port with the fewest "
             "flows on the way up; forced-dir and free-dir, also on the way down, by horizontal "
             "cables toward the farther end of the line, or to either side; tables, as the tables "
             "in a file say, in any network",
             {{"static", FlowPolicy::default_routes},
              {"ascent", FlowPolicy::ascent},
              {"forced-dir", FlowPolicy::forced_dir},
              {"free-dir", FlowPolicy::free_dir},
              {"tables", FlowPolicy::tables}}),
      key(&RK::tables, "tables",
          "file with the groups of alternate ports of every switch, for policy = \"tables\", in "
          "the format that weir topology --export flow-tables writes"),
      key(&RK::max_hops, "max_hops",
          "most horizontal hops in each level of the tree, or \"unlimited\""),
      choice(&RK::by_weight, "metric",
             "load that a port selector compares: the number of flows on a port, or the sum of "
             "their weights (with set_up = \"packets\": bytes that wait when a flow is set up)",
             {{"flows", false}, {"weight", true}}),
      choice(&RK::default_first, "tie",
             "choice among equally loaded ports on the way up: random, or dp-first, the default "
             "port if it is one of them",
             {{"random", false}, {"dp-first", true}}),
      choice(&RK::in_random_order, "order",
             "order in which flows are set up one after another: random, or as they are listed in "
             "[[flow]]",
             {{"random", true}, {"listed", false}}),
      choice(&RK::by_packets, "set_up",
             "how paths are found: before, for the [[flow]]s and before anything else; packets, "
             "for all flows by packets in the simulated network, to which the keys below belong",
             {{"before", false}, {"packets", true}}),
      key(&RK::cache_size, "prc_size",
          "entries of the route cache of each input port, or \"unlimited\""),
      choice(&RK::per_message, "flow",
             "extent of a flow: with idle it ends when no message of its connection waits; with "
             "message every message is a flow",
             {{"idle", false}, {"message", true}}),
      choice(&RK::piggy_backs, "tear_down",
             "how a flow is torn down: by a packet after the ACK of the last data packet, or by "
             "that data packet itself",
             {{"packet", false}, {"last-packet", true}}),
      key(&RK::packet_size, "packet_size",
          "size of set-up and tear-down packets and of their answers")
          .range(1, 1 << 20)};
  return keys;
}

FlowRoutingInput read_flow_routing(const ConfigTable& table, ConfigTable& resolved,
                                   std::uint64_t seed) {
  const RoutingFile file = read_section(flow_routing_keys(), table, "flow_routing");
  FlowRoutingInput out;
  out.policy = file.written(&RK::policy);
  FlowRules& rules = out.set_up.rules;
  rules.most_hops =
      static_cast<std::uint16_t>(read_bound(file, &RK::max_hops, FlowRules::kUnlimited - 1, "hops")
                                     .value_or(FlowRules::kUnlimited));
  rules.default_first = file->default_first;
  out.is_adaptive = file->policy != FlowPolicy::default_routes;
  out.tables = read_tables(file);
  if (file->policy == FlowPolicy::forced_dir) rules.sideways = FlowRules::Sideways::forced;
  if (file->policy == FlowPolicy::free_dir) rules.sideways = FlowRules::Sideways::free;
  out.set_up.by_weight = file->by_weight;
  out.set_up.in_random_order = file->in_random_order;
  out.set_up.seed = seed;
  out.by_packets = out.is_adaptive && file->by_packets;
  out.router = read_router(file, seed);
  if (out.by_packets) check_packets(table);
  // Experiments without the section keep the identity that they had before there was one.
  if (table.contains("flow_routing")) {
    resolved.set("flow_routing", ConfigValue(file.settings().resolved(), table.position));
  }
  return out;
}

std::shared_ptr<const flow_routing::FlowTables> make_flow_tables(
    const FlowRoutingInput& input, const topology::Graph& graph,
    const routing::RoutingFunction& defaults) {
  const FlowRules& rules = input.set_up.rules;
  if (input.tables.empty()) {
    return std::make_shared<const flow_routing::FlowTables>(graph, defaults, rules);
  }
  const std::vector<flow_routing::FlowTableEntries> entries =
      read_flow_table_file(input.tables, graph);
  return std::make_shared<const flow_routing::FlowTables>(graph, defaults, rules, entries);
}

}  // namespace weir::experiment
