#include "weir/rates/link_aggregates.hpp"

namespace weir::rates {

LinkAggregates::LinkAggregates(const FlowSet& set) {
  const FlowsByLink by_link(set);
  std::vector<std::uint64_t> place(set.application_count(), 0);  // valid from first_.back() on
  for (std::size_t l = 0; l < set.link_count(); ++l) {
    const auto flows = by_link[LinkId(l)];
    if (flows.empty()) continue;
    links_.emplace_back(l);
    for (const FlowId f : flows) {
      const ApplicationId a = set.application(f);
      std::uint64_t& at = place[a.index()];
      const bool is_known =
          at >= first_.back() && at < shares_.size() && shares_[at].application == a;
      if (!is_known) {
        at = shares_.size();
        shares_.push_back({a, Fraction()});
      }
      shares_[at].weight += set.weight(f);
    }
    first_.push_back(shares_.size());
  }
}

}  // namespace weir::rates
