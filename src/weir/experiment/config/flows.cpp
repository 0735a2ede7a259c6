#include "weir/experiment/config/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/rates/algorithm.hpp"

namespace weir::experiment {
namespace {

using Type = ParameterType;

/// The keys that say what kind of entry this is, and what each may stand beside.
void check_kind(const Settings& settings) {
  const bool is_single = settings.given("source") || settings.given("destination");
  int kinds = is_single ? 1 : 0;
  for (const char* key : {"destinations", "file", "fragmented"}) {
    if (settings.given(key)) ++kinds;
  }
  if (kinds != 1) {
    throw settings.error(kinds == 0 ? "source" : "destinations",
                         kinds == 0 ? "is missing; a flow has source and destination, or "
                                      "`destinations`, `file` or `fragmented` make many flows"
                                    : "one of source and destination, `destinations`, `file` and "
                                      "`fragmented` can stand in a table");
  }
  if (is_single && !settings.given("source")) throw settings.error("source", "is missing");
  if (is_single && !settings.given("destination")) {
    throw settings.error("destination", "is missing");
  }
  for (const char* key : {"sources", "per_source"}) {
    if (settings.given(key) && !settings.given("destinations")) {
      throw settings.error(key, "stands beside `destinations` only");
    }
  }
  if (settings.given("application") && (settings.given("file") || settings.given("fragmented"))) {
    throw settings.error("application", "cannot stand beside a file or `fragmented`");
  }
  if (settings.given("path") && !is_single) {
    throw settings.error("path", "stands beside source and destination only");
  }
  if (settings.given("path") && settings.has("connection") &&
      settings.text("connection") == "shared") {
    throw settings.error("path", "is that of a connection of its own, and this one is shared");
  }
  if (!(settings.real("weight") > 0)) {
    throw settings.error("weight",
                         fmt::format("must be greater than 0, not {}", settings.real("weight")));
  }
}

/// There may be very many of these tables.
const std::shared_ptr<const ParameterList>& flow_parameter_list() {
  static const auto kList = std::make_shared<const ParameterList>(flow_parameters());
  return kList;
}

Settings check_flow(const ConfigValue& value, const std::string& where) {
  if (!value.is_table()) throw InputError(value.position, where, "must be a table");
  const ConfigTable& keys = value.table();
  if (keys.position.line != 0) return Settings::check(keys, flow_parameter_list(), where);
  ConfigTable placed = keys;
  placed.position = value.position;
  return Settings::check(placed, flow_parameter_list(), where);
}

/// Puts the table with defaults into `resolved`, if there is one.
FlowEntry read_flow(const ConfigValue& value, const std::string& where, ConfigArray* resolved) {
  FlowEntry entry;
  entry.settings = check_flow(value, where);
  check_kind(entry.settings);
  ConfigTable table;
  if (resolved != nullptr) table = entry.settings.resolved();
  if (entry.settings.has("destinations")) {
    entry.destinations = traffic::choose_model(
        traffic::pattern_registry(), entry.settings.raw("destinations"), where + ".destinations");
    table.set("destinations", entry.destinations->resolved());
  } else {
    table.erase("per_source");
  }
  if (entry.settings.has("fragmented")) {
    const ConfigValue& nested = entry.settings.raw("fragmented");
    const std::string key = where + ".fragmented";
    if (!nested.is_table()) throw InputError(nested.position, key, "must be a table");
    ConfigTable inner = nested.table();
    if (inner.position.line == 0) inner.position = nested.position;
    entry.fragmented = Settings::check(inner, fragmented_parameters(), key);
    table.set("fragmented", ConfigValue(entry.fragmented->resolved(), nested.position));
  }
  if (!entry.settings.given("application") &&
      (entry.settings.has("file") || entry.fragmented.has_value())) {
    table.erase("application");
  }
  if (resolved != nullptr) resolved->emplace_back(std::move(table), value.position);
  return entry;
}

}  // namespace

std::vector<Parameter> flow_parameters() {
  return {
      Parameter::of(Type::any, "source", "number or name of the source host, for a single flow"),
      Parameter::of(Type::any, "destination",
                    "number or name of the destination host, for a single flow"),
      Parameter::of(Type::any, "destinations",
                    "traffic pattern that gives every source its destinations, for many flows, as "
                    "in { model = \"random-permutation\" }"),
      Parameter::of(Type::any, "sources", "hosts that have flows (default: all hosts)"),
      Parameter::of(Type::any, "per_source",
                    "number of flows of each source; [1, 5]: drawn from these for each")
          .by_default("1"),
      Parameter::of(Type::path, "file",
                    "file with flows, in lines 'source destination' with an optional weight and "
                    "application name"),
      Parameter::of(Type::any, "fragmented",
                    "applications on scattered groups of hosts (see flow.fragmented)"),
      Parameter::of(Type::real, "weight", "size or priority of each flow").by_default("1.0"),
      Parameter::of(Type::text, "application", "name of the application to which the flows belong")
          .by_default("all"),
      Parameter::of(Type::bytes, "size",
                    "payload of a flow of weight 1, in simulations (default: flows never end)")
          .at_least(1),
      Parameter::of(Type::time, "start",
                    "time at which the flows start, in simulations and for protocols (default: "
                    "0 s)"),
      Parameter::of(Type::integer, "service_level",
                    "service level of the packets, in simulations (default: 0)")
          .range(0, 15),
      Parameter::of(Type::any, "path",
                    "ports by which the packets of a single flow leave the switches on their way, "
                    "as in [\"s0[4]\", \"s4[1]\", \"s1[1]\"] (default: by routing or "
                    "flow_routing)"),
      Parameter::of(Type::text, "connection",
                    "own: each flow is a connection of its own, with its own path, source queue, "
                    "rate and statistics; shared: flows between the same two hosts are one, in "
                    "simulations (default: own for a single flow, shared for many)")
          .one_of({"own", "shared"})};
}

std::vector<Parameter> fragmented_parameters() {
  return {
      Parameter::of(Type::integer, "applications",
                    "number of applications, all with the same number of hosts")
          .by_default("32")
          .range(1, 1 << 20),
      Parameter::of(Type::integer, "fragments",
                    "number of groups of neighbours into which an application's hosts are split")
          .by_default("1")
          .range(1, 1 << 20),
      Parameter::of(Type::any, "permutations",
                    "number of superposed random permutations of an application's hosts; [1, 5]: "
                    "drawn from these for each")
          .by_default("[1, 5]")};
}

std::vector<Parameter> rates_parameters() {
  std::vector<std::string> names;
  for (const ModelInfo* model : rates::algorithm_registry().models()) names.push_back(model->name);
  names.emplace_back("none");
  return {Parameter::of(Type::text, "algorithm",
                        "algorithm that calculates the rates (see weir list rates); none: they are "
                        "not calculated, in simulations")
              .by_default("ffa")
              .one_of(std::move(names)),
          Parameter::of(Type::real, "reserve",
                        "share alpha of every link that is left to traffic without assigned rates")
              .by_default("0.0")
              .range(0, 1),
          Parameter::of(Type::any, "reserve_of",
                        "share that is left to other traffic on single links, by transmitting "
                        "port: { \"s3[4]\" = 0.25 }")
              .by_default("{}")};
}

Settings read_rate_settings(const ConfigTable& table) {
  return Settings::check(section_table(table, "rates"), rates_parameters(), "rates");
}

RateInput read_rates(const ConfigTable& table, ConfigTable* resolved) {
  RateInput out;
  out.settings = read_rate_settings(table);
  const ConfigValue* list = table.find("flow");
  // Experiments without either keep the identity that they had before there were any.
  if (resolved != nullptr && (list != nullptr || table.contains("rates"))) {
    resolved->set("rates", ConfigValue(out.settings.resolved(), table.position));
  }
  if (list == nullptr) return out;
  const std::span<const ConfigValue> tables =
      list->is_array() ? std::span(list->array()) : std::span(list, 1);
  ConfigArray all;
  out.flows.reserve(tables.size());
  for (const ConfigValue& value : tables) {
    out.flows.push_back(read_flow(value, fmt::format("flow[{}]", out.flows.size()),
                                  resolved == nullptr ? nullptr : &all));
  }
  if (resolved != nullptr) resolved->set("flow", ConfigValue(std::move(all), list->position));
  return out;
}

std::vector<rates::Fraction> make_capacities(const Settings& settings,
                                             const topology::Graph& graph) {
  using rates::Fraction;
  std::vector<Fraction> capacities = rates::link_capacities(graph);
  const Fraction left = Fraction(1) - Fraction::decimal(settings.real("reserve"));
  if (left.is_zero()) throw settings.error("reserve", "leaves the links no capacity");
  const ConfigValue& single = settings.raw("reserve_of");
  if (!single.is_table()) throw settings.error("reserve_of", "must be a table of ports");
  std::vector<Fraction> factor(capacities.size(), left);
  std::vector<std::string> names;
  for (std::size_t p = 0; !single.table().empty() && p < graph.port_count(); ++p) {
    names.push_back(graph.port(PortId(p)).to.valid() ? graph.name(PortId(p)) : std::string());
  }
  for (const ConfigEntry& entry : single.table().entries()) {
    const std::string key = "rates.reserve_of." + entry.key;
    const auto place = std::find(names.begin(), names.end(), entry.key);
    if (place == names.end()) {
      throw InputError(entry.value.position, key,
                       "no port with a cable is called so" + suggestion(entry.key, names));
    }
    if (!entry.value.is_real() && !entry.value.is_integer()) {
      throw InputError(entry.value.position, key, "must be a number");
    }
    const double share = entry.value.is_real() ? std::get<double>(entry.value.data)
                                               : static_cast<double>(entry.value.integer());
    if (!(share >= 0 && share < 1)) {
      throw InputError(entry.value.position, key,
                       fmt::format("must be at least 0 and less than 1, which would leave the link "
                                   "no capacity; this is {}",
                                   share));
    }
    factor[static_cast<std::size_t>(place - names.begin())] =
        Fraction(1) - Fraction::decimal(share);
  }
  for (std::size_t p = 0; p < capacities.size(); ++p) capacities[p] = capacities[p] * factor[p];
  return capacities;
}

}  // namespace weir::experiment
