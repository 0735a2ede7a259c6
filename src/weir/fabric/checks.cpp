#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "weir/fabric/fabric.hpp"

namespace weir::fabric {

namespace {

/// Every packet in the slab is on a wire, in a switch, in a crossbar or waits at a host; flows add
/// up.
void check_packets(const Core& core, const Hosts& hosts) {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  for (const Flow& flow : hosts.flows().all()) {
    if (flow.delivered + flow.lost > flow.injected) {
      throw RunError(fmt::format(
          "flow from host {} to host {}: {} packets delivered and {} lost of {} injected",
          flow.source, flow.destination, flow.delivered, flow.lost, flow.injected));
    }
    injected += flow.injected;
    delivered += flow.delivered;
    lost += flow.lost;
  }
  const Counters& c = core.counters;
  if (injected != c.packets_injected || delivered != c.packets_delivered ||
      lost != c.packets_lost) {
    throw RunError(fmt::format(
        "flows have {} packets injected, {} delivered and {} lost, the network {}, {} and {}",
        injected, delivered, lost, c.packets_injected, c.packets_delivered, c.packets_lost));
  }
}

/// Data packets and ACKs found in the network, by walking wires (arrival events) and switches.
std::uint64_t packets_found(const Core& core, const Hosts& hosts, const SwitchModel& switches) {
  std::uint64_t found = 0;
  core.events.for_each([&](const engine::Event& event) {
    const std::uint32_t kind = event.kind();
    if (kind == kArrival || kind == kIdealAck || kind == kDiscard) ++found;
  });
  switches.for_each_packet([&](std::uint32_t, std::uint32_t) { ++found; });
  hosts.waiting_acks().for_each([&](std::uint32_t) { ++found; });
  return found + hosts.held();
}

/// Per link and class: credits in use = on the wire + stored + returning.
void check_credits(const Core& core, std::vector<std::int64_t>& on_wire) {
  on_wire.assign(core.links.size(), 0);
  core.events.for_each([&](const engine::Event& event) {
    if (event.kind() == kArrival)
      on_wire[core.ports[event.entity()].upstream] += core.packets[event.payload].size;
  });
  const auto classes = static_cast<std::uint16_t>(core.buffers);
  for (std::uint32_t port = 0; port < core.links.size(); ++port) {
    const Output& out = core.links[port];
    if (out.to == UINT32_MAX || out.to_host) continue;
    std::int64_t taken = 0;
    std::int64_t accounted = on_wire[port];
    for (std::uint16_t b = 0; b < classes; ++b) {
      const std::int64_t used = core.links.taken(port, b);
      const std::int64_t held = core.stored[core.buffer_index(out.to, b)];
      const std::int64_t back = core.links.returning(port, b);
      if (used < held + back || held < 0 || used > core.links.capacity()) {
        throw RunError(fmt::format(
            "{} class {}: {} bytes of credit in use, but {} stored and {} returning of {}",
            core.graph.name(PortId(port)), b, used, held, back, core.links.capacity()));
      }
      taken += used;
      accounted += held + back;
    }
    if (taken != accounted) {
      throw RunError(
          fmt::format("{}: {} bytes of credit in use, but {} on the wire, stored or returning",
                      core.graph.name(PortId(port)), taken, accounted));
    }
  }
}

/// Throws with the cycle that the ports of `stuck` lead to by their reasons; returns when none is
/// stuck.
void report_cycle(const Core& core, const std::vector<std::uint8_t>& stuck,
                  const std::vector<std::uint32_t>& reason) {
  const auto first = std::find(stuck.begin(), stuck.end(), std::uint8_t{1});
  if (first == stuck.end()) return;
  auto p = static_cast<std::uint32_t>(first - stuck.begin());
  std::vector<bool> seen(stuck.size());
  while (!seen[p]) {
    seen[p] = true;
    p = reason[p];
  }
  std::string cycle = core.graph.name(PortId(p));
  for (std::uint32_t q = reason[p]; q != p; q = reason[q])
    cycle += " -> " + core.graph.name(PortId(q));
  cycle += " -> " + core.graph.name(PortId(p));
  throw RunError(fmt::format("deadlock at {}: these outputs wait for each other's buffers: {}",
                             to_string(Time(core.now)), cycle));
}

}  // namespace

void check_conservation(const Core& core, const Hosts& hosts, const SwitchModel& switches,
                        CheckScratch& scratch) {
  check_packets(core, hosts);
  check_credits(core, scratch.on_wire);
  const std::uint64_t found = packets_found(core, hosts, switches);
  if (found != core.packets.in_use()) {
    throw RunError(
        fmt::format("{} packets exist, but {} are on wires, in switches or waiting at hosts",
                    core.packets.in_use(), found));
  }
}

void check_progress(const Core& core, const SwitchModel& switches, std::int64_t since,
                    CheckScratch& scratch) {
  const auto size = static_cast<std::uint32_t>(core.links.size());
  const auto classes = static_cast<std::uint16_t>(core.buffers);
  // Suspects: ports that have waited for credit all the time. One is cleared when some class it may
  // be waiting for holds a head that waits for a port which is not a suspect, or holds nothing.
  auto& stuck = scratch.stuck;
  stuck.assign(size, 0);
  bool any_suspect = false;
  for (std::uint32_t p = 0; p < size; ++p) {
    const Output& out = core.links[p];
    if (out.blocked && !out.to_host && out.blocked_since <= since && out.wake_at == kNever &&
        core.links.next_feedback(p) == kNever) {
      stuck[p] = 1;
      any_suspect = true;
    }
  }
  if (!any_suspect) return;
  core.events.for_each([&](const engine::Event& event) {
    if (event.kind() == kArrival) stuck[core.ports[event.entity()].upstream] = 0;
    if (event.kind() == kControl &&
        core.controls.peek(event.payload).recipient() != core.mechanisms.control.get()) {
      stuck[event.entity()] = 0;
    }
  });
  auto& reason = scratch.reason;
  reason.assign(size, kNone);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t p = 0; p < size; ++p) {
      if (stuck[p] == 0) continue;
      bool hopeless = false;
      for (std::uint16_t b = 0; b < classes; ++b) {
        struct {
          const std::vector<std::uint8_t>& stuck;
          std::uint32_t& reason;
          bool any = false;
          bool all_stuck = true;
        } heads{stuck, reason[p]};
        switches.for_each_wait(core.links[p].to, b, [&heads](std::uint32_t wanted) {
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
  report_cycle(core, stuck, reason);
}

void report_starvation(const Core& core, const SwitchModel& switches) {
  const auto waits_for_a_blocked_port = [&](const Output& out) {
    bool any = false;
    for (int b = 0; b < core.buffers && !out.to_host; ++b) {
      switches.for_each_wait(out.to, static_cast<std::uint16_t>(b), [&](std::uint32_t wanted) {
        any = any || core.links[wanted].blocked;
      });
    }
    return any;
  };
  std::uint32_t root = kNone;
  for (std::uint32_t p = 0; p < core.links.size(); ++p) {
    const Output& out = core.links[p];
    if (!out.blocked || out.to == UINT32_MAX || waits_for_a_blocked_port(out)) continue;
    root = p;
    break;
  }
  if (root == kNone) {
    throw RunError(fmt::format("starved at {}: {} packets stand still for ever",
                               to_string(Time(core.now)), core.packets.in_use()));
  }
  throw RunError(fmt::format(
      "starved at {}: {} packets stand still for ever; the root is {}, which has had packets since "
      "{} and is not allowed to send them",
      to_string(Time(core.now)), core.packets.in_use(), core.graph.name(PortId(root)),
      to_string(Time(core.links[root].blocked_since))));
}

}  // namespace weir::fabric
