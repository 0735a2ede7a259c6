#pragma once

// What the next events of a large network will touch is fetched ahead, in steps: each reads what
// the one before has fetched.

#include <span>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/part.hpp"

namespace weir::fabric {

template <class Switches>
[[gnu::always_inline]] inline void Part::prefetch_first(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  const Isolation* isolation = isolation_of<Switches>();
  if (kind == kArrival) {
    weir::prefetch(&core_.packets[event.payload]);
    weir::prefetch(&core_.ports[entity]);
    if (core_.border != nullptr && is_host_port(entity))
      core_.border->prefetch_carried(event.payload);
    if (isolation == nullptr || is_host_port(entity)) return;
    isolation->prefetch_packet(event.payload);
    isolation->prefetch_side(Side::ingress(entity));
  } else if (kind == kWake || kind == kCrossbarDone) {
    if constexpr (Switches::kIsPlain) {
      core_.links.prefetch_plainly(entity);
    } else {
      core_.links.prefetch(entity);
    }
    weir::prefetch(&core_.ports[entity]);
    if (isolation != nullptr) isolation->prefetch_side(Side::egress(entity));
  } else if (kind == kGenerate) {
    hosts_.prefetch_source(entity);
  } else if (kind == kControl) {
    core_.controls.prefetch(event.payload);
    if (isolation == nullptr) return;
    isolation->prefetch_side(Side::ingress(entity));
    isolation->prefetch_side(Side::egress(entity));
  }
}

template <class Switches>
[[gnu::always_inline]] inline void Part::prefetch_second(const Switches& switches,
                                                         const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  if (kind == kArrival) {
    const Packet& packet = core_.packets[event.payload];
    if (is_host_port(entity)) {
      hosts_.prefetch_reception(packet);
    } else if (Switches::kIsPlain || core_.knows_routes_ahead) {
      // Otherwise the output is not known yet.
      switches.prefetch_arrival(entity, packet);
      if (const Isolation* isolation = isolation_of<Switches>()) {
        isolation->prefetch_side(
            Side::egress(core_.ports[entity].first_port + packet.out, packet.next_buffer));
      }
    }
  } else if (kind == kWake || kind == kCrossbarDone) {
    prefetch_request(switches, entity);
  } else if (kind == kGenerate) {
    hosts_.prefetch_generation(entity);
  }
}

template <class Switches>
[[gnu::always_inline]] inline void Part::prefetch_third(const Switches& switches,
                                                        const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  const Isolation* isolation = isolation_of<Switches>();
  if (kind == kArrival) {
    const Packet& packet = core_.packets[event.payload];
    if (is_host_port(entity)) {
      hosts_.prefetch_received_flow(packet);
      return;
    }
    if (!Switches::kIsPlain && !core_.knows_routes_ahead) return;
    switches.prefetch_tail(entity, packet);
    if (isolation == nullptr) return;
    isolation->prefetch_lines(Side::ingress(entity, packet.buffer), packet.destination);
    isolation->prefetch_lines(
        Side::egress(core_.ports[entity].first_port + packet.out, packet.next_buffer),
        packet.destination);
  } else if (kind == kWake || kind == kCrossbarDone) {
    prefetch_head(switches, entity);
  } else if (isolation != nullptr && kind == kControl) {
    const ControlMessage& message = core_.controls.peek(event.payload);
    if (message.recipient() == isolation) isolation->prefetch_message(entity, message);
  }
}

inline void Part::prefetch_fourth(const engine::Event& event) const {
  if (event.kind() == kWake || event.kind() == kCrossbarDone) prefetch_leaving(event.entity());
}

template <class Switches>
[[gnu::always_inline]] inline void Part::prefetch(const Switches& switches) const {
  const std::span<const engine::Event> events = core_.events.look_ahead();
  if (events.size() > kFirst) [[likely]] {
    prefetch_third(switches, events[kThird]);
    prefetch_second(switches, events[kSecond]);
    prefetch_first<Switches>(events[kFirst]);
  } else {
    prefetch_few(switches);
  }
  if constexpr (!Switches::kIsPlain) {
    if (switches.lists_requests() && events.size() > kFourth) prefetch_fourth(events[kFourth]);
  }
}

/// At the end of what is already sorted.
template <class Switches>
[[gnu::noinline]] void Part::prefetch_few(const Switches& switches) const {
  const std::span<const engine::Event> events = core_.events.look_ahead();
  if (events.size() > kThird) prefetch_third(switches, events[kThird]);
  if (events.size() > kSecond) prefetch_second(switches, events[kSecond]);
}

template <class Switches>
[[gnu::noinline]] void Part::prefetch_dirty(const Switches& switches, std::size_t next) const {
  const std::vector<std::uint32_t>& ports = core_.dirty_ports;
  if (switches.lists_requests() && next + kFourth < ports.size())
    prefetch_leaving(ports[next + kFourth]);
  if (next + kThird >= ports.size()) return;
  prefetch_head(switches, ports[next + kThird]);
  if (next + kSecond < ports.size()) prefetch_request(switches, ports[next + kSecond]);
  if (next + kFirst >= ports.size()) return;
  core_.links.prefetch(ports[next + kFirst]);
  weir::prefetch(&core_.ports[ports[next + kFirst]]);
}

template <class Switches>
inline void Part::prefetch_request(const Switches& switches, std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_queue(port);
    if (isolation_of<Switches>() != nullptr) switches_->injection_buffers()->prefetch(port);
  } else {
    switches.prefetch_request(port);
  }
}

template <class Switches>
inline void Part::prefetch_head(const Switches& switches, std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_injection(port);
    if (isolation_of<Switches>() != nullptr) switches_->injection_buffers()->prefetch_head(port);
  } else {
    switches.prefetch_head(port);
  }
}

inline void Part::prefetch_leaving(std::uint32_t port) const {
  if (!is_host_port(port)) switches_->prefetch_leaving(port);
}

}  // namespace weir::fabric
