#include "weir/metrics/network_monitor.hpp"

#include <algorithm>
#include <utility>

namespace weir::metrics {

namespace {

/// Sorts, and adds up the bytes of equal (blocked, wanted) pairs.
void combine(std::vector<Waiting>& waiting) {
  std::sort(waiting.begin(), waiting.end(), is_wanted_before);
  std::size_t kept = 0;
  for (const Waiting& w : waiting) {
    Waiting* last = kept == 0 ? nullptr : &waiting[kept - 1];
    if (last != nullptr && last->blocked == w.blocked && last->wanted == w.wanted) {
      last->bytes += w.bytes;
    } else {
      waiting[kept++] = w;
    }
  }
  waiting.resize(kept);
}

/// Both are in the order of is_wanted_before().
void merge_into(std::vector<Waiting>& all, const std::vector<Waiting>& some) {
  const auto known = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), some.begin(), some.end());
  std::inplace_merge(all.begin(), all.begin() + known, all.end(), is_wanted_before);
}

/// Counters of the ports that are here.
void take_counters(const fabric::Fabric& fabric, NetworkCounters& out) {
  out.at = fabric.now();
  out.ports.resize(fabric.graph().port_count());
  fabric.side_by_side([&](std::size_t part) {
    for (const std::uint32_t i : fabric.ports_of(part)) {
      const fabric::PortStatistics s = fabric.port(PortId(i));
      out.ports[i] = {s.busy.count, s.waiting.count, s.bytes, s.packets};
    }
  });
}

/// Queues of all ports, those of other processes, too, as for_each_line() has it: the two sides of
/// a link may be in two of them.
void count_set_aside(const fabric::Fabric& fabric, std::vector<SetAsideQueues>& out) {
  out.assign(fabric.graph().port_count(), {});
  fabric.for_each_line([&](const fabric::SetAsideLine& line) {
    SetAsideQueues& queues = out[line.side.port()];
    ++(line.side.is_egress() ? queues.egress : queues.ingress);
  });
}

/// Counters and buffers of the ports of one part; not yet what egress buffers hold.
void take_ports(const fabric::Fabric& fabric, std::size_t part, NetworkSnapshot& out) {
  for (const std::uint32_t i : fabric.ports_of(part)) {
    const fabric::PortStatistics s = fabric.port(PortId(i));
    std::int64_t stored = 0;
    for (int c = 0; c < fabric.buffer_classes(); ++c) stored += fabric.stored(PortId(i), c).count;
    out.counters.ports[i] = {s.busy.count, s.waiting.count, s.bytes, s.packets};
    out.buffers[i] = {s.queued, stored, 0};
  }
}

/// Packets in the switches of one part. Its ports have been taken.
void take_stored(const fabric::Fabric& fabric, std::size_t part, std::vector<PortBuffers>& buffers,
                 std::vector<Waiting>& waiting) {
  const topology::Graph& graph = fabric.graph();
  waiting.clear();
  fabric.for_each_stored(part, [&](PortId where, const fabric::Packet& packet) {
    if (where.value != packet.in_port) {  // in an egress buffer: holds nothing up by itself
      buffers[where.index()].egress += packet.size;
      return;
    }
    const topology::Port& in = graph.port(where);
    const PortId wanted = graph.port(in.node, packet.out);
    if (!waiting.empty() && waiting.back().blocked == in.from && waiting.back().wanted == wanted) {
      waiting.back().bytes += packet.size;
    } else {
      waiting.push_back({in.from, wanted, packet.size});
    }
  });
  combine(waiting);
}

bool has_root(const std::vector<CongestedPort>& ports) {
  return std::any_of(ports.begin(), ports.end(),
                     [](const CongestedPort& port) { return port.kind == PortCongestion::root; });
}

/// Packets are in ingress buffers alone: who waits for whom is of no interest where no tree begins.
bool has_ingress_alone(const fabric::Fabric& fabric) {
  const fabric::Architecture architecture = fabric.settings().architecture;
  return architecture == fabric::Architecture::input_queued ||
         architecture == fabric::Architecture::input_queued_single;
}

}  // namespace

NetworkMonitor::NetworkMonitor(const topology::Graph& graph, const NetworkMonitorSettings& settings)
    : settings_(settings),
      links_(graph, settings.links),
      trees_(graph, settings.trees, settings.links.warm_up) {}

void NetworkMonitor::sample(const fabric::Fabric& fabric, Time now, Time period) {
  if (!settings_.has_series) {
    // Where the window begins is known, or any sample may turn out to be it.
    if (!settings_.links.detect_warm_up) return;
    take_counters(fabric, snapshot_.counters);
    links_.count(snapshot_.counters);
    return;
  }
  prepare(fabric, now);
  if (!links_.begin_sample(snapshot_)) return;
  sampled_ = now;
  const bool is_walk_needed = !has_ingress_alone(fabric);
  fabric.side_by_side([&](std::size_t part) {
    OfPart& of_part = by_part_[part];
    take_ports(fabric, part, snapshot_);
    if (is_walk_needed) take_stored(fabric, part, snapshot_.buffers, of_part.waiting);
    of_part.sums = {};
    links_.sample_ports(snapshot_, fabric.ports_of(part), of_part.sums);
    of_part.congested.clear();
    if (settings_.has_trees)
      trees_.find_congested(links_.states(), fabric.ports_of(part), of_part.congested);
  });
  sum_up(fabric);
  links_.end_sample(snapshot_, sums_);
  if (settings_.has_trees) sample_trees(fabric, now, period);
}

void NetworkMonitor::prepare(const fabric::Fabric& fabric, Time now) {
  const fabric::FabricSettings& settings = fabric.settings();
  const std::size_t ports = fabric.graph().port_count();
  by_part_.resize(fabric.parts());
  snapshot_.counters.at = now;
  snapshot_.counters.ports.resize(ports);
  snapshot_.buffers.resize(ports);
  snapshot_.ingress_capacity =
      fabric.buffer_capacity().count *
      (settings.memory == fabric::Memory::split ? fabric.buffer_classes() : 1);
  snapshot_.egress_capacity =
      settings.architecture == fabric::Architecture::cioq ? settings.egress_buffer.count : 0;
  if (fabric.isolation() != nullptr) count_set_aside(fabric, snapshot_.set_aside);
}

void NetworkMonitor::sum_up(const fabric::Fabric& fabric) {
  sums_ = {};
  has_roots_ = false;
  for (const OfPart& part : by_part_) {
    sums_ += part.sums;
    has_roots_ = has_roots_ || has_root(part.congested);
  }
  if (fabric.ranks() == nullptr) return;
  struct Found {
    PortId port;
    PortState state;
  };
  Ranks::Parcel mine = parcel_of(sums_);
  put_value(mine, has_roots_);
  for (const PortId port : links_.watched())
    if (fabric.has(port)) put_value(mine, Found{port, links_.states()[port.index()]});
  sums_ = {};
  for (const Ranks::Parcel& of_rank : fabric.ranks()->gather(mine)) {
    std::size_t at = 0;
    sums_ += take_value<LinkSums>(of_rank, at);
    if (take_value<bool>(of_rank, at)) has_roots_ = true;
    while (at < of_rank.size()) {
      const auto found = take_value<Found>(of_rank, at);
      links_.set_state(found.port, found.state);
    }
  }
}

void NetworkMonitor::sample_trees(const fabric::Fabric& fabric, Time now, Time period) {
  std::vector<CongestedPort> congested;
  std::vector<Waiting> waiting;
  if (has_roots_) {
    if (has_ingress_alone(fabric)) {
      fabric.side_by_side([&](std::size_t part) {
        take_stored(fabric, part, snapshot_.buffers, by_part_[part].waiting);
      });
    }
    // What waits in a switch waits for it: the parts have no pair of ports in common.
    for (const OfPart& part : by_part_) {
      congested.insert(congested.end(), part.congested.begin(), part.congested.end());
      merge_into(waiting, part.waiting);
    }
    if (fabric.ranks() != nullptr) {
      const auto all_congested = gathered(fabric.ranks(), std::move(congested));
      congested.clear();
      for (const auto& some : all_congested)
        congested.insert(congested.end(), some.begin(), some.end());
      const auto all_waiting = gathered(fabric.ranks(), std::move(waiting));
      waiting.clear();
      for (const auto& some : all_waiting) merge_into(waiting, some);
    }
  }
  trees_.sample(now, period, congested, waiting);
}

void NetworkMonitor::open_window(const fabric::Fabric& fabric, Time now) {
  if (settings_.has_series && now <= sampled_) return;  // a sample has seen this moment
  take_counters(fabric, snapshot_.counters);
  links_.open_window(snapshot_.counters);
}

void NetworkMonitor::report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) {
  if (!settings_.has_series) {
    take_counters(fabric, snapshot_.counters);
    links_.count(snapshot_.counters);
  }
  links_.complete(fabric);
  links_.report(result, warm_up);
  if (settings_.has_trees) trees_.report(result, settings_.max_tree_records, warm_up);
}

}  // namespace weir::metrics
