#include <fmt/format.h>

#include <utility>

#include "weir/traffic/streams.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {
namespace {

Role role_called(const std::string& text) {
  if (text == "hot") return Role::hot;
  return text == "cold" ? Role::cold : Role::none;
}

/// A table below an entry, with the position of its value where it has none itself.
ConfigTable as_table(const ConfigValue& value, const std::string& key) {
  if (!value.is_table()) {
    throw InputError(value.position, key,
                     fmt::format("must be a table, not {}", value.kind_name()));
  }
  ConfigTable table = value.table();
  if (table.position.line == 0) table.position = value.position;
  return table;
}

Phase read_phase(const Settings& settings, const std::vector<Phase>& earlier) {
  Phase phase;
  if (settings.has("start")) phase.start = settings.time("start");
  if (settings.has("stop")) phase.stop = settings.time("stop");
  if (settings.has("load")) phase.load = settings.real("load");
  if (phase.stop <= phase.start) {
    throw settings.error("stop",
                         fmt::format("must be later than the start, {}", to_string(phase.start)));
  }
  if (!earlier.empty() && phase.start < earlier.back().stop) {
    throw settings.error("start", "must not be before the end of the phase before");
  }
  return phase;
}

void read_phases(TrafficEntry& entry) {
  const Settings& settings = entry.settings;
  if (!settings.has("phases")) {
    entry.phases.push_back(read_phase(settings, {}));
    return;
  }
  for (const char* key : {"start", "stop", "trace", "storage", "incast"}) {
    if (settings.has(key)) {
      throw settings.error("phases", fmt::format("cannot stand beside '{}'", key));
    }
  }
  const ConfigValue& list = settings.raw("phases");
  if (!list.is_array() || list.array().empty()) {
    throw settings.error("phases", "must be a list of tables with start, stop and load");
  }
  ConfigArray resolved;
  for (const ConfigValue& value : list.array()) {
    const std::string where = fmt::format("{}.phases[{}]", entry.where, resolved.size());
    const Settings phase = Settings::check(as_table(value, where), phase_parameters(), where);
    entry.phases.push_back(read_phase(phase, entry.phases));
    resolved.emplace_back(phase.resolved(), value.position);
  }
  entry.resolved.set("phases", ConfigValue(std::move(resolved), list.position));
}

void read_sources(TrafficEntry& entry) {
  const std::string key = entry.where + ".sources";
  const ConfigValue& value = entry.settings.raw("sources");
  if (value.is_table()) {
    entry.sources = Settings::check(as_table(value, key), source_parameters(), key);
    entry.resolved.set("sources", ConfigValue(entry.sources->resolved(), value.position));
  }
}

template <class Factory>
ModelChoice<Factory> read_model(TrafficEntry& entry, const std::string& key,
                                const Registry<Factory>& registry) {
  if (!entry.settings.has(key)) {
    throw entry.settings.error(
        key,
        "is missing; it must be a table as in { model = ... } (or give "
        "'trace', 'storage' or 'incast' in place of destinations, arrivals and sizes)");
  }
  auto choice = choose_model(registry, entry.settings.raw(key), entry.where + "." + key);
  entry.resolved.set(key, choice.resolved());
  return choice;
}

/// A table, `name`, that stands in place of sources, destinations, arrivals and sizes.
Settings read_instead(TrafficEntry& entry, const std::string& name,
                      const std::vector<Parameter>& parameters) {
  for (const char* key : {"sources", "destinations", "arrivals", "sizes", "connections"}) {
    if (entry.settings.given(key)) {
      throw entry.settings.error(key,
                                 fmt::format("cannot stand beside '{}', which has its own", name));
    }
  }
  entry.resolved.erase("sources");
  entry.resolved.erase("connections");
  const std::string key = entry.where + "." + name;
  const ConfigValue& value = entry.settings.raw(name);
  Settings settings = Settings::check(as_table(value, key), parameters, key);
  entry.resolved.set(name, ConfigValue(settings.resolved(), value.position));
  return settings;
}

void read_storage_settings(TrafficEntry& entry) {
  entry.storage = read_instead(entry, "storage", storage_parameters());
  entry.sizes =
      choose_model(size_registry(), entry.storage->raw("sizes"), entry.where + ".storage.sizes");
  ConfigTable resolved = entry.storage->resolved();
  resolved.set("sizes", entry.sizes->resolved());
  entry.resolved.set("storage",
                     ConfigValue(std::move(resolved), entry.settings.raw("storage").position));
}

/// Several connections of a source are several sources that share its load.
void check_connections(const TrafficEntry& entry) {
  if (entry.connections == 1) return;
  for (const char* key : {"messages", "reserve"}) {
    if (!entry.settings.has(key)) continue;
    throw entry.settings.error(
        key, fmt::format("cannot stand beside {} connections", entry.connections));
  }
  const std::string& arrivals = entry.arrivals->name;
  if (arrivals != "saturated" && arrivals != "once") return;
  throw entry.settings.error(
      "connections",
      fmt::format("share a load, and arrivals '{}' have none; give arrivals that do, such as "
                  "poisson",
                  arrivals));
}

/// At most one of those that stand in place of patterns.
void check_alternatives(const Settings& settings) {
  std::string given;
  for (const char* key : {"trace", "storage", "incast"}) {
    if (!settings.has(key)) continue;
    if (!given.empty()) throw settings.error(key, "cannot stand beside '" + given + "'");
    given = key;
  }
}

}  // namespace

TrafficEntry TrafficEntry::check(const ConfigTable& table, const std::string& where) {
  TrafficEntry entry;
  entry.where = where;
  entry.settings = Settings::check(table, traffic_parameters(), where);
  const Settings& settings = entry.settings;
  entry.resolved = settings.resolved();
  entry.name = settings.text("name");
  if (entry.name.empty()) throw settings.error("name", "must not be empty");
  entry.role = role_called(settings.text("role"));
  entry.service_level = static_cast<std::uint8_t>(settings.integer("service_level"));
  entry.connections = static_cast<std::uint16_t>(settings.integer("connections"));
  if (settings.has("reserve")) {
    const std::int64_t bits = settings.rate("reserve").count;
    if (bits % 8 != 0) throw settings.error("reserve", "must be whole bytes per second");
    entry.reserve = bits / 8;
  }
  if (settings.has("messages")) {
    entry.messages = static_cast<std::uint64_t>(settings.integer("messages"));
  }
  entry.start_after_packets = static_cast<std::uint64_t>(settings.integer("start_after_packets"));
  read_phases(entry);
  check_alternatives(settings);
  if (settings.has("trace")) {
    entry.trace = read_instead(entry, "trace", trace_parameters());
    return entry;
  }
  if (settings.has("storage")) {
    read_storage_settings(entry);
    return entry;
  }
  if (settings.has("incast")) {
    entry.incast = read_instead(entry, "incast", incast_parameters());
    return entry;
  }
  read_sources(entry);
  entry.destinations = read_model(entry, "destinations", pattern_registry());
  entry.arrivals = read_model(entry, "arrivals", arrival_registry());
  entry.sizes = read_model(entry, "sizes", size_registry());
  check_connections(entry);
  return entry;
}

std::vector<TrafficEntry> check_traffic(const ConfigValue& value) {
  const ConfigArray tables = value.is_array() ? value.array() : ConfigArray{value};
  if (tables.empty()) throw InputError(value.position, "traffic", "is an empty list");
  if (tables.size() > kMaxClasses) {
    throw InputError(
        value.position, "traffic",
        fmt::format("has {} tables; at most {} are possible", tables.size(), kMaxClasses));
  }
  std::vector<TrafficEntry> entries;
  for (const ConfigValue& table : tables) {
    const std::string where = fmt::format("traffic[{}]", entries.size());
    TrafficEntry entry = TrafficEntry::check(as_table(table, where), where);
    for (const TrafficEntry& earlier : entries) {
      if (earlier.name != entry.name) continue;
      throw entry.settings.error(
          "name", fmt::format("'{}' is the name of {} already", entry.name, earlier.where));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace weir::traffic
