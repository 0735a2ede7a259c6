#pragma once

#include <cstdint>
#include <functional>

#include "weir/base/catalog.hpp"
#include "weir/rates/assignment.hpp"

namespace weir::rates {

/// What an algorithm promises of its rates besides that they fit into all links; verify() holds it
/// to it.
enum class Promise : std::uint8_t {
  single_application,    ///< r̄(f) = 1 / W_f
  equal,                 ///< r̄(f) = 1 / W for all flows
  maximal,               ///< r̄(f) >= 1 / W_f, and no flow could grow
  max_min_flows,         ///< weighted max-min fair among flows
  max_min_applications,  ///< weighted max-min fair among applications, all their flows alike
};

/// A centralized calculation of rates: `rates.algorithm` names it.
struct Algorithm {
  /// `seed` is for those that choose at random; the others do not look at it.
  std::function<Assignment(const FlowSet&, std::uint64_t seed)> run;
  Promise promise = Promise::max_min_flows;
};

/// Kind "rates". An algorithm registers itself in a file of its own.
Registry<Algorithm>& algorithm_registry();

/// Single application assignment: r̄(f) = 1 / W_f (zdornov2009, section 4.1, Theorem 4.1.1). The
/// fewest steps to the shortest completion time of one application; links may stay unfilled.
[[nodiscard]] Assignment saa(const FlowSet& set);

/// A steady state of SAA-M (zdornov2009, section 4.1.3): SAA's rates, then every flow once, in
/// random order, takes all that is free along its path. What the protocol settles at depends on who
/// comes first; this is what it reaches when claims do not collide.
[[nodiscard]] Assignment saa_maximal(const FlowSet& set, std::uint64_t seed);

/// r̄(f) = 1 / W for all flows (zdornov2009, section 4.1): the least bandwidth that ends one
/// application as soon as possible.
[[nodiscard]] Assignment global_minimum(const FlowSet& set);

/// Weighted max-min fairness among flows (zdornov2009, section 4.2.2, Alg. 4.5). Applications do
/// not count.
[[nodiscard]] Assignment ffa(const FlowSet& set);

/// Max-min fairness among applications by link aggregates (zdornov2009, section 4.3.2, form 2,
/// Alg. 4.12). Time: O(links of all applications x steps).
[[nodiscard]] Assignment afa(const FlowSet& set);

/// The same rates by flows: FFA that stops whole applications (3.13, form 1). Time as ffa().
[[nodiscard]] Assignment afa_by_flows(const FlowSet& set);

/// The same rates as a leader and a worker per link would find them (3.14, Alg. 4.13), message by
/// message.
[[nodiscard]] Assignment pafa(const FlowSet& set);

}  // namespace weir::rates
