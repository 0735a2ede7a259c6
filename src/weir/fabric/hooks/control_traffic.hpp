#pragma once

#include "weir/fabric/hooks/mechanism.hpp"

namespace weir::fabric {

/// A protocol whose control packets travel beside the data, on the same links: it books their time
/// on links and schedules its own messages through BackgroundTraffic.
class ControlTraffic : public Mechanism {
 public:
  /// Nothing of it will change any more by itself, although messages may go on for ever.
  [[nodiscard]] virtual bool is_quiet() const = 0;
};

}  // namespace weir::fabric
