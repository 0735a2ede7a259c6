#include "weir/fabric/stop_and_go.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/headroom.hpp"
#include "weir/fabric/parallel/border.hpp"

namespace weir::fabric {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kPfc = "ieee2011qbb";

const MetricTable kStopTable(
    {
        {"stopped_share", "", kScalar | kSeries, kPfc,
         "mean over the measuring window (series: over the bin) of the share of ingress buffer "
         "classes at switches that have stopped their senders"},
        {"pause_frames", "", kScalar | kSeries, kPfc,
         "pause and resume frames on links in the whole run (series: in the bin), with "
         "flow_control.model = \"pfc\""},
        {"pause_bytes", "B", kScalar | kSeries, kPfc, "bytes of these frames"},
    },
    "a flow_control.model with thresholds");

}  // namespace

StopAndGo::StopAndGo(Core& core)
    : core_(core),
      is_pfc_(core.settings.flow_control == FlowControl::pfc),
      stopped_since_(core.stored.size(), kNever) {
  if (is_pfc_) frame_leaves_.assign(core.graph.port_count(), -1);
  const bool is_split = core.settings.memory == Memory::split;
  if (is_split) {
    thresholds_.resize(core.graph.port_count());
    occupied_.assign(core.stored.size(), 0);
  } else {
    headroom_.assign(core.graph.port_count(), 0);
  }
  for (std::uint32_t sender = 0; sender < core_.graph.port_count(); ++sender) {
    const Output& out = core_.links[sender];
    if (out.to == kNone || out.to_host) continue;
    const bool is_own = core_.border == nullptr || core_.border->is_own_port(out.to);
    if (is_own) classes_ += core_.buffers;
    if (!is_split) {
      headroom_[out.to] = is_pfc_ ? pfc_headroom(out.to) : headroom(out.to);
    } else if (is_pfc_) {
      set_pfc_thresholds(out.to);
    } else {
      set_thresholds(out.to);
    }
  }
  if (!is_split) share_memory();
}

std::int64_t StopAndGo::hysteresis() const {
  const auto& given = core_.settings.hysteresis;
  return given ? given->count : 2 * largest_packet(core_.settings);
}

std::int64_t StopAndGo::headroom(std::uint32_t port) const {
  const PortId sender(core_.ports[port].upstream);
  return needed_headroom(core_.settings, core_.graph.port(sender).link,
                         core_.graph.port(PortId(port)).link.rate);
}

void StopAndGo::set_thresholds(std::uint32_t port) {
  const auto capacity = static_cast<double>(core_.links.capacity());
  const Thresholds t{static_cast<std::int64_t>(core_.settings.stop_threshold * capacity),
                     static_cast<std::int64_t>(core_.settings.go_threshold * capacity)};
  thresholds_[port] = t;
  const std::int64_t need = headroom(port);
  if (t.stop + need <= core_.links.capacity()) return;
  throw InputError(
      "flow_control.stop",
      fmt::format("at {} of {} a buffer class on the link from {} has no room "
                  "for the {} that may still arrive",
                  to_string(Bytes(t.stop)), to_string(Bytes(core_.links.capacity())),
                  core_.graph.name(PortId(core_.ports[port].upstream)), to_string(Bytes(need))));
}

std::int64_t StopAndGo::pfc_headroom(std::uint32_t port) const {
  const FabricSettings& s = core_.settings;
  const std::uint32_t sender = core_.ports[port].upstream;
  if (core_.links[port].to != sender) {
    throw InputError("flow_control.model",
                     fmt::format("pause frames travel against the data, but no link leads back "
                                 "over the cable from {}; take \"credits\" or \"stop-and-go\"",
                                 core_.graph.name(PortId(sender))));
  }
  const std::int64_t need = headroom(port);
  const std::int64_t room = s.headroom ? s.headroom->count : need;
  if (room < need && s.verify_headroom) {
    throw InputError("flow_control.headroom",
                     fmt::format("after a pause {} may still arrive over the link from {}, more "
                                 "than the {} kept free for it",
                                 to_string(Bytes(need)), core_.graph.name(PortId(sender)),
                                 to_string(Bytes(room))));
  }
  return room;
}

void StopAndGo::set_pfc_thresholds(std::uint32_t port) {
  const std::int64_t room = pfc_headroom(port);
  const std::int64_t below = hysteresis();
  const std::int64_t stop = core_.links.capacity() - room;
  if (stop < below) {
    throw InputError(
        "buffer.ingress",
        fmt::format("a class has {}, but the link from {} needs {} of headroom and {} between "
                    "pause and resume (flow_control.headroom, flow_control.hysteresis)",
                    to_string(Bytes(core_.links.capacity())),
                    core_.graph.name(PortId(core_.ports[port].upstream)), to_string(Bytes(room)),
                    to_string(Bytes(below))));
  }
  thresholds_[port] = {stop, stop - below + 1};
}

void StopAndGo::share_memory() {
  const FabricSettings& s = core_.settings;
  SharedPools::Rules rules;
  rules.reserved = s.memory == Memory::reserved ? s.reserved.count : 0;
  rules.is_dynamic = s.threshold == Threshold::dynamic;
  const double share = rules.is_dynamic ? s.alpha.value_or(1) : s.static_share.value_or(1);
  rules.stop = share * (is_pfc_ ? 1 : s.stop_threshold);
  rules.go = share * (is_pfc_ ? 1 : s.go_threshold);
  rules.hysteresis = is_pfc_ ? hysteresis() : 0;
  pools_ = std::make_unique<SharedPools>(rules, core_.stored.size());
  const auto ports = static_cast<std::uint32_t>(core_.graph.port_count());
  for (std::uint32_t port = core_.host_count; port < ports;) {
    const std::uint32_t next =
        s.scope == MemoryScope::port ? port + 1 : port + core_.ports[port].degree;
    add_pool(port, next);
    port = next;
  }
}

void StopAndGo::add_pool(std::uint32_t first, std::uint32_t last) {
  const FabricSettings& s = core_.settings;
  const std::int64_t reserved = s.memory == Memory::reserved ? s.reserved.count : 0;
  std::int64_t all = 0;
  std::int64_t fixed = 0;
  std::uint32_t most = last;
  for (std::uint32_t port = first; port < last; ++port) {
    if (core_.ports[port].upstream == kNone) continue;
    all += core_.links.capacity();
    fixed += core_.buffers * (reserved + headroom_[port]);
    if (most == last || headroom_[port] > headroom_[most]) most = port;
  }
  if (most == last) return;
  const std::int64_t room = std::max(is_pfc_ ? hysteresis() : 0, largest_packet(core_.settings));
  const std::int64_t shared = all - fixed;
  if (shared < 0 || shared + reserved < room) {
    throw InputError(
        "buffer.ingress",
        fmt::format("of the {} of {} the {} classes of a port take {} each, {} of it headroom for "
                    "the link from {}, and that leaves no {} to share (flow_control.headroom, "
                    "flow_control.hysteresis, buffer.reserved)",
                    to_string(Bytes(all)), s.scope == MemoryScope::port ? "a port" : "a switch",
                    core_.buffers, to_string(Bytes(reserved + headroom_[most])),
                    to_string(Bytes(headroom_[most])),
                    core_.graph.name(PortId(core_.ports[most].upstream)), to_string(Bytes(room))));
  }
  pools_->add(core_.buffer_index(first, 0), core_.buffer_index(last, 0), shared);
}

std::int64_t StopAndGo::tell_at(std::uint32_t port) {
  if (!is_pfc_) return core_.now + core_.ports[port].upstream_delay;
  Output& back = core_.links[port];
  const std::int64_t frame = back.duration(core_.settings.pause_frame.count);
  std::int64_t& leaves = frame_leaves_[port];
  // A frame that has not begun to leave says what is true when it does.
  if (leaves < core_.now) {
    // Packets of control traffic that are booked ahead wait, too: only what is on the wire does
    // not.
    const FabricSettings& s = core_.settings;
    const std::int64_t longest = back.duration(std::max(largest_packet(s), s.pause_frame.count));
    leaves = std::max(core_.now, std::min(back.free_at, core_.now + longest));
    if (back.free_at <= core_.now) back.departing = 0;
    back.free_at = std::max(core_.now, back.free_at) + frame;
    core_.count_control(port, core_.settings.pause_frame.count);
    ++frames_;
  }
  return leaves + frame + back.delay + core_.settings.pause_response.count;
}

void StopAndGo::stop(std::size_t i, std::uint32_t port, std::uint16_t buffer) {
  stopped_since_[i] = core_.now;
  open_starts_.add(core_.now);
  ++open_;
  const PortInfo& info = core_.ports[port];
  core_.tell(info.upstream, {tell_at(port), 0, buffer, Feedback::stop}, info.is_fed_across);
}

void StopAndGo::go(std::size_t i, std::uint32_t port, std::uint16_t buffer) {
  stopped_time_.add(core_.now - stopped_since_[i]);
  open_starts_.add(-stopped_since_[i]);
  --open_;
  stopped_since_[i] = kNever;
  const PortInfo& info = core_.ports[port];
  core_.tell(info.upstream, {tell_at(port), 0, buffer, Feedback::go}, info.is_fed_across);
}

void StopAndGo::come(std::uint32_t port, const Packet& packet, std::uint32_t handle) {
  if (pools_) {
    come_shared(port, packet, handle);
    return;
  }
  const std::size_t i = core_.buffer_index(port, packet.buffer);
  occupied_[i] += packet.size;
  if (occupied_[i] > core_.links.capacity()) overflow(port, packet, handle);
  if (stopped_since_[i] != kNever || occupied_[i] <= thresholds_[port].stop) return;
  stop(i, port, packet.buffer);
}

void StopAndGo::leave(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes) {
  const std::size_t i = core_.buffer_index(port, buffer);
  if (pools_) {
    leave_shared(i, bytes);
    return;
  }
  occupied_[i] -= bytes;
  if (stopped_since_[i] == kNever || occupied_[i] >= thresholds_[port].go) return;
  go(i, port, buffer);
}

void StopAndGo::come_shared(std::uint32_t port, const Packet& packet, std::uint32_t handle) {
  const std::size_t i = core_.buffer_index(port, packet.buffer);
  const auto stopped = pools_->come(i, packet.size);
  if (pools_->headroom_used(i) > headroom_[port]) overflow(port, packet, handle);
  for (const std::uint32_t one : stopped) {
    const auto classes = static_cast<std::uint32_t>(core_.buffers);
    stop(one, one / classes, static_cast<std::uint16_t>(one % classes));
  }
}

void StopAndGo::leave_shared(std::size_t i, std::uint32_t bytes) {
  for (const std::uint32_t one : pools_->leave(i, bytes)) {
    const auto classes = static_cast<std::uint32_t>(core_.buffers);
    go(one, one / classes, static_cast<std::uint16_t>(one % classes));
  }
}

void StopAndGo::overflow(std::uint32_t port, const Packet& packet, std::uint32_t handle) const {
  throw RunError(fmt::format(
      "lossless violation at {} ps: class {} of {} overflows; {} leaves too little room for what "
      "is on its way; {}",
      core_.now, packet.buffer, core_.graph.name(PortId(port)),
      is_pfc_ ? "flow_control.headroom" : "the stop threshold", core_.history(handle)));
}

void StopAndGo::read(Readings& readings, Time now) const {
  ExactSum stopped = stopped_time_ - open_starts_;
  stopped += ExactSum(now.count) * open_;
  readings.mean("stopped_share", stopped, ExactSum(now.count) * classes_);
  if (!is_pfc_) return;
  const auto frames = static_cast<double>(frames_);
  readings.count("pause_frames", frames);
  readings.count("pause_bytes", frames * static_cast<double>(core_.settings.pause_frame.count));
}

std::size_t StopAndGo::memory() const {
  return thresholds_.capacity() * sizeof(Thresholds) +
         (occupied_.capacity() + stopped_since_.capacity() + frame_leaves_.capacity() +
          headroom_.capacity()) *
             sizeof(std::int64_t) +
         (pools_ ? pools_->memory() : 0);
}

void StopAndGo::checkpoint(NodeState& state) {
  const auto classes = static_cast<std::size_t>(core_.buffers);
  state.of_ports(occupied_, classes);
  state.of_ports(stopped_since_, classes);
  state.of_ports(frame_leaves_);
  if (pools_) pools_->checkpoint(state, state.first_port() * classes, state.end_port() * classes);
}

void StopAndGo::checkpoint_totals(TotalState& state) {
  state.sum(frames_, stopped_time_, open_starts_, open_);
}

}  // namespace weir::fabric
