#include "weir/fabric/stop_and_go.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/core.hpp"
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

/// Bytes that a link of `rate` bit/s carries in `time` ps.
double bytes_in(std::int64_t time, std::int64_t rate) {
  return static_cast<double>(time) * static_cast<double>(rate) / 8e12;
}

}  // namespace

StopAndGo::StopAndGo(Core& core)
    : core_(core),
      is_pfc_(core.settings.flow_control == FlowControl::pfc),
      thresholds_(core.graph.port_count()),
      occupied_(core.stored.size(), 0),
      stopped_since_(core.stored.size(), kNever) {
  if (is_pfc_) frame_leaves_.assign(core.graph.port_count(), -1);
  for (std::uint32_t sender = 0; sender < core_.graph.port_count(); ++sender) {
    const Output& out = core_.links[sender];
    if (out.to == kNone || out.to_host) continue;
    const bool is_own = core_.border == nullptr || core_.border->is_own_port(out.to);
    if (is_own) classes_ += core_.buffers;
    if (is_pfc_) {
      set_pfc_thresholds(out.to);
    } else {
      set_thresholds(out.to);
    }
  }
}

std::int64_t StopAndGo::headroom(std::uint32_t port) const {
  const FabricSettings& s = core_.settings;
  const Output& link = core_.links[core_.ports[port].upstream];
  const std::int64_t packet = s.mtu.count + s.header.count;
  const std::int64_t round_trip = 2 * link.delay + core_.arrival_delay;
  if (!is_pfc_) {
    // The packet that crosses the threshold, one that starts just before the stop arrives, and the
    // wire.
    return static_cast<std::int64_t>(bytes_in(round_trip, link.rate)) + 2 * packet;
  }
  const Output& back = core_.links[port];
  const std::int64_t frame = s.pause_frame.count;
  const std::int64_t wait = back.duration(std::max(packet, frame)) + back.duration(frame);
  const double on_its_way = bytes_in(round_trip + s.pause_response.count + wait, link.rate);
  // Rounding of the product must not add a byte to a whole number.
  const auto bytes = static_cast<std::int64_t>(std::ceil(on_its_way - 1e-6));
  const bool stores = s.switching == Switching::store_and_forward;
  return bytes + packet - 1 + (stores ? packet : 0);
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

void StopAndGo::set_pfc_thresholds(std::uint32_t port) {
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
  const std::int64_t packet = s.mtu.count + s.header.count;
  const std::int64_t below = s.hysteresis ? s.hysteresis->count : 2 * packet;
  const std::int64_t stop = core_.links.capacity() - room;
  if (stop < below) {
    throw InputError(
        "buffer.ingress",
        fmt::format(
            "a class has {}, but the link from {} needs {} of headroom and {} between pause "
            "and resume (flow_control.headroom, flow_control.hysteresis)",
            to_string(Bytes(core_.links.capacity())), core_.graph.name(PortId(sender)),
            to_string(Bytes(room)), to_string(Bytes(below))));
  }
  thresholds_[port] = {stop, stop - below + 1};
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
    const std::int64_t longest =
        back.duration(std::max(s.mtu.count + s.header.count, s.pause_frame.count));
    leaves = std::max(core_.now, std::min(back.free_at, core_.now + longest));
    if (back.free_at <= core_.now) back.departing = 0;
    back.free_at = std::max(core_.now, back.free_at) + frame;
    core_.count_control(port, core_.settings.pause_frame.count);
    ++frames_;
  }
  return leaves + frame + back.delay + core_.settings.pause_response.count;
}

void StopAndGo::come(std::uint32_t port, const Packet& packet, std::uint32_t handle) {
  const std::size_t i = core_.buffer_index(port, packet.buffer);
  occupied_[i] += packet.size;
  if (occupied_[i] > core_.links.capacity()) overflow(port, packet, handle);
  if (stopped_since_[i] != kNever || occupied_[i] <= thresholds_[port].stop) return;
  stopped_since_[i] = core_.now;
  open_starts_.add(core_.now);
  ++open_;
  const PortInfo& info = core_.ports[port];
  core_.tell(info.upstream, {tell_at(port), 0, packet.buffer, Feedback::stop}, info.is_fed_across);
}

void StopAndGo::leave(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes) {
  const std::size_t i = core_.buffer_index(port, buffer);
  occupied_[i] -= bytes;
  if (stopped_since_[i] == kNever || occupied_[i] >= thresholds_[port].go) return;
  stopped_time_.add(core_.now - stopped_since_[i]);
  open_starts_.add(-stopped_since_[i]);
  --open_;
  stopped_since_[i] = kNever;
  const PortInfo& info = core_.ports[port];
  core_.tell(info.upstream, {tell_at(port), 0, buffer, Feedback::go}, info.is_fed_across);
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
         (occupied_.capacity() + stopped_since_.capacity() + frame_leaves_.capacity()) *
             sizeof(std::int64_t);
}

}  // namespace weir::fabric
