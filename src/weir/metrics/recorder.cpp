#include "weir/metrics/recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace weir::metrics {

namespace {

LinkMonitorSettings with_warm_up(LinkMonitorSettings settings,
                                 const TrafficRecorderSettings& traffic) {
  settings.warm_up = traffic.warm_up;
  settings.detect_warm_up = traffic.detect_warm_up;
  return settings;
}

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

}  // namespace

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
}

Recorder::Recorder(const topology::Graph& graph, const RecorderSettings& settings)
    : traffic_(graph, settings.traffic),
      links_(graph, with_warm_up(settings.links, settings.traffic)),
      trees_(graph, settings.trees, settings.traffic.warm_up),
      watch_links_(settings.watch_links),
      watch_trees_(settings.watch_links && settings.watch_trees),
      max_tree_records_(settings.max_tree_records) {}

void Recorder::on_sample(const fabric::Fabric& fabric, Time now) {
  if (!watch_links_ || now <= sampled_) return;
  take_snapshot(fabric, snapshot_);
  const std::vector<PortState>& state = links_.sample(snapshot_);
  if (watch_trees_) trees_.sample(now, now - sampled_, state, snapshot_.waiting);
  sampled_ = now;
}

RunResult Recorder::finish(const fabric::Fabric& fabric, double wall_seconds) {
  on_sample(fabric, fabric.now());
  RunResult result;
  traffic_.report(fabric.now(), result);
  const Time warm_up = traffic_.window_start(fabric.now());
  if (watch_links_) links_.report(result, warm_up);
  if (watch_trees_) trees_.report(result, max_tree_records_, warm_up);
  result.add_run(fabric.counters().events, fabric.counters().packet_hops, fabric.now(),
                 wall_seconds);
  result.fingerprint = fabric.fingerprint();
  return result;
}

}  // namespace weir::metrics
