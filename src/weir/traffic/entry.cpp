#include <fmt/format.h>

#include <utility>

#include "weir/base/problems.hpp"
#include "weir/traffic/streams.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {
namespace {

/// A phase, or what a table without phases has in its place.
Phase checked_phase(const Checked<Phase>& phase, const std::vector<Phase>& earlier) {
  if (phase->stop <= phase->start) {
    throw phase.error(&Phase::stop,
                      fmt::format("must be later than the start, {}", to_string(phase->start)));
  }
  if (!earlier.empty() && phase->start < earlier.back().stop) {
    throw phase.error(&Phase::start, "must not be before the end of the phase before");
  }
  return *phase;
}

void read_phases(TrafficEntry& entry) {
  using T = TrafficKeys;
  const Checked<T>& keys = entry.keys;
  if (!keys->phases) {
    entry.phases.push_back(checked_phase(keys, {}));
    return;
  }
  const auto refuse = [&](auto member) {
    if (!keys.is_given(member)) return;
    throw keys.error(&T::phases, fmt::format("cannot stand beside '{}'", keys.name_of(member)));
  };
  refuse(&T::start);
  refuse(&T::stop);
  refuse(&T::trace);
  refuse(&T::storage);
  refuse(&T::incast);
  const ConfigValue& list = *keys->phases;
  if (!list.is_array() || list.array().empty())
    throw keys.error(&T::phases, "must be a list of tables with start, stop and load");
  ConfigArray resolved;
  Problems problems;
  for (std::size_t i = 0; i < list.array().size(); ++i) {
    const ConfigValue& value = list.array()[i];
    const std::string where = fmt::format("{}[{}]", keys.path_to(&T::phases), i);
    problems.attempt([&] {
      const Checked<Phase> phase = phase_keys().check(placed_table(value, where), where);
      entry.phases.push_back(checked_phase(phase, entry.phases));
      resolved.emplace_back(phase.settings().resolved(), value.position);
    });
  }
  problems.raise();
  entry.resolved.set(keys.name_of(&T::phases), ConfigValue(std::move(resolved), list.position));
}

/// Reads the table that a key has.
template <class S, class T>
Checked<S> read_table(TrafficEntry& entry, T TrafficKeys::*member, const ConfigValue& value,
                      const Keys<S>& keys) {
  const std::string where = entry.keys.path_to(member);
  Checked<S> read = keys.check(placed_table(value, where), where);
  entry.resolved.set(entry.keys.name_of(member),
                     ConfigValue(read.settings().resolved(), value.position));
  return read;
}

void read_sources(TrafficEntry& entry) {
  const ConfigValue& value = entry.keys->sources;
  if (value.is_table())
    entry.sources = read_table(entry, &TrafficKeys::sources, value, source_keys());
}

template <class Factory>
ModelChoice<Factory> read_model(TrafficEntry& entry,
                                std::optional<ConfigValue> TrafficKeys::*member,
                                const Registry<Factory>& registry) {
  const std::optional<ConfigValue>& value = (*entry.keys).*member;
  if (!value) {
    throw entry.keys.error(
        member,
        "is missing; it must be a table as in { model = ... } (or give "
        "'trace', 'storage' or 'incast' in place of destinations, arrivals and sizes)");
  }
  const std::string& key = entry.keys.name_of(member);
  auto choice = choose_model(registry, *value, entry.keys.path_to(member));
  entry.resolved.set(key, choice.resolved());
  return choice;
}

/// A table that stands in place of sources, destinations, arrivals and sizes.
template <class S>
Checked<S> read_instead(TrafficEntry& entry, std::optional<ConfigValue> TrafficKeys::*member,
                        const Keys<S>& keys) {
  using T = TrafficKeys;
  const std::string& name = entry.keys.name_of(member);
  const auto refuse = [&](auto other) {
    if (!entry.keys.is_given(other)) return;
    throw entry.keys.error(other, fmt::format("cannot stand beside '{}', which has its own", name));
  };
  refuse(&T::sources);
  refuse(&T::destinations);
  refuse(&T::arrivals);
  refuse(&T::sizes);
  refuse(&T::connections);
  entry.resolved.erase(entry.keys.name_of(&T::sources));
  entry.resolved.erase(entry.keys.name_of(&T::connections));
  return read_table(entry, member, *((*entry.keys).*member), keys);
}

void read_storage(TrafficEntry& entry) {
  entry.storage = read_instead(entry, &TrafficKeys::storage, storage_keys());
  const Checked<StorageKeys>& keys = *entry.storage;
  constexpr auto kSizes = &StorageKeys::sizes;
  entry.sizes = choose_model(size_registry(), keys->sizes, keys.path_to(kSizes));
  entry.resolved.find(entry.keys.name_of(&TrafficKeys::storage))
      ->table()
      .set(keys.name_of(kSizes), entry.sizes->resolved());
}

/// Several connections of a source are several sources that share its load.
void check_connections(const TrafficEntry& entry) {
  using T = TrafficKeys;
  if (entry.connections == 1) return;
  const auto refuse = [&](auto member) {
    if (!entry.keys.is_given(member)) return;
    throw entry.keys.error(member,
                           fmt::format("cannot stand beside {} connections", entry.connections));
  };
  refuse(&T::messages);
  refuse(&T::reserve);
  const std::string& arrivals = entry.arrivals->name;
  if (arrivals != "saturated" && arrivals != "once") return;
  throw entry.keys.error(
      &T::connections,
      fmt::format("share a load, and arrivals '{}' have none; give arrivals that do, such as "
                  "poisson",
                  arrivals));
}

/// At most one of those that stand in place of patterns.
void check_alternatives(const Checked<TrafficKeys>& keys) {
  using T = TrafficKeys;
  std::string given;
  for (const auto member : {&T::trace, &T::storage, &T::incast}) {
    if (!keys.is_given(member)) continue;
    if (!given.empty()) throw keys.error(member, "cannot stand beside '" + given + "'");
    given = keys.name_of(member);
  }
}

/// The keys of the table itself. Where they are wrong, what stands in its models is told as well.
Checked<TrafficKeys> check_keys(const ConfigTable& table, const std::string& where) {
  Problems problems;
  Checked<TrafficKeys> keys;
  if (problems.attempt([&] { keys = traffic_keys().check(table, where); })) return keys;
  const auto check_model = [&](const char* key, const auto& registry) {
    const ConfigValue* value = table.find(key);
    if (value == nullptr) return;
    problems.attempt([&] { (void)choose_model(registry, *value, where + "." + key); });
  };
  check_model("destinations", pattern_registry());
  check_model("arrivals", arrival_registry());
  check_model("sizes", size_registry());
  problems.raise();
  return keys;
}

}  // namespace

TrafficEntry TrafficEntry::check(const ConfigTable& table, const std::string& where) {
  using T = TrafficKeys;
  TrafficEntry entry;
  entry.where = where;
  entry.keys = check_keys(table, where);
  const Checked<T>& keys = entry.keys;
  static_cast<TrafficBasics&>(entry) = *keys;
  entry.resolved = keys.settings().resolved();
  if (entry.name.empty()) throw keys.error(&T::name, "must not be empty");
  if (keys->reserve) {
    const std::int64_t bits = keys->reserve->count;
    if (bits % 8 != 0) throw keys.error(&T::reserve, "must be whole bytes per second");
    entry.reserve = bits / 8;
  }
  Problems problems;
  problems.attempt([&] { read_phases(entry); });
  problems.attempt([&] { check_alternatives(keys); });
  if (keys->trace) {
    problems.attempt([&] { entry.trace = read_instead(entry, &T::trace, trace_keys()); });
  } else if (keys->storage) {
    problems.attempt([&] { read_storage(entry); });
  } else if (keys->incast) {
    problems.attempt([&] { entry.incast = read_instead(entry, &T::incast, incast_keys()); });
  } else {
    problems.attempt([&] { read_sources(entry); });
    problems.attempt(
        [&] { entry.destinations = read_model(entry, &T::destinations, pattern_registry()); });
    problems.attempt([&] { entry.arrivals = read_model(entry, &T::arrivals, arrival_registry()); });
    problems.attempt([&] { entry.sizes = read_model(entry, &T::sizes, size_registry()); });
    if (problems.empty()) check_connections(entry);
  }
  problems.raise();
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
  Problems problems;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string where = fmt::format("traffic[{}]", i);
    problems.attempt([&] {
      TrafficEntry entry = TrafficEntry::check(placed_table(tables[i], where), where);
      for (const TrafficEntry& earlier : entries) {
        if (earlier.name != entry.name) continue;
        throw entry.keys.error(&TrafficKeys::name, fmt::format("'{}' is the name of {} already",
                                                               entry.name, earlier.where));
      }
      entries.push_back(std::move(entry));
    });
  }
  problems.raise();
  return entries;
}

}  // namespace weir::traffic
