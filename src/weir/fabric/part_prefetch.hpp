#pragma once

// What the next events of a large network will touch is fetched ahead, in steps: each reads what
// the one before has fetched.

#include <span>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/part.hpp"

namespace weir::fabric {

[[gnu::always_inline]] inline void Part::prefetch_first(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  const Isolation* isolation = core_.mechanisms.isolation.get();
  if (kind == kArrival) {
    weir::prefetch(&core_.packets[event.payload]);
    weir::prefetch(&core_.ports[entity]);
    if (isolation == nullptr || is_host_port(entity)) return;
    isolation->prefetch_packet(event.payload);
    isolation->prefetch_side(Side::ingress(entity));
  } else if (kind == kWake || kind == kCrossbarDone) {
    core_.links.prefetch(entity);
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

[[gnu::always_inline]] inline void Part::prefetch_second(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  const std::uint32_t kind = event.kind();
  if (kind == kArrival) {
    const Packet& packet = core_.packets[event.payload];
    if (is_host_port(entity)) {
      hosts_.prefetch_reception(packet);
    } else if (core_.knows_routes_ahead) {  // otherwise the output is not known yet
      switches_->prefetch_arrival(entity, packet);
      if (core_.mechanisms.isolation) {
        core_.mechanisms.isolation->prefetch_side(
            Side::egress(core_.ports[entity].first_port + packet.out, packet.next_buffer));
      }
    }
  } else if (kind == kWake || kind == kCrossbarDone) {
    prefetch_request(entity);
  } else if (kind == kGenerate) {
    hosts_.prefetch_generation(entity);
  }
}

[[gnu::always_inline]] inline void Part::prefetch_third(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  if (event.kind() == kArrival && is_host_port(entity)) {
    hosts_.prefetch_received_flow(core_.packets[event.payload]);
  } else if (event.kind() == kArrival && core_.knows_routes_ahead) {
    const Packet& packet = core_.packets[event.payload];
    switches_->prefetch_tail(entity, packet);
    if (!core_.mechanisms.isolation) return;
    const Isolation& isolation = *core_.mechanisms.isolation;
    isolation.prefetch_lines(Side::ingress(entity, packet.buffer), packet.destination);
    isolation.prefetch_lines(
        Side::egress(core_.ports[entity].first_port + packet.out, packet.next_buffer),
        packet.destination);
  } else if (event.kind() == kWake || event.kind() == kCrossbarDone) {
    prefetch_head(entity);
  } else if (event.kind() == kControl && core_.mechanisms.isolation) {
    const ControlMessage& message = core_.controls.peek(event.payload);
    const Isolation* isolation = core_.mechanisms.isolation.get();
    if (message.recipient() == isolation) isolation->prefetch_message(entity, message);
  }
}

inline void Part::prefetch_fourth(const engine::Event& event) const {
  if (event.kind() == kWake || event.kind() == kCrossbarDone) prefetch_leaving(event.entity());
}

[[gnu::always_inline]] inline void Part::prefetch() const {
  const std::span<const engine::Event> events = core_.events.look_ahead();
  if (events.size() > kThird) prefetch_third(events[kThird]);
  if (events.size() > kSecond) prefetch_second(events[kSecond]);
  if (events.size() > kFirst) prefetch_first(events[kFirst]);
  if (!switches_->lists_requests() || events.size() <= kFourth) return;
  prefetch_fourth(events[kFourth]);
}

inline void Part::prefetch_dirty(std::size_t next) const {
  const std::vector<std::uint32_t>& ports = core_.dirty_ports;
  if (switches_->lists_requests() && next + kFourth < ports.size())
    prefetch_leaving(ports[next + kFourth]);
  if (next + kThird >= ports.size()) return;
  prefetch_head(ports[next + kThird]);
  if (next + kSecond < ports.size()) prefetch_request(ports[next + kSecond]);
  if (next + kFirst >= ports.size()) return;
  core_.links.prefetch(ports[next + kFirst]);
  weir::prefetch(&core_.ports[ports[next + kFirst]]);
}

inline void Part::prefetch_request(std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_queue(port);
    if (core_.mechanisms.isolation) switches_->injection_buffers()->prefetch(port);
  } else {
    switches_->prefetch_request(port);
  }
}

inline void Part::prefetch_head(std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_injection(port);
    if (core_.mechanisms.isolation) switches_->injection_buffers()->prefetch_head(port);
  } else {
    switches_->prefetch_head(port);
  }
}

inline void Part::prefetch_leaving(std::uint32_t port) const {
  if (!is_host_port(port)) switches_->prefetch_leaving(port);
}

}  // namespace weir::fabric
