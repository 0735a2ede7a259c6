#include "weir/traffic/source_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/host_names.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {
namespace {

using Hosts = std::vector<HostId>;
using SK = SourceKeys;

Hosts hosts_of_jobs(const Checked<SK>& keys, const topology::Graph& graph) {
  try {
    return hosts_of(read_jobs(keys->jobs->name, graph), keys->job);
  } catch (const InputError&) {
    throw;
  } catch (const std::invalid_argument& problem) {
    if (!keys->job) throw keys.error(&SK::jobs, problem.what());
    throw keys.error(&SK::job, problem.what());
  } catch (const std::runtime_error& problem) {
    throw keys.error(&SK::jobs, problem.what());
  }
}

Hosts hosts_in_range(const Checked<SK>& keys, const topology::Graph& graph) {
  const std::vector<std::int64_t>& ends = *keys->range;
  const auto last = static_cast<std::int64_t>(graph.host_count()) - 1;
  if (ends.size() != 2 || ends[0] > ends[1] || ends[1] > last) {
    throw keys.error(&SK::range,
                     fmt::format("must be [first, last] with hosts from 0 to {}", last));
  }
  const Hosts all = all_hosts(graph);
  return {all.begin() + ends[0], all.begin() + ends[1] + 1};
}

void keep_modulo(const Checked<SK>& keys, Hosts& hosts) {
  if (!keys->modulo) return;
  const std::vector<std::int64_t>& modulo = *keys->modulo;
  if (modulo.size() != 2 || modulo[0] < 1 || modulo[1] >= modulo[0]) {
    throw keys.error(&SK::modulo, "must be [divisor, remainder] with the remainder smaller");
  }
  std::erase_if(hosts, [&modulo](HostId h) { return h.value % modulo[0] != modulo[1]; });
}

/// How many of `available` hosts are sources.
std::size_t wanted_sources(const Checked<SK>& keys, std::size_t available,
                           const topology::Graph& graph) {
  if (!keys->count && !keys->fraction) return available;
  if (keys->count && keys->fraction)
    throw keys.error(&SK::fraction, "give either 'fraction' or 'count'");
  const auto wrong = [&](const std::string& why) {
    return keys->count ? keys.error(&SK::count, why) : keys.error(&SK::fraction, why);
  };
  const auto all = static_cast<double>(graph.host_count());
  const std::int64_t count =
      keys->count ? *keys->count : static_cast<std::int64_t>(std::llround(*keys->fraction * all));
  if (count == 0) throw wrong(fmt::format("of {:.0f} hosts is no host", all));
  if (static_cast<std::size_t>(count) > available) {
    throw wrong(fmt::format("asks for {} sources; only {} hosts are left to choose from", count,
                            available));
  }
  return static_cast<std::size_t>(count);
}

std::ptrdiff_t as_offset(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

/// The middles of `count` equal stretches of the list.
Hosts spread_choice(const Hosts& hosts, std::size_t count) {
  Hosts chosen;
  for (std::size_t k = 0; k < count; ++k) {
    chosen.push_back(hosts[(2 * k + 1) * hosts.size() / (2 * count)]);
  }
  return chosen;
}

Hosts random_choice(std::uint32_t number, Hosts hosts, std::size_t count, std::uint64_t seed) {
  RandomStream random(seed, placement_entity(number, EntryChoice::sources),
                      StreamPurpose::placement);
  for (std::size_t k = 0; k < count; ++k) {
    std::swap(hosts[k], hosts[k + random.below(hosts.size() - k)]);
  }
  hosts.resize(count);
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

bool says_rest(const ConfigValue& value) { return value.is_text() && value.text() == "rest"; }

}  // namespace

SourceSets::SourceSets(std::vector<Senders> tables, const TrafficContext& context)
    : tables_(std::move(tables)), context_(context), is_open_(tables_.size()) {}

Hosts SourceSets::of(std::size_t table) {
  const Senders one = tables_[table];  // others may join them
  if (one.value == nullptr) return one.known();
  const auto error = [&](const char* what) {
    return InputError(one.value->position, one.key, what);
  };
  if (is_open_[table]) throw error("depend on themselves through 'same_as'");
  is_open_[table] = true;
  Hosts hosts = compute(one);
  is_open_[table] = false;
  if (hosts.empty()) throw error("leave no host");
  return hosts;
}

Hosts SourceSets::compute(const Senders& table) {
  return table.table == nullptr ? base(*table.value, table.key) : from_table(table);
}

Hosts SourceSets::base(const ConfigValue& value, const std::string& key) {
  if (value.is_text()) {
    if (value.text() == "all") return all_hosts(context_.graph);
    if (says_rest(value)) return rest();
  } else if (!value.is_array()) {
    throw InputError(value.position, key,
                     fmt::format("must be \"all\", \"rest\", a list of hosts or a table, not {}",
                                 value.kind_name()));
  }
  return read_host_set(value, context_.graph, key);
}

void SourceSets::add_others() {
  if (std::exchange(has_others_, true) || !context_.others) return;
  for (Senders& one : context_.others(context_)) tables_.push_back(std::move(one));
  is_open_.resize(tables_.size());
}

const Hosts& SourceSets::rest() {
  if (rest_) return *rest_;
  add_others();
  std::vector<bool> sends(context_.graph.host_count());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!tables_[i].is_counted || means_rest(i, 0)) continue;
    for (const HostId host : of(i)) sends[host.index()] = true;
  }
  Hosts hosts = all_hosts(context_.graph);
  std::erase_if(hosts, [&](HostId host) { return sends[host.index()]; });
  return rest_.emplace(std::move(hosts));
}

bool SourceSets::means_rest(std::size_t table, std::size_t depth) {
  const Senders one = tables_[table];
  if (one.value == nullptr) return false;
  if (one.table == nullptr) return says_rest(*one.value);
  const Checked<SK>& keys = *one.table;
  if (!keys->same_as) return says_rest(keys->of);
  // A circle of references is reported when the sets are made.
  if (depth >= tables_.size()) return false;
  const std::vector<std::size_t> meant = called(keys);
  return std::any_of(meant.begin(), meant.end(),
                     [&](std::size_t i) { return means_rest(i, depth + 1); });
}

std::vector<std::size_t> SourceSets::called(const Checked<SK>& keys) {
  add_others();
  const std::string& name = *keys->same_as;
  std::vector<std::string> names;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!tables_[i].is_counted) continue;
    if (tables_[i].name == name) found.push_back(i);
    names.push_back(tables_[i].name);
  }
  if (!found.empty()) return found;
  throw keys.error(&SK::same_as, fmt::format("no [[traffic]] is called '{}', nor a [[flow]]{}",
                                             name, suggestion(name, names)));
}

Hosts SourceSets::from_table(const Senders& table) {
  const Checked<SK>& keys = *table.table;
  Hosts hosts = candidates(keys);
  hosts = without(hosts, read_host_set(keys, &SK::exclude, context_.graph));
  keep_modulo(keys, hosts);
  const std::size_t count = wanted_sources(keys, hosts.size(), context_.graph);
  switch (keys->choose) {
    case SK::Choose::first:
      return {hosts.begin(), hosts.begin() + as_offset(count)};
    case SK::Choose::last:
      return {hosts.end() - as_offset(count), hosts.end()};
    case SK::Choose::random:
      return random_choice(table.number, std::move(hosts), count, context_.seed);
    case SK::Choose::spread:
      break;
  }
  return spread_choice(hosts, count);
}

Hosts SourceSets::candidates(const Checked<SK>& keys) {
  // resolved() writes `of = "all"` beside the others.
  const bool of_all = keys->of.is_text() && keys->of.text() == "all";
  const bool has_of = keys.is_given(&SK::of) && !of_all;
  const int given =
      (has_of ? 1 : 0) + (keys->same_as ? 1 : 0) + (keys->range ? 1 : 0) + (keys->jobs ? 1 : 0);
  if (given > 1) throw keys.error(&SK::of, "give one of 'of', 'same_as', 'range' and 'jobs'");
  if (keys->job && !keys->jobs) throw keys.error(&SK::job, "is one of a file that `jobs` names");
  if (keys->jobs) return hosts_of_jobs(keys, context_.graph);
  if (keys->range) return hosts_in_range(keys, context_.graph);
  if (!keys->same_as) return base(keys->of, keys.path_to(&SK::of));
  Hosts hosts;
  for (const std::size_t table : called(keys)) {
    const Hosts some = of(table);
    hosts.insert(hosts.end(), some.begin(), some.end());
  }
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::vector<Senders> senders_of(const std::vector<TrafficEntry>& entries,
                                const TrafficContext& context) {
  std::vector<Senders> all;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const TrafficEntry& entry = entries[i];
    Senders one{.name = entry.name, .number = i};
    if (entry.is_recorded()) {
      one.known = [&entry, i, &context] { return make_recorded(entry, i, context).senders; };
    } else {
      one.value = &entry.keys->sources;
      one.key = entry.keys.path_to(&TrafficKeys::sources);
      if (entry.sources) one.table = &*entry.sources;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Hosts> source_sets(const std::vector<TrafficEntry>& entries,
                               const std::vector<Recorded>& recorded,
                               const TrafficContext& context) {
  std::vector<Senders> tables = senders_of(entries, context);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (tables[i].value == nullptr)
      tables[i].known = [&made = recorded[i]] { return made.senders; };
  }
  SourceSets finder(std::move(tables), context);
  std::vector<Hosts> sets;
  for (std::size_t i = 0; i < entries.size(); ++i) sets.push_back(finder.of(i));
  return sets;
}

}  // namespace weir::traffic
