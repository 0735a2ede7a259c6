#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "rates/support.hpp"

namespace weir::rates {
namespace {

std::string violation(const FlowSet& set, const Assignment& rates, Promise promise) {
  return find_violation(set, rates, promise).value_or("none");
}

RC_GTEST_PROP(RateAlgorithms, KeepWhatTheyPromise, ()) {
  const FlowSet set = draw_instance(12, 30, false).flow_set();
  for (const ModelInfo* info : algorithm_registry().models()) {
    const Algorithm& algorithm = algorithm_registry().find(info->name, {}, "").make;
    RC_LOG() << info->name << '\n';
    RC_ASSERT(violation(set, algorithm.run(set, 1), algorithm.promise) == "none");
  }
}

RC_GTEST_PROP(Ffa, IsTheSameInRationalNumbersOfAnySize, ()) {
  const Instance instance = draw_instance(20, 40, false).with_single_flows();
  const std::vector<Rational> expected = fill_by_sweeps(instance);
  const Assignment rates = ffa(instance.flow_set());
  std::vector<Rational> different = expected;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  RC_ASSERT(rates.levels.size() == different.size());
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const Fraction& rate = rates.normalized_rate(FlowId(f));
    RC_ASSERT(rate == to_fraction(expected[f]));
    RC_ASSERT(std::abs(rate.value() - static_cast<double>(expected[f])) < 1e-14);
    RC_ASSERT(different[rates.level[f]] == expected[f]);
  }
}

RC_GTEST_PROP(Afa, IsTheSameInBothFormsInParallelAndInRationalNumbers, ()) {
  const Instance instance = draw_instance(20, 40, false);
  const FlowSet set = instance.flow_set();
  const std::vector<Rational> expected = fill_by_sweeps(instance);
  const Assignment by_links = afa(set);
  for (std::size_t a = 0; a < expected.size(); ++a) {
    RC_ASSERT(application_rates(set, by_links)[a] == to_fraction(expected[a]));
  }
  for (const Assignment& other : {afa_by_flows(set), pafa(set)}) {
    RC_ASSERT(other.levels == by_links.levels);
    RC_ASSERT(other.level == by_links.level);
  }
  RC_ASSERT(by_links.levels.size() <= expected.size());  // one application a step at least
}

RC_GTEST_PROP(Afa, OfApplicationsWithOneFlowIsFfa, ()) {
  const FlowSet set = draw_instance(12, 30, false).with_single_flows().flow_set();
  const Assignment flows = ffa(set);
  for (const Assignment& rates : {afa(set), afa_by_flows(set), pafa(set)}) {
    RC_ASSERT(rates.levels == flows.levels);
    RC_ASSERT(rates.level == flows.level);
  }
}

RC_GTEST_PROP(Ffa, TakesNoMoreStepsThanFlowsAndLinks, ()) {
  const Instance instance = draw_instance(12, 30, false);
  const std::size_t steps = ffa(instance.flow_set()).levels.size();
  RC_ASSERT(steps <= instance.flows.size());
  RC_ASSERT(steps <= instance.capacities.size());
}

// (4.6), (4.10): weights are at least 1, capacities are 1.
RC_GTEST_PROP(Bounds, NoSchemeGivesMuchMoreThanASimplerOne, ()) {
  const FlowSet set = draw_instance(12, 30, true).flow_set();
  const std::vector<Fraction> weights = link_weights(set);
  const Fraction w = *std::max_element(weights.begin(), weights.end());
  const Fraction bound = (w + Fraction(1)) * (w + Fraction(1)) / (Fraction(4) * w);
  const Assignment simple = saa(set);
  const Assignment maximal = saa_maximal(set, 1);
  const Assignment fair = ffa(set);
  const Assignment applications = afa(set);
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    const Fraction rate = fair.normalized_rate(FlowId(f));
    RC_ASSERT(rate <= bound * simple.normalized_rate(FlowId(f)));
    RC_ASSERT(rate <= bound * maximal.normalized_rate(FlowId(f)));
    // Optimal for one application.
    for (const Assignment* rates : {&simple, &maximal, &fair, &applications}) {
      RC_ASSERT(rates->normalized_rate(FlowId(f)) * w >= Fraction(1));
    }
  }
  const std::vector<Fraction> of_applications = application_rates(set, applications);
  for (const Assignment& other : {simple, fair}) {
    const std::vector<Fraction> least = application_rates(set, other);
    for (std::size_t a = 0; a < least.size(); ++a) {
      RC_ASSERT(of_applications[a] <= bound * least[a]);
    }
  }
}

RC_GTEST_PROP(Saa, FillsTheHeaviestLinkAndEndsAtItsWeight, ()) {
  const FlowSet set = draw_instance(12, 30, false).flow_set();
  const std::vector<Fraction> weights = link_weights(set);
  const auto heaviest = std::max_element(weights.begin(), weights.end());
  const Assignment rates = saa(set);
  RC_ASSERT(completion_time(rates) == *heaviest);
  FractionSum used;
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    for (const LinkId l : set.path(FlowId(f))) {
      if (weights[l.index()] != *heaviest) continue;
      if (l.index() == static_cast<std::size_t>(heaviest - weights.begin())) {
        used.add(rates.rate(set, FlowId(f)));
      }
    }
  }
  RC_ASSERT(used == set.capacity(LinkId(static_cast<std::size_t>(heaviest - weights.begin()))));
}

}  // namespace
}  // namespace weir::rates
