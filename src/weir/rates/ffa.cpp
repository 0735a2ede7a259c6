#include "weir/rates/algorithm.hpp"
#include "weir/rates/progressive_filling.hpp"

namespace weir::rates {

Assignment ffa(const FlowSet& set) { return fill_progressively(set); }

namespace {

const Registration<Algorithm> kFfaAlgorithm(
    algorithm_registry(),
    {"ffa",
     "weighted max-min fair flows, by progressive filling",
     "zdornov2009, section 4.2.2",
     {}},
    {[](const FlowSet& set, std::uint64_t) { return ffa(set); }, Promise::max_min_flows});

}  // namespace

}  // namespace weir::rates
