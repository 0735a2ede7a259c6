#include <utility>

#include "weir/rates/algorithm.hpp"
#include "weir/rates/heaviest_links.hpp"

namespace weir::rates {

Assignment saa(const FlowSet& set) {
  HeaviestLinks heaviest = heaviest_links(set);
  std::vector<Fraction> share(set.link_count());
  for (std::size_t l = 0; l < share.size(); ++l) {
    const Fraction& weight = heaviest.weights[l];
    if (!weight.is_zero()) share[l] = Fraction(1) / weight;
  }
  std::vector<Fraction> normalized;
  normalized.reserve(set.flow_count());
  for (const LinkId l : heaviest.of) normalized.push_back(share[l.index()]);
  return make_assignment(normalized, std::move(heaviest.of));
}

namespace {

const Registration<Algorithm> kSaaAlgorithm(
    algorithm_registry(),
    {"saa",
     "one application: each flow its share of the heaviest link of its path",
     "zdornov2009, section 4.1.2",
     {}},
    {[](const FlowSet& set, std::uint64_t) { return saa(set); }, Promise::single_application});

}  // namespace

}  // namespace weir::rates
