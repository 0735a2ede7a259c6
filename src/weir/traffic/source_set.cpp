#include "weir/traffic/source_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {
namespace {

using Hosts = std::vector<HostId>;

/// Finds the source sets of all entries, each when another one asks for it.
class SetFinder {
 public:
  SetFinder(const std::vector<TrafficEntry>& entries, const std::vector<Hosts>& senders,
            const TrafficContext& context)
      : entries_(entries), senders_(senders), context_(context), states_(entries.size()) {}

  const Hosts& find(std::size_t i) {
    State& state = states_[i];
    if (state.is_known) return state.hosts;
    if (state.is_open) {
      throw entries_[i].settings.error("sources", "depend on themselves through 'same_as'");
    }
    state.is_open = true;
    state.hosts = compute(i);
    state.is_known = true;
    if (state.hosts.empty()) throw entries_[i].settings.error("sources", "leave no host");
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
    if (!entry.sources) return base(i, entry.settings.raw("sources"), entry.where + ".sources");
    return from_table(i, *entry.sources, entry.where + ".sources");
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
    if (!entry.sources) return says_rest(entry.settings.raw("sources"));
    if (!entry.sources->has("same_as")) return says_rest(entry.sources->raw("of"));
    // A circle of references is reported when the sets are made.
    return depth < entries_.size() && means_rest(entry_called(*entry.sources), depth + 1);
  }

  [[nodiscard]] std::size_t entry_called(const Settings& settings) const {
    const std::string& name = settings.text("same_as");
    std::vector<std::string> names;
    for (const TrafficEntry& entry : entries_) {
      if (entry.name == name) return names.size();
      names.push_back(entry.name);
    }
    throw settings.error(
        "same_as", fmt::format("no [[traffic]] is called '{}'{}", name, suggestion(name, names)));
  }

  [[nodiscard]] Hosts from_table(std::size_t i, const Settings& settings, const std::string& key) {
    Hosts hosts = candidates(i, settings, key);
    hosts = without(hosts, read_host_set(settings, "exclude", context_.graph, key));
    keep_modulo(settings, hosts);
    const std::size_t count = wanted(settings, hosts.size());
    const std::string choose = settings.has("choose") ? settings.text("choose") : "spread";
    if (choose == "first") return {hosts.begin(), hosts.begin() + as_offset(count)};
    if (choose == "last") return {hosts.end() - as_offset(count), hosts.end()};
    return choose == "random" ? random_choice(i, hosts, count) : spread_choice(hosts, count);
  }

  [[nodiscard]] Hosts candidates(std::size_t i, const Settings& settings, const std::string& key) {
    const int ways = (settings.given("of") ? 1 : 0) + (settings.has("same_as") ? 1 : 0) +
                     (settings.has("range") ? 1 : 0);
    // resolved() writes `of = "all"` beside the others.
    const bool of_all = settings.raw("of").is_text() && settings.raw("of").text() == "all";
    if (ways - (settings.given("of") && of_all ? 1 : 0) > 1) {
      throw settings.error("of", "give one of 'of', 'same_as' and 'range'");
    }
    if (settings.has("same_as")) return find(entry_called(settings));
    if (settings.has("range")) return range(settings);
    return base(i, settings.raw("of"), key + ".of");
  }

  [[nodiscard]] Hosts range(const Settings& settings) const {
    const std::vector<std::int64_t> ends = settings.integers("range");
    const auto last = static_cast<std::int64_t>(context_.graph.host_count()) - 1;
    if (ends.size() != 2 || ends[0] > ends[1] || ends[1] > last) {
      throw settings.error("range",
                           fmt::format("must be [first, last] with hosts from 0 to {}", last));
    }
    const Hosts all = all_hosts(context_.graph);
    return {all.begin() + ends[0], all.begin() + ends[1] + 1};
  }

  static void keep_modulo(const Settings& settings, Hosts& hosts) {
    if (!settings.has("modulo")) return;
    const std::vector<std::int64_t> modulo = settings.integers("modulo");
    if (modulo.size() != 2 || modulo[0] < 1 || modulo[1] >= modulo[0]) {
      throw settings.error("modulo", "must be [divisor, remainder] with the remainder smaller");
    }
    std::erase_if(hosts, [&modulo](HostId h) { return h.value % modulo[0] != modulo[1]; });
  }

  /// How many of `available` hosts are sources.
  [[nodiscard]] std::size_t wanted(const Settings& settings, std::size_t available) const {
    const bool by_count = settings.has("count");
    if (!by_count && !settings.has("fraction")) return available;
    if (by_count && settings.has("fraction")) {
      throw settings.error("fraction", "give either 'fraction' or 'count'");
    }
    const char* key = by_count ? "count" : "fraction";
    const auto all = static_cast<double>(context_.graph.host_count());
    const auto count =
        by_count ? settings.integer("count")
                 : static_cast<std::int64_t>(std::llround(settings.real("fraction") * all));
    if (count == 0) throw settings.error(key, fmt::format("of {:.0f} hosts is no host", all));
    if (static_cast<std::size_t>(count) > available) {
      throw settings.error(key, fmt::format("asks for {} sources; only {} hosts are left to choose "
                                            "from",
                                            count, available));
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
