#include <algorithm>
#include <numeric>
#include <utility>

#include "weir/base/random.hpp"
#include "weir/rates/algorithm.hpp"

namespace weir::rates {
namespace {

/// Flow numbers in an order of their own for each seed.
std::vector<std::uint32_t> shuffled(std::size_t flows, std::uint64_t seed) {
  std::vector<std::uint32_t> order(flows);
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random(seed, 0, StreamPurpose::placement);
  for (std::size_t i = flows; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

Assignment saa_maximal(const FlowSet& set, std::uint64_t seed) {
  const Assignment base = saa(set);
  std::vector<FractionSum> free(set.link_count());
  for (std::size_t l = 0; l < free.size(); ++l) free[l] = FractionSum(set.capacity(LinkId(l)));
  std::vector<Fraction> rates;
  rates.reserve(set.flow_count());
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    rates.push_back(base.rate(set, FlowId(f)));
    for (const LinkId l : set.path(FlowId(f))) free[l.index()].subtract(rates.back());
  }
  std::vector<LinkId> bottleneck(set.flow_count());
  for (const std::uint32_t f : shuffled(set.flow_count(), seed)) {
    const auto path = set.path(FlowId(f));
    const LinkId tightest = *std::min_element(path.begin(), path.end(), [&](LinkId a, LinkId b) {
      return free[a.index()].total() < free[b.index()].total();
    });
    bottleneck[f] = tightest;
    const Fraction claim = free[tightest.index()].total();
    if (claim.is_zero()) continue;
    rates[f] += claim;
    for (const LinkId l : path) free[l.index()].subtract(claim);
  }
  if (set.is_weighted()) {
    for (std::size_t f = 0; f < set.flow_count(); ++f) rates[f] = rates[f] / set.weight(FlowId(f));
  }
  return make_assignment(rates, std::move(bottleneck));
}

namespace {

const Registration<Algorithm> kMaximalSaaAlgorithm(
    algorithm_registry(),
    {"saa-m",
     "saa, then flows in random order take all that is free along their paths",
     "zdornov2009, section 4.1.3",
     {}},
    {saa_maximal, Promise::maximal});

}  // namespace

}  // namespace weir::rates
