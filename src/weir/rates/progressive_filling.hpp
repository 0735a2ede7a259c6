#pragma once

#include <cstdint>
#include <vector>

#include "weir/rates/assignment.hpp"

namespace weir::rates {

/// Flows that stop growing together: as soon as one of them crosses a saturated link.
struct FlowGroups {
  std::vector<std::uint32_t> of;     ///< per flow: its group; empty: every flow for itself
  std::vector<std::uint64_t> first;  ///< per group, plus an end mark
  std::vector<FlowId> flows;         ///< by group
};

/// One group for each application.
[[nodiscard]] FlowGroups application_groups(const FlowSet& set);

/// Weighted max-min fairness by progressive filling (zdornov2009, section 4.2.2, Alg. 4.5; with
/// groups form 1 of 3.13).
///
/// In place of sweeps over all links, links wait in a heap, ordered by the level at which they
/// saturate if nobody else stops growing. That level only rises while flows stop elsewhere, so that
/// an old entry comes too early, never too late: it is put back with its present level. Time:
/// O(total length of paths x log of links). Links that saturate at the same level are told by exact
/// arithmetic; a window of 1e-9 only limits with which earlier levels it compares.
[[nodiscard]] Assignment fill_progressively(const FlowSet& set, const FlowGroups& groups = {});

}  // namespace weir::rates
