#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "weir/base/random.hpp"
#include "weir/experiment/config/flow_path.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/traffic/column_reader.hpp"
#include "weir/traffic/host_list.hpp"
#include "weir/traffic/source_set.hpp"
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

std::vector<HostId> sorted_out(std::vector<HostId> hosts) {
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

class FlowMaker {
 public:
  /// `traffic` may be null: there is none whose sources a table could mean.
  FlowMaker(const RateInput& input, const traffic::TrafficContext& context,
            const std::vector<traffic::TrafficEntry>* traffic)
      : input_(input),
        context_(context),
        alone_(context),
        traffic_(traffic),
        graph_(context.graph),
        paths_(context.graph) {
    for (const FlowClass& one : input.classes) out_.classes.push_back({one.name, one.role, {}, {}});
  }

  void add_all() {
    for (std::uint32_t i = 0; i < input_.flows.size(); ++i) add(i);
    out_.written = out_.flows.size();
  }

  /// The sources of one table, all of it.
  std::vector<HostId> sources_of(std::uint32_t table) {
    add(table);
    return sorted_out(std::move(out_.classes[input_.flows[table].number_of_class].sources));
  }

  FlowList finish(const TrafficFlows& of_traffic) {
    number_connections(of_traffic.pairs);
    for (traffic::TrafficClass& one : out_.classes) {
      one.sources = sorted_out(std::move(one.sources));
      one.targets = sorted_out(std::move(one.targets));
      std::sort(one.pairs.begin(), one.pairs.end());
      one.pairs.erase(std::unique(one.pairs.begin(), one.pairs.end()), one.pairs.end());
    }
    for (const traffic::FlowPair& pair : of_traffic.pairs) {
      const traffic::TrafficEntry& entry = (*of_traffic.entries)[pair.entry];
      out_.flows.push_back({pair.source, pair.destination, Fraction(1), application(entry.name)});
      out_.starts.push_back(entry.phases.front().start);
      out_.stops.push_back(entry.phases.back().stop);
      out_.sizes.emplace_back(0);
      out_.phases.push_back(0);
      out_.service_levels.push_back(entry.service_level);
      out_.connections.push_back(pair.connection);
      out_.tables.push_back(pair.entry);
      out_.may_share = true;
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kOwn = UINT32_MAX;  ///< a connection that nobody else has

  void add(std::uint32_t table) {
    const FlowEntry& entry = input_.flows[table];
    const Checked<FK>& keys = entry.keys;
    entry_ = &entry;
    table_ = table;
    weight_ = Fraction::decimal(keys->weight);
    sizes_ = entry.sizes ? (*entry.sizes->make)(entry.sizes->settings) : nullptr;
    drawn_.clear();
    const std::size_t before = out_.flows.size();
    if (keys->file) {
      add_file(keys);
    } else if (entry.fragmented) {
      add_fragmented(*entry.fragmented);
    } else if (entry.destinations) {
      add_pattern();
    } else {
      add_single(keys);
    }
    if (out_.flows.size() > before) return;
    if (keys->file) throw keys.error(&FK::file, "has no flow");
    throw keys.error(&FK::destinations,
                     fmt::format("application '{}' gets no flow", entry.application()));
  }

  /// One flow, or as many as there are connections.
  void add_flow(HostId source, HostId destination, Fraction weight, ApplicationId application) {
    const FK& keys = *entry_->keys;
    out_.classes[entry_->number_of_class].sources.push_back(source);
    const std::uint32_t copies = keys.connections.value_or(1);
    for (std::uint32_t i = 0; i < copies; ++i) {
      out_.flows.push_back({source, destination, weight, application});
      out_.starts.push_back(keys.start);
      out_.stops.push_back(keys.stop);
      out_.sizes.push_back(size_of(source, weight));
      out_.phases.push_back(static_cast<std::size_t>(keys.phase - 1));
      out_.service_levels.push_back(keys.service_level);
      out_.tables.push_back(table_);
      out_.class_of.push_back(entry_->number_of_class);
      numbers_.push_back(has_own_connections(keys) ? kOwn : i);
      out_.may_share = out_.may_share || numbers_.back() != kOwn;
    }
  }

  /// 0: it never ends.
  Bytes size_of(HostId source, const Fraction& weight) {
    const Checked<FK>& keys = entry_->keys;
    Bytes unit = keys->size.value_or(Bytes(0));
    if (sizes_) unit = sizes_->draw(stream_of_sizes(source));
    const double bytes = std::ceil(static_cast<double>(unit.count) * weight.value());
    if (bytes < 1e15) return Bytes(static_cast<std::int64_t>(bytes));
    constexpr const char* kTooMuch = "times the weight is more than 10^15 B";
    throw sizes_ ? keys.error(&FK::sizes, kTooMuch) : keys.error(&FK::size, kTooMuch);
  }

  /// That of [[traffic]]: one a source.
  RandomStream& stream_of_sizes(HostId source) {
    const std::uint32_t entity = traffic::source_entity(table_, source);
    return drawn_.try_emplace(source.value, context_.seed, entity, StreamPurpose::sizes)
        .first->second;
  }

  /// Hot traffic has an aim.
  void aim(HostId source, HostId target) {
    traffic::TrafficClass& its = out_.classes[entry_->number_of_class];
    if (its.role != traffic::Role::hot) return;
    its.targets.push_back(target);
    if (source != target) its.pairs.emplace_back(source, target);
  }

  ApplicationId application(const std::string& name) {
    const auto [place, is_new] =
        applications_.emplace(name, static_cast<std::uint32_t>(out_.applications.size()));
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
    add_flow(source, destination, weight_, application(entry_->application()));
    aim(source, destination);
  }

  std::vector<HostId> sources_of_pattern() {
    const std::optional<ConfigValue>& sources = entry_->keys->sources;
    if (!sources) return traffic::all_hosts(graph_);
    if (sources->is_array() || sources->is_integer()) {
      std::vector<HostId> hosts = traffic::read_host_set(entry_->keys, &FK::sources, graph_);
      if (!hosts.empty()) return hosts;
    }
    if (!sets_) {
      std::vector<traffic::Senders> all;
      if (traffic_ != nullptr) all = traffic::senders_of(*traffic_, context_);
      first_set_ = all.size();
      for (traffic::Senders& one : senders_of_flows(input_, context_))
        all.push_back(std::move(one));
      alone_.others = nullptr;  // they are here already
      sets_.emplace(std::move(all), alone_);
    }
    return sets_->of(first_set_ + table_);
  }

  void add_pattern() {
    const Range per_source = read_range(entry_->keys, &FK::per_source);
    const std::vector<HostId> sources = sources_of_pattern();
    const auto pattern = (*entry_->destinations->make)(entry_->destinations->settings,
                                                       {graph_, sources, context_.seed, table_});
    const std::vector<HostId> targets = pattern->targets();
    for (std::uint32_t rank = 0; rank < sources.size(); ++rank) {
      const HostId source = sources[rank];
      if (!pattern->sends(source)) continue;
      for (const HostId target : targets) aim(source, target);
      const std::uint32_t entity = traffic::source_entity(table_, source);
      RandomStream counts(context_.seed, entity, StreamPurpose::arrivals);
      RandomStream random(context_.seed, entity, StreamPurpose::destinations);
      const std::uint64_t count = per_source.draw(counts);
      for (std::uint64_t i = 0; i < count; ++i) {
        add_flow(source, pattern->destination({source, rank, i}, random), weight_,
                 application(entry_->application()));
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
    add_flow(source, destination, weight,
             application(fields > 3 ? std::string(lines.field(3).text) : entry_->application()));
    aim(source, destination);
  }

  /// One that names its hosts is a connection; many flows share those of their hosts.
  static bool has_own_connections(const FlowKeys& keys) {
    if (keys.connections) return false;
    return keys.connection ? *keys.connection == FlowConnection::own : keys.source.has_value();
  }

  /// Those that nobody else has come after those that have numbers.
  void number_connections(const std::vector<traffic::FlowPair>& of_traffic) {
    constexpr std::uint32_t kMost = UINT16_MAX;
    const auto pair_of = [](const auto& flow) {
      return std::uint64_t{flow.source.value} << 32 | flow.destination.value;
    };
    std::unordered_map<std::uint64_t, std::uint32_t> next;
    const auto take = [&](const auto& flow, std::uint32_t number) {
      std::uint32_t& after = next[pair_of(flow)];
      after = std::max(after, number + 1);
    };
    for (std::size_t f = 0; f < numbers_.size(); ++f) {
      if (numbers_[f] != kOwn) take(out_.flows[f], numbers_[f]);
    }
    for (const traffic::FlowPair& pair : of_traffic) take(pair, pair.connection);
    for (std::size_t f = 0; f < numbers_.size(); ++f) {
      std::uint32_t number = numbers_[f];
      if (number == kOwn) number = next[pair_of(out_.flows[f])]++;
      if (number > kMost) {
        throw input_.flows[out_.tables[f]].keys.error(
            &FK::connection,
            fmt::format("host {} has more than {} connections to host {}",
                        out_.flows[f].source.value, kMost + 1, out_.flows[f].destination.value));
      }
      out_.connections.push_back(static_cast<std::uint16_t>(number));
    }
  }

  /// zdornov2009, section 6.5: groups of neighbours are dealt out to applications at random; inside
  /// each application some random permutations.
  void add_fragmented(const Checked<FragmentedKeys>& keys) {
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
    RandomStream random(context_.seed,
                        traffic::placement_entity(table_, traffic::EntryChoice::permutation),
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
      const ApplicationId id = application(fmt::format("{}.{}", table_, a));
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
      add_flow(members[i], images[i], weight_, id);
    }
  }

  const RateInput& input_;
  const traffic::TrafficContext& context_;
  traffic::TrafficContext alone_;
  const std::vector<traffic::TrafficEntry>* traffic_;
  const topology::Graph& graph_;
  PathReader paths_;
  std::unordered_map<std::string, std::uint32_t> applications_;
  std::optional<traffic::SourceSets> sets_;  ///< nothing: not needed yet
  std::size_t first_set_ = 0;                ///< of [[flow]] tables
  FlowList out_;
  std::vector<std::uint32_t> numbers_;  ///< per flow: that of its connection, or kOwn
  // Of the table in turn:
  const FlowEntry* entry_ = nullptr;
  std::uint32_t table_ = 0;
  Fraction weight_;
  std::shared_ptr<const traffic::SizeDistribution> sizes_;  ///< null: all have one size
  std::unordered_map<std::uint32_t, RandomStream> drawn_;   ///< sizes, by source
};

}  // namespace

std::vector<traffic::Senders> senders_of_flows(const RateInput& input,
                                               const traffic::TrafficContext& context) {
  std::vector<traffic::Senders> all;
  all.reserve(input.flows.size());
  for (std::uint32_t i = 0; i < input.flows.size(); ++i) {
    const FlowEntry& entry = input.flows[i];
    const FK& keys = *entry.keys;
    traffic::Senders one{.name = entry.is_named ? keys.name : std::string(),
                         .is_counted = entry.is_named,
                         .number = i};
    if (keys.sources) {
      one.value = &*keys.sources;
      one.key = entry.keys.path_to(&FK::sources);
      one.table = entry.sources.get();
    } else if (keys.destinations) {
      one.known = [&graph = context.graph] { return traffic::all_hosts(graph); };
    } else {
      one.known = [&input, &context, i] {
        return FlowMaker(input, context, nullptr).sources_of(i);
      };
    }
    all.push_back(std::move(one));
  }
  return all;
}

FlowList make_flows(const RateInput& input, const traffic::TrafficContext& context,
                    const TrafficFlows& of_traffic) {
  FlowMaker maker(input, context, of_traffic.entries);
  maker.add_all();
  return maker.finish(of_traffic);
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
