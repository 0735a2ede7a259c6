#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "weir/base/random.hpp"
#include "weir/experiment/config/flow_path.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/traffic/column_reader.hpp"
#include "weir/traffic/host_list.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::experiment {
namespace {

using rates::ApplicationId;
using rates::Fraction;
using FK = FlowKeys;

/// A number, or two of which one between them is drawn.
struct Range {
  std::uint64_t low = 1;
  std::uint64_t high = 1;

  [[nodiscard]] std::uint64_t draw(RandomStream& random) const {
    return low == high ? low : low + random.below(high - low + 1);
  }
};

template <class S>
Range read_range(const Checked<S>& keys, ConfigValue S::*member) {
  const ConfigValue& value = (*keys).*member;
  const ConfigArray list = value.is_array() ? value.array() : ConfigArray{value, value};
  constexpr std::int64_t kMost = 1'000'000;
  const bool is_range = list.size() == 2 && list[0].is_integer() && list[1].is_integer() &&
                        list[0].integer() >= 1 && list[1].integer() >= list[0].integer() &&
                        list[1].integer() <= kMost;
  if (!is_range) {
    throw keys.error(member, "must be a number from 1, or the least and the largest, as in [1, 5]");
  }
  return {static_cast<std::uint64_t>(list[0].integer()),
          static_cast<std::uint64_t>(list[1].integer())};
}

template <class T>
void shuffle(std::vector<T>& items, RandomStream& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

class FlowMaker {
 public:
  FlowMaker(const topology::Graph& graph, std::uint64_t seed)
      : graph_(graph), seed_(seed), paths_(graph) {}

  void add(const FlowEntry& entry, std::uint32_t number) {
    const Checked<FK>& keys = entry.keys;
    weight_ = Fraction::decimal(keys->weight);
    const std::size_t before = out_.flows.size();
    if (keys->file) {
      add_file(keys);
    } else if (entry.fragmented) {
      add_fragmented(*entry.fragmented, number);
    } else if (entry.destinations) {
      add_pattern(entry, number);
    } else {
      add_single(keys);
    }
    if (out_.flows.size() == before) {
      if (keys->file) throw keys.error(&FK::file, "has no flow");
      throw keys.error(&FK::destinations,
                       fmt::format("application '{}' gets no flow", keys->application));
    }
    out_.entry_end.push_back(out_.flows.size());
    out_.starts.resize(out_.flows.size(), keys->start);
    out_.phases.resize(out_.flows.size(), static_cast<std::size_t>(keys->phase - 1));
    out_.service_levels.resize(out_.flows.size(), keys->service_level);
    const bool is_own = has_own_connections(*keys);
    own_.resize(out_.flows.size(), is_own);
    out_.may_share = out_.may_share || !is_own;
  }

  FlowList finish(const std::vector<FlowEntry>& entries, const TrafficFlows& of_traffic) {
    number_connections(entries, of_traffic.pairs);
    out_.traffic.assign(out_.flows.size(), FlowList::kNoTraffic);
    for (const traffic::FlowPair& pair : of_traffic.pairs) {
      const traffic::TrafficEntry& entry = (*of_traffic.entries)[pair.entry];
      out_.flows.push_back({pair.source, pair.destination, Fraction(1), application(entry.name)});
      out_.starts.push_back(entry.phases.front().start);
      out_.phases.push_back(0);
      out_.service_levels.push_back(entry.service_level);
      out_.connections.push_back(pair.connection);
      out_.traffic.push_back(pair.entry);
      out_.may_share = true;
    }
    return std::move(out_);
  }

 private:
  ApplicationId application(const std::string& name) {
    const auto [place, is_new] =
        numbers_.emplace(name, static_cast<std::uint32_t>(out_.applications.size()));
    if (is_new) out_.applications.push_back(name);
    return ApplicationId(place->second);
  }

  void add_single(const Checked<FK>& keys) {
    const HostId source = traffic::read_host(*keys->source, graph_, keys.path_to(&FK::source));
    const HostId destination =
        traffic::read_host(*keys->destination, graph_, keys.path_to(&FK::destination));
    if (source == destination) throw keys.error(&FK::destination, "is the source");
    if (keys->path) {
      out_.paths.emplace(static_cast<std::uint32_t>(out_.flows.size()),
                         paths_.read(keys, source, destination));
    }
    out_.flows.push_back({source, destination, weight_, application(keys->application)});
  }

  void add_pattern(const FlowEntry& entry, std::uint32_t number) {
    const Range per_source = read_range(entry.keys, &FK::per_source);
    std::vector<HostId> sources = traffic::read_host_set(entry.keys, &FK::sources, graph_);
    if (sources.empty()) sources = traffic::all_hosts(graph_);
    const auto pattern =
        (*entry.destinations->make)(entry.destinations->settings, {graph_, sources, seed_, number});
    const std::string& name = entry.keys->application;
    for (std::uint32_t rank = 0; rank < sources.size(); ++rank) {
      const HostId source = sources[rank];
      if (!pattern->sends(source)) continue;
      const std::uint32_t entity = traffic::source_entity(number, source);
      RandomStream counts(seed_, entity, StreamPurpose::arrivals);
      RandomStream random(seed_, entity, StreamPurpose::destinations);
      const std::uint64_t count = per_source.draw(counts);
      for (std::uint64_t i = 0; i < count; ++i) {
        out_.flows.push_back(
            {source, pattern->destination({source, rank, i}, random), weight_, application(name)});
      }
    }
  }

  void add_file(const Checked<FK>& keys) {
    const std::string& path = keys->file->name;
    try {
      std::ifstream in = traffic::open_input(path);
      traffic::ColumnReader lines(in, path);
      while (lines.next()) add_line(lines);
    } catch (const InputError&) {
      throw;
    } catch (const std::runtime_error& problem) {
      throw keys.error(&FK::file, problem.what());
    }
  }

  void add_line(const traffic::ColumnReader& lines) {
    const std::size_t fields = lines.fields().size();
    if (fields < 2 || fields > 4) {
      throw lines.error("a line is: source destination [weight [application]]");
    }
    const HostId source = lines.host(0, "source", graph_.host_count());
    const HostId destination = lines.host(1, "destination", graph_.host_count());
    if (source == destination) throw lines.error(1, "destination", "is the source");
    Fraction weight = weight_;
    if (fields > 2) {
      const std::string_view text = lines.field(2).text;
      double number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() || !(number > 0) ||
          number > 1e300) {
        throw lines.error(2, "weight",
                          "must be a number greater than 0, not " + traffic::quoted(text));
      }
      weight = Fraction::decimal(number);
    }
    out_.flows.push_back(
        {source, destination, weight,
         application(fields > 3 ? std::string(lines.field(3).text) : std::string("all"))});
  }

  /// One that names its hosts is a connection; many flows share those of their hosts.
  static bool has_own_connections(const FlowKeys& keys) {
    return keys.connection ? *keys.connection == FlowConnection::own : keys.source.has_value();
  }

  /// Shared connections have number 0, those of traffic have theirs.
  void number_connections(const std::vector<FlowEntry>& entries,
                          const std::vector<traffic::FlowPair>& of_traffic) {
    constexpr std::uint32_t kMost = UINT16_MAX;
    const auto pair_of = [](const auto& flow) {
      return std::uint64_t{flow.source.value} << 32 | flow.destination.value;
    };
    std::unordered_map<std::uint64_t, std::uint32_t> next;
    for (std::size_t f = 0; f < own_.size(); ++f) {
      if (!own_[f]) next[pair_of(out_.flows[f])] = 1;
    }
    for (const traffic::FlowPair& pair : of_traffic) {
      std::uint32_t& after = next[pair_of(pair)];
      after = std::max(after, std::uint32_t{pair.connection} + 1);
    }
    out_.connections.assign(own_.size(), 0);
    std::size_t entry = 0;
    for (std::size_t f = 0; f < own_.size(); ++f) {
      while (f >= out_.entry_end[entry]) ++entry;
      if (!own_[f]) continue;
      const std::uint32_t number = next[pair_of(out_.flows[f])]++;
      if (number > kMost) {
        throw entries[entry].keys.error(
            &FK::connection,
            fmt::format("host {} has more than {} connections to host {}",
                        out_.flows[f].source.value, kMost + 1, out_.flows[f].destination.value));
      }
      out_.connections[f] = static_cast<std::uint16_t>(number);
    }
  }

  /// zdornov2009, section 6.5: groups of neighbours are dealt out to applications at random; inside
  /// each application some random permutations.
  void add_fragmented(const Checked<FragmentedKeys>& keys, std::uint32_t number) {
    const std::size_t hosts = graph_.host_count();
    const std::size_t applications = keys->applications;
    const std::size_t fragments = keys->fragments;
    const Range permutations = read_range(keys, &FragmentedKeys::permutations);
    if (hosts % applications != 0 || hosts / applications < 2) {
      throw keys.error(
          &FragmentedKeys::applications,
          fmt::format("{} hosts cannot be shared out evenly, at least 2 to each", hosts));
    }
    const std::size_t own = hosts / applications;
    if (own % fragments != 0) {
      throw keys.error(&FragmentedKeys::fragments,
                       fmt::format("an application has {} hosts, which are not {} groups of "
                                   "equal size",
                                   own, fragments));
    }
    RandomStream random(seed_, traffic::placement_entity(number, traffic::EntryChoice::permutation),
                        StreamPurpose::placement);
    std::vector<std::size_t> groups(applications * fragments);
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g] = g;
    shuffle(groups, random);
    const std::size_t size = own / fragments;
    for (std::size_t a = 0; a < applications; ++a) {
      std::vector<HostId> members;
      for (std::size_t i = 0; i < own; ++i) {
        members.emplace_back(groups[a * fragments + i / size] * size + i % size);
      }
      const ApplicationId id = application(fmt::format("{}.{}", number, a));
      const std::uint64_t count = permutations.draw(random);
      for (std::uint64_t p = 0; p < count; ++p) add_permutation(members, id, random);
    }
  }

  /// A permutation without fixed points.
  void add_permutation(const std::vector<HostId>& members, ApplicationId id, RandomStream& random) {
    std::vector<HostId> images = members;
    bool has_fixed_point = true;
    while (has_fixed_point) {
      shuffle(images, random);
      has_fixed_point = false;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] == images[i]) has_fixed_point = true;
      }
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      out_.flows.push_back({members[i], images[i], weight_, id});
    }
  }

  const topology::Graph& graph_;
  std::uint64_t seed_;
  PathReader paths_;
  Fraction weight_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  FlowList out_;
  std::vector<bool> own_;  ///< per flow: it has a connection of its own
};

}  // namespace

FlowList make_flows(const std::vector<FlowEntry>& entries, const topology::Graph& graph,
                    std::uint64_t seed, const TrafficFlows& of_traffic) {
  FlowMaker maker(graph, seed);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    maker.add(entries[i], static_cast<std::uint32_t>(i));
  }
  return maker.finish(entries, of_traffic);
}

ConnectionList list_connections(const FlowList& flows) {
  ConnectionList out;
  out.of_flow.reserve(flows.flows.size());
  std::unordered_map<std::uint64_t, std::uint32_t> first;  // of connections 0, by their hosts
  for (std::size_t f = 0; f < flows.flows.size(); ++f) {
    const rates::FlowRequest& flow = flows.flows[f];
    const std::uint16_t number = flows.connections[f];
    auto place = static_cast<std::uint32_t>(out.names.size());
    // Other connections have one flow.
    if (number == 0) {
      const std::uint64_t pair = std::uint64_t{flow.source.value} << 32 | flow.destination.value;
      place = first.emplace(pair, place).first->second;
    }
    if (place == out.names.size()) out.names.push_back({flow.source, flow.destination, number});
    out.of_flow.push_back(place);
  }
  return out;
}

}  // namespace weir::experiment
