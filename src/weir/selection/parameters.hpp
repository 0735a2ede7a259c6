#pragma once

#include "weir/base/keys.hpp"

namespace weir::selection {

/// The key `isolation` of selections that may isolate the packets that they divert.
template <class S>
Key<S> isolation_key(bool S::*isolates) {
  return choice(isolates, "isolation",
                "what becomes of diverted packets: afi, they get a buffer class of their own, one "
                "more than the queueing scheme has, and keep to default routes; none, they mix "
                "with others",
                {{"none", false}, {"afi", true}});
}

}  // namespace weir::selection
