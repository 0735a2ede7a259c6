#pragma once

#include <limits>
#include <string>
#include <vector>

#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/results_record.hpp"

namespace weir::experiment::claims {

/// What became of a claim.
enum class Verdict : std::uint8_t {
  holds,    ///< the measured mean meets the expectation within the tolerance
  differs,  ///< it does not; with a grid: at none of its points
  depends,  ///< it does at some points of the grid
  not_run,  ///< runs are missing
  failed,   ///< a run failed, or did not measure what the claim needs
  noted,    ///< measured; the expected value is not the document's, so nothing is decided
};
/// "holds", "differs", "depends", "not run", "failed", "noted".
[[nodiscard]] std::string_view to_string(Verdict verdict);
/// Throws InputError for any other text.
[[nodiscard]] Verdict parse_verdict(std::string_view text, const SourcePosition& position,
                                    std::string_view key);

/// A claim with what was measured, in the claim's unit.
struct Judgement {
  Verdict verdict = Verdict::not_run;
  double measured = std::numeric_limits<double>::quiet_NaN();  ///< mean; of a grid over its points
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< 95 %; NaN: none, or a grid
  double lowest = std::numeric_limits<double>::quiet_NaN();      ///< over the grid
  double highest = std::numeric_limits<double>::quiet_NaN();
  std::size_t points = 1;   ///< of the grid
  std::size_t meeting = 0;  ///< points that meet the expectation
  std::string reason;       ///< why it failed or was not run
};

/// Judges a claim from the runs of its experiment. `runs` has one entry for each variant of the
/// plan, null where it was not run.
///
/// With several seeds the measure is evaluated seed by seed, and the interval is Student's over the
/// seeds; the least or the most of them (`over_seeds`) has none. With one seed the half widths of
/// the values are propagated by central differences and added in quadrature.
Judgement judge(const Claim& claim, const Plan& plan, const Selection& selection,
                const std::vector<const RunRecord*>& runs);

}  // namespace weir::experiment::claims
