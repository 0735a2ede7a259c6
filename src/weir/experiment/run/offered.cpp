#include "weir/experiment/run/offered.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "weir/experiment/run/workloads.hpp"
#include "weir/routing/trace.hpp"

namespace weir::experiment {
namespace {

constexpr std::size_t kSampledSources = 16;
constexpr int kSampledMessages = 300;         ///< of a source in a phase
constexpr int kTracedMessages = 40;           ///< of these, those whose route is followed
constexpr int kCountedMessages = 1'000'000;   ///< of a source whose messages must all be counted
constexpr std::size_t kTracedSends = 20'000;  ///< of a workload

double packets_of(Bytes size, const fabric::FabricSettings& settings) {
  return static_cast<double>(std::max<std::int64_t>(0, size.count - 1) / settings.mtu.count + 1);
}

/// A sum of packets with the links that they cross.
struct Routes {
  double packets = 0;
  double links = 0;

  void add(double some, double of_each) {
    packets += some;
    links += some * of_each;
  }
};

/// What one source sends in one phase.
struct PhaseCount {
  int messages = 0;
  double packets = 0;
  double bytes = 0;  ///< on the wire
  Time first;
  Time last;
};

/// When the processes of a workload are done at the earliest, from its start.
Time shortest(const workload::Workload& one, const topology::Graph& graph) {
  std::vector<double> sent(graph.host_count(), 0.0);  // bytes
  std::vector<double> received(graph.host_count(), 0.0);
  std::int64_t longest = 0;  // ns
  for (std::size_t r = 0; r < one.schedule->rank_count(); ++r) {
    std::int64_t computing = 0;
    for (const workload::Operation& op : one.schedule->operations(workload::RankId(r))) {
      if (op.kind == workload::OperationKind::calculation) computing += op.amount;
      if (op.kind != workload::OperationKind::send || one.hosts[r] == one.hosts[op.peer]) continue;
      sent[one.hosts[r].index()] += static_cast<double>(op.amount);
      received[one.hosts[op.peer].index()] += static_cast<double>(op.amount);
    }
    longest = std::max(longest, computing);
  }
  double seconds = 0;
  for (std::size_t h = 0; h < sent.size(); ++h) {
    const Rate link = graph.port(graph.host_port(HostId(h))).link.rate;
    const double bits = 8 * std::max(sent[h], received[h]);
    seconds = std::max(seconds, bits / static_cast<double>(link.count));
  }
  constexpr double kMostSeconds = 1e6;
  seconds += static_cast<double>(longest) * 1e-9;
  return Time(static_cast<std::int64_t>(std::min(seconds, kMostSeconds) * 1e12));
}

}  // namespace

class Offered::Count {
 public:
  Count(Offered& out, const Configuration& configuration, const Network& network,
        const std::function<double()>& mean_links)
      : out_(out),
        configuration_(configuration),
        settings_(configuration.fabric),
        network_(network),
        graph_(*network.graph),
        mean_links_(mean_links),
        end_(configuration.duration.value_or(Time::max())),
        refuses_(settings_.when_full == fabric::WhenFull::discard &&
                 settings_.backlog != Bytes::max()),
        hops_of_link_(settings_.acks == fabric::AckMode::in_band ? 2 : 1) {}

  void run() {
    add_workloads();
    traffic::Traffic traffic = make_traffic(configuration_, graph_);
    if (configuration_.until_workload) wait_for_hot_ranks(traffic);
    std::vector<std::vector<traffic::HostSource*>> by_class(traffic.classes.size());
    for (traffic::HostSource& one : traffic.sources) {
      by_class[one.source->traffic_class].push_back(&one);
    }
    for (std::size_t i = 0; i < by_class.size(); ++i) {
      if (by_class[i].empty()) continue;
      const traffic::TrafficEntry& entry = configuration_.traffic[i];
      for (const traffic::Phase& phase : entry.phases) {
        add_change(phase.start);
        add_change(phase.stop);
      }
      if (entry.is_recorded()) {
        add_recorded(by_class[i]);
      } else {
        add_drawn(entry, traffic.classes[i], by_class[i]);
      }
    }
    std::sort(out_.changes_.begin(), out_.changes_.end());
    out_.changes_.erase(std::unique(out_.changes_.begin(), out_.changes_.end()),
                        out_.changes_.end());
  }

 private:
  void add_change(Time at) {
    if (at > Time(0) && at < end_) out_.changes_.push_back(at);
  }

  void add(Time from, Time to, double packets, double links) {
    out_.pieces_.push_back({from, std::max(from, to), packets * links * hops_of_link_});
    out_.packets_ += packets;
  }

  /// Links from one host to another by the default route.
  double links(HostId source, HostId destination) {
    const auto [known, is_new] = links_.emplace(std::pair(source.value, destination.value), 0.0);
    if (is_new) {
      routing::follow(graph_, *network_.routing, source, destination, route_);
      known->second = route_.end == routing::RouteEnd::delivered
                          ? static_cast<double>(route_.channels.size())
                          : mean_links_();
    }
    return known->second;
  }

  [[nodiscard]] Rate link_of(HostId host) const {
    return graph_.port(graph_.host_port(host)).link.rate;
  }

  /// A rank at a host to which many others send has a small part of its link until they stop, and
  /// the workload is not done before.
  void wait_for_hot_ranks(const traffic::Traffic& traffic) {
    for (std::size_t i = 0; i < traffic.classes.size(); ++i) {
      const traffic::TrafficClass& one = traffic.classes[i];
      const bool is_hot = one.sources.size() >= 2 * one.targets.size();
      const bool meets = std::any_of(one.targets.begin(), one.targets.end(), [&](HostId host) {
        return std::find(ranks_.begin(), ranks_.end(), host) != ranks_.end();
      });
      if (!is_hot || !meets) continue;
      for (const traffic::Phase& phase : configuration_.traffic[i].phases) {
        if (phase.start < end_ && phase.stop != Time::max()) end_ = std::max(end_, phase.stop);
      }
    }
    if (configuration_.duration) end_ = std::min(end_, *configuration_.duration);
  }

  void add_workloads() {
    Time last;
    for (const workload::Workload& one : make_workloads(configuration_, graph_)) {
      ranks_.insert(ranks_.end(), one.hosts.begin(), one.hosts.end());
      double packets = 0;
      Routes routes;
      const std::size_t step = one.schedule->message_count() / kTracedSends + 1;
      std::size_t sends = 0;
      for (std::size_t r = 0; r < one.schedule->rank_count(); ++r) {
        for (const workload::Operation& op : one.schedule->operations(workload::RankId(r))) {
          if (op.kind != workload::OperationKind::send) continue;
          if (one.hosts[r] == one.hosts[op.peer]) continue;
          const double these = packets_of(Bytes(op.amount), settings_);
          packets += these;
          if (sends++ % step == 0) routes.add(these, links(one.hosts[r], one.hosts[op.peer]));
        }
      }
      const Time needed = shortest(one, graph_);
      const Time end =
          one.settings.start > Time::max() - needed ? Time::max() : one.settings.start + needed;
      last = std::max(last, end);
      if (packets > 0) add(one.settings.start, end, packets, routes.links / routes.packets);
    }
    if (configuration_.until_workload) end_ = std::min(end_, last);
  }

  /// All of it is there already.
  void add_recorded(const std::vector<traffic::HostSource*>& sources) {
    constexpr std::size_t kBins = 64;
    std::vector<std::pair<Time, double>> packets;
    Routes routes;
    Time last;
    for (traffic::HostSource* one : sources) {
      int count = 0;
      for (auto message = one->source->next(Time(0)); message && message->at < end_;
           message = one->source->next(message->at)) {
        const double these = packets_of(message->size, settings_);
        packets.emplace_back(message->at, these);
        last = std::max(last, message->at);
        if (count++ < kTracedMessages) routes.add(these, links(one->host, message->destination));
      }
    }
    if (packets.empty()) return;
    const Time bin(last.count / static_cast<std::int64_t>(kBins) + 1);
    std::vector<double> bins(kBins, 0.0);
    for (const auto& [at, some] : packets) {
      bins[static_cast<std::size_t>(at.count / bin.count)] += some;
    }
    for (std::size_t b = 0; b < kBins; ++b) {
      const Time from(bin.count * static_cast<std::int64_t>(b));
      if (bins[b] > 0) add(from, from + bin, bins[b], routes.links / routes.packets);
    }
  }

  /// Messages of one source, by phase: the first ones of each, as if nothing held them up.
  std::vector<PhaseCount> sample(const traffic::TrafficEntry& entry, traffic::HostSource& one,
                                 Routes& routes) {
    std::vector<PhaseCount> counts(entry.phases.size());
    Time clock;
    std::size_t phase = 0;
    for (int drawn = 0; drawn < kCountedMessages; ++drawn) {
      const auto message = one.source->next(clock);
      if (!message || message->at >= end_) break;
      while (phase + 1 < counts.size() && message->at >= entry.phases[phase].stop) ++phase;
      PhaseCount& count = counts[phase];
      const double these = packets_of(message->size, settings_);
      const double wire = static_cast<double>(message->size.count) +
                          static_cast<double>(settings_.header.count) * these;
      if (count.messages == 0) count.first = message->at;
      count.last = message->at;
      count.packets += these;
      count.bytes += wire;
      if (count.messages++ < kTracedMessages) {
        routes.add(these, links(one.host, message->destination));
      }
      clock = message->at;
      if (one.source->closed_loop()) {
        clock += serialization_time(Bytes(static_cast<std::int64_t>(wire)), link_of(one.host));
      }
      const Time stop = std::min(end_, entry.phases[phase].stop);
      const bool is_enough = count.messages >= kSampledMessages && count.last > count.first;
      if (!is_enough || stop == Time::max()) continue;
      // The rest of the phase is like this; its last message stands in for it.
      const double messages = 1 + static_cast<double>(count.messages - 1) *
                                      to_seconds(stop - count.first) /
                                      to_seconds(count.last - count.first);
      const double factor =
          std::min(messages, static_cast<double>(entry.messages)) / count.messages;
      count.packets *= std::max(1.0, factor);
      count.bytes *= std::max(1.0, factor);
      count.last = stop;
      if (phase + 1 == counts.size() || stop == end_) break;
      clock = stop;
    }
    return counts;
  }

  void add_drawn(const traffic::TrafficEntry& entry, const traffic::TrafficClass& made,
                 const std::vector<traffic::HostSource*>& sources) {
    const std::size_t step = std::max<std::size_t>(1, sources.size() / kSampledSources);
    std::vector<PhaseCount> sums(entry.phases.size());
    Routes routes;
    std::size_t asked = 0;
    const bool is_closed = sources.front()->source->closed_loop() || refuses_;
    for (std::size_t i = 0; i < sources.size(); i += step, ++asked) {
      const std::vector<PhaseCount> counts = sample(entry, *sources[i], routes);
      for (std::size_t p = 0; p < counts.size(); ++p) {
        if (counts[p].packets == 0) continue;
        sums[p].first =
            sums[p].packets == 0 ? counts[p].first : std::min(sums[p].first, counts[p].first);
        sums[p].last = std::max(sums[p].last, counts[p].last);
        sums[p].packets += counts[p].packets;
        sums[p].bytes += counts[p].bytes;
      }
    }
    const double of_all = static_cast<double>(sources.size()) / static_cast<double>(asked);
    for (PhaseCount& sum : sums) {
      if (sum.packets == 0) continue;
      out_.is_fixed_ = out_.is_fixed_ && !is_closed;
      sum.packets *= of_all;
      sum.bytes *= of_all;
      bound(made, is_closed, sum);
      add(sum.first, sum.last, sum.packets, routes.links / routes.packets);
    }
  }

  /// Sources send and few destinations take no more than their links carry; what waits in hosts
  /// goes out later.
  void bound(const traffic::TrafficClass& made, bool is_closed, PhaseCount& sum) const {
    std::size_t links = made.sources.size();
    if (!made.targets.empty()) links = std::min(links, made.targets.size());
    const double bytes_per_second =
        static_cast<double>(links) * static_cast<double>(link_of(made.sources.front()).count) / 8;
    const double seconds = sum.bytes / bytes_per_second;
    if (seconds <= to_seconds(sum.last - sum.first)) return;
    const Time latest = is_closed ? sum.last : end_;
    if (latest == Time::max()) return;
    const double room = to_seconds(latest - sum.first);
    if (seconds > room) sum.packets *= room / seconds;
    sum.last = sum.first + Time(static_cast<std::int64_t>(std::min(seconds, room) * 1e12));
  }

  Offered& out_;
  const Configuration& configuration_;
  const fabric::FabricSettings& settings_;
  const Network& network_;
  const topology::Graph& graph_;
  const std::function<double()>& mean_links_;
  Time end_;
  bool refuses_;               ///< full source queues discard messages
  double hops_of_link_;        ///< a packet crosses it, and its ACK
  std::vector<HostId> ranks_;  ///< hosts of all workloads
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> links_;
  routing::Route route_;
};

Offered::Offered(const Configuration& configuration, const Network& network,
                 const std::function<double()>& mean_links) {
  Count(*this, configuration, network, mean_links).run();
}

void Offered::add_flows(const FlowWork& work, Time end) {
  if (work.packets == 0) return;
  pieces_.push_back({Time(0), end == Time::max() ? Time(0) : end, work.packet_hops});
  packets_ += work.packets;
  if (end != Time::max()) is_fixed_ = false;
}

double Offered::packet_hops(Time until) const {
  double sum = 0;
  for (const Piece& piece : pieces_) {
    if (until >= piece.to) {
      sum += piece.packet_hops;
    } else if (until > piece.from) {
      sum += piece.packet_hops * to_seconds(until - piece.from) / to_seconds(piece.to - piece.from);
    }
  }
  return sum;
}

}  // namespace weir::experiment
