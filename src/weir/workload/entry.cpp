#include "weir/workload/entry.hpp"

#include <fmt/format.h>

#include "weir/base/problems.hpp"
#include "weir/workload/mapping.hpp"

namespace weir::workload {
namespace {

/// Splits off the keys of workload_parameters().
ConfigTable take_own(ConfigTable& table) {
  ConfigTable own;
  own.position = table.position;
  for (const Parameter& parameter : workload_parameters()) {
    if (const ConfigValue* value = table.find(parameter.name)) own.set(parameter.name, *value);
    table.erase(parameter.name);
  }
  return own;
}

const ConfigValue& model_of(const ConfigTable& table, const std::string& where) {
  const ConfigValue* name = table.find("model");
  if (name == nullptr) {
    throw InputError(table.position, where + ".model",
                     "is missing; it names a schedule (see weir list workload)");
  }
  if (!name->is_text()) throw InputError(name->position, where + ".model", "must be a string");
  return *name;
}

}  // namespace

const Keys<WorkloadSettings>& workload_keys() {
  using K = WorkloadSettings;
  static const Keys<K> keys{
      key(&K::name, "name", "name of the workload in its messages and metrics").required(),
      choice(&K::role, "role",
             "role in the study, as that of [[traffic]]: packets of cold workloads may be victims "
             "of hot traffic, and their numbers are reported as such",
             {{"none", traffic::Role::none},
              {"cold", traffic::Role::cold},
              {"hot", traffic::Role::hot}}),
      key(&K::ranks, "ranks",
          "processes of the program (default: one for each host that is not excluded; a file has "
          "its own number)")
          .range(1, 1'000'000),
      key(&K::mapping, "mapping",
          "host of each rank: linear, rank r on host r; round-robin, on host r mod hosts; random, "
          "the same on shuffled hosts; or a list"),
      key(&K::exclude, "exclude", "hosts that get no rank"),
      key(&K::start, "start", "time at which the workload begins"),
      key(&K::overhead, "overhead",
          "time for which every send and receive keeps the CPU of its rank busy (o of LogGP)"),
      key(&K::rendezvous, "rendezvous",
          "size above which a send is done only when its receive has taken the message (default: "
          "never; a send is done when the host has the message)")
          .without_default(),
      key(&K::service_level, "service_level", "service level of the packets").range(0, 15)};
  return keys;
}

const std::vector<Parameter>& workload_parameters() { return workload_keys().parameters(); }

WorkloadEntry WorkloadEntry::check(const ConfigTable& table, const std::string& where) {
  ConfigTable rest = table;
  Problems problems;
  Checked<WorkloadSettings> own;
  Settings settings_of_model;
  const Registry<WorkloadFactory>::Model* found = nullptr;
  const ConfigTable own_keys = take_own(rest);
  problems.attempt([&] { own = workload_keys().check(own_keys, where); });
  problems.attempt([&] {
    const ConfigValue& called = model_of(rest, where);
    found = &workload_registry().find(called.text(), called.position, where + ".model");
    settings_of_model = Settings::check(rest, found->info.parameters, where, {"model"});
  });
  problems.raise();
  if (own->name.empty()) throw own.error(&WorkloadSettings::name, "must not be empty");
  const ConfigValue& name = model_of(rest, where);
  const auto& model = *found;
  WorkloadEntry entry{own->name,
                      where,
                      model.info.name,
                      own,
                      std::move(settings_of_model),
                      &model.make,
                      own.settings().resolved()};
  entry.resolved.set("model", name);
  const ConfigTable settings = entry.model.resolved();
  for (const ConfigEntry& one : settings.entries()) entry.resolved.set(one.key, one.value);
  check_mapping(own);
  return entry;
}

std::vector<WorkloadEntry> check_workloads(const ConfigValue& value) {
  const ConfigArray tables = value.is_array() ? value.array() : ConfigArray{value};
  if (tables.empty()) throw InputError(value.position, "workload", "is an empty list");
  std::vector<WorkloadEntry> entries;
  Problems problems;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string where = fmt::format("workload[{}]", i);
    problems.attempt([&] {
      WorkloadEntry entry = WorkloadEntry::check(placed_table(tables[i], where), where);
      for (const WorkloadEntry& earlier : entries) {
        if (earlier.name != entry.name) continue;
        throw entry.settings.error(
            &WorkloadSettings::name,
            fmt::format("'{}' is the name of {} already", earlier.name, earlier.where));
      }
      entries.push_back(std::move(entry));
    });
  }
  problems.raise();
  return entries;
}

std::vector<Workload> make_workloads(const std::vector<WorkloadEntry>& entries,
                                     const topology::Graph& graph, std::uint64_t seed,
                                     std::size_t first_class) {
  std::vector<Workload> made;
  for (const WorkloadEntry& entry : entries) {
    const WorkloadSettings& settings = *entry.settings;
    const std::size_t open = graph.host_count() - excluded_hosts(entry.settings, graph).size();
    const RankCount ranks{settings.ranks.value_or(open), settings.ranks.has_value()};
    Workload one;
    one.name = entry.name;
    one.schedule = std::make_shared<const Schedule>((*entry.make)(entry.model, ranks));
    one.hosts = place_ranks(entry.settings, one.schedule->rank_count(), graph,
                            {seed, static_cast<std::uint32_t>(made.size())});
    one.settings = settings;
    one.settings.traffic_class = static_cast<std::uint8_t>(first_class + made.size());
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace weir::workload
