#pragma once

#include <cstdint>
#include <vector>

#include "weir/analysis/measures.hpp"

namespace weir::analysis {

/// Coefficient of the full queue in the maximum-entropy form.
enum class Boundary : std::uint8_t {
  exact,     ///< that of the exact chain: a packet inside a batch meets more than the batch does
  published  ///< equation 2.10, with P(N) as blocking: right for Poisson arrivals only
};

/// The server works at `rate` while the number in the system is above the level before and at most
/// `last`.
struct Level {
  double rate = 0;
  std::int64_t last = 0;
};

/// GE/GE/1/M queue, first come first served, whose service rate depends on the number in the
/// system. M, the capacity, is the `last` of the top level; a packet that finds M is lost. Arrivals
/// come in geometric batches (GE), and the packets of a batch one after another; services are GE
/// with a rate that follows the level at once.
///
/// Both solutions are exact for this chain, the one state by state in time proportional to M, the
/// other level by level. Numbers grow and shrink as powers of two beside doubles, so that
/// capacities of a million and any load neither overflow nor lose digits.
/// Source: yan2012, section 5.2.
struct LevelQueue {
  double arrival_rate = 0;
  double arrival_scv = 1;
  double service_scv = 1;
  std::vector<Level> levels;

  static constexpr std::int64_t kMostStates = 1'000'000;

  /// Throws InputError that names the member: rates not above 0, SCVs below 1, no level, levels
  /// whose `last` do not grow, capacity outside 1 to kMostStates.
  void check() const;
  /// State by state. With the published boundary the state M has the weight of equation 2.10, and
  /// its probability is that of blocking. Throws InputError as check().
  [[nodiscard]] QueueMeasures solve(Boundary boundary = Boundary::exact) const;
  /// From the sums of geometric series of each level; without `distribution`. Throws InputError as
  /// check().
  [[nodiscard]] QueueMeasures solve_closed_form() const;
};

}  // namespace weir::analysis
