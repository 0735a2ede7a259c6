#pragma once

#include <vector>

#include "weir/rates/flow_set.hpp"

namespace weir::rates {

/// W_l of all links, and the link of each flow's path at which W_f is reached (4.1).
struct HeaviestLinks {
  std::vector<Fraction> weights;  ///< per link
  std::vector<LinkId> of;         ///< per flow: the first one of its path with the largest weight
};

[[nodiscard]] HeaviestLinks heaviest_links(const FlowSet& set);

}  // namespace weir::rates
