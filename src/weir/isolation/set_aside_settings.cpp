#include <algorithm>

#include <fmt/format.h>

#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

namespace {

using Type = ParameterType;

std::int64_t bytes_or(const Settings& settings, const char* key, std::int64_t rule) {
  return settings.has(key) ? settings.bytes(key).count : rule;
}

/// Rules of recn-fbicm 3.5.8 for what the user left open. Packets may be larger than in the
/// document, and memories smaller.
void fill_thresholds(const Settings& settings, const fabric::FabricSettings& fabric,
                     SetAsideSettings& out) {
  const std::int64_t packet = fabric.mtu.count + fabric.header.count;
  const std::int64_t memory = std::min(fabric.ingress_buffer.count, fabric.egress_buffer.count);
  const std::int64_t detect = std::max(
      std::min<std::int64_t>(std::max<std::int64_t>(4'096, 8 * packet), memory / 4), packet);
  out.detect = bytes_or(settings, "detect", detect);
  out.detect_ingress = bytes_or(settings, "detect_ingress", detect);
  out.propagate = bytes_or(settings, "propagate", std::max(out.detect / 4, 2 * packet));
  const std::int64_t share = memory / (2 * (std::int64_t{out.lines} + 1));
  std::int64_t xoff = std::max<std::int64_t>(1'792, 4 * packet);
  if (share > out.propagate) xoff = std::min(xoff, share);
  out.xoff = bytes_or(settings, "xoff", xoff);
  // Who chooses only one of the thresholds has not chosen that they overlap.
  if (!settings.has("propagate") && out.propagate >= out.xoff)
    out.propagate = std::max(2 * packet, out.xoff * 4 / 7);
  out.xon = bytes_or(settings, "xon", out.xoff / 2);
}

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
                    "set-aside queues, and look-up lines, at each side of a port")
          .by_default("8")
          .range(1, static_cast<double>(most_lines)),
      Parameter::of(Type::bytes, "detect",
                    "a normal egress queue above it is congested (default: 4 KiB, at least 8 "
                    "packets, at most a quarter of the memory)"),
      Parameter::of(Type::bytes, "detect_ingress",
                    "the same of a detection queue at ingress, where there are such"),
      Parameter::of(Type::bytes, "propagate",
                    "a set-aside queue above it asks upstream (default: a quarter of `detect`, at "
                    "least 2 packets, below `xoff`)"),
      Parameter::of(Type::bytes, "xoff",
                    "a set-aside queue above it stops its sender (default: 1792 B, at least 4 "
                    "packets, less in small memories)"),
      Parameter::of(Type::bytes, "xon", "below it the sender may go on (default: half of xoff)"),
      Parameter::of(Type::time, "retry", "a request that was refused is not repeated before")
          .by_default("2 us"),
      Parameter::of(Type::time, "min_lifetime", "an empty queue is not given back before")
          .by_default("0 ns"),
      Parameter::of(Type::bytes, "control_size",
                    "of a message over a link, before all data; 0 B: messages take no bandwidth")
          .by_default("8 B"),
      Parameter::of(Type::bytes, "injection_buffer", "normal queue of a host's injection buffer")
          .by_default("2 KiB"),
      Parameter::of(Type::integer, "drain_boost",
                    "leaves with at most so many packets are served first; 0: never")
          .by_default("0")
          .range(0, 64),
  };
}

SetAsideSettings read_set_aside(const Settings& settings, const std::string& lines,
                                const fabric::FabricSettings& fabric) {
  SetAsideSettings out;
  out.lines = static_cast<std::uint32_t>(settings.integer(lines));
  fill_thresholds(settings, fabric, out);
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
