#include "weir/metrics/network_monitor.hpp"

#include <algorithm>
#include <numeric>
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

void count_set_aside(const fabric::Fabric& fabric, NetworkSnapshot& out) {
  out.has_isolation = fabric.isolation() != nullptr;
  fabric.for_each_line([&](const fabric::SetAsideLine& line) {
    PortCounters& port = out.ports[line.side.port()];
    ++(line.side.is_egress() ? port.set_aside_egress : port.set_aside_ingress);
  });
}

}  // namespace

void take_counters(const fabric::Fabric& fabric, NetworkSnapshot& out) {
  out.at = fabric.now();
  out.ports.resize(fabric.graph().port_count());
  fabric.side_by_side([&](std::size_t part) {
    for (const std::uint32_t i : fabric.ports_of(part)) {
      const fabric::PortStatistics s = fabric.port(PortId(i));
      out.ports[i] = {s.busy.count, s.waiting.count, s.bytes, s.packets, s.queued, 0, 0};
    }
  });
  fabric.share(out.ports);
}

namespace {

/// Counters of the ports of one part.
void take_ports(const fabric::Fabric& fabric, std::size_t part, NetworkSnapshot& out) {
  const topology::Graph& graph = fabric.graph();
  const fabric::FabricSettings& settings = fabric.settings();
  const std::int64_t capacity =
      fabric.buffer_capacity().count *
      (settings.memory == fabric::Memory::split ? fabric.buffer_classes() : 1);
  const bool has_egress = settings.architecture == fabric::Architecture::cioq;
  for (const std::uint32_t i : fabric.ports_of(part)) {
    const fabric::PortStatistics s = fabric.port(PortId(i));
    std::int64_t stored = 0;
    for (int c = 0; c < fabric.buffer_classes(); ++c) stored += fabric.stored(PortId(i), c).count;
    const bool is_cabled = graph.port(PortId(i)).from.valid();
    out.ports[i] = {s.busy.count, s.waiting.count,         s.bytes, s.packets, s.queued,
                    stored,       is_cabled ? capacity : 0};
    if (has_egress && is_cabled && !graph.is_host(graph.port(PortId(i)).node)) {
      out.ports[i].egress_capacity = settings.egress_buffer.count;
    }
  }
}

/// Packets in the switches of one part. Its ports have been taken.
void take_stored(const fabric::Fabric& fabric, std::size_t part, std::vector<PortCounters>& ports,
                 std::vector<Waiting>& waiting) {
  const topology::Graph& graph = fabric.graph();
  waiting.clear();
  fabric.for_each_stored(part, [&](PortId where, const fabric::Packet& packet) {
    if (where.value != packet.in_port) {  // in an egress buffer: holds nothing up by itself
      ports[where.index()].egress += packet.size;
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
      trees_(graph, settings.trees, settings.links.warm_up),
      all_ports_(graph.port_count()) {
  std::iota(all_ports_.begin(), all_ports_.end(), 0U);
}

void NetworkMonitor::sample(const fabric::Fabric& fabric, Time now, Time period) {
  if (!settings_.has_series) {
    // Where the window begins is known, or any sample may turn out to be it.
    if (!settings_.links.detect_warm_up) return;
    take_counters(fabric, snapshot_);
    links_.count(snapshot_);
    return;
  }
  sampled_ = now;
  snapshot_.at = now;
  snapshot_.ports.resize(fabric.graph().port_count());
  by_part_.resize(fabric.parts());
  take_all_ports(fabric);
  if (links_.begin_sample(snapshot_)) {
    fabric.side_by_side([&](std::size_t part) {
      const std::span<const std::uint32_t> ports = ports_to_look_at(fabric, part);
      links_.find_states(snapshot_, ports);
      by_part_[part].has_roots = settings_.has_trees && trees_.has_root(links_.states(), ports);
    });
    fabric.side_by_side([&](std::size_t part) { links_.sum_up(snapshot_, part, fabric.parts()); });
    links_.end_sample(snapshot_);
  }
  if (settings_.has_trees) sample_trees(fabric, now, period);
}

void NetworkMonitor::take_all_ports(const fabric::Fabric& fabric) {
  const bool is_walk_needed = !has_ingress_alone(fabric);
  fabric.side_by_side([&](std::size_t part) {
    take_ports(fabric, part, snapshot_);
    if (is_walk_needed) take_stored(fabric, part, snapshot_.ports, by_part_[part].waiting);
  });
  count_set_aside(fabric, snapshot_);
  fabric.share(snapshot_.ports);
}

std::span<const std::uint32_t> NetworkMonitor::ports_to_look_at(const fabric::Fabric& fabric,
                                                                std::size_t part) const {
  if (fabric.ranks() == nullptr) return fabric.ports_of(part);
  const std::size_t first = all_ports_.size() * part / fabric.parts();
  const std::size_t end = all_ports_.size() * (part + 1) / fabric.parts();
  return std::span(all_ports_).subspan(first, end - first);
}

void NetworkMonitor::sample_trees(const fabric::Fabric& fabric, Time now, Time period) {
  snapshot_.waiting.clear();
  const bool has_roots = std::any_of(by_part_.begin(), by_part_.end(),
                                     [](const OfPart& part) { return part.has_roots; });
  if (has_roots && has_ingress_alone(fabric)) {
    fabric.side_by_side([&](std::size_t part) {
      take_stored(fabric, part, snapshot_.ports, by_part_[part].waiting);
    });
  }
  // What waits in a switch waits for it: the parts have no pair of ports in common.
  for (const OfPart& part : by_part_) {
    if (has_roots) merge_into(snapshot_.waiting, part.waiting);
  }
  if (has_roots && fabric.ranks() != nullptr) {
    const auto all = gathered(fabric.ranks(), std::move(snapshot_.waiting));
    snapshot_.waiting.clear();
    for (const std::vector<Waiting>& some : all) merge_into(snapshot_.waiting, some);
  }
  trees_.sample(now, period, links_.states(), snapshot_.waiting);
}

void NetworkMonitor::open_window(const fabric::Fabric& fabric, Time now) {
  if (settings_.has_series && now <= sampled_) return;  // a sample has seen this moment
  take_counters(fabric, snapshot_);
  links_.open_window(snapshot_);
}

void NetworkMonitor::report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) {
  if (!settings_.has_series) {
    take_counters(fabric, snapshot_);
    links_.count(snapshot_);
  }
  links_.report(result, warm_up);
  if (settings_.has_trees) trees_.report(result, settings_.max_tree_records, warm_up);
}

}  // namespace weir::metrics
