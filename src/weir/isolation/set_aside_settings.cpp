#include <algorithm>

#include <fmt/format.h>

#include "weir/fabric/headroom.hpp"
#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

namespace {

using SetAsideFile = Checked<SetAsideSettings>;
using S = SetAsideSettings;

/// What the queues of a side can fill, of several classes those of one: an equal part. Where
/// thresholds stop the sender of a link, the fill at which that happens: set-aside queues must stop
/// what is congested before the link stops.
struct SideMemory {
  explicit SideMemory(const fabric::IsolationContext& context)
      : bytes(context.fabric.ingress_buffer / context.classes) {
    using fabric::FlowControl;
    const fabric::FabricSettings& fabric = context.fabric;
    if (fabric.architecture == fabric::Architecture::input_queued) {
      keys = "buffer.ingress";
    } else {
      bytes = std::min(bytes, fabric.egress_buffer / context.classes);
    }
    if (context.classes > 1) where = fmt::format("each of {} classes of a side", context.classes);
    Bytes stop = fabric.ingress_buffer / context.classes;
    if (fabric.flow_control != FlowControl::credits && fabric.memory != fabric::Memory::split) {
      stop = stop_in_shared_memory(context);
      if (stop >= bytes) return;
      bytes = stop;
      where += " at which its sender is stopped when all are as full (buffer.memory, flow_control)";
      return;
    }
    if (fabric.flow_control == FlowControl::stop_and_go) {
      stop =
          Bytes(static_cast<std::int64_t>(static_cast<double>(stop.count) * fabric.stop_threshold));
    } else if (fabric.flow_control == FlowControl::pfc && fabric.headroom) {
      stop = std::max(Bytes(1), stop - *fabric.headroom);
    }
    if (stop >= bytes) return;
    bytes = stop;
    where += fabric.flow_control == FlowControl::pfc
                 ? " that are left beside flow_control.headroom"
                 : " at which flow_control.stop stops the sender";
  }

  /// The fill of each class when all have as much of the shared memory as its threshold allows. Of
  /// a whole switch that is no less.
  static Bytes stop_in_shared_memory(const fabric::IsolationContext& context) {
    const fabric::FabricSettings& fabric = context.fabric;
    const Bytes reserved = fabric.memory == fabric::Memory::reserved ? fabric.reserved : Bytes(0);
    const Bytes kept = fabric::largest_headroom(fabric, *context.graph) + reserved;
    const auto shared = static_cast<double>((fabric.ingress_buffer - kept * context.classes).count);
    const double stop =
        fabric.flow_control == fabric::FlowControl::stop_and_go ? fabric.stop_threshold : 1;
    const double classes = context.classes;
    const double alpha = stop * fabric.alpha.value_or(1);
    const double share = fabric.threshold == fabric::Threshold::dynamic
                             ? alpha / (1 + alpha * classes)
                             : std::min(stop * fabric.static_share.value_or(1), 1 / classes);
    return std::max(Bytes(1), reserved + Bytes(static_cast<std::int64_t>(share * shared)));
  }

  Bytes bytes;
  std::string where = "a side";
  std::string keys = "buffer.ingress and buffer.egress";
};

/// Thresholds that nobody chose follow the rules of lippens2010, section 4.1.1. Packets may be
/// larger than in the document, and memories smaller.
class Rules {
 public:
  Rules(const SetAsideFile& file, const fabric::IsolationContext& context)
      : file_(file),
        packet_(context.fabric.mtu + context.fabric.header),
        classes_(context.classes),
        side_(context) {}

  void fill(S& out) const {
    thresholds(out);
    if (fits(out) || file_.is_given(&S::xoff)) return;
    const std::uint32_t wanted = out.lines;
    if (!file_.is_given(&S::lines)) {
      while (out.lines > 1 && share(out) <= out.propagate) {
        --out.lines;
        thresholds(out);
      }
    }
    if (!fits(out)) {
      // All that three quarters of the memory leave to each of them.
      out.xoff = side_.bytes * 3 / 4 / out.lines;
      if (!file_.is_given(&S::xon)) out.xon = out.xoff / 2;
    }
    if (out.xoff <= out.propagate) refuse(out);
    out.note = fmt::format(
        "isolation.{} = {} with isolation.xoff = {}: {} queues of {} would leave nothing of the {} "
        "of {} to others ({})",
        file_.name_of(&S::lines), out.lines, to_string(out.xoff), wanted, to_string(usual_xoff()),
        to_string(side_.bytes), side_.where, side_.keys);
  }

 private:
  [[nodiscard]] Bytes usual_xoff() const { return std::max(Bytes(1'792), packet_ * 4); }
  /// Of each line, where normal queues keep half of the memory.
  [[nodiscard]] Bytes share(const S& out) const {
    return side_.bytes / (2 * (std::int64_t{out.lines} + 1));
  }
  [[nodiscard]] bool fits(const S& out) const { return out.xoff * out.lines < side_.bytes; }
  [[nodiscard]] Bytes given_or(Bytes S::*member, Bytes rule) const {
    return file_.is_given(member) ? (*file_).*member : rule;
  }
  void thresholds(S& out) const {
    const Bytes detect =
        std::max(std::min(std::max(Bytes(4'096), packet_ * 8), side_.bytes / 4), packet_);
    out.detect = given_or(&S::detect, detect);
    out.detect_ingress = given_or(&S::detect_ingress, detect);
    out.propagate = given_or(&S::propagate, std::max(out.detect / 4, packet_ * 2));
    Bytes xoff = usual_xoff();
    if (share(out) > out.propagate) xoff = std::min(xoff, share(out));
    out.xoff = given_or(&S::xoff, xoff);
    // Who chooses only one of the thresholds has not chosen that they overlap.
    if (!file_.is_given(&S::propagate) && out.propagate >= out.xoff)
      out.propagate = std::max(packet_ * 2, out.xoff * 4 / 7);
    out.xon = given_or(&S::xon, out.xoff / 2);
  }
  [[noreturn]] void refuse(const S& out) const {
    // xoff above propagate, for all of them in three quarters of the memory.
    const std::int64_t each = out.propagate.count + 1;
    const Bytes needed((each * out.lines * 4 + 2) / 3 * classes_);
    const std::int64_t most = side_.bytes.count * 3 / 4 / each;
    throw file_.error(
        &S::lines,
        fmt::format("{} queues that each ask upstream at {} (isolation.propagate) do not fit into "
                    "the {} of {}: {}{} of {} or more",
                    out.lines, to_string(out.propagate), to_string(side_.bytes), side_.where,
                    most >= 1 ? fmt::format("at most {} do; or take ", most) : "take ", side_.keys,
                    to_string(needed)));
  }

  const SetAsideFile& file_;
  Bytes packet_;
  std::int64_t classes_;
  SideMemory side_;
};

void check_detection(const SetAsideFile& file, const S& s, Bytes packet, const SideMemory& side) {
  for (Bytes S::*const member : {&S::detect, &S::detect_ingress}) {
    if (s.*member <= side.bytes / 2) continue;
    throw file.error(
        member, fmt::format("{} is more than half of the {} of {} ({}), which may "
                            "never be reached",
                            to_string(s.*member), to_string(side.bytes), side.where, side.keys));
  }
  for (Bytes S::*const member : {&S::detect, &S::detect_ingress}) {
    if (s.*member >= packet) continue;
    throw file.error(member, fmt::format("{} must hold a packet of {}, or every packet is a sign "
                                         "of congestion",
                                         to_string(s.*member), to_string(packet)));
  }
}

void check_order(const SetAsideFile& file, const S& s) {
  if (s.xon == Bytes(0))
    throw file.error(&S::xon, "must be above 0 B: a sender goes on when less is left");
  if (s.xon >= s.xoff) {
    throw file.error(&S::xon, fmt::format("{} must be below isolation.xoff = {}", to_string(s.xon),
                                          to_string(s.xoff)));
  }
  if (s.propagate >= s.xoff) {
    throw file.error(&S::propagate,
                     fmt::format("{} must be below isolation.xoff = {}: a queue that is stopped "
                                 "must have told its neighbour",
                                 to_string(s.propagate), to_string(s.xoff)));
  }
}

void check_memory(const SetAsideFile& file, const S& s, Bytes packet, const SideMemory& side) {
  if (s.propagate < packet * 2) {
    throw file.error(&S::propagate, fmt::format("{} must hold two packets of {}",
                                                to_string(s.propagate), to_string(packet)));
  }
  if (s.xoff * s.lines >= side.bytes) {
    const std::string& lines = file.name_of(&S::lines);
    throw file.error(
        &S::xoff, fmt::format("{} queues (isolation.{}) of {} fill the {} of {}, and leave "
                              "nothing to others: lower isolation.xoff or isolation.{}, or raise "
                              "{}",
                              s.lines, lines, to_string(s.xoff), to_string(side.bytes), side.where,
                              lines, side.keys));
  }
  if (const Bytes most = std::max(Bytes(64), packet); s.control_size > most) {
    throw file.error(&S::control_size,
                     fmt::format("{} is more than the {} that a message can have: the largest "
                                 "packet, at least 64 B",
                                 to_string(s.control_size), to_string(most)));
  }
  if (s.injection_buffer < packet) {
    throw file.error(
        &S::injection_buffer,
        fmt::format("{} holds no packet of {}", to_string(s.injection_buffer), to_string(packet)));
  }
}

}  // namespace

Keys<SetAsideSettings> set_aside_keys(std::string_view lines, SetAsideSettings defaults) {
  return {
      std::move(defaults),
      {key(&S::lines, lines,
           "set-aside queues, and look-up lines, for each class at each side of a port; fewer than "
           "the default where the memory does not hold them, which a note says")
           .range(1, 64),
       key(&S::detect, "detect",
           "fill of a normal egress queue (with switch.architecture = \"iq\", bytes that wait for "
           "an output at all inputs) above which the output is congested (default: 4 KiB, at least "
           "8 packets, at most a quarter of the memory)")
           .without_default(),
       key(&S::detect_ingress, "detect_ingress",
           "fill of a detection queue at ingress above which it is congested, where there are such "
           "queues")
           .without_default(),
       key(&S::propagate, "propagate",
           "fill of a set-aside queue above which it asks upstream (default: a quarter of "
           "`detect`, at least 2 packets, below `xoff`)")
           .without_default(),
       key(&S::xoff, "xoff",
           "fill of a set-aside queue above which it stops its sender (default: 1792 B, at least 4 "
           "packets, less in small memories)")
           .without_default(),
       key(&S::xon, "xon",
           "fill of a set-aside queue below which its sender may go on (default: half of xoff)")
           .without_default(),
       key(&S::retry, "retry", "shortest time until a refused request is repeated"),
       key(&S::min_lifetime, "min_lifetime",
           "shortest time until an empty set-aside queue is given back"),
       key(&S::control_size, "control_size",
           "size of a message over a link, which goes before all data; 0 B: messages take no "
           "bandwidth"),
       key(&S::injection_buffer, "injection_buffer",
           "memory of the normal queue of a host's injection buffer"),
       key(&S::drain_boost, "drain_boost",
           "most packets of a leaf queue that is served before the others; 0: none is")
           .range(0, 64)}};
}

SetAsideSettings set_aside_settings(const Checked<SetAsideSettings>& file,
                                    const fabric::IsolationContext& context) {
  const Bytes packet = context.fabric.mtu + context.fabric.header;
  const SideMemory side(context);
  SetAsideSettings out = *file;
  out.has_egress_queues = context.fabric.architecture != fabric::Architecture::input_queued;
  Rules(file, context).fill(out);
  if (!file.is_given(&S::injection_buffer))
    out.injection_buffer = std::max(out.injection_buffer, packet * 2);
  check_detection(file, out, packet, side);
  check_order(file, out);
  check_memory(file, out, packet, side);
  return out;
}

}  // namespace weir::isolation
