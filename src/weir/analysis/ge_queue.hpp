#pragma once

#include <cstdint>
#include <optional>

#include "weir/analysis/level_queue.hpp"
#include "weir/analysis/measures.hpp"

namespace weir::analysis {

/// GE/GE/1/N queue: bursty arrivals (GE, or Poisson where the SCV is 1), GE or exponential
/// services, one server, first come first served, at most `capacity` packets with the one in
/// service.
///
///     const QueueMeasures m = GeQueue{.arrival_rate = 4, .arrival_scv = 5,
///                                     .service_rate = 8, .service_scv = 7, .capacity = 8}.solve();
///
/// Source: yan2012, section 2.4.2 (equations 2.3 to 2.11).
struct GeQueue {
  double arrival_rate = 0;
  double arrival_scv = 1;
  double service_rate = 0;
  double service_scv = 1;
  std::optional<std::int64_t> capacity = {};  ///< none: without bound, needs a load below 1
  Boundary boundary = Boundary::exact;

  /// Throws InputError that names the member.
  void check() const;
  /// Throws InputError as check().
  [[nodiscard]] QueueMeasures solve() const;
};

/// M/G/1 queue without bound: Poisson arrivals, any services. Mean values after Pollaczek and
/// Khinchine; with services that do not vary (M/D/1) or are GE also the distribution.
/// Source: the special case of equation 2.11.
struct PoissonQueue {
  double arrival_rate = 0;
  double service_rate = 0;
  double service_scv = 1;  ///< 0: M/D/1, 1: M/M/1, any number >= 0

  /// `distribution` is empty where the SCV does not determine it (between 0 and 1), and ends where
  /// less than 1e-15 is left. Throws InputError unless 0 < load < 1 and service_scv >= 0.
  [[nodiscard]] QueueMeasures solve() const;
};

}  // namespace weir::analysis
