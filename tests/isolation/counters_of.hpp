#pragma once

#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

/// What a mechanism with set-aside queues has counted.
inline const SetAsideCounters& counters_of(const fabric::Isolation& isolation) {
  return dynamic_cast<const SetAside&>(isolation).counters();
}

}  // namespace weir::isolation
