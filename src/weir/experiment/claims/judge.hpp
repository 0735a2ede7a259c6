#pragma once

#include <limits>
#include <string>
#include <vector>

#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment::claims {

/// What became of a claim, or of one of its combinations of readings and grid.
enum class Verdict : std::uint8_t {
  holds,      ///< the whole interval is within what is accepted; of a claim: everywhere
  differs,    ///< none of it is; of a claim: nowhere
  depends,    ///< of a claim: it holds at some combinations and differs at others
  undecided,  ///< part of the interval is, or there are too few draws
  not_run,    ///< runs are missing
  failed,     ///< a run failed, or did not measure what the claim needs
  noted,      ///< measured; it does not count
};
/// "holds", "differs", "depends", "undecided", "not run", "failed", "noted".
[[nodiscard]] std::string_view to_string(Verdict verdict);
/// Throws InputError for any other text.
[[nodiscard]] Verdict parse_verdict(std::string_view text, const SourcePosition& position,
                                    std::string_view key);

/// Fewer draws decide nothing, unless the claim says why they do.
inline constexpr std::size_t kLeastDraws = 5;

/// One combination of a claim, measured in the claim's unit.
struct PointJudgement {
  Combination at;                                                ///< empty: the only one
  Verdict verdict = Verdict::not_run;                            ///< holds, differs or undecided
  double measured = std::numeric_limits<double>::quiet_NaN();    ///< mean over the draws
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< 95 %; NaN: there is none
  std::size_t draws = 1;
  std::size_t draws_needed = 0;  ///< to decide, estimated; 0: decided, or nobody can tell
  bool decides = true;           ///< each unknown of the document has its adopted value here
};

/// A claim with what was measured.
struct Judgement {
  Verdict verdict = Verdict::not_run;
  std::vector<PointJudgement> points;  ///< empty: not run or failed
  std::string reason;                  ///< why it failed or was not run

  /// With those points only that decide.
  [[nodiscard]] Judgement deciding() const;
  /// With the others only, where an unknown has another value than the adopted one.
  [[nodiscard]] Judgement others() const;
  /// Combinations with this verdict.
  [[nodiscard]] std::size_t count(Verdict which) const;
  [[nodiscard]] double lowest() const;   ///< measured; NaN without points
  [[nodiscard]] double highest() const;  ///< measured; NaN without points
};

/// What the verdicts of the combinations make of a claim that counts: of those that agree with
/// `chosen`, values of unknowns; not_run where none does.
[[nodiscard]] Verdict verdict_of(const std::vector<PointJudgement>& points,
                                 const Combination& chosen = {});

/// Says which points decide a claim, and its verdict by them.
void settle(Judgement& judgement, const Claim& claim);

/// Judges a claim from the runs of its experiment. `runs` has one entry for each variant of the
/// plan, null where it was not run.
///
/// With several seeds the measure is evaluated seed by seed, and the interval is Student's over the
/// seeds; the least or the most of them (`over_seeds`) has none. Of the means over the seeds it is
/// that of the jackknife. With one seed the half widths of
/// the values are propagated by central differences and added in quadrature.
Judgement judge(const Claim& claim, const Plan& plan, const Selection& selection,
                const std::vector<const RunRecord*>& runs);

}  // namespace weir::experiment::claims
