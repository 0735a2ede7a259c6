#include "weir/experiment/config/flow_routing.hpp"

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/flow_table_file.hpp"

namespace weir::experiment {
namespace {

using Type = ParameterType;
using flow_routing::FlowRules;

std::uint16_t read_most_hops(const Settings& settings) {
  const ConfigValue& value = settings.raw("max_hops");
  if (value.is_text() && value.text() == "unlimited") return FlowRules::kUnlimited;
  if (!value.is_integer() || value.integer() < 0 || value.integer() >= FlowRules::kUnlimited) {
    throw settings.error("max_hops", "must be a number of hops from 0, or \"unlimited\"");
  }
  return static_cast<std::uint16_t>(value.integer());
}

/// With "static" the tables may stay where they are, to be compared with.
std::string read_tables(const Settings& settings) {
  const std::string& policy = settings.text("policy");
  if (!settings.has("tables")) {
    if (policy != "tables") return {};
    throw settings.error("tables", "is missing; policy = \"tables\" takes the tables of a file");
  }
  if (policy == "tables") return settings.path("tables");
  if (policy == "static") return {};
  throw settings.error("tables",
                       "is for policy = \"tables\"; those of \"" + policy + "\" are computed");
}

flow_routing::FlowRouterSettings read_router(const Settings& settings, std::uint64_t seed) {
  flow_routing::FlowRouterSettings out;
  const ConfigValue& size = settings.raw("prc_size");
  if (!size.is_text() || size.text() != "unlimited") {
    constexpr std::int64_t kMost = 1 << 30;
    if (!size.is_integer() || size.integer() < 0 || size.integer() > kMost) {
      throw settings.error("prc_size", "must be a number of entries from 0, or \"unlimited\"");
    }
    out.cache_size = static_cast<std::uint32_t>(size.integer());
  }
  out.per_message = settings.text("flow") == "message";
  out.piggy_backs = settings.text("tear_down") == "last-packet";
  out.packet_size = settings.bytes("packet_size");
  out.by_weight = settings.text("metric") == "weight";
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

std::vector<Parameter> flow_routing_parameters() {
  return {
      Parameter::of(
          Type::text, "policy",
          "how flows choose ports: static, default routes; ascent, the port with the "
          "fewest flows on the way up; forced-dir and free-dir, also on the way down, by "
          "horizontal cables toward the farther end of the line, or to either side; tables, as "
          "the tables in a file say, in any network")
          .by_default("static")
          .one_of({"static", "ascent", "forced-dir", "free-dir", "tables"}),
      Parameter::of(Type::path, "tables",
                    "file with the groups of alternate ports of every switch, for policy = "
                    "\"tables\", in the format that weir topology --export flow-tables writes"),
      Parameter::of(Type::any, "max_hops",
                    "most horizontal hops in each level of the tree, or \"unlimited\"")
          .by_default("8"),
      Parameter::of(
          Type::text, "metric",
          "load that a port selector compares: the number of flows on a port, or the sum of their "
          "weights (with set_up = \"packets\": bytes that wait when a flow is set up)")
          .by_default("flows")
          .one_of({"flows", "weight"}),
      Parameter::of(Type::text, "tie",
                    "choice among equally loaded ports on the way up: random, or dp-first, the "
                    "default port if it is one of them")
          .by_default("random")
          .one_of({"random", "dp-first"}),
      Parameter::of(Type::text, "order",
                    "order in which flows are set up one after another: random, or as they are "
                    "listed in [[flow]]")
          .by_default("random")
          .one_of({"random", "listed"}),
      Parameter::of(
          Type::text, "set_up",
          "how paths are found: before, for the [[flow]]s and before anything else; packets, for "
          "all flows by packets in the simulated network, to which the keys below belong")
          .by_default("before")
          .one_of({"before", "packets"}),
      Parameter::of(Type::any, "prc_size",
                    "entries of the route cache of each input port, or \"unlimited\"")
          .by_default("unlimited"),
      Parameter::of(Type::text, "flow",
                    "extent of a flow: with idle it ends when no message of its connection waits; "
                    "with message every message is a flow")
          .by_default("idle")
          .one_of({"idle", "message"}),
      Parameter::of(Type::text, "tear_down",
                    "how a flow is torn down: by a packet after the ACK of the last data packet, "
                    "or by that data packet itself")
          .by_default("packet")
          .one_of({"packet", "last-packet"}),
      Parameter::of(Type::bytes, "packet_size",
                    "size of set-up and tear-down packets and of their answers")
          .by_default("40 B")
          .range(1, 1 << 20)};
}

FlowRoutingInput read_flow_routing(const ConfigTable& table, ConfigTable& resolved,
                                   std::uint64_t seed) {
  FlowRoutingInput out;
  out.settings = Settings::check(section_table(table, "flow_routing"), flow_routing_parameters(),
                                 "flow_routing");
  const Settings& settings = out.settings;
  FlowRules& rules = out.set_up.rules;
  rules.most_hops = read_most_hops(settings);
  rules.default_first = settings.text("tie") == "dp-first";
  const std::string& policy = settings.text("policy");
  out.is_adaptive = policy != "static";
  out.tables = read_tables(settings);
  if (policy == "forced-dir") rules.sideways = FlowRules::Sideways::forced;
  if (policy == "free-dir") rules.sideways = FlowRules::Sideways::free;
  out.set_up.by_weight = settings.text("metric") == "weight";
  out.set_up.in_random_order = settings.text("order") == "random";
  out.set_up.seed = seed;
  out.by_packets = out.is_adaptive && settings.text("set_up") == "packets";
  out.router = read_router(settings, seed);
  if (out.by_packets) check_packets(table);
  // Experiments without the section keep the identity that they had before there was one.
  if (table.contains("flow_routing")) {
    resolved.set("flow_routing", ConfigValue(settings.resolved(), table.position));
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

FlowRoutingInput flow_routing_of(const Configuration& configuration) {
  ConfigTable ignored;
  return read_flow_routing(configuration.source, ignored, configuration.fabric.seed);
}

}  // namespace weir::experiment
