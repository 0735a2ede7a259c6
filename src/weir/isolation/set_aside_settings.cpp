#include <algorithm>

#include <fmt/format.h>

#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

namespace {

using Type = ParameterType;

std::int64_t bytes_or(const Settings& settings, const char* key, std::int64_t rule) {
  return settings.has(key) ? settings.bytes(key).count : rule;
}

/// Thresholds that nobody chose follow the rules of lippens2010, section 4.1.1. Packets may be
/// larger than in the document, and memories smaller.
class Rules {
 public:
  Rules(const Settings& settings, const std::string& lines, const fabric::FabricSettings& fabric)
      : settings_(settings),
        lines_(lines),
        packet_(fabric.mtu.count + fabric.header.count),
        memory_(std::min(fabric.ingress_buffer.count, fabric.egress_buffer.count)) {}

  void fill(SetAsideSettings& out) const {
    thresholds(out);
    if (fits(out) || settings_.has("xoff")) return;
    const std::uint32_t wanted = out.lines;
    if (!settings_.given(lines_)) {
      while (out.lines > 1 && share(out) <= out.propagate) {
        --out.lines;
        thresholds(out);
      }
    }
    if (!fits(out)) {
      // All that three quarters of the memory leave to each of them.
      out.xoff = memory_ * 3 / 4 / out.lines;
      if (!settings_.has("xon")) out.xon = out.xoff / 2;
    }
    if (out.xoff <= out.propagate) refuse(out);
    out.note = fmt::format(
        "isolation.{} = {} with isolation.xoff = {}: {} queues of {} would leave nothing of the {} "
        "of a side to others (buffer.ingress, buffer.egress)",
        lines_, out.lines, to_string(Bytes(out.xoff)), wanted, to_string(Bytes(usual_xoff())),
        to_string(Bytes(memory_)));
  }

 private:
  [[nodiscard]] std::int64_t usual_xoff() const {
    return std::max<std::int64_t>(1'792, 4 * packet_);
  }
  /// Of each line, where normal queues keep half of the memory.
  [[nodiscard]] std::int64_t share(const SetAsideSettings& out) const {
    return memory_ / (2 * (std::int64_t{out.lines} + 1));
  }
  [[nodiscard]] bool fits(const SetAsideSettings& out) const {
    return out.xoff * std::int64_t{out.lines} < memory_;
  }
  void thresholds(SetAsideSettings& out) const {
    const std::int64_t detect = std::max(
        std::min<std::int64_t>(std::max<std::int64_t>(4'096, 8 * packet_), memory_ / 4), packet_);
    out.detect = bytes_or(settings_, "detect", detect);
    out.detect_ingress = bytes_or(settings_, "detect_ingress", detect);
    out.propagate = bytes_or(settings_, "propagate", std::max(out.detect / 4, 2 * packet_));
    std::int64_t xoff = usual_xoff();
    if (share(out) > out.propagate) xoff = std::min(xoff, share(out));
    out.xoff = bytes_or(settings_, "xoff", xoff);
    // Who chooses only one of the thresholds has not chosen that they overlap.
    if (!settings_.has("propagate") && out.propagate >= out.xoff)
      out.propagate = std::max(2 * packet_, out.xoff * 4 / 7);
    out.xon = bytes_or(settings_, "xon", out.xoff / 2);
  }
  [[noreturn]] void refuse(const SetAsideSettings& out) const {
    // xoff above propagate, for all of them in three quarters of the memory.
    const std::int64_t needed = ((out.propagate + 1) * out.lines * 4 + 2) / 3;
    const std::int64_t most = memory_ * 3 / 4 / (out.propagate + 1);
    throw settings_.error(
        lines_,
        fmt::format("{} queues that each ask upstream at {} (isolation.propagate) do not fit into "
                    "the {} of a side: {}buffer.ingress and buffer.egress of {} or more",
                    out.lines, to_string(Bytes(out.propagate)), to_string(Bytes(memory_)),
                    most >= 1 ? fmt::format("at most {} do; or take ", most) : "take ",
                    to_string(Bytes(needed))));
  }

  const Settings& settings_;
  const std::string& lines_;
  std::int64_t packet_;
  std::int64_t memory_;
};

void check_thresholds(const Settings& settings, const std::string& lines,
                      const fabric::FabricSettings& fabric, const SetAsideSettings& s) {
  const std::int64_t packet = fabric.mtu.count + fabric.header.count;
  const std::int64_t memory = std::min(fabric.ingress_buffer.count, fabric.egress_buffer.count);
  const std::int64_t control_bytes = settings.bytes("control_size").count;
  const auto text = [](std::int64_t bytes) { return to_string(Bytes(bytes)); };
  for (const char* key : {"detect", "detect_ingress"}) {
    const std::int64_t value = std::string_view(key) == "detect" ? s.detect : s.detect_ingress;
    if (value <= memory / 2) continue;
    throw settings.error(key,
                         fmt::format("{} is more than half of the {} of a side (buffer.ingress "
                                     "and buffer.egress), which may never be reached",
                                     text(value), text(memory)));
  }
  for (const char* key : {"detect", "detect_ingress"}) {
    const std::int64_t value = std::string_view(key) == "detect" ? s.detect : s.detect_ingress;
    if (value >= packet) continue;
    throw settings.error(
        key, fmt::format("{} must hold a packet of {}, or every packet is a sign of congestion",
                         text(value), text(packet)));
  }
  if (s.xon == 0) {
    throw settings.error("xon", "must be above 0 B: a sender goes on when less is left");
  }
  if (s.xon >= s.xoff) {
    throw settings.error(
        "xon", fmt::format("{} must be below isolation.xoff = {}", text(s.xon), text(s.xoff)));
  }
  if (s.propagate >= s.xoff) {
    throw settings.error(
        "propagate", fmt::format("{} must be below isolation.xoff = {}: a queue that is stopped "
                                 "must have told its neighbour",
                                 text(s.propagate), text(s.xoff)));
  }
  if (s.propagate < 2 * packet) {
    throw settings.error("propagate", fmt::format("{} must hold two packets of {}",
                                                  text(s.propagate), text(packet)));
  }
  if (s.xoff * std::int64_t{s.lines} >= memory) {
    throw settings.error(
        "xoff", fmt::format("{} queues (isolation.{}) of {} fill the {} of a side, and leave "
                            "nothing to others: lower isolation.xoff or isolation.{}, or raise "
                            "buffer.ingress and buffer.egress",
                            s.lines, lines, text(s.xoff), text(memory), lines));
  }
  if (const std::int64_t most = std::max<std::int64_t>(64, packet); control_bytes > most) {
    throw settings.error("control_size",
                         fmt::format("{} is more than the {} that a message can have: the largest "
                                     "packet, at least 64 B",
                                     text(control_bytes), text(most)));
  }
  if (s.injection_buffer < packet) {
    throw settings.error("injection_buffer", fmt::format("{} holds no packet of {}",
                                                         text(s.injection_buffer), text(packet)));
  }
}

}  // namespace

std::vector<Parameter> set_aside_parameters(const std::string& lines, std::int64_t most_lines) {
  return {
      Parameter::of(Type::integer, lines,
                    "set-aside queues, and look-up lines, at each side of a port; fewer than the "
                    "default where the memory does not hold them, which a note says")
          .by_default("8")
          .range(1, static_cast<double>(most_lines)),
      Parameter::of(Type::bytes, "detect",
                    "fill of a normal egress queue above which it is congested (default: 4 KiB, at "
                    "least 8 packets, at most a quarter of the memory)"),
      Parameter::of(Type::bytes, "detect_ingress",
                    "fill of a detection queue at ingress above which it is congested, where there "
                    "are such queues"),
      Parameter::of(Type::bytes, "propagate",
                    "fill of a set-aside queue above which it asks upstream (default: a quarter of "
                    "`detect`, at least 2 packets, below `xoff`)"),
      Parameter::of(Type::bytes, "xoff",
                    "fill of a set-aside queue above which it stops its sender (default: 1792 B, "
                    "at least 4 packets, less in small memories)"),
      Parameter::of(
          Type::bytes, "xon",
          "fill of a set-aside queue below which its sender may go on (default: half of xoff)"),
      Parameter::of(Type::time, "retry", "shortest time until a refused request is repeated")
          .by_default("2 us"),
      Parameter::of(Type::time, "min_lifetime",
                    "shortest time until an empty set-aside queue is given back")
          .by_default("0 ns"),
      Parameter::of(Type::bytes, "control_size",
                    "size of a message over a link, which goes before all data; 0 B: messages take "
                    "no bandwidth")
          .by_default("8 B"),
      Parameter::of(Type::bytes, "injection_buffer",
                    "memory of the normal queue of a host's injection buffer")
          .by_default("2 KiB"),
      Parameter::of(Type::integer, "drain_boost",
                    "most packets of a leaf queue that is served before the others; 0: none is")
          .by_default("0")
          .range(0, 64),
  };
}

SetAsideSettings read_set_aside(const Settings& settings, const std::string& lines,
                                const fabric::FabricSettings& fabric) {
  SetAsideSettings out;
  out.lines = static_cast<std::uint32_t>(settings.integer(lines));
  Rules(settings, lines, fabric).fill(out);
  out.retry = settings.time("retry").count;
  out.min_lifetime = settings.time("min_lifetime").count;
  out.control_bytes = static_cast<std::uint32_t>(settings.bytes("control_size").count);
  out.injection_buffer = settings.bytes("injection_buffer").count;
  const std::int64_t packet = fabric.mtu.count + fabric.header.count;
  if (!settings.given("injection_buffer"))
    out.injection_buffer = std::max(out.injection_buffer, 2 * packet);
  out.drain_boost = static_cast<std::uint32_t>(settings.integer("drain_boost"));
  check_thresholds(settings, lines, fabric, out);
  return out;
}

}  // namespace weir::isolation
