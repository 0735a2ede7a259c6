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

void count_set_aside(const fabric::Isolation* isolation, NetworkSnapshot& out) {
  out.has_isolation = isolation != nullptr;
  if (isolation == nullptr || isolation->counters().in_use == 0) return;
  for (std::uint32_t p = 0; p < out.ports.size(); ++p) {
    out.ports[p].set_aside_ingress = isolation->in_use(fabric::Side::ingress(p));
    out.ports[p].set_aside_egress = isolation->in_use(fabric::Side::egress(p));
  }
}

std::int64_t bytes_on_links(const fabric::Fabric& fabric) {
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < fabric.graph().port_count(); ++p) sum += fabric.port(PortId(p)).bytes;
  return sum;
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
  count_set_aside(fabric.isolation(), out);
}

Recorder::Recorder(const topology::Graph& graph, const RecorderSettings& settings)
    : graph_(graph),
      isolation_settings_{.gap = settings.traffic.bin,
                          .max_trees = settings.max_tree_records,
                          .max_events = settings.max_set_aside_events,
                          .events_from = settings.set_aside_events_from},
      traffic_(graph, settings.traffic),
      links_(graph, with_warm_up(settings.links, settings.traffic)),
      trees_(graph, settings.trees, settings.traffic.warm_up),
      classes_(settings.traffic.classes),
      watch_links_(settings.watch_links),
      watch_trees_(settings.watch_links && settings.watch_trees),
      detects_warm_up_(settings.traffic.detect_warm_up),
      max_tree_records_(settings.max_tree_records),
      recovery_(settings.recovery) {
  if (!settings.watch_marks) return;
  const TrafficRecorderSettings& traffic = settings.traffic;
  marks_.emplace(MarkingMonitorSettings{.classes = traffic.classes,
                                        .has_victims = static_cast<bool>(traffic.is_victim),
                                        .warm_up = traffic.warm_up,
                                        .detect_warm_up = traffic.detect_warm_up,
                                        .bin = traffic.bin});
}

void Recorder::watch_isolation() { isolation_.emplace(graph_, isolation_settings_); }

std::vector<MechanismMonitor>& Recorder::mechanisms(const fabric::Fabric& fabric) {
  if (mechanisms_.empty()) {
    for (const fabric::Mechanism* mechanism : fabric.mechanisms())
      mechanisms_.emplace_back(*mechanism, classes_);
  }
  return mechanisms_;
}

void Recorder::sample_links(const fabric::Fabric& fabric, Time now) {
  if (!watch_links_) {
    // Where the window begins is known, or any sample may turn out to be it.
    if (!detects_warm_up_) return;
    take_counters(fabric, snapshot_);
    links_.count(snapshot_);
    return;
  }
  take_snapshot(fabric, snapshot_);
  const std::vector<PortState>& state = links_.sample(snapshot_);
  if (watch_trees_) trees_.sample(now, now - sampled_, state, snapshot_.waiting);
}

void Recorder::on_sample(const fabric::Fabric& fabric, Time now) {
  if (now <= sampled_) return;
  const Time period = now - sampled_;
  sample_links(fabric, now);
  occupancy_.sample(now, period, fabric);
  if (const fabric::Isolation* isolation = fabric.isolation()) {
    if (!isolation_) watch_isolation();
    isolation_->sample(now, period, *isolation, bytes_on_links(fabric));
  }
  if (fabric.admission() != nullptr) entries_.sample(now, period, fabric);
  if (fabric.vl_sharing() != nullptr) lanes_.sample(now, *fabric.vl_sharing());
  for (MechanismMonitor& monitor : mechanisms(fabric)) monitor.sample(now, period);
  sampled_ = now;
}

void Recorder::begin_window(const fabric::Fabric& fabric) {
  const Time now = fabric.now();
  if (!watch_links_) {
    take_counters(fabric, snapshot_);
    links_.open_window(snapshot_);
  }
  if (now <= sampled_) return;  // a sample has seen this moment
  if (watch_links_) {
    take_counters(fabric, snapshot_);
    links_.open_window(snapshot_);
  }
  occupancy_.open_window(now, fabric);
  if (const fabric::Isolation* isolation = fabric.isolation()) {
    if (!isolation_) watch_isolation();
    isolation_->open_window(now, *isolation, bytes_on_links(fabric));
  }
  if (fabric.vl_sharing() != nullptr) lanes_.sample(now, *fabric.vl_sharing());
  for (MechanismMonitor& monitor : mechanisms(fabric)) monitor.open_window(now);
}

RunResult Recorder::finish(const fabric::Fabric& fabric, double wall_seconds) {
  on_sample(fabric, fabric.now());
  RunResult result;
  traffic_.report(fabric.now(), result);
  if (recovery_) report_recovery(fabric.now(), *recovery_, result);
  const Time warm_up = traffic_.window_start(fabric.now());
  if (!watch_links_) {
    take_counters(fabric, snapshot_);
    links_.count(snapshot_);
  }
  links_.report(result, warm_up);
  occupancy_.report(result, fabric, warm_up);
  if (watch_trees_) trees_.report(result, max_tree_records_, warm_up);
  if (const fabric::Isolation* isolation = fabric.isolation()) {
    if (!isolation_) watch_isolation();
    isolation_->report(result, *isolation, bytes_on_links(fabric), warm_up, fabric.now());
  }
  if (marks_) marks_->report(result, fabric.now(), warm_up);
  entries_.report(result, graph_);
  if (fabric.vl_sharing() != nullptr) lanes_.report(result, graph_, warm_up);
  for (MechanismMonitor& monitor : mechanisms(fabric))
    monitor.report(result, fabric.now(), warm_up);
  result.add_run(fabric.counters().events, fabric.counters().packet_hops, fabric.now(),
                 wall_seconds);
  result.fingerprint = fabric.fingerprint();
  return result;
}

}  // namespace weir::metrics
