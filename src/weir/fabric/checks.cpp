#include <algorithm>
#include <map>
#include <utility>
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
  for_each_part(fabric, [&](const Part& part) { part.hosts().flows().for_each(visit); });
}

const Core& core_of(const Fabric& fabric, std::uint32_t port) {
  return fabric.part_of(PortId(port)).core();
}

struct PacketCounts {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;

  PacketCounts& operator+=(const PacketCounts& other) {
    injected += other.injected;
    delivered += other.delivered;
    lost += other.lost;
    return *this;
  }
};

/// Every packet in the slab is on a wire, in a switch, in a crossbar or waits at a host; flows add
/// up.
void check_packets(const Fabric& fabric) {
  PacketCounts of_flows;
  const bool is_whole = fabric.parts() == 1 && fabric.ranks() == nullptr;
  // Where the network is divided, the two ends of a flow may count in different parts.
  for_each_flow(fabric, [&](const Flow& flow) {
    if (is_whole && flow.delivered + flow.lost > flow.injected) {
      throw RunError(fmt::format(
          "flow from host {} to host {}: {} packets delivered and {} lost of {} injected",
          flow.source, flow.destination, flow.delivered, flow.lost, flow.injected));
    }
    of_flows.injected += flow.injected;
    of_flows.delivered += flow.delivered;
    of_flows.lost += flow.lost;
  });
  // Where they were going nobody has heard of these yet.
  for_each_part(fabric, [&](const Part& part) {
    part.core().events.for_each([&](const engine::Event& event) {
      if (event.kind() == kLost && !part.core().packets[event.payload].is_ack()) ++of_flows.lost;
    });
  });
  const auto [injected, delivered, lost] = summed(fabric.ranks(), of_flows);
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

/// What is behind the ingress ports of links that come from another process: per port the bytes on
/// the wire, then those stored per class.
using FarEnds = std::map<std::uint32_t, std::vector<std::int64_t>>;

/// Those whose senders are here.
FarEnds far_ends(const Fabric& fabric, const std::vector<std::int64_t>& on_wire) {
  FarEnds far;
  if (fabric.ranks() == nullptr) return far;
  const topology::Graph& graph = fabric.graph();
  const auto classes = static_cast<std::size_t>(fabric.buffer_classes());
  std::vector<std::int64_t> mine;
  for (std::size_t part = 0; part < fabric.parts(); ++part) {
    const Core& core = fabric.part(part).core();
    for (const std::uint32_t port : fabric.ports_of(part)) {
      const PortId from = graph.port(PortId(port)).from;
      if (!from.valid() || fabric.has(from)) continue;
      mine.push_back(port);
      mine.push_back(on_wire[from.index()]);
      for (std::size_t b = 0; b < classes; ++b) {
        mine.push_back(port < core.host_count
                           ? 0
                           : core.stored[core.buffer_index(port, static_cast<std::uint16_t>(b))]);
      }
    }
  }
  for (const std::vector<std::int64_t>& some : gathered(fabric.ranks(), std::move(mine))) {
    for (auto at = some.begin(); at != some.end(); at += static_cast<std::ptrdiff_t>(classes) + 2) {
      const auto port = static_cast<std::uint32_t>(*at);
      if (!fabric.has(graph.port(PortId(port)).from)) continue;
      far.emplace(port,
                  std::vector<std::int64_t>(at + 1, at + static_cast<std::ptrdiff_t>(classes) + 2));
    }
  }
  return far;
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
  const FarEnds far = far_ends(fabric, on_wire);
  const auto classes = static_cast<std::uint16_t>(fabric.buffer_classes());
  const auto held_at = [&](std::uint32_t port, std::uint16_t buffer) {
    const auto elsewhere = far.find(port);
    if (elsewhere != far.end()) return elsewhere->second[1 + buffer];
    const Core& receiver = core_of(fabric, port);
    return receiver.stored[receiver.buffer_index(port, buffer)];
  };
  together(fabric.ranks(), [&] {
    for (std::uint32_t port = 0; port < graph.port_count(); ++port) {
      if (!fabric.has(PortId(port))) continue;
      const Core& core = core_of(fabric, port);
      const Output& out = core.links[port];
      if (out.to == UINT32_MAX || out.to_host) continue;
      const auto elsewhere = far.find(out.to);
      std::int64_t taken = 0;
      std::int64_t accounted = elsewhere == far.end() ? on_wire[port] : elsewhere->second.front();
      for (std::uint16_t b = 0; b < classes; ++b) {
        const std::int64_t used = core.links.taken(port, b);
        const std::int64_t held = held_at(out.to, b);
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
  });
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

/// What all processes have.
std::vector<std::uint32_t> all_of(const Fabric& fabric, std::vector<std::uint32_t> here) {
  std::vector<std::uint32_t> all;
  for (const auto& some : gathered(fabric.ranks(), std::move(here)))
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// Suspects: ports that have waited for credit all the time, and to whose receivers nothing is on
/// its way. False: there are none.
bool find_suspects(const Fabric& fabric, std::int64_t since, std::vector<std::uint8_t>& stuck) {
  const auto size = static_cast<std::uint32_t>(fabric.graph().port_count());
  stuck.assign(size, 0);
  std::vector<std::uint32_t> suspects;
  for (std::uint32_t p = 0; p < size; ++p) {
    if (!fabric.has(PortId(p))) continue;
    const Links& links = core_of(fabric, p).links;
    const Output& out = links[p];
    if (out.blocked && !out.to_host && out.blocked_since <= since && out.wake_at == kNever &&
        links.next_feedback(p) == kNever) {
      suspects.push_back(p);
    }
  }
  suspects = all_of(fabric, std::move(suspects));
  if (suspects.empty()) return false;
  for (const std::uint32_t p : suspects) stuck[p] = 1;
  std::vector<std::uint32_t> expected;
  for_each_part(fabric, [&](const Part& part) {
    const Core& core = part.core();
    core.events.for_each([&](const engine::Event& event) {
      if (event.kind() == kArrival) expected.push_back(core.ports[event.entity()].upstream);
      if (event.kind() == kControl &&
          core.controls.peek(event.payload).recipient() != core.mechanisms.control.get()) {
        expected.push_back(event.entity());
      }
    });
  });
  for (const std::uint32_t p : all_of(fabric, std::move(expected))) stuck[p] = 0;
  return true;
}

/// Each class behind the ingress port `to` that has heads has none but such as wait for stuck
/// ports, and some class has heads. `reason`: a port that one of them waits for.
bool is_hopeless(const Fabric& fabric, std::uint32_t to, const std::vector<std::uint8_t>& stuck,
                 std::uint32_t& reason) {
  const SwitchModel& switches = fabric.part_of(PortId(to)).switches();
  const auto classes = static_cast<std::uint16_t>(fabric.buffer_classes());
  bool has_heads = false;
  for (std::uint16_t b = 0; b < classes; ++b) {
    struct {
      const std::vector<std::uint8_t>& stuck;
      std::uint32_t& reason;
      bool any = false;
      bool all_stuck = true;
    } heads{stuck, reason};
    switches.for_each_wait(to, b, [&heads](std::uint32_t wanted) {
      heads.any = true;
      if (heads.stuck[wanted] != 0) {
        heads.reason = wanted;
      } else {
        heads.all_stuck = false;
      }
    });
    if (heads.any && !heads.all_stuck) return false;
    has_heads = has_heads || heads.any;
  }
  return has_heads;
}

}  // namespace

void check_conservation(const Fabric& fabric, CheckScratch& scratch) {
  check_packets(fabric);
  check_credits(fabric, scratch.on_wire);
  together(fabric.ranks(), [&] {
    for_each_part(fabric, [](const Part& part) {
      const std::uint64_t found = packets_found(part);
      if (found == part.core().packets.in_use()) return;
      throw RunError(
          fmt::format("{} packets exist, but {} are on wires, in switches or waiting at hosts",
                      part.core().packets.in_use(), found));
    });
  });
}

void check_progress(const Fabric& fabric, std::int64_t since, CheckScratch& scratch) {
  auto& stuck = scratch.stuck;
  if (!find_suspects(fabric, since, stuck)) return;
  const topology::Graph& graph = fabric.graph();
  auto& reason = scratch.reason;
  reason.assign(stuck.size(), kNone);
  std::vector<std::uint32_t> cleared;
  do {
    cleared.clear();
    for (std::uint32_t p = 0; p < stuck.size(); ++p) {
      if (stuck[p] == 0 || !fabric.has(graph.port(PortId(p)).to)) continue;
      if (is_hopeless(fabric, graph.port(PortId(p)).to.value, stuck, reason[p])) continue;
      stuck[p] = 0;
      cleared.push_back(p);
    }
    cleared = all_of(fabric, std::move(cleared));
    for (const std::uint32_t p : cleared) stuck[p] = 0;
  } while (!cleared.empty());
  std::vector<std::uint32_t> reasons;
  for (std::uint32_t p = 0; p < stuck.size(); ++p) {
    if (stuck[p] == 0 || !fabric.has(graph.port(PortId(p)).to)) continue;
    reasons.insert(reasons.end(), {p, reason[p]});
  }
  reasons = all_of(fabric, std::move(reasons));
  for (std::size_t i = 0; i < reasons.size(); i += 2) reason[reasons[i]] = reasons[i + 1];
  report_cycle(fabric, stuck, reason);
}

void report_starvation(const Fabric& fabric) {
  const topology::Graph& graph = fabric.graph();
  std::vector<std::uint32_t> blocked;
  std::uint64_t packets = 0;
  for (std::size_t part = 0; part < fabric.parts(); ++part) {
    const Core& core = fabric.part(part).core();
    packets += core.packets.in_use();
    for (const std::uint32_t port : fabric.ports_of(part))
      if (core.links[port].blocked) blocked.push_back(port);
  }
  packets = summed(fabric.ranks(), packets);
  blocked = all_of(fabric, std::move(blocked));
  std::vector<std::uint8_t> is_blocked(graph.port_count(), 0);
  for (const std::uint32_t port : blocked) is_blocked[port] = 1;
  // Those in whose way, behind their link, no other blocked port is.
  std::vector<std::uint32_t> roots;
  for (const std::uint32_t port : blocked) {
    const PortId to = graph.port(PortId(port)).to;
    if (!to.valid() || !fabric.has(to)) continue;
    bool waits_for_another = false;
    for (int b = 0; b < fabric.buffer_classes() && !graph.is_host(graph.port(to).node); ++b) {
      fabric.part_of(to).switches().for_each_wait(
          to.value, static_cast<std::uint16_t>(b), [&](std::uint32_t wanted) {
            waits_for_another = waits_for_another || is_blocked[wanted] != 0;
          });
    }
    if (!waits_for_another) roots.push_back(port);
  }
  roots = all_of(fabric, std::move(roots));
  if (roots.empty()) {
    throw RunError(fmt::format("starved at {}: {} packets stand still for ever",
                               to_string(fabric.now()), packets));
  }
  const std::uint32_t root = *std::min_element(roots.begin(), roots.end());
  const std::int64_t since =
      fabric.has(PortId(root)) ? core_of(fabric, root).links[root].blocked_since : 0;
  throw RunError(fmt::format(
      "starved at {}: {} packets stand still for ever; the root is {}, which has had packets since "
      "{} and is not allowed to send them",
      to_string(fabric.now()), packets, graph.name(PortId(root)),
      to_string(Time(summed(fabric.ranks(), since)))));
}

}  // namespace weir::fabric
