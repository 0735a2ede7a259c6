#include "weir/rates/assignment.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace weir::rates {

Assignment make_assignment(const std::vector<Fraction>& normalized,
                           std::vector<LinkId> bottleneck) {
  Assignment out;
  out.bottleneck = std::move(bottleneck);
  out.level.reserve(normalized.size());
  std::unordered_map<std::uint64_t, std::uint32_t> number_of;
  std::vector<Fraction> found;
  for (const Fraction& rate : normalized) {
    const auto [place, is_new] =
        number_of.emplace(rate.residue(), static_cast<std::uint32_t>(found.size()));
    if (is_new) found.push_back(rate);
    out.level.push_back(place->second);
  }
  std::vector<std::uint32_t> order(found.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return found[a] < found[b]; });
  std::vector<std::uint32_t> place(found.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    out.levels.push_back(found[order[i]]);
  }
  for (std::uint32_t& level : out.level) level = place[level];
  return out;
}

Fraction completion_time(const Assignment& assignment) {
  return Fraction(1) / assignment.levels.front();
}

std::vector<Fraction> application_rates(const FlowSet& set, const Assignment& assignment) {
  std::vector<std::uint32_t> lowest(set.application_count(), UINT32_MAX);
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    std::uint32_t& low = lowest[set.application(FlowId(f)).index()];
    low = std::min(low, assignment.level[f]);
  }
  std::vector<Fraction> rates;
  rates.reserve(lowest.size());
  for (const std::uint32_t level : lowest) rates.push_back(assignment.levels[level]);
  return rates;
}

}  // namespace weir::rates
