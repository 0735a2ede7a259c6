#include "weir/workload/entry.hpp"

#include <fmt/format.h>

#include "weir/workload/mapping.hpp"

namespace weir::workload {
namespace {

using Type = ParameterType;

ConfigTable as_table(const ConfigValue& value, const std::string& where) {
  if (!value.is_table()) {
    throw InputError(value.position, where,
                     fmt::format("must be a table, not {}", value.kind_name()));
  }
  ConfigTable table = value.table();
  if (table.position.line == 0) table.position = value.position;
  return table;
}

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

const std::vector<Parameter>& workload_parameters() {
  static const std::vector<Parameter> all{
      Parameter::of(Type::text, "name", "name of the workload in its messages and metrics")
          .required(),
      Parameter::of(Type::text, "role",
                    "role in the study, as that of [[traffic]]: packets of cold workloads may be "
                    "victims of hot traffic, and their numbers are reported as such")
          .by_default("none")
          .one_of({"none", "cold", "hot"}),
      Parameter::of(
          Type::integer, "ranks",
          "processes of the program (default: one for each host; a file has its own number)")
          .range(1, 1'000'000),
      Parameter::of(Type::any, "mapping",
                    "host of each rank: linear, rank r on host r; round-robin, on host r mod "
                    "hosts; random, the same on shuffled hosts; or a list")
          .by_default("linear"),
      Parameter::of(Type::time, "start", "time at which the workload begins").by_default("0 ns"),
      Parameter::of(
          Type::time, "overhead",
          "time for which every send and receive keeps the CPU of its rank busy (o of LogGP)")
          .by_default("0 ns"),
      Parameter::of(Type::bytes, "rendezvous",
                    "size above which a send is done only when its receive has taken the message "
                    "(default: never; a send is done when the host has the message)"),
      Parameter::of(Type::integer, "service_level", "service level of the packets")
          .by_default("0")
          .range(0, 15)};
  return all;
}

WorkloadEntry WorkloadEntry::check(const ConfigTable& table, const std::string& where) {
  WorkloadEntry entry;
  entry.where = where;
  ConfigTable rest = table;
  entry.settings = Settings::check(take_own(rest), workload_parameters(), where);
  entry.name = entry.settings.text("name");
  if (entry.name.empty()) throw entry.settings.error("name", "must not be empty");
  const ConfigValue& name = model_of(rest, where);
  const auto& model = workload_registry().find(name.text(), name.position, where + ".model");
  entry.model_name = model.info.name;
  entry.make = &model.make;
  entry.model = Settings::check(rest, model.info.parameters, where, {"model"});
  entry.resolved = entry.settings.resolved();
  entry.resolved.set("model", name);
  const ConfigTable settings = entry.model.resolved();
  for (const ConfigEntry& one : settings.entries()) entry.resolved.set(one.key, one.value);
  check_mapping(entry.settings);
  return entry;
}

std::vector<WorkloadEntry> check_workloads(const ConfigValue& value) {
  const ConfigArray tables = value.is_array() ? value.array() : ConfigArray{value};
  if (tables.empty()) throw InputError(value.position, "workload", "is an empty list");
  std::vector<WorkloadEntry> entries;
  for (const ConfigValue& table : tables) {
    const std::string where = fmt::format("workload[{}]", entries.size());
    entries.push_back(WorkloadEntry::check(as_table(table, where), where));
    for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
      if (entries[i].name != entries.back().name) continue;
      throw entries.back().settings.error(
          "name", fmt::format("'{}' is the name of {} already", entries[i].name, entries[i].where));
    }
  }
  return entries;
}

std::vector<Workload> make_workloads(const std::vector<WorkloadEntry>& entries,
                                     const topology::Graph& graph, std::uint64_t seed,
                                     std::size_t first_class) {
  std::vector<Workload> made;
  for (const WorkloadEntry& entry : entries) {
    const Settings& settings = entry.settings;
    const bool is_given = settings.has("ranks");
    const std::size_t ranks =
        is_given ? static_cast<std::size_t>(settings.integer("ranks")) : graph.host_count();
    Workload one;
    one.name = entry.name;
    one.schedule =
        std::make_shared<const Schedule>((*entry.make)(entry.model, RankCount{ranks, is_given}));
    one.hosts = place_ranks(settings, one.schedule->rank_count(), graph,
                            {seed, static_cast<std::uint32_t>(made.size())});
    one.settings.start = settings.time("start");
    one.settings.overhead = settings.time("overhead");
    if (settings.has("rendezvous")) one.settings.rendezvous = settings.bytes("rendezvous");
    one.settings.traffic_class = static_cast<std::uint8_t>(first_class + made.size());
    one.settings.service_level = static_cast<std::uint8_t>(settings.integer("service_level"));
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace weir::workload
