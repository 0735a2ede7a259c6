#include "weir/experiment/config/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "weir/base/problems.hpp"
#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/rates/algorithm.hpp"

namespace weir::experiment {
namespace {

using FK = FlowKeys;

/// The keys that say what kind of entry this is, and what each may stand beside.
void check_kind(const Checked<FK>& flow) {
  const bool is_single = flow->source || flow->destination;
  const int kinds = (is_single ? 1 : 0) + (flow->destinations ? 1 : 0) + (flow->file ? 1 : 0) +
                    (flow->fragmented ? 1 : 0);
  if (kinds == 0) {
    throw flow.error(&FK::source,
                     "is missing; a flow has source and destination, or `destinations`, `file` or "
                     "`fragmented` make many flows");
  }
  if (kinds > 1) {
    throw flow.error(&FK::destinations,
                     "one of source and destination, `destinations`, `file` and `fragmented` can "
                     "stand in a table");
  }
  if (is_single && !flow->source) throw flow.error(&FK::source, "is missing");
  if (is_single && !flow->destination) throw flow.error(&FK::destination, "is missing");
  const auto belongs_to_pattern = [&](auto member) {
    if (flow.is_given(member) && !flow->destinations)
      throw flow.error(member, "stands beside `destinations` only");
  };
  belongs_to_pattern(&FK::sources);
  belongs_to_pattern(&FK::per_source);
  if (flow.is_given(&FK::application) && (flow->file || flow->fragmented)) {
    throw flow.error(&FK::application, "cannot stand beside a file or `fragmented`");
  }
  if (flow->path && !is_single) {
    throw flow.error(&FK::path, "stands beside source and destination only");
  }
  if (flow->path && flow->connection == FlowConnection::shared) {
    throw flow.error(&FK::path, "is that of a connection of its own, and this one is shared");
  }
  if (!(flow->weight > 0)) {
    throw flow.error(&FK::weight, fmt::format("must be greater than 0, not {}", flow->weight));
  }
}

/// Adds the table with defaults to `resolved`.
FlowEntry read_flow(const ConfigValue& value, const std::string& where, ConfigArray& resolved) {
  FlowEntry entry;
  entry.keys = flow_keys().check(placed_table(value, where), where);
  check_kind(entry.keys);
  const FK& keys = *entry.keys;
  ConfigTable table = entry.keys.settings().resolved();
  if (keys.destinations) {
    entry.destinations = traffic::choose_model(traffic::pattern_registry(), *keys.destinations,
                                               where + ".destinations");
    table.set("destinations", entry.destinations->resolved());
  } else {
    table.erase("per_source");
  }
  if (keys.fragmented) {
    const std::string key = where + ".fragmented";
    entry.fragmented = fragmented_keys().check(placed_table(*keys.fragmented, key), key);
    table.set("fragmented",
              ConfigValue(entry.fragmented->settings().resolved(), keys.fragmented->position));
  }
  if (!entry.keys.is_given(&FK::application) && (keys.file || keys.fragmented)) {
    table.erase("application");
  }
  resolved.emplace_back(std::move(table), value.position);
  return entry;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const ModelInfo* model : rates::algorithm_registry().models()) names.push_back(model->name);
  names.emplace_back("none");
  return names;
}

}  // namespace

const Keys<FlowKeys>& flow_keys() {
  static const Keys<FK> keys{
      key(&FK::source, "source", "number or name of the source host, for a single flow"),
      key(&FK::destination, "destination",
          "number or name of the destination host, for a single flow"),
      key(&FK::destinations, "destinations",
          "traffic pattern that gives every source its destinations, for many flows, as in { model "
          "= \"random-permutation\" }"),
      key(&FK::sources, "sources", "hosts that have flows (default: all hosts)"),
      key(&FK::per_source, "per_source",
          "number of flows of each source; [1, 5]: drawn from these for each"),
      key(&FK::file, "file",
          "file with flows, in lines 'source destination' with an optional weight and application "
          "name"),
      key(&FK::fragmented, "fragmented",
          "applications on scattered groups of hosts (see flow.fragmented)"),
      key(&FK::weight, "weight", "size or priority of each flow"),
      key(&FK::application, "application", "name of the application to which the flows belong"),
      key(&FK::size, "size",
          "payload of a flow of weight 1, in simulations (default: flows never end)")
          .at_least(1),
      key(&FK::start, "start",
          "time at which the flows start, from the start of their phase, in simulations and for "
          "protocols (default: 0 s)")
          .without_default(),
      key(&FK::phase, "phase",
          "number of the phase to which the flows belong, in simulations: it begins when all data "
          "of the phase before is there and rates.barrier has passed (default: 1)")
          .range(1, 100'000)
          .without_default(),
      key(&FK::service_level, "service_level",
          "service level of the packets, in simulations (default: 0)")
          .range(0, 15)
          .without_default(),
      key(&FK::path, "path",
          "ports by which the packets of a single flow leave the switches on their way, as in "
          "[\"s0[4]\", \"s4[1]\", \"s1[1]\"] (default: by routing or flow_routing)"),
      choice(&FK::connection, "connection",
             "own: each flow is a connection of its own, with its own path, source queue, rate and "
             "statistics; shared: flows between the same two hosts are one, in simulations "
             "(default: own for a single flow, shared for many)",
             {{"own", FlowConnection::own}, {"shared", FlowConnection::shared}})};
  return keys;
}

const Keys<FragmentedKeys>& fragmented_keys() {
  using F = FragmentedKeys;
  static const Keys<F> keys{
      key(&F::applications, "applications",
          "number of applications, all with the same number of hosts")
          .range(1, 1 << 20),
      key(&F::fragments, "fragments",
          "number of groups of neighbours into which an application's hosts are split")
          .range(1, 1 << 20),
      key(&F::permutations, "permutations",
          "number of superposed random permutations of an application's hosts; [1, 5]: drawn from "
          "these for each")};
  return keys;
}

const Keys<RatesKeys>& rates_keys() {
  using R = RatesKeys;
  static const Keys<R> keys{
      key(&R::algorithm, "algorithm",
          "algorithm that calculates the rates (see weir list rates); none: they are not "
          "calculated, in simulations")
          .one_of(algorithm_names()),
      key(&R::reserve, "reserve",
          "share alpha of every link that is left to traffic without assigned rates")
          .range(0, 1),
      key(&R::barrier, "barrier",
          "time that a barrier takes between two phases of [[flow]]s, from the last delivery of "
          "one to the start of the next (default: 0 s)")
          .without_default(),
      key(&R::reserve_of, "reserve_of",
          "share that is left to other traffic on single links, by transmitting port: { \"s3[4]\" "
          "= 0.25 }")};
  return keys;
}

RateInput read_rates(const ConfigTable& table, bool some_traffic, ConfigTable& resolved) {
  RateInput out;
  Problems problems;
  problems.attempt([&] { out.keys = read_section(rates_keys(), table, "rates"); });
  const ConfigValue* list = table.find("flow");
  // Experiments without any keep the identity that they had before there were any.
  if (problems.empty() && (list != nullptr || some_traffic || table.contains("rates"))) {
    resolved.set("rates", ConfigValue(out.keys.settings().resolved(), table.position));
  }
  if (list == nullptr) {
    problems.raise();
    return out;
  }
  const std::span<const ConfigValue> tables =
      list->is_array() ? std::span(list->array()) : std::span(list, 1);
  ConfigArray all;
  out.flows.reserve(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    problems.attempt(
        [&] { out.flows.push_back(read_flow(tables[i], fmt::format("flow[{}]", i), all)); });
  }
  problems.raise();
  resolved.set("flow", ConfigValue(std::move(all), list->position));
  return out;
}

std::vector<rates::Fraction> make_capacities(const Checked<RatesKeys>& keys,
                                             const topology::Graph& graph) {
  using rates::Fraction;
  std::vector<Fraction> capacities = rates::link_capacities(graph);
  const Fraction left = Fraction(1) - Fraction::decimal(keys->reserve);
  if (left.is_zero()) throw keys.error(&RatesKeys::reserve, "leaves the links no capacity");
  const ConfigValue& single = keys->reserve_of;
  if (!single.is_table()) throw keys.error(&RatesKeys::reserve_of, "must be a table of ports");
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
