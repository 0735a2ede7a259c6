#pragma once

#include <cstddef>

#include "weir/base/ids.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

class Core;

/// A protocol whose control packets travel beside the data, on the same links: it books their time
/// on links with Core::occupy_for_control() and schedules its own messages.
class ControlTraffic {
 public:
  virtual ~ControlTraffic() = default;
  /// Before anything happens; `core` outlives its use.
  virtual void attach(Core& core) = 0;
  /// What was scheduled for `port` with Core::schedule_control().
  virtual void on_control(PortId port, const ControlMessage& message) = 0;
  /// Nothing of it will change any more by itself, although messages may go on for ever.
  [[nodiscard]] virtual bool is_quiet() const = 0;
  [[nodiscard]] virtual std::size_t memory() const { return 0; }
};

}  // namespace weir::fabric
