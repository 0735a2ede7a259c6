#include "weir/experiment/config/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/problems.hpp"
#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/default_routing.hpp"
#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/management/presets.hpp"
#include "weir/experiment/config/plugins.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/read_sections.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/traffic/source_set.hpp"

namespace weir::experiment {
namespace {

/// A key that is meant to be `model` is told rather than that there is none.
void refuse_misspelt_model(const ConfigTable& keys, const Section& about) {
  const std::vector<std::string> known{"model"};
  for (const ConfigEntry& entry : keys.entries()) {
    if (nearest_name(entry.key, known).empty()) continue;
    throw InputError(entry.key_position.line != 0 ? entry.key_position : entry.value.position,
                     about.name + "." + entry.key, "unknown key" + suggestion(entry.key, known));
  }
}

std::string model_name(const ConfigTable& keys, const Section& about, SourcePosition& position) {
  const ConfigValue* value = keys.find("model");
  const std::string key = about.name + ".model";
  if (value == nullptr) {
    refuse_misspelt_model(keys, about);
    if (about.default_model.empty()) {
      throw InputError(
          keys.position, key,
          fmt::format("is missing; it names {} (see weir list {})", about.purpose, about.kind));
    }
    return about.default_model;
  }
  position = value->position;
  if (!value->is_text()) {
    throw InputError(position, key, fmt::format("must be a string, not {}", value->kind_name()));
  }
  return value->text();
}

/// Everything but the keys that `parameters` describe.
ConfigTable without(ConfigTable table, const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) table.erase(parameter.name);
  return table;
}

/// Only the keys that `parameters` describe.
ConfigTable only(const ConfigTable& table, const std::vector<Parameter>& parameters) {
  ConfigTable kept;
  kept.position = table.position;
  for (const Parameter& parameter : parameters) {
    if (const ConfigValue* value = table.find(parameter.name)) kept.set(parameter.name, *value);
  }
  return kept;
}

template <class Factory>
Chosen<Factory> choose(const ConfigTable& table, std::string_view name,
                       const Registry<Factory>& registry, ConfigTable& resolved,
                       std::shared_ptr<const Settings>* own = nullptr) {
  const Section& about = section(name);
  const ConfigTable keys = section_table(table, name);
  SourcePosition position = keys.position;
  Chosen<Factory> chosen;
  Problems problems;
  std::shared_ptr<const Settings> of_section;
  problems.attempt([&] {
    of_section = std::make_shared<const Settings>(
        Settings::check(only(keys, about.parameters), about.parameters, name));
  });
  problems.attempt([&] {
    chosen.name = model_name(keys, about, position);
    std::vector<Parameter> parameters;
    if (!(chosen.name == "none" && about.default_model == "none")) {
      const auto& model = registry.find(chosen.name, position, about.name + ".model");
      chosen.make = &model.make;
      parameters = model.info.parameters;
    }
    chosen.settings = Settings::check(without(keys, about.parameters), parameters, name, {"model"});
  });
  problems.raise();
  if (own != nullptr) *own = of_section;
  ConfigTable values;
  values.set("model", ConfigValue(chosen.name, position));
  lay_over(values, of_section->resolved());
  lay_over(values, chosen.settings.resolved());
  resolved.set(std::string(name), ConfigValue(std::move(values), keys.position));
  return chosen;
}

/// A section that chooses a model and has keys of its own.
template <class Factory, class S>
Chosen<Factory> choose(const ConfigTable& table, std::string_view name,
                       const Registry<Factory>& registry, ConfigTable& resolved,
                       const Keys<S>& own_keys, Checked<S>& own) {
  std::shared_ptr<const Settings> settings;
  Chosen<Factory> chosen = choose(table, name, registry, resolved, &settings);
  own = own_keys.read(std::move(settings));
  return chosen;
}

void read_link(const ConfigTable& table, ConfigTable& resolved, topology::LinkSpec& link,
               topology::CableDelays& cables) {
  const Checked<LinkKeys> keys = read_section(link_keys(), table, "link");
  link = keys->link;
  ConfigTable values = keys.settings().resolved();
  cables = read_cables(keys, values);
  resolved.set("link", ConfigValue(std::move(values), table.position));
}

void read_plots(const ConfigTable& table, Configuration& out) {
  const ConfigValue* list = table.find("plot");
  if (list == nullptr) return;
  if (!list->is_array()) throw InputError(list->position, "plot", "must be [[plot]] tables");
  Problems problems;
  for (std::size_t i = 0; i < list->array().size(); ++i) {
    problems.attempt(
        [&] { out.plots.push_back(placed_table(list->array()[i], fmt::format("plot[{}]", i))); });
  }
  problems.raise();
  out.resolved.set("plot", *list);
}

/// The queueing of an experiment that names none: what `switch.voq` says, and beside set-aside
/// queues, which order packets by output themselves, one queue.
std::string default_queueing(const ConfigTable& keys, bool voq) {
  const ConfigTable section_keys = section_table(keys, "isolation");
  const ConfigValue* isolation = section_keys.find("model");
  const bool sets_aside =
      isolation != nullptr && isolation->is_text() && isolation->text() != "none";
  return voq && !sets_aside ? section("queueing").default_model : "fifo";
}

ConfigTable with_queueing(const ConfigTable& keys, bool voq) {
  ConfigTable queueing = section_table(keys, "queueing");
  if (queueing.contains("model")) return keys;
  queueing.set("model", ConfigValue(default_queueing(keys, voq), queueing.position));
  ConfigTable filled = keys;
  filled.set("queueing", ConfigValue(queueing, queueing.position));
  return filled;
}

/// Before a model is filled in by default, to which the other keys of the section mean nothing.
void refuse_misspelt_model(const ConfigTable& table, std::string_view name) {
  const ConfigTable keys = section_table(table, name);
  if (!keys.contains("model")) refuse_misspelt_model(keys, section(name));
}

/// Sections whose model depends on another that is wrong: only where the file names one itself does
/// it say what belongs there.
bool is_known(const ConfigTable& keys, const char* name, bool has_its_default) {
  if (has_its_default) return true;
  const ConfigValue* value = keys.find(name);
  return value != nullptr && value->is_table() && value->table().contains("model");
}

/// What a file is wrong about, and what follows from that.
struct Reading {
  Problems problems;
  bool has_preset = true;      ///< what a preset fills in is there
  bool has_experiment = true;  ///< [experiment] is without mistakes
  bool has_traffic = true;     ///< so are [[traffic]] and [[workload]]
};

/// The network and what moves in it.
void read_network(const ConfigTable& keys, TrafficFrom from, Reading& reading, Configuration& out) {
  ConfigTable& resolved = out.resolved;
  Problems& problems = reading.problems;
  const std::uint64_t seed = out.fabric.seed;
  const bool has_topology = problems.attempt(
      [&] { out.topology = choose(keys, "topology", topology::topology_registry(), resolved); });
  problems.attempt([&] { read_link(keys, resolved, out.link, out.cables); });
  out.cables.seed = seed;
  const bool has_fabric =
      problems.attempt([&] { out.fabric = read_fabric_settings(keys, resolved); });
  out.fabric.seed = seed;
  const auto read_model = [&](auto& chosen, const ConfigTable& table, const char* name,
                              const auto& registry, bool has_its_default) {
    if (!is_known(table, name, has_its_default)) return;
    problems.attempt([&] { chosen = choose(table, name, registry, resolved); });
  };
  if (is_known(keys, "queueing", has_fabric && reading.has_preset)) {
    problems.attempt([&] {
      refuse_misspelt_model(keys, "queueing");
      out.queueing = choose(with_queueing(keys, out.fabric.voq), "queueing",
                            fabric::queueing_registry(), resolved);
    });
  }
  if (is_known(keys, "routing", has_topology)) {
    problems.attempt([&] {
      refuse_misspelt_model(keys, "routing");
      Checked<RoutingKeys> routing;
      out.routing = choose(with_routing(keys, out.topology.name), "routing",
                           routing::routing_registry(), resolved, routing_keys(), routing);
      out.allows_cycles = routing->allows_cycles;
    });
  }
  read_model(out.selection, keys, "selection", fabric::selection_registry(), true);
  if (reading.has_preset) add_section(management_keys(), keys, "management", resolved);
  const bool has_preset = reading.has_preset;
  read_model(out.marking, keys, "marking", fabric::marker_registry(), has_preset);
  read_model(out.agent, keys, "agent", fabric::agent_registry(), has_preset);
  read_model(out.isolation, keys, "isolation", fabric::isolation_registry(), has_preset);
  read_model(out.admission, keys, "admission", fabric::admission_registry(), has_preset);
  read_model(out.vl_sharing, keys, "vl_sharing", fabric::vl_sharing_registry(), has_preset);
  read_model(out.reaction, keys, "reaction", fabric::reaction_registry(), has_preset);
  read_model(out.injection, keys, "injection", fabric::injection_registry(), has_preset);
  reading.has_traffic = problems.attempt([&] { read_workloads(keys, out); });
  reading.has_traffic =
      problems.attempt([&] { read_traffic(keys, from, out); }) && reading.has_traffic;
  problems.attempt([&] { out.failures = read_failures(keys, resolved); });
  problems.attempt([&] { out.network = add_section(network_keys(), keys, "network", resolved); });
}

/// Puts the calculation that its rates are compared with into `rates.algorithm` of `resolved`.
void read_protocol(const ConfigTable& keys, Configuration& out) {
  if (!keys.contains("protocol")) return;
  ConfigTable& resolved = out.resolved;
  ProtocolInput protocol;
  protocol.chosen = choose(keys, "protocol", rates::protocol_registry(), resolved, protocol_keys(),
                           protocol.keys);
  if (protocol.chosen.make == nullptr) return;
  read_protocol_changes(protocol, resolved.find("protocol")->table());
  // Unless the experiment says otherwise.
  ConfigValue* rates = resolved.find("rates");
  if (rates != nullptr && !section_table(keys, "rates").contains("algorithm")) {
    rates->table().set("algorithm", ConfigValue(protocol.chosen.make->algorithm, {}));
  }
  out.protocol = std::move(protocol);
}

/// Each is told; where another was meant, and is not there, it takes its place, so that nobody
/// hears of what is missing then.
void erase_unknown_sections(ConfigTable& table, Problems& problems) {
  const auto& names = top_level_names();
  const std::vector<ConfigEntry> entries = table.entries();
  for (const ConfigEntry& entry : entries) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    const bool has_place = entry.key_position.line != 0;
    problems.add(InputError(has_place ? entry.key_position : entry.value.position, entry.key,
                            "unknown section" + suggestion(entry.key, names)));
    table.erase(entry.key);
    const std::string meant = nearest_name(entry.key, names);
    if (!meant.empty() && !table.contains(meant)) table.set(meant, entry.value);
  }
  spell_out_models(table);
}

/// The kind that a wrong [experiment] names all the same; null: none that there is.
const RunKind* kind_as_written(const ConfigTable& table) {
  const ConfigValue* kind = find_value(table, "experiment.kind");
  const std::string name = kind == nullptr ? "simulation" : kind->is_text() ? kind->text() : "";
  for (const ModelInfo* known : run_kind_registry().models()) {
    if (known->name == name) return &run_kind_registry().find(name, {}, "").make;
  }
  return nullptr;
}

}  // namespace

void check_section_names(const ConfigTable& table) {
  Problems problems;
  ConfigTable known = table;
  erase_unknown_sections(known, problems);
  problems.raise();
}

Chosen<topology::TopologyFactory> resolve_topology(const ConfigTable& table,
                                                   topology::LinkSpec& link,
                                                   topology::CableDelays& cables) {
  ConfigTable ignored;
  read_link(table, ignored, link, cables);
  ConfigTable experiment;
  const ConfigValue* seed = find_value(table, "experiment.seed");
  if (seed != nullptr) experiment.set("seed", *seed);
  cables.seed = experiment_keys().check(experiment, "experiment")->seed;
  return choose(table, "topology", topology::topology_registry(), ignored);
}

Configuration resolve(const ConfigTable& table, TrafficFrom from) {
  Configuration out;
  out.source = table;
  Reading reading;
  Problems& problems = reading.problems;
  erase_unknown_sections(out.source, problems);
  for (const char* name : {"case", "sweep", "replicate"}) out.source.erase(name);
  load_plugins(out.source);
  add_used_plugins(out.source);
  reading.has_preset = problems.attempt([&] { apply_preset(out.source); });
  const ConfigTable& keys = out.source;
  ConfigTable& resolved = out.resolved;
  resolved.position = keys.position;
  if (const ConfigValue* plugins = keys.find("plugins")) resolved.set("plugins", *plugins);
  reading.has_experiment = problems.attempt([&] { read_experiment_section(keys, out); });
  RunKind unknown;  // needs no section, but what is there is read
  unknown.simulates = false;
  unknown.has_network = keys.contains("topology");
  if (out.kind == nullptr) out.kind = kind_as_written(keys);
  if (out.kind == nullptr) out.kind = &unknown;
  if (out.kind->has_network) read_network(keys, from, reading, out);
  problems.attempt([&] { read_metrics(keys, out); });
  problems.attempt([&] {
    out.queue =
        choose(keys, "queue", analysis::queue_registry(), resolved, queue_keys(), out.queue_keys);
  });
  problems.attempt([&] { out.flow_routing = read_flow_routing(keys, resolved, out.fabric.seed); });
  const bool has_flows = problems.attempt([&] {
    out.rates =
        std::make_shared<const RateInput>(read_rates(keys, has_rated_traffic(out), resolved));
  });
  if (out.kind->has_network) problems.attempt([&] { check_class_names(out); });
  if (out.kind->has_network && has_flows && reading.has_traffic && reading.has_experiment)
    problems.attempt([&] { check_ends(keys, out); });
  problems.attempt([&] { read_protocol(keys, out); });
  problems.attempt([&] { out.results = add_section(results_keys(), keys, "results", resolved); });
  problems.attempt([&] { read_plots(keys, out); });
  problems.raise();
  if (out.kind->check) out.kind->check(out);
  return out;
}

bool has_rated_traffic(const Configuration& configuration) {
  return std::any_of(configuration.traffic.begin(), configuration.traffic.end(),
                     [](const traffic::TrafficEntry& entry) { return entry.has_rate; });
}

traffic::TrafficContext traffic_context(const Configuration& configuration,
                                        const topology::Graph& graph,
                                        const fabric::FabricSettings& settings) {
  traffic::TrafficContext context{graph, settings.seed, settings.mtu, settings.header,
                                  configuration.duration.value_or(Time::max())};
  const auto is_named = [](const FlowEntry& entry) { return entry.is_named; };
  const std::vector<FlowEntry>& flows = configuration.rates->flows;
  if (std::any_of(flows.begin(), flows.end(), is_named)) {
    context.others = [input = configuration.rates](const traffic::TrafficContext& its) {
      return senders_of_flows(*input, its);
    };
  }
  return context;
}

traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph) {
  return make_traffic(configuration, graph, configuration.fabric);
}

traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph,
                              const fabric::FabricSettings& settings) {
  return traffic::make_sources(configuration.traffic,
                               traffic_context(configuration, graph, settings));
}

}  // namespace weir::experiment
