#pragma once

#include <cstdint>

#include "weir/base/units.hpp"
#include "weir/rates/control_plane.hpp"

namespace weir::rates {

/// What a ControlCarrier has to be told of at a time.
enum class ControlEvent : std::uint8_t { timer, arrival, stage };

/// What control packets travel on: clock, events and wires. Implementations: ControlWires, which
/// has nothing but control packets, and FabricWires, a simulated fabric beside its data.
class ControlMedium {
 public:
  virtual ~ControlMedium() = default;
  [[nodiscard]] virtual Time now() const = 0;
  /// ControlCarrier::handle(event, payload) at `time`; `link` orders the events of an instant.
  virtual void schedule(Time time, ControlEvent event, LinkIndex link, std::uint32_t payload) = 0;
  /// Puts a packet on a link behind the control packets that are there. Returns when its tail has
  /// arrived at the other end.
  virtual Time transmit(LinkIndex link, Bytes size) = 0;
};

}  // namespace weir::rates
