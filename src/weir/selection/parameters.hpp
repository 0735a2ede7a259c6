#pragma once

#include "weir/base/catalog.hpp"

namespace weir::selection {

/// The parameter `isolation` of selections that may isolate the packets that they divert.
inline Parameter isolation_parameter() {
  return Parameter::
      of(ParameterType::text, "isolation",
         "what becomes of diverted packets: afi, they get a buffer class of their own, one more "
         "than the queueing scheme has, and keep to default routes; none, they mix with others")
          .by_default("none")
          .one_of({"none", "afi"});
}

}  // namespace weir::selection
