#include "weir/experiment/config/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>
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
  if (flow.is_given(&FK::name) && flow->name.empty()) {
    throw flow.error(&FK::name, "must not be empty");
  }
  if (flow->size && flow->sizes) throw flow.error(&FK::sizes, "cannot stand beside 'size'");
  if (flow->stop <= flow->start) {
    throw flow.error(&FK::stop,
                     fmt::format("must be later than the start, {}", to_string(flow->start)));
  }
  if (flow->stop != Time::max() && flow->has_size()) {
    throw flow.error(&FK::stop, "is for flows without size: this one has one message");
  }
  if (flow.is_given(&FK::application) && (flow->file || flow->fragmented)) {
    throw flow.error(&FK::application, "cannot stand beside a file or `fragmented`");
  }
  if (flow->path && !is_single) {
    throw flow.error(&FK::path, "stands beside source and destination only");
  }
  if (flow->path && flow->connection == FlowConnection::shared) {
    throw flow.error(&FK::path, "is that of a connection of its own, and this one is shared");
  }
  if (flow->connections && (flow->connection || flow->path)) {
    throw flow.error(&FK::connections, flow->path ? "cannot stand beside 'path', which is one"
                                                  : "cannot stand beside 'connection'");
  }
  if (!(flow->weight > 0)) {
    throw flow.error(&FK::weight, fmt::format("must be greater than 0, not {}", flow->weight));
  }
}

/// A model that a key names, if it does.
template <class Factory, class T>
std::optional<traffic::ModelChoice<Factory>> read_model(const Checked<FK>& flow, T FK::*member,
                                                        const Registry<Factory>& registry,
                                                        ConfigTable& resolved) {
  const std::optional<ConfigValue>& value = (*flow).*member;
  if (!value) return std::nullopt;
  auto chosen = traffic::choose_model(registry, *value, flow.path_to(member));
  resolved.set(flow.name_of(member), chosen.resolved());
  return chosen;
}

/// A table that a key has.
template <class S>
std::shared_ptr<const Checked<S>> read_keys(const Checked<FK>& flow,
                                            std::optional<ConfigValue> FK::*member,
                                            const Keys<S>& keys, ConfigTable& resolved) {
  const ConfigValue& value = *((*flow).*member);
  const std::string where = flow.path_to(member);
  auto read = std::make_shared<const Checked<S>>(keys.check(placed_table(value, where), where));
  resolved.set(flow.name_of(member), ConfigValue(read->settings().resolved(), value.position));
  return read;
}

/// Adds the table with defaults to `resolved`.
FlowEntry read_flow(const ConfigValue& value, const std::string& where, ConfigArray& resolved) {
  FlowEntry entry;
  entry.keys = flow_keys().check(placed_table(value, where), where);
  check_kind(entry.keys);
  const FK& keys = *entry.keys;
  entry.is_named = entry.keys.is_given(&FK::name);
  ConfigTable table = entry.keys.settings().resolved();
  entry.destinations =
      read_model(entry.keys, &FK::destinations, traffic::pattern_registry(), table);
  if (!keys.destinations) table.erase("per_source");
  if (keys.sources && keys.sources->is_table()) {
    entry.sources = read_keys(entry.keys, &FK::sources, traffic::source_keys(), table);
  }
  if (auto sizes = read_model(entry.keys, &FK::sizes, traffic::size_registry(), table)) {
    using Choice = traffic::ModelChoice<traffic::SizeFactory>;
    entry.sizes = std::make_shared<const Choice>(std::move(*sizes));
  }
  if (keys.fragmented) {
    entry.fragmented = read_keys(entry.keys, &FK::fragmented, fragmented_keys(), table);
  }
  if (entry.is_named) table.set("application", ConfigValue(entry.application(), {}));
  if (!entry.keys.is_given(&FK::application) && (keys.file || keys.fragmented)) {
    table.erase("application");
  }
  resolved.emplace_back(std::move(table), value.position);
  return entry;
}

/// The classes of tables by their names.
class ClassFinder {
 public:
  explicit ClassFinder(std::vector<FlowClass>& classes) : classes_(classes) {}

  /// Class of table number `table`. Throws InputError where it has another role than those before.
  std::uint8_t find(const Checked<FK>& flow, std::size_t table) {
    if (last_ == nullptr || last_->first != flow->name) last_ = &class_of(flow, table);
    const FlowClass& its = classes_[last_->second];
    if (its.role == flow->role) return last_->second;
    constexpr const char* kRoles[] = {"none", "cold", "hot"};
    throw flow.error(
        &FK::role,
        fmt::format("is {}, and flow[{}], which is called '{}' as well, has {}: a class has one",
                    kRoles[static_cast<std::size_t>(flow->role)], its.first, its.name,
                    kRoles[static_cast<std::size_t>(its.role)]));
  }

 private:
  using Numbers = std::unordered_map<std::string, std::uint8_t>;

  const Numbers::value_type& class_of(const Checked<FK>& flow, std::size_t table) {
    const auto known = numbers_.find(flow->name);
    if (known != numbers_.end()) return *known;
    if (classes_.size() == traffic::kMaxClasses) {
      throw flow.error(&FK::name, fmt::format("makes more than {} classes", traffic::kMaxClasses));
    }
    const auto number = static_cast<std::uint8_t>(classes_.size());
    classes_.push_back({flow->name, flow->role, table});
    return *numbers_.emplace(flow->name, number).first;
  }

  std::vector<FlowClass>& classes_;
  Numbers numbers_;
  const Numbers::value_type* last_ = nullptr;
};

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const ModelInfo* model : rates::algorithm_registry().models()) names.push_back(model->name);
  names.emplace_back("none");
  return names;
}

}  // namespace

const Keys<FlowKeys>& flow_keys() {
  static const Keys<FK> keys{
      key(&FK::name, "name",
          "name of this class of traffic in results; tables of one name are one class (default: "
          "flows)")
          .without_default(),
      traffic::role_key().without_default(),
      key(&FK::source, "source", "number or name of the source host, for a single flow"),
      key(&FK::destination, "destination",
          "number or name of the destination host, for a single flow"),
      key(&FK::destinations, "destinations",
          "traffic pattern that gives every source its destinations, for many flows, as in { model "
          "= \"random-permutation\" }"),
      key(&FK::sources, "sources",
          "hosts that have flows: \"all\", \"rest\" (hosts that are no source of another entry), a "
          "list of hosts, or a table (see traffic.sources) (default: all hosts)"),
      key(&FK::per_source, "per_source",
          "number of flows of each source; [1, 5]: drawn from these for each"),
      key(&FK::file, "file",
          "file with flows, in lines 'source destination' with an optional weight and application "
          "name"),
      key(&FK::fragmented, "fragmented",
          "applications on scattered groups of hosts (see flow.fragmented)"),
      key(&FK::weight, "weight", "size or priority of each flow"),
      key(&FK::application, "application",
          "name of the application to which the flows belong; that of the class where it has one"),
      key(&FK::size, "size",
          "payload of a flow of weight 1, in simulations (default: flows never end)")
          .at_least(1),
      key(&FK::sizes, "sizes",
          "payload of the flows, drawn for each, as in { model = \"web-search\" }, in place of "
          "`size`"),
      key(&FK::start, "start",
          "time at which the flows start, from the start of their phase, in simulations and for "
          "protocols (default: 0 s)")
          .without_default(),
      key(&FK::stop, "stop",
          "time from which on flows without size send nothing, from the start of their phase "
          "(default: the end)")
          .without_default(),
      key(&FK::phase, "phase",
          "number of the phase to which the flows belong, in simulations: it begins when all data "
          "of the phase before is there and rates.barrier has passed (default: 1)")
          .range(1, 100'000)
          .without_default(),
      traffic::service_level_key("service level of the packets, in simulations (default: 0)")
          .without_default(),
      key(&FK::path, "path",
          "ports by which the packets of a single flow leave the switches on their way, as in "
          "[\"s0[4]\", \"s4[1]\", \"s1[1]\"] (default: by routing or flow_routing)"),
      choice(&FK::connection, "connection",
             "own: each flow is a connection of its own, with its own path, source queue, rate and "
             "statistics; shared: flows between the same two hosts are one, in simulations "
             "(default: own for a single flow, shared for many)",
             {{"own", FlowConnection::own}, {"shared", FlowConnection::shared}}),
      key(&FK::connections, "connections",
          "connections of a source to each destination, each with a flow of its own, as those of "
          "[[traffic]], in place of `connection`")
          .range(1, 65'535)};
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

const std::string& FlowEntry::application() const {
  return is_named && !keys.is_given(&FK::application) ? keys->name : keys->application;
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
  ClassFinder classes(out.classes);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    problems.attempt([&] {
      FlowEntry entry = read_flow(tables[i], fmt::format("flow[{}]", i), all);
      entry.number_of_class = classes.find(entry.keys, i);
      out.flows.push_back(std::move(entry));
    });
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
