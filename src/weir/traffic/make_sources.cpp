#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weir/traffic/generated_source.hpp"
#include "weir/traffic/recorded.hpp"
#include "weir/traffic/source_set.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {
namespace {

constexpr std::size_t kMostStreams = 1 << 24;  ///< of an entry, see source_entity()

using Windows = std::shared_ptr<const std::vector<Window>>;

/// Makes the sources of one entry whose messages are drawn.
class EntryBuilder {
 public:
  EntryBuilder(const TrafficEntry& entry, std::uint32_t index, const std::vector<HostId>& hosts,
               const TrafficContext& context)
      : entry_(entry), index_(index), hosts_(hosts), context_(context) {
    const PatternContext pattern_context{context.graph, hosts, context.seed, index};
    pattern_ = (*entry.destinations->make)(entry.destinations->settings, pattern_context);
    sizes_ = (*entry.sizes->make)(entry.sizes->settings);
    mean_size_ = mean_size(*sizes_, context.mtu, context.header);
    if (context.graph.host_count() * entry.connections <= kMostStreams) return;
    throw entry.keys.error(
        &TrafficKeys::connections,
        fmt::format("are too many: at most {} for {} hosts",
                    kMostStreams / context.graph.host_count(), context.graph.host_count()));
  }

  void build(TrafficClass& made, std::vector<HostSource>& sources) {
    made.targets = pattern_->targets();
    for (std::uint32_t rank = 0; rank < hosts_.size(); ++rank) {
      if (!pattern_->sends(hosts_[rank])) continue;
      made.sources.push_back(hosts_[rank]);
      for (std::uint16_t number = 0; number < entry_.connections; ++number) {
        sources.push_back(source(rank, number));
      }
    }
    if (made.sources.empty()) {
      throw entry_.keys.error(&TrafficKeys::destinations,
                              "gives no source a destination other than itself");
    }
  }

 private:
  /// Random streams of connection 0 are those of a source that has no others.
  [[nodiscard]] std::uint32_t entity(HostId host, std::uint16_t connection) const {
    const std::size_t number = host.index() + connection * context_.graph.host_count();
    return source_entity(index_, HostId(number));
  }

  [[nodiscard]] HostSource source(std::uint32_t rank, std::uint16_t connection) {
    const HostId host = hosts_[rank];
    const topology::Graph& graph = context_.graph;
    const ArrivalContext arrival_context{graph.port(graph.host_port(host)).link.rate, mean_size_};
    GeneratedSource::Parts parts;
    parts.arrivals = (*entry_.arrivals->make)(entry_.arrivals->settings, arrival_context);
    parts.pattern = pattern_;
    parts.sizes = sizes_;
    parts.windows = windows(*parts.arrivals, arrival_context);
    auto made =
        std::make_unique<GeneratedSource>(std::move(parts), Draw{host, rank, 0}, entry_.messages,
                                          context_.seed, entity(host, connection));
    made->connection = connection;
    return {host, std::move(made), entry_.start_after_packets};
  }

  /// Shared by the sources with the same link rate.
  Windows windows(const ArrivalProcess& process, const ArrivalContext& arrival_context) {
    Windows& shared = windows_[arrival_context.link.count];
    if (shared) return shared;
    auto made = std::make_shared<std::vector<Window>>();
    for (const Phase& phase : entry_.phases) {
      made->push_back({phase.start, phase.stop, interval(process, arrival_context, phase)});
    }
    shared = made;
    return shared;
  }

  [[nodiscard]] double interval(const ArrivalProcess& process,
                                const ArrivalContext& arrival_context, const Phase& phase) const {
    if (!process.rated()) {
      if (!phase.load) return 0;
      throw entry_.keys.error(
          &TrafficKeys::phases,
          fmt::format("cannot set a load: arrivals '{}' have none", entry_.arrivals->name));
    }
    const Checked<LoadKeys> keys = load_keys().read(entry_.arrivals->settings);
    const double result = mean_interval(keys, arrival_context, phase.load) * entry_.connections;
    if (const auto refusal = process.refusal(result)) throw keys.error(&LoadKeys::load, *refusal);
    return result;
  }

  const TrafficEntry& entry_;
  std::uint32_t index_;
  const std::vector<HostId>& hosts_;
  const TrafficContext& context_;
  std::shared_ptr<const Pattern> pattern_;
  std::shared_ptr<const SizeDistribution> sizes_;
  MeanSize mean_size_;
  std::map<std::int64_t, Windows> windows_;  ///< by link rate
};

void add_recorded_sources(const TrafficEntry& entry, const Recorded& recorded, TrafficClass& made,
                          std::vector<HostSource>& sources) {
  const Phase& phase = entry.phases.front();
  made.sources = recorded.senders;
  made.targets = recorded.targets;
  for (const HostId host : made.sources) {
    sources.push_back({host,
                       std::make_unique<TraceSource>(recorded.trace, host, phase.start, phase.stop,
                                                     entry.messages),
                       entry.start_after_packets});
  }
}

}  // namespace

std::vector<std::pair<HostId, HostId>> TrafficClass::aims() const {
  if (!pairs.empty()) return pairs;
  std::vector<std::pair<HostId, HostId>> all;
  for (const HostId source : sources) {
    for (const HostId target : targets) {
      if (source != target) all.emplace_back(source, target);
    }
  }
  return all;
}

Traffic make_sources(const std::vector<TrafficEntry>& entries, const TrafficContext& context) {
  std::vector<Recorded> recorded;
  for (const TrafficEntry& entry : entries) {
    recorded.push_back(make_recorded(entry, static_cast<std::uint32_t>(recorded.size()), context));
  }
  const std::vector<std::vector<HostId>> sets = source_sets(entries, recorded, context);
  Traffic traffic;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TrafficEntry& entry = entries[i];
    TrafficClass made{entry.name, entry.role, {}, {}};
    const std::size_t first = traffic.sources.size();
    if (recorded[i].trace) {
      add_recorded_sources(entry, recorded[i], made, traffic.sources);
    } else {
      EntryBuilder(entry, static_cast<std::uint32_t>(i), sets[i], context)
          .build(made, traffic.sources);
    }
    for (std::size_t s = first; s < traffic.sources.size(); ++s) {
      traffic.sources[s].source->traffic_class = static_cast<std::uint8_t>(i);
      traffic.sources[s].source->service_level = entry.service_level;
      traffic.sources[s].source->reserve = entry.reserve;
    }
    traffic.classes.push_back(std::move(made));
  }
  return traffic;
}

}  // namespace weir::traffic
