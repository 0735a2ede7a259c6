#include <algorithm>

#include "weir/rates/algorithm.hpp"

namespace weir::rates {

Assignment global_minimum(const FlowSet& set) {
  const std::vector<Fraction> weights = link_weights(set);
  const auto heaviest = std::max_element(weights.begin(), weights.end());
  Assignment out;
  out.levels = {Fraction(1) / *heaviest};
  out.level.assign(set.flow_count(), 0);
  out.bottleneck.assign(set.flow_count(),
                        LinkId(static_cast<std::size_t>(heaviest - weights.begin())));
  return out;
}

namespace {

const Registration<Algorithm> kGlobalMinimumAlgorithm(
    algorithm_registry(),
    {"global-minimum",
     "one application: all flows the share of the heaviest link of the network",
     "zdornov2009, section 2.2",
     {}},
    {[](const FlowSet& set, std::uint64_t) { return global_minimum(set); }, Promise::equal});

}  // namespace

}  // namespace weir::rates
