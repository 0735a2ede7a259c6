#pragma once

#include <cstdint>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

/// `port` cannot send yet for another reason than credit. If it has lacked credit since its last
/// packet, it is still woken at every word from the far end: when words are written down, which
/// parts of a network do later than a whole one, must not decide at how many.
inline void await_again(Core& core, std::uint32_t port) {
  if (!core.links[port].blocked) return;
  core.links.apply(port, core.now);
  core.await_feedback(port);
}

}  // namespace weir::fabric
