#include "weir/experiment/run/network.hpp"

#include <utility>

#include <fmt/format.h>

#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {
namespace {

bool is_routed_by_packets(const Configuration& configuration) {
  return configuration.kind->simulates && configuration.flow_routing.by_packets;
}

/// The name of a file in the section where there is one, else the model's.
std::string blamed_key(const ConfigTable& source, const std::string& section) {
  const std::string file = section + ".file";
  return find_value(source, file) != nullptr ? file : section + ".model";
}

std::string network_text(const Configuration& configuration) {
  ConfigTable parts;
  for (const char* name : {"topology", "link", "routing"}) {
    parts.set(name, *configuration.resolved.find(name));
  }
  if (is_routed_by_packets(configuration) || !configuration.flow_routing.tables.empty()) {
    parts.set("flow_routing", *configuration.resolved.find("flow_routing"));
  }
  if (configuration.cables.are_drawn()) {
    parts.set("seed", ConfigValue(std::to_string(configuration.cables.seed), {}));
  }
  return to_toml(parts) + (make_selection(configuration)->is_fixed() ? "fixed" : "adaptive");
}

void check_routes(const Configuration& configuration, const Network& network) {
  const routing::DependencyReport& report = network.dependencies;
  const std::string text = routing::describe(*network.graph, report);
  const ConfigTable& source = configuration.source;
  if (!report.faults.empty()) {
    throw InputError(
        position_of(source, "routing.model"), "routing.model",
        fmt::format("{} does not reach every host\n{}", configuration.routing.name, text));
  }
  if (report.cycle.empty() || configuration.allows_cycles) return;
  throw InputError(
      position_of(source, "routing.model"), "routing.model",
      fmt::format("{} can deadlock here (allow_cycles = true in [routing] runs it anyway)\n{}",
                  configuration.routing.name, text));
}

/// Paths of flows have to arrive without a cycle, whatever the loads (zdornov2009, theorem 3.1.1).
void check_tables(const Configuration& configuration, const Network& network,
                  const flow_routing::FlowTables& tables) {
  routing::DependencyOptions options;
  options.all_candidates = true;
  const routing::DependencyReport report =
      routing::check_dependencies(*network.graph, tables, options);
  if (report.ok()) return;
  throw InputError(
      position_of(configuration.source, "flow_routing.tables"), "flow_routing.tables",
      fmt::format("{}\n{}",
                  report.faults.empty()
                      ? "flows that follow these tables can deadlock, or go in a circle"
                      : "flows that follow these tables may not arrive",
                  routing::describe(*network.graph, report)));
}

/// Makes tables of a file, which are checked, and those by which packets set flows up.
void add_flow_tables(const Configuration& configuration, Network& network) {
  const FlowRoutingInput& input = configuration.flow_routing;
  const bool by_packets = is_routed_by_packets(configuration);
  const bool are_filled = !input.tables.empty();
  if (!by_packets && !are_filled) return;
  std::shared_ptr<const flow_routing::FlowTables> tables;
  at_place(configuration.source, are_filled ? "flow_routing.tables" : "flow_routing.policy",
           [&] { tables = make_flow_tables(input, *network.graph, *network.routing); });
  if (are_filled) check_tables(configuration, network, *tables);
  if (!by_packets) return;
  network.flow_tables = std::move(tables);
  network.is_fixed = false;
}

}  // namespace

topology::Graph make_graph(const ConfigTable& source,
                           const Chosen<topology::TopologyFactory>& chosen,
                           const topology::LinkSpec& link, const topology::CableDelays& cables) {
  std::optional<topology::Graph> graph;
  at_place(source, blamed_key(source, "topology"),
           [&] { graph.emplace((*chosen.make)(chosen.settings, link)); });
  at_place(source, "link", [&] { graph = topology::with_drawn_delays(std::move(*graph), cables); });
  return std::move(*graph);
}

std::shared_ptr<const Network> make_network(const Configuration& configuration) {
  auto network = std::make_shared<Network>();
  const ConfigTable& source = configuration.source;
  network->graph = std::make_shared<const topology::Graph>(
      make_graph(source, configuration.topology, configuration.link, configuration.cables));
  at_place(source, blamed_key(source, "routing"), [&] {
    network->routing =
        (*configuration.routing.make)(configuration.routing.settings, *network->graph);
  });
  network->is_fixed = make_selection(configuration)->is_fixed();
  const routing::RoutingFunction* routes = network->routing.get();
  add_flow_tables(configuration, *network);
  if (network->flow_tables) routes = network->flow_tables.get();
  routing::DependencyOptions options;
  options.all_candidates = !network->is_fixed;
  options.takes_proof = true;
  network->dependencies = routing::check_dependencies(*network->graph, *routes, options);
  check_routes(configuration, *network);
  return network;
}

std::unique_ptr<fabric::SelectionFunction> make_selection(const Configuration& configuration) {
  std::unique_ptr<fabric::SelectionFunction> made;
  at_place(configuration.source, "selection.model",
           [&] { made = (*configuration.selection.make)(configuration.selection.settings); });
  return made;
}

std::shared_ptr<fabric::Isolation> make_isolation(const Configuration& configuration,
                                                  const Network& network) {
  const Chosen<fabric::IsolationFactory>& chosen = configuration.isolation;
  if (chosen.make == nullptr) return nullptr;
  int classes = make_selection(configuration)->added_classes();
  at_place(configuration.source, "queueing.model", [&] {
    const auto& queueing = configuration.queueing;
    classes += (*queueing.make)(queueing.settings, *network.graph)->classes();
  });
  classes *= network.routing->lanes();
  std::shared_ptr<fabric::Isolation> made;
  at_place(configuration.source, "isolation.model", [&] {
    made = (*chosen.make)(chosen.settings,
                          {network.graph, network.routing, configuration.fabric, classes});
  });
  return made;
}

std::vector<std::shared_ptr<fabric::Mechanism>> make_with_queues(const Configuration& configuration,
                                                                 const Network& network) {
  std::vector<std::shared_ptr<fabric::Mechanism>> some;
  if (auto isolation = make_isolation(configuration, network)) some.push_back(std::move(isolation));
  some.push_back(make_selection(configuration));
  return some;
}

std::shared_ptr<fabric::Admission> make_admission(const Configuration& configuration,
                                                  const Network& network) {
  const Chosen<fabric::AdmissionFactory>& chosen = configuration.admission;
  if (chosen.make == nullptr) return nullptr;
  std::shared_ptr<fabric::Admission> made;
  at_place(configuration.source, "admission.model", [&] {
    made = (*chosen.make)(chosen.settings, {network.graph, configuration.fabric.vl_arbitration});
  });
  bool some_ask = false;
  for (const traffic::TrafficEntry& entry : configuration.traffic) {
    if (entry.reserve == 0) continue;
    some_ask = true;
    const auto refusal = made->refusal(entry.service_level, entry.reserve);
    if (refusal) throw entry.keys.error(&traffic::TrafficKeys::reserve, *refusal);
  }
  if (!some_ask) {
    throw InputError(position_of(configuration.source, "admission.model"), "admission.model",
                     "no [[traffic]] asks for bandwidth with 'reserve'");
  }
  return made;
}

std::shared_ptr<flow_routing::FlowRouter> make_flow_routing(const Configuration& configuration,
                                                            const Network& network) {
  if (!network.flow_tables) return nullptr;
  return std::make_shared<flow_routing::FlowRouter>(configuration.flow_routing.router,
                                                    network.flow_tables);
}

std::shared_ptr<fabric::Reaction> make_reaction(const Configuration& configuration,
                                                const Network& network,
                                                std::shared_ptr<const fabric::Marker> marker) {
  const Chosen<fabric::ReactionFactory>& chosen = configuration.reaction;
  if (chosen.make == nullptr) return nullptr;
  std::shared_ptr<fabric::Reaction> made;
  at_place(configuration.source, "reaction.model", [&] {
    made = (*chosen.make)(
        chosen.settings, {network.graph, network.routing, std::move(marker), configuration.fabric});
  });
  return made;
}

std::shared_ptr<const Network> NetworkCache::get(const Configuration& configuration) {
  if (!configuration.kind->has_network) return nullptr;
  const std::string text = network_text(configuration);
  const std::lock_guard lock(mutex_);
  for (const Kept& kept : kept_) {
    if (kept.text == text) return kept.network;
  }
  kept_.push_back({text, make_network(configuration)});
  if (kept_.size() > kMostKept) kept_.pop_front();
  return kept_.back().network;
}

}  // namespace weir::experiment
