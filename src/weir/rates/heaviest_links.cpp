#include "weir/rates/heaviest_links.hpp"

#include <algorithm>

namespace weir::rates {

HeaviestLinks heaviest_links(const FlowSet& set) {
  HeaviestLinks out;
  out.weights = link_weights(set);
  out.of.reserve(set.flow_count());
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    const auto path = set.path(FlowId(f));
    out.of.push_back(*std::max_element(path.begin(), path.end(), [&](LinkId a, LinkId b) {
      return out.weights[a.index()] < out.weights[b.index()];
    }));
  }
  return out;
}

}  // namespace weir::rates
