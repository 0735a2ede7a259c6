#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/rates/algorithm.hpp"

namespace weir::rates {

/// Checks an assignment against what its algorithm promises, from the rates alone: nothing of the
/// calculation is used again, all sums are made anew and compared exactly.
///
/// * always: the rates on every link fit into its capacity;
/// * max-min fair flows (zdornov2009, section 4.2.2): each flow's bottleneck is a link of its path,
/// is
///   full, and carries no flow with a larger normalized rate;
/// * max-min fair applications: all flows of an application have one normalized rate; its
///   bottleneck carries a flow of it, is full, and carries no faster application;
/// * maximal: each flow has at least 1 / W_f, and its bottleneck is on its path and full;
/// * single application, equal: the rate is 1 over the weight of the bottleneck, which is the
///   heaviest link of the path, of the network.
///
/// Returns what is wrong first, as a sentence, or nothing. Time: O(total length of paths).
[[nodiscard]] std::optional<std::string> find_violation(const FlowSet& set,
                                                        const Assignment& assignment,
                                                        Promise promise);

}  // namespace weir::rates
