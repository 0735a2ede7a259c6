#include "weir/metrics/network_monitor.hpp"

#include <algorithm>

namespace weir::metrics {

namespace {

/// Adds up the bytes of equal (blocked, wanted) pairs.
void combine(std::vector<Waiting>& waiting) {
  std::sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
    return a.blocked != b.blocked ? a.blocked < b.blocked : a.wanted < b.wanted;
  });
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
  for (std::size_t i = 0; i < out.ports.size(); ++i) {
    const fabric::PortStatistics s = fabric.port(PortId(i));
    out.ports[i] = {s.busy.count, s.waiting.count, s.bytes, s.packets, s.queued, 0, 0};
  }
}

void take_snapshot(const fabric::Fabric& fabric, NetworkSnapshot& out) {
  const topology::Graph& graph = fabric.graph();
  const std::int64_t capacity =
      fabric.buffer_capacity().count *
      (fabric.settings().memory == fabric::Memory::split ? fabric.buffer_classes() : 1);
  const bool has_egress = fabric.settings().architecture == fabric::Architecture::cioq;
  out.at = fabric.now();
  out.ports.resize(graph.port_count());
  for (std::size_t i = 0; i < out.ports.size(); ++i) {
    const fabric::PortStatistics s = fabric.port(PortId(i));
    std::int64_t stored = 0;
    for (int c = 0; c < fabric.buffer_classes(); ++c) stored += fabric.stored(PortId(i), c).count;
    const bool is_cabled = graph.port(PortId(i)).from.valid();
    out.ports[i] = {s.busy.count, s.waiting.count,         s.bytes, s.packets, s.queued,
                    stored,       is_cabled ? capacity : 0};
    if (has_egress && is_cabled && !graph.is_host(graph.port(PortId(i)).node)) {
      out.ports[i].egress_capacity = fabric.settings().egress_buffer.count;
    }
  }
  out.waiting.clear();
  fabric.for_each_stored([&](PortId where, const fabric::Packet& packet) {
    if (where.value != packet.in_port) {  // in an egress buffer: holds nothing up by itself
      out.ports[where.index()].egress += packet.size;
      return;
    }
    const topology::Port& in = graph.port(where);
    const PortId wanted = graph.port(in.node, packet.out);
    if (!out.waiting.empty() && out.waiting.back().blocked == in.from &&
        out.waiting.back().wanted == wanted) {
      out.waiting.back().bytes += packet.size;
    } else {
      out.waiting.push_back({in.from, wanted, packet.size});
    }
  });
  combine(out.waiting);
  count_set_aside(fabric, out);
}

NetworkMonitor::NetworkMonitor(const topology::Graph& graph, const NetworkMonitorSettings& settings)
    : settings_(settings),
      links_(graph, settings.links),
      trees_(graph, settings.trees, settings.links.warm_up) {}

void NetworkMonitor::sample(const fabric::Fabric& fabric, Time now, Time period) {
  if (!settings_.has_series) {
    // Where the window begins is known, or any sample may turn out to be it.
    if (!settings_.links.detect_warm_up) return;
    take_counters(fabric, snapshot_);
    links_.count(snapshot_);
    return;
  }
  sampled_ = now;
  take_snapshot(fabric, snapshot_);
  const std::vector<PortState>& state = links_.sample(snapshot_);
  if (settings_.has_trees) trees_.sample(now, period, state, snapshot_.waiting);
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
