#include "weir/experiment/config/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/management/presets.hpp"
#include "weir/experiment/config/plugins.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {
namespace {

std::string model_name(const ConfigTable& keys, const Section& about, SourcePosition& position) {
  const ConfigValue* value = keys.find("model");
  const std::string key = about.name + ".model";
  if (value == nullptr) {
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
  chosen.name = model_name(keys, about, position);
  const auto of_section = std::make_shared<const Settings>(
      Settings::check(only(keys, about.parameters), about.parameters, name));
  if (own != nullptr) *own = of_section;
  std::vector<Parameter> parameters;
  if (!(chosen.name == "none" && about.default_model == "none")) {
    const auto& model = registry.find(chosen.name, position, about.name + ".model");
    chosen.make = &model.make;
    parameters = model.info.parameters;
  }
  chosen.settings = Settings::check(without(keys, about.parameters), parameters, name, {"model"});
  ConfigTable values;
  values.set("model", ConfigValue(chosen.name, position));
  lay_over(values, of_section->resolved());
  lay_over(values, chosen.settings.resolved());
  resolved.set(std::string(name), ConfigValue(std::move(values), keys.position));
  return chosen;
}

/// 1, 2 or 5 times a power of ten, at most a hundredth of `duration`; of runs below 100 us 1 us, as
/// a sample looks at all ports, however little has happened since the last one.
Time default_bin(const std::optional<Time>& duration) {
  if (!duration) return microseconds(10);
  const std::int64_t least = std::min(duration->count, microseconds(1).count);
  const std::int64_t most = std::max({std::int64_t{1}, least, duration->count / 100});
  std::int64_t step = 1;
  while (step <= most / 10) step *= 10;
  for (const std::int64_t factor : {5, 2}) {
    if (step <= most / factor) return Time(step * factor);
  }
  return Time(step);
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

/// A section with a default that is not the same for all experiments.
template <class S>
Checked<S> read_with_default(const Keys<S>& all, const ConfigTable& table, std::string_view name,
                             const std::string& key, const std::string& value) {
  ConfigTable keys = section_table(table, name);
  if (!keys.contains(key)) keys.set(key, ConfigValue(value, keys.position));
  return all.check(keys, name);
}

bool is_plain(char c) { return static_cast<unsigned char>(c) > 0x20 && c != '/' && c != 0x7F; }

std::string default_name(const ConfigTable& table) {
  const std::string file = table.position.file ? *table.position.file : "experiment";
  std::string stem = std::filesystem::path(file).stem().string();
  std::erase_if(stem, [](char c) { return c == '<' || c == '>'; });  // of "<stdin>"
  for (char& c : stem) c = is_plain(c) ? c : '-';
  return stem.empty() || stem[0] == '.' ? "experiment" : stem;
}

void check_name(const Checked<ExperimentKeys>& keys) {
  const std::string& name = keys->name;
  const bool all_plain = std::all_of(name.begin(), name.end(), is_plain);
  if (name.empty() || !all_plain || name == "." || name == "..") {
    throw keys.error(&ExperimentKeys::name,
                     "must be a word without blanks and '/': a folder is called so");
  }
}

/// "drained", "workload", or what precision ends the run. Puts the table with its defaults into
/// `resolved`.
void read_until(const Checked<ExperimentKeys>& keys, ConfigTable& resolved, Configuration& out) {
  if (!keys->until) return;
  const ConfigValue& value = *keys->until;
  if (value.is_text() && value.text() == "drained") {
    out.until_drained = true;
    return;
  }
  if (value.is_text() && value.text() == "workload") {
    out.until_workload = true;
    return;
  }
  if (!value.is_table()) {
    throw keys.error(&ExperimentKeys::until,
                     "must be \"drained\", \"workload\" or a table, as in { delivered = "
                     "\"hot\" } or { metric = \"latency_mean\", relative_half_width = 0.05 }");
  }
  const ConfigTable table = placed_table(value);
  if (table.find("delivered") != nullptr) {
    out.until_delivered = read_delivered(table);
    ConfigTable own;  // the other keys mean nothing beside it
    own.set("delivered", *table.find("delivered"));
    resolved.set("until", ConfigValue(std::move(own), value.position));
  } else {
    out.until_precise = read_precision(table);
    resolved.set("until",
                 ConfigValue(out.until_precise->keys.settings().resolved(), value.position));
  }
  if (out.duration) return;
  throw keys.error(&ExperimentKeys::duration, "is missing: `until` needs a longest time to try");
}

/// A search in place of a plain simulation. Puts the table with its defaults into `resolved`.
void read_find(const Checked<ExperimentKeys>& keys, ConfigTable& resolved, Configuration& out) {
  if (!keys->find) return;
  const ConfigValue& value = *keys->find;
  ConfigTable table;
  table.position = value.position;
  if (value.is_text()) {
    table.set("goal", value);
  } else if (value.is_table()) {
    table = placed_table(value);
  } else {
    throw keys.error(&ExperimentKeys::find,
                     "must be \"saturation\" or a table, as in { goal = "
                     "\"saturation\", high = 0.8 }");
  }
  out.find = find_keys().check(table, "experiment.find");
  resolved.set("find", ConfigValue(out.find->settings().resolved(), value.position));
  if (out.kind_name != "simulation") {
    throw keys.error(
        &ExperimentKeys::find,
        "searches by simulations, not in an experiment of kind \"" + out.kind_name + "\"");
  }
  out.kind = &run_kind_registry().find((*out.find)->goal, {}, "experiment.find.goal").make;
}

void read_experiment_section(const ConfigTable& table, Configuration& out) {
  const Checked<ExperimentKeys> keys =
      read_with_default(experiment_keys(), table, "experiment", "name", default_name(table));
  check_name(keys);
  out.name = keys->name;
  out.title = keys->title;
  out.threads =
      keys->threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : keys->threads;
  out.duration = keys->duration;
  ConfigTable resolved = keys.settings().resolved();
  read_until(keys, resolved, out);
  out.detect_warmup = keys->warmup.is_auto;
  out.warmup = keys->warmup.time;
  out.kind_name = keys->kind;
  out.kind = &run_kind_registry().find(out.kind_name, table.position, "experiment.kind").make;
  read_find(keys, resolved, out);
  if (out.kind->simulates && !out.duration && !out.until_drained && !out.until_workload) {
    throw keys.error(&ExperimentKeys::duration,
                     R"(is missing; say how long, as in "1 ms", or until = "drained")");
  }
  if (out.duration && out.warmup >= *out.duration) {
    throw keys.error(&ExperimentKeys::warmup,
                     fmt::format("{} leaves nothing of the duration, {}", to_string(out.warmup),
                                 to_string(*out.duration)));
  }
  out.resolved.set("experiment", ConfigValue(std::move(resolved), table.position));
  out.fabric.seed = keys->seed;
}

void read_link(const ConfigTable& table, ConfigTable& resolved, topology::LinkSpec& link,
               topology::CableDelays& cables) {
  const Checked<LinkKeys> keys = read_section(link_keys(), table, "link");
  link = keys->link;
  ConfigTable values = keys.settings().resolved();
  cables = read_cables(keys, values);
  resolved.set("link", ConfigValue(std::move(values), table.position));
}

bool ends(const traffic::TrafficEntry& entry) {
  return entry.trace || entry.messages != std::numeric_limits<std::uint64_t>::max() ||
         entry.phases.back().stop != Time::max() ||
         (entry.arrivals && entry.arrivals->name == "once") ||
         (entry.incast && (*entry.incast)->times);
}

void read_workloads(const ConfigTable& table, Configuration& out) {
  const ConfigValue* value = table.find("workload");
  if (value != nullptr) {
    out.workloads = workload::check_workloads(*value);
    ConfigArray resolved;
    for (const workload::WorkloadEntry& entry : out.workloads) {
      resolved.emplace_back(entry.resolved, value->position);
    }
    out.resolved.set("workload", ConfigValue(std::move(resolved), value->position));
  }
  if (out.until_workload && out.workloads.empty()) {
    throw InputError(position_of(table, "experiment.until"), "experiment.until",
                     "waits for a workload, but there is no [[workload]]");
  }
  if (out.find && !out.workloads.empty()) {
    throw InputError(position_of(table, "experiment.find"), "experiment.find",
                     "varies a load; a [[workload]] has none");
  }
}

/// [[flow]]s are a class of their own.
void check_flow_class(const Configuration& out) {
  const auto refuse = [](const Settings& settings) {
    throw settings.error("name", fmt::format("'{}' is the class of all [[flow]]s", kFlowClass));
  };
  for (const workload::WorkloadEntry& workload : out.workloads) {
    if (workload.name == kFlowClass) refuse(workload.settings.settings());
  }
  for (const traffic::TrafficEntry& entry : out.traffic) {
    if (entry.name == kFlowClass) refuse(entry.keys.settings());
  }
  if (out.traffic.size() + out.workloads.size() == traffic::kMaxClasses) {
    throw InputError(
        position_of(out.source, "flow"), "flow",
        fmt::format("makes more than {} classes together with [[traffic]]", traffic::kMaxClasses));
  }
}

/// Traffic classes have one name each.
void check_class_names(const Configuration& out) {
  if (out.traffic.size() + out.workloads.size() > traffic::kMaxClasses) {
    throw InputError(
        position_of(out.source, "workload"), "workload",
        fmt::format("makes more than {} classes together with [[traffic]]", traffic::kMaxClasses));
  }
  if (out.source.contains("flow") && out.kind->simulates) check_flow_class(out);
  for (const workload::WorkloadEntry& workload : out.workloads) {
    for (const traffic::TrafficEntry& entry : out.traffic) {
      if (entry.name != workload.name) continue;
      throw workload.settings.error(
          &workload::WorkloadSettings::name,
          fmt::format("'{}' is the name of {} already", entry.name, entry.where));
    }
  }
}

void read_traffic(const ConfigTable& table, TrafficFrom from, Configuration& out) {
  const ConfigValue* value = table.find("traffic");
  const bool has_others =
      from == TrafficFrom::program || !out.workloads.empty() || table.contains("flow");
  if (value == nullptr && (!out.kind->simulates || has_others)) return;
  if (value == nullptr) {
    throw InputError(table.position, "traffic",
                     "is missing; at least one [[traffic]] says who sends what, or a [[workload]] "
                     "what a parallel program does, or a [[flow]] which hosts have flows");
  }
  out.traffic = traffic::check_traffic(*value);
  ConfigArray resolved;
  for (const traffic::TrafficEntry& entry : out.traffic) {
    resolved.emplace_back(entry.resolved, value->position);
    if (out.duration || out.until_workload || !out.kind->simulates || ends(entry)) continue;
    throw InputError(position_of(table, "experiment.until"), "experiment.until",
                     fmt::format("traffic '{}' never ends: give it a stop or a number of "
                                 "messages, or the experiment a duration",
                                 entry.name));
  }
  out.resolved.set("traffic", ConfigValue(std::move(resolved), value->position));
  if (out.until_delivered) (void)delivered_entry(*out.until_delivered, out.traffic);
  if (out.until_precise) check_label(*out.until_precise, out.traffic, out.workloads);
}

Bytes read_size_class(const Checked<MetricsKeys>& keys, const std::string& text) {
  try {
    return parse_bytes(text);
  } catch (const std::invalid_argument& problem) {
    throw keys.error(&MetricsKeys::sizes, problem.what());
  }
}

void read_size_classes(Configuration& out) {
  const Checked<MetricsKeys>& keys = out.metrics;
  if (!keys->sizes) return;
  if (!keys->slowdown) {
    throw keys.error(&MetricsKeys::sizes,
                     "are size classes of slowdowns: it needs slowdown = true");
  }
  Bytes last;
  for (const std::string& text : *keys->sizes) {
    const Bytes size = read_size_class(keys, text);
    if (size <= last) {
      throw keys.error(&MetricsKeys::sizes,
                       "must be at least 1 B and ascend: " + text + " does not");
    }
    out.size_classes.push_back(last = size);
  }
}

void read_metrics(const ConfigTable& table, Configuration& out) {
  out.metrics = read_with_default(metrics_keys(), table, "metrics", "bin",
                                  to_string(default_bin(out.duration)));
  const MetricsKeys& keys = *out.metrics;
  out.bin = keys.bin;
  if (keys.link_series && !keys.watches_links)
    throw out.metrics.error(&MetricsKeys::link_series, "needs links = true");
  out.intervals = keys.intervals || out.detect_warmup || out.until_precise.has_value();
  constexpr std::int64_t kMostBins = 10'000'000;
  if (out.duration && out.duration->count / out.bin.count > kMostBins) {
    throw out.metrics.error(&MetricsKeys::bin, fmt::format("{} makes more than {} bins",
                                                           to_string(out.bin), kMostBins));
  }
  if (keys.disturbed_until) {
    if (!keys.disturbed_from) {
      throw out.metrics.error(&MetricsKeys::disturbed_until, "needs disturbed_from");
    }
    if (*keys.disturbed_until <= *keys.disturbed_from) {
      throw out.metrics.error(&MetricsKeys::disturbed_until, "must be later than disturbed_from");
    }
  }
  read_size_classes(out);
  out.resolved.set("metrics", ConfigValue(out.metrics.settings().resolved(), table.position));
}

void read_plots(const ConfigTable& table, Configuration& out) {
  const ConfigValue* list = table.find("plot");
  if (list == nullptr) return;
  if (!list->is_array()) throw InputError(list->position, "plot", "must be [[plot]] tables");
  for (const ConfigValue& value : list->array()) {
    const std::string where = fmt::format("plot[{}]", out.plots.size());
    out.plots.push_back(placed_table(value, where));
  }
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

/// The network and what moves in it.
void read_network(const ConfigTable& keys, TrafficFrom from, Configuration& out) {
  ConfigTable& resolved = out.resolved;
  const std::uint64_t seed = out.fabric.seed;
  out.topology = choose(keys, "topology", topology::topology_registry(), resolved);
  read_link(keys, resolved, out.link, out.cables);
  out.cables.seed = out.fabric.seed;
  out.fabric = read_fabric_settings(keys, resolved);
  out.fabric.seed = seed;
  out.queueing = choose(with_queueing(keys, out.fabric.voq), "queueing",
                        fabric::queueing_registry(), resolved);
  Checked<RoutingKeys> routing;
  out.routing =
      choose(keys, "routing", routing::routing_registry(), resolved, routing_keys(), routing);
  out.allows_cycles = routing->allows_cycles;
  out.selection = choose(keys, "selection", fabric::selection_registry(), resolved);
  add_section(management_keys(), keys, "management", resolved);
  out.marking = choose(keys, "marking", fabric::marker_registry(), resolved);
  out.agent = choose(keys, "agent", fabric::agent_registry(), resolved);
  out.isolation = choose(keys, "isolation", fabric::isolation_registry(), resolved);
  out.admission = choose(keys, "admission", fabric::admission_registry(), resolved);
  out.vl_sharing = choose(keys, "vl_sharing", fabric::vl_sharing_registry(), resolved);
  out.reaction = choose(keys, "reaction", fabric::reaction_registry(), resolved);
  out.injection = choose(keys, "injection", fabric::injection_registry(), resolved);
  read_workloads(keys, out);
  read_traffic(keys, from, out);
  check_class_names(out);
  out.failures = read_failures(keys, resolved);
  out.network = add_section(network_keys(), keys, "network", resolved);
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

}  // namespace

void check_section_names(const ConfigTable& table) {
  const auto& names = top_level_names();
  for (const ConfigEntry& entry : table.entries()) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    const bool has_place = entry.key_position.line != 0;
    throw InputError(has_place ? entry.key_position : entry.value.position, entry.key,
                     "unknown section" + suggestion(entry.key, names));
  }
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
  check_section_names(table);
  Configuration out;
  out.source = table;
  for (const char* name : {"case", "sweep", "replicate"}) out.source.erase(name);
  load_plugins(out.source);
  add_used_plugins(out.source);
  apply_preset(out.source);
  const ConfigTable& keys = out.source;
  ConfigTable& resolved = out.resolved;
  resolved.position = keys.position;
  if (const ConfigValue* plugins = keys.find("plugins")) resolved.set("plugins", *plugins);
  read_experiment_section(keys, out);
  if (out.kind->has_network) read_network(keys, from, out);
  read_metrics(keys, out);
  out.queue =
      choose(keys, "queue", analysis::queue_registry(), resolved, queue_keys(), out.queue_keys);
  out.flow_routing = read_flow_routing(keys, resolved, out.fabric.seed);
  out.rates = std::make_shared<const RateInput>(read_rates(keys, resolved));
  read_protocol(keys, out);
  out.results = add_section(results_keys(), keys, "results", resolved);
  read_plots(keys, out);
  if (out.kind->check) out.kind->check(out);
  return out;
}

traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph) {
  return make_traffic(configuration, graph, configuration.fabric);
}

traffic::Traffic make_traffic(const Configuration& configuration, const topology::Graph& graph,
                              const fabric::FabricSettings& settings) {
  return traffic::make_sources(configuration.traffic,
                               {graph, settings.seed, settings.mtu, settings.header,
                                configuration.duration.value_or(Time::max())});
}

}  // namespace weir::experiment
