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

/// Finds the source sets of all entries, each when another one asks for it.
class SetFinder {
  using S = SourceKeys;

 public:
  SetFinder(const std::vector<TrafficEntry>& entries, const std::vector<Hosts>& senders,
            const TrafficContext& context)
      : entries_(entries), senders_(senders), context_(context), states_(entries.size()) {}

  const Hosts& find(std::size_t i) {
    State& state = states_[i];
    if (state.is_known) return state.hosts;
    if (state.is_open) {
      throw entries_[i].keys.error(&TrafficKeys::sources, "depend on themselves through 'same_as'");
    }
    state.is_open = true;
    state.hosts = compute(i);
    state.is_known = true;
    if (state.hosts.empty()) throw entries_[i].keys.error(&TrafficKeys::sources, "leave no host");
    return state.hosts;
  }

 private:
  struct State {
    bool is_known = false;
    bool is_open = false;
    Hosts hosts;
  };

  [[nodiscard]] Hosts compute(std::size_t i) {
    const TrafficEntry& entry = entries_[i];
    if (!senders_[i].empty()) return senders_[i];
    if (!entry.sources)
      return base(i, entry.keys->sources, entry.keys.path_to(&TrafficKeys::sources));
    return from_table(i, *entry.sources);
  }

  [[nodiscard]] Hosts base(std::size_t i, const ConfigValue& value, const std::string& key) {
    if (value.is_text()) {
      if (value.text() == "all") return all_hosts(context_.graph);
      if (value.text() == "rest") return rest_for(i);
    } else if (!value.is_array()) {
      throw InputError(value.position, key,
                       fmt::format("must be \"all\", \"rest\", a list of hosts or a table, not {}",
                                   value.kind_name()));
    }
    Hosts hosts = read_hosts(value, context_.graph, key);
    std::sort(hosts.begin(), hosts.end());
    return hosts;
  }

  /// Hosts that are sources of no entry which says itself what its sources are.
  [[nodiscard]] Hosts rest_for(std::size_t i) {
    Hosts hosts = all_hosts(context_.graph);
    for (std::size_t j = 0; j < entries_.size(); ++j) {
      if (j != i && !means_rest(j, 0)) hosts = without(hosts, find(j));
    }
    return hosts;
  }

  [[nodiscard]] bool means_rest(std::size_t i, std::size_t depth) const {
    const TrafficEntry& entry = entries_[i];
    const auto says_rest = [](const ConfigValue& value) {
      return value.is_text() && value.text() == "rest";
    };
    if (!entry.sources) return says_rest(entry.keys->sources);
    const Checked<SourceKeys>& keys = *entry.sources;
    if (!keys->same_as) return says_rest(keys->of);
    // A circle of references is reported when the sets are made.
    return depth < entries_.size() && means_rest(entry_called(keys), depth + 1);
  }

  [[nodiscard]] std::size_t entry_called(const Checked<S>& keys) const {
    const std::string& name = *keys->same_as;
    std::vector<std::string> names;
    for (const TrafficEntry& entry : entries_) {
      if (entry.name == name) return names.size();
      names.push_back(entry.name);
    }
    throw keys.error(&S::same_as,
                     fmt::format("no [[traffic]] is called '{}'{}", name, suggestion(name, names)));
  }

  [[nodiscard]] Hosts from_table(std::size_t i, const Checked<S>& keys) {
    Hosts hosts = candidates(i, keys);
    hosts = without(hosts, read_host_set(keys, &S::exclude, context_.graph));
    keep_modulo(keys, hosts);
    const std::size_t count = wanted(keys, hosts.size());
    switch (keys->choose) {
      case S::Choose::first:
        return {hosts.begin(), hosts.begin() + as_offset(count)};
      case S::Choose::last:
        return {hosts.end() - as_offset(count), hosts.end()};
      case S::Choose::random:
        return random_choice(i, hosts, count);
      case S::Choose::spread:
        break;
    }
    return spread_choice(hosts, count);
  }

  [[nodiscard]] Hosts candidates(std::size_t i, const Checked<S>& keys) {
    // resolved() writes `of = "all"` beside the others.
    const bool of_all = keys->of.is_text() && keys->of.text() == "all";
    const bool has_of = keys.is_given(&S::of) && !of_all;
    const int given =
        (has_of ? 1 : 0) + (keys->same_as ? 1 : 0) + (keys->range ? 1 : 0) + (keys->jobs ? 1 : 0);
    if (given > 1) throw keys.error(&S::of, "give one of 'of', 'same_as', 'range' and 'jobs'");
    if (keys->job && !keys->jobs) throw keys.error(&S::job, "is one of a file that `jobs` names");
    if (keys->jobs) return hosts_of_jobs(keys);
    if (keys->same_as) return find(entry_called(keys));
    if (keys->range) return range(keys);
    return base(i, keys->of, keys.path_to(&S::of));
  }

  [[nodiscard]] Hosts hosts_of_jobs(const Checked<S>& keys) const {
    try {
      return hosts_of(read_jobs(keys->jobs->name, context_.graph), keys->job);
    } catch (const InputError&) {
      throw;
    } catch (const std::invalid_argument& problem) {
      if (!keys->job) throw keys.error(&S::jobs, problem.what());
      throw keys.error(&S::job, problem.what());
    } catch (const std::runtime_error& problem) {
      throw keys.error(&S::jobs, problem.what());
    }
  }

  [[nodiscard]] Hosts range(const Checked<S>& keys) const {
    const std::vector<std::int64_t>& ends = *keys->range;
    const auto last = static_cast<std::int64_t>(context_.graph.host_count()) - 1;
    if (ends.size() != 2 || ends[0] > ends[1] || ends[1] > last) {
      throw keys.error(&S::range,
                       fmt::format("must be [first, last] with hosts from 0 to {}", last));
    }
    const Hosts all = all_hosts(context_.graph);
    return {all.begin() + ends[0], all.begin() + ends[1] + 1};
  }

  static void keep_modulo(const Checked<S>& keys, Hosts& hosts) {
    if (!keys->modulo) return;
    const std::vector<std::int64_t>& modulo = *keys->modulo;
    if (modulo.size() != 2 || modulo[0] < 1 || modulo[1] >= modulo[0]) {
      throw keys.error(&S::modulo, "must be [divisor, remainder] with the remainder smaller");
    }
    std::erase_if(hosts, [&modulo](HostId h) { return h.value % modulo[0] != modulo[1]; });
  }

  /// How many of `available` hosts are sources.
  [[nodiscard]] std::size_t wanted(const Checked<S>& keys, std::size_t available) const {
    if (!keys->count && !keys->fraction) return available;
    if (keys->count && keys->fraction)
      throw keys.error(&S::fraction, "give either 'fraction' or 'count'");
    const auto wrong = [&](const std::string& why) {
      return keys->count ? keys.error(&S::count, why) : keys.error(&S::fraction, why);
    };
    const auto all = static_cast<double>(context_.graph.host_count());
    const std::int64_t count =
        keys->count ? *keys->count : static_cast<std::int64_t>(std::llround(*keys->fraction * all));
    if (count == 0) throw wrong(fmt::format("of {:.0f} hosts is no host", all));
    if (static_cast<std::size_t>(count) > available) {
      throw wrong(fmt::format("asks for {} sources; only {} hosts are left to choose from", count,
                              available));
    }
    return static_cast<std::size_t>(count);
  }

  static std::ptrdiff_t as_offset(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

  /// The middles of `count` equal stretches of the list.
  static Hosts spread_choice(const Hosts& hosts, std::size_t count) {
    Hosts chosen;
    for (std::size_t k = 0; k < count; ++k) {
      chosen.push_back(hosts[(2 * k + 1) * hosts.size() / (2 * count)]);
    }
    return chosen;
  }

  [[nodiscard]] Hosts random_choice(std::size_t i, Hosts hosts, std::size_t count) const {
    RandomStream random(context_.seed,
                        placement_entity(static_cast<std::uint32_t>(i), EntryChoice::sources),
                        StreamPurpose::placement);
    for (std::size_t k = 0; k < count; ++k) {
      std::swap(hosts[k], hosts[k + random.below(hosts.size() - k)]);
    }
    hosts.resize(count);
    std::sort(hosts.begin(), hosts.end());
    return hosts;
  }

  const std::vector<TrafficEntry>& entries_;
  const std::vector<Hosts>& senders_;
  const TrafficContext& context_;
  std::vector<State> states_;
};

}  // namespace

std::vector<std::vector<HostId>> source_sets(const std::vector<TrafficEntry>& entries,
                                             const std::vector<std::vector<HostId>>& senders,
                                             const TrafficContext& context) {
  SetFinder finder(entries, senders, context);
  std::vector<Hosts> sets;
  for (std::size_t i = 0; i < entries.size(); ++i) sets.push_back(finder.find(i));
  return sets;
}

}  // namespace weir::traffic
