#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "weir/fabric/fabric.hpp"

namespace weir::fabric {

namespace {

template <class Visit>
void for_each_part(const Fabric& fabric, Visit visit) {
  for (std::size_t p = 0; p < fabric.parts(); ++p) visit(fabric.part(p));
}

template <class Visit>
void for_each_flow(const Fabric& fabric, Visit visit) {
  for_each_part(fabric, [&](const Part& part) {
    for (const Flow& flow : part.hosts().flows().all()) visit(flow);
  });
}

const Core& core_of(const Fabric& fabric, std::uint32_t port) {
  return fabric.part_of(PortId(port)).core();
}

/// Every packet in the slab is on a wire, in a switch, in a crossbar or waits at a host; flows add
/// up.
void check_packets(const Fabric& fabric) {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  // Where the network is divided, the two ends of a flow may count in different parts.
  for_each_flow(fabric, [&](const Flow& flow) {
    if (fabric.parts() == 1 && flow.delivered + flow.lost > flow.injected) {
      throw RunError(fmt::format(
          "flow from host {} to host {}: {} packets delivered and {} lost of {} injected",
          flow.source, flow.destination, flow.delivered, flow.lost, flow.injected));
    }
    injected += flow.injected;
    delivered += flow.delivered;
    lost += flow.lost;
  });
  // Where they were going nobody has heard of these yet.
  for_each_part(fabric, [&](const Part& part) {
    part.core().events.for_each([&](const engine::Event& event) {
      if (event.kind() == kLost && !part.core().packets[event.payload].is_ack()) ++lost;
    });
  });
  const Counters& c = fabric.counters();
  if (injected != c.packets_injected || delivered != c.packets_delivered ||
      lost != c.packets_lost) {
    throw RunError(fmt::format(
        "flows have {} packets injected, {} delivered and {} lost, the network {}, {} and {}",
        injected, delivered, lost, c.packets_injected, c.packets_delivered, c.packets_lost));
  }
}

/// Data packets and ACKs found in a part, by walking wires (arrival events) and switches.
std::uint64_t packets_found(const Part& part) {
  std::uint64_t found = 0;
  part.core().events.for_each([&](const engine::Event& event) {
    const std::uint32_t kind = event.kind();
    if (kind == kArrival || kind == kIdealAck || kind == kDiscard || kind == kLost) ++found;
  });
  part.switches().for_each_packet([&](std::uint32_t, std::uint32_t) { ++found; });
  part.hosts().waiting_acks().for_each([&](std::uint32_t) { ++found; });
  return found + part.hosts().held();
}

/// Per link and class: credits in use = on the wire + stored + returning.
void check_credits(const Fabric& fabric, std::vector<std::int64_t>& on_wire) {
  const topology::Graph& graph = fabric.graph();
  on_wire.assign(graph.port_count(), 0);
  for_each_part(fabric, [&](const Part& part) {
    const Core& core = part.core();
    core.events.for_each([&](const engine::Event& event) {
      if (event.kind() == kArrival)
        on_wire[core.ports[event.entity()].upstream] += core.packets[event.payload].size;
    });
  });
  const auto classes = static_cast<std::uint16_t>(fabric.buffer_classes());
  for (std::uint32_t port = 0; port < graph.port_count(); ++port) {
    const Core& core = core_of(fabric, port);
    const Output& out = core.links[port];
    if (out.to == UINT32_MAX || out.to_host) continue;
    const Core& receiver = core_of(fabric, out.to);
    std::int64_t taken = 0;
    std::int64_t accounted = on_wire[port];
    for (std::uint16_t b = 0; b < classes; ++b) {
      const std::int64_t used = core.links.taken(port, b);
      const std::int64_t held = receiver.stored[receiver.buffer_index(out.to, b)];
      const std::int64_t back = core.links.returning(port, b);
      // Thresholds limit what is stored, not what a long cable has on its way.
      const bool is_too_much = !core.stop_and_go && used > core.links.capacity();
      if (used < held + back || held < 0 || is_too_much) {
        throw RunError(fmt::format(
            "{} class {}: {} bytes of credit in use, but {} stored and {} returning of {}",
            graph.name(PortId(port)), b, used, held, back, core.links.capacity()));
      }
      taken += used;
      accounted += held + back;
    }
    if (taken != accounted) {
      throw RunError(
          fmt::format("{}: {} bytes of credit in use, but {} on the wire, stored or returning",
                      graph.name(PortId(port)), taken, accounted));
    }
  }
}

/// Throws with the cycle that the ports of `stuck` lead to by their reasons; returns when none is
/// stuck.
void report_cycle(const Fabric& fabric, const std::vector<std::uint8_t>& stuck,
                  const std::vector<std::uint32_t>& reason) {
  const topology::Graph& graph = fabric.graph();
  const auto first = std::find(stuck.begin(), stuck.end(), std::uint8_t{1});
  if (first == stuck.end()) return;
  auto p = static_cast<std::uint32_t>(first - stuck.begin());
  std::vector<bool> seen(stuck.size());
  while (!seen[p]) {
    seen[p] = true;
    p = reason[p];
  }
  std::string cycle = graph.name(PortId(p));
  for (std::uint32_t q = reason[p]; q != p; q = reason[q]) cycle += " -> " + graph.name(PortId(q));
  cycle += " -> " + graph.name(PortId(p));
  throw RunError(fmt::format("deadlock at {}: these outputs wait for each other's buffers: {}",
                             to_string(fabric.now()), cycle));
}

}  // namespace

void check_conservation(const Fabric& fabric, CheckScratch& scratch) {
  check_packets(fabric);
  check_credits(fabric, scratch.on_wire);
  for_each_part(fabric, [](const Part& part) {
    const std::uint64_t found = packets_found(part);
    if (found == part.core().packets.in_use()) return;
    throw RunError(
        fmt::format("{} packets exist, but {} are on wires, in switches or waiting at hosts",
                    part.core().packets.in_use(), found));
  });
}

void check_progress(const Fabric& fabric, std::int64_t since, CheckScratch& scratch) {
  const auto size = static_cast<std::uint32_t>(fabric.graph().port_count());
  const auto classes = static_cast<std::uint16_t>(fabric.buffer_classes());
  // Suspects: ports that have waited for credit all the time. One is cleared when some class it may
  // be waiting for holds a head that waits for a port which is not a suspect, or holds nothing.
  auto& stuck = scratch.stuck;
  stuck.assign(size, 0);
  bool any_suspect = false;
  for (std::uint32_t p = 0; p < size; ++p) {
    const Links& links = core_of(fabric, p).links;
    const Output& out = links[p];
    if (out.blocked && !out.to_host && out.blocked_since <= since && out.wake_at == kNever &&
        links.next_feedback(p) == kNever) {
      stuck[p] = 1;
      any_suspect = true;
    }
  }
  if (!any_suspect) return;
  for_each_part(fabric, [&](const Part& part) {
    const Core& core = part.core();
    core.events.for_each([&](const engine::Event& event) {
      if (event.kind() == kArrival) stuck[core.ports[event.entity()].upstream] = 0;
      if (event.kind() == kControl &&
          core.controls.peek(event.payload).recipient() != core.mechanisms.control.get()) {
        stuck[event.entity()] = 0;
      }
    });
  });
  auto& reason = scratch.reason;
  reason.assign(size, kNone);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t p = 0; p < size; ++p) {
      if (stuck[p] == 0) continue;
      const std::uint32_t to = core_of(fabric, p).links[p].to;
      const SwitchModel& switches = fabric.part_of(PortId(to)).switches();
      bool hopeless = false;
      for (std::uint16_t b = 0; b < classes; ++b) {
        struct {
          const std::vector<std::uint8_t>& stuck;
          std::uint32_t& reason;
          bool any = false;
          bool all_stuck = true;
        } heads{stuck, reason[p]};
        switches.for_each_wait(to, b, [&heads](std::uint32_t wanted) {
          heads.any = true;
          if (heads.stuck[wanted] != 0) {
            heads.reason = wanted;
          } else {
            heads.all_stuck = false;
          }
        });
        if (heads.any && !heads.all_stuck) {
          hopeless = false;
          break;
        }
        if (heads.any) hopeless = true;
      }
      if (!hopeless) {
        stuck[p] = 0;
        changed = true;
      }
    }
  }
  report_cycle(fabric, stuck, reason);
}

void report_starvation(const Fabric& fabric) {
  const auto waits_for_a_blocked_port = [&](const Output& out) {
    bool any = false;
    for (int b = 0; b < fabric.buffer_classes() && !out.to_host; ++b) {
      fabric.part_of(PortId(out.to))
          .switches()
          .for_each_wait(out.to, static_cast<std::uint16_t>(b), [&](std::uint32_t wanted) {
            any = any || core_of(fabric, wanted).links[wanted].blocked;
          });
    }
    return any;
  };
  std::uint64_t packets = 0;
  for_each_part(fabric, [&](const Part& part) { packets += part.core().packets.in_use(); });
  std::uint32_t root = kNone;
  for (std::uint32_t p = 0; p < fabric.graph().port_count(); ++p) {
    const Output& out = core_of(fabric, p).links[p];
    if (!out.blocked || out.to == UINT32_MAX || waits_for_a_blocked_port(out)) continue;
    root = p;
    break;
  }
  if (root == kNone) {
    throw RunError(fmt::format("starved at {}: {} packets stand still for ever",
                               to_string(fabric.now()), packets));
  }
  throw RunError(fmt::format(
      "starved at {}: {} packets stand still for ever; the root is {}, which has had packets since "
      "{} and is not allowed to send them",
      to_string(fabric.now()), packets, fabric.graph().name(PortId(root)),
      to_string(Time(core_of(fabric, root).links[root].blocked_since))));
}

}  // namespace weir::fabric
