#pragma once

#include <cstdint>
#include <vector>

#include "weir/rates/flow_set.hpp"

namespace weir::rates {

/// Rates of all flows of a set, with the links that explain them.
struct Assignment {
  /// The different normalized rates r(f) / w_f, ascending. Of a max-min fair assignment their
  /// number is that of the steps in which it was filled, |R|.
  std::vector<Fraction> levels;
  /// Per flow: its normalized rate is levels[level[f]].
  std::vector<std::uint32_t> level;
  /// Per flow: the link that holds it back. With applications it may be on the path of another flow
  /// of its application.
  std::vector<LinkId> bottleneck;

  [[nodiscard]] const Fraction& normalized_rate(FlowId f) const { return levels[level[f.index()]]; }
  /// r(f), as a fraction of the line rate.
  [[nodiscard]] Fraction rate(const FlowSet& set, FlowId f) const {
    return set.is_weighted() ? normalized_rate(f) * set.weight(f) : normalized_rate(f);
  }
};

/// From normalized rates as they come. Time: flows, and different rates times their logarithm.
[[nodiscard]] Assignment make_assignment(const std::vector<Fraction>& normalized,
                                         std::vector<LinkId> bottleneck);

/// When the last flow of a phase ends whose flows start together and have sizes equal to their
/// weights, in units of time at line rate (zdornov2009, section 1.4).
[[nodiscard]] Fraction completion_time(const Assignment& assignment);

/// r(a) / weight of each application: the least normalized rate of its flows.
[[nodiscard]] std::vector<Fraction> application_rates(const FlowSet& set,
                                                      const Assignment& assignment);

}  // namespace weir::rates
