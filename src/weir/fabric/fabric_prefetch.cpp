// What the next events of a large network will touch is fetched ahead, in steps: each reads what
// the one before has fetched.

#include "weir/base/prefetch.hpp"
#include "weir/fabric/fabric.hpp"

namespace weir::fabric {

namespace {

/// How many events before its turn the steps of prefetching see an event; the fourth is for
/// requests in lists. One event takes about as long as a read of main memory.
constexpr std::ptrdiff_t kFirst = 9;
constexpr std::ptrdiff_t kSecond = 6;
constexpr std::ptrdiff_t kThird = 3;
constexpr std::ptrdiff_t kFourth = 1;

}  // namespace

void Fabric::prefetch() const {
  if (!is_large_) return;
  if (const engine::Event* event = core_.events.look_ahead(kFirst)) prefetch_first(*event);
  if (const engine::Event* event = core_.events.look_ahead(kSecond)) prefetch_second(*event);
  if (const engine::Event* event = core_.events.look_ahead(kThird)) prefetch_third(*event);
  if (!switches_->lists_requests()) return;
  if (const engine::Event* event = core_.events.look_ahead(kFourth)) prefetch_fourth(*event);
}

void Fabric::prefetch_first(const engine::Event& event) const {
  switch (event.kind()) {
    case kArrival:
      weir::prefetch(&core_.packets[event.payload]);
      weir::prefetch(&core_.ports[event.entity()]);
      if (core_.mechanisms.isolation && !is_host_port(event.entity())) {
        core_.mechanisms.isolation->prefetch_packet(event.payload);
        core_.mechanisms.isolation->prefetch_side(Side::ingress(event.entity()));
      }
      return;
    case kCrossbarDone:
    case kWake:
      core_.links.prefetch(event.entity());
      weir::prefetch(&core_.ports[event.entity()]);
      if (core_.mechanisms.isolation)
        core_.mechanisms.isolation->prefetch_side(Side::egress(event.entity()));
      return;
    case kControl:
      core_.controls.prefetch(event.payload);
      if (core_.mechanisms.isolation) {
        core_.mechanisms.isolation->prefetch_side(Side::ingress(event.entity()));
        core_.mechanisms.isolation->prefetch_side(Side::egress(event.entity()));
      }
      return;
    case kGenerate:
      hosts_.prefetch_source(event.entity());
      return;
    default:
      return;
  }
}

void Fabric::prefetch_second(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  switch (event.kind()) {
    case kArrival:
      if (is_host_port(entity)) {
        hosts_.prefetch_reception(core_.packets[event.payload]);
      } else if (core_.knows_routes_ahead) {  // otherwise the output is not known yet
        const Packet& packet = core_.packets[event.payload];
        switches_->prefetch_arrival(entity, packet);
        if (core_.mechanisms.isolation) {
          core_.mechanisms.isolation->prefetch_side(
              Side::egress(core_.ports[entity].first_port + packet.out));
        }
      }
      return;
    case kCrossbarDone:
    case kWake:
      prefetch_request(entity);
      return;
    case kGenerate:
      hosts_.prefetch_generation(entity);
      return;
    default:
      return;
  }
}

void Fabric::prefetch_third(const engine::Event& event) const {
  const std::uint32_t entity = event.entity();
  if (event.kind() == kArrival && is_host_port(entity)) {
    hosts_.prefetch_received_flow(core_.packets[event.payload]);
  } else if (event.kind() == kArrival && core_.knows_routes_ahead) {
    const Packet& packet = core_.packets[event.payload];
    switches_->prefetch_tail(entity, packet);
    if (!core_.mechanisms.isolation) return;
    const Isolation& isolation = *core_.mechanisms.isolation;
    isolation.prefetch_lines(Side::ingress(entity), packet.destination);
    isolation.prefetch_lines(Side::egress(core_.ports[entity].first_port + packet.out),
                             packet.destination);
  } else if (event.kind() == kWake || event.kind() == kCrossbarDone) {
    prefetch_head(entity);
  } else if (event.kind() == kControl && core_.mechanisms.isolation) {
    const ControlMessage& message = core_.controls.peek(event.payload);
    if (message.recipient != ControlMessage::isolation) return;
    const std::uint32_t destination = message.b;
    core_.mechanisms.isolation->prefetch_lines(Side::ingress(entity), destination);
    core_.mechanisms.isolation->prefetch_lines(Side::egress(entity), destination);
  }
}

void Fabric::prefetch_fourth(const engine::Event& event) const {
  if (event.kind() == kWake || event.kind() == kCrossbarDone) prefetch_leaving(event.entity());
}

void Fabric::prefetch_dirty(std::size_t next) const {
  const std::vector<std::uint32_t>& ports = core_.dirty_ports;
  if (!is_large_) return;
  if (switches_->lists_requests() && next + kFourth < ports.size())
    prefetch_leaving(ports[next + kFourth]);
  if (next + kThird >= ports.size()) return;
  prefetch_head(ports[next + kThird]);
  if (next + kSecond < ports.size()) prefetch_request(ports[next + kSecond]);
  if (next + kFirst >= ports.size()) return;
  core_.links.prefetch(ports[next + kFirst]);
  weir::prefetch(&core_.ports[ports[next + kFirst]]);
}

void Fabric::prefetch_request(std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_queue(port);
    if (core_.mechanisms.isolation) switches_->egress_buffers()->prefetch(port);
  } else {
    switches_->prefetch_request(port);
  }
}

void Fabric::prefetch_head(std::uint32_t port) const {
  if (is_host_port(port)) {
    hosts_.prefetch_injection(port);
    if (core_.mechanisms.isolation) switches_->egress_buffers()->prefetch_head(port);
  } else {
    switches_->prefetch_head(port);
  }
}

void Fabric::prefetch_leaving(std::uint32_t port) const {
  if (!is_host_port(port)) switches_->prefetch_leaving(port);
}

}  // namespace weir::fabric
