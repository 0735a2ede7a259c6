#include "weir/experiment/claims/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "weir/experiment/claims/reading.hpp"
#include "weir/experiment/claims/unknown.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::experiment::claims {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

constexpr std::array kVerdicts{Verdict::holds,     Verdict::differs, Verdict::depends,
                               Verdict::undecided, Verdict::not_run, Verdict::failed,
                               Verdict::noted};

/// A measure at one combination, or why there is none.
struct Outcome {
  Verdict trouble = Verdict::noted;  ///< not_run or failed
  std::string reason;
  double mean = kNothing;
  double half_width = kNothing;
  std::size_t draws = 1;
  double deviation = 0;  ///< of the draws
};

Outcome failure(std::string reason) { return {Verdict::failed, std::move(reason)}; }

std::vector<double> values_of(const std::vector<Reading>& readings) {
  std::vector<double> values(readings.size());
  std::transform(readings.begin(), readings.end(), values.begin(),
                 [](const Reading& reading) { return reading.value; });
  return values;
}

double propagated(const Expression& measure, const std::vector<Reading>& readings) {
  double squares = 0;
  bool any = false;
  const std::vector<double> values = values_of(readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!std::isfinite(readings[i].half_width)) continue;
    any = true;
    const auto at = [&](double value) {
      std::vector<double> moved = values;
      moved[i] = value;
      return measure.evaluate(moved);
    };
    const double change =
        (at(values[i] + readings[i].half_width) - at(values[i] - readings[i].half_width)) / 2;
    squares += change * change;
  }
  return any ? std::sqrt(squares) : kNothing;
}

/// Values of a measure, draw by draw.
using Draws = std::vector<std::vector<double>>;

/// Means of each value over the draws but one; `left_out` = draws.size(): over all.
std::vector<double> means_without(const Draws& draws, std::size_t left_out) {
  std::vector<double> means(draws.front().size(), 0);
  const std::size_t count = draws.size() - (left_out < draws.size() ? 1 : 0);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    if (k == left_out) continue;
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += draws[k][i];
  }
  for (double& mean : means) mean /= static_cast<double>(count);
  return means;
}

/// What the measure gives draw by draw. Of means: the jackknife's pseudo-values, whose spread is
/// that of the measure of the means.
std::vector<double> results_of(const Claim& claim, const Draws& draws) {
  std::vector<double> results;
  if (claim.over_seeds != Claim::OverSeeds::of_means || draws.size() == 1) {
    for (const std::vector<double>& values : draws) {
      results.push_back(claim.measure->evaluate(values));
    }
    return results;
  }
  const auto n = static_cast<double>(draws.size());
  const double all = claim.measure->evaluate(means_without(draws, draws.size()));
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const double without = claim.measure->evaluate(means_without(draws, k));
    results.push_back(n * all - (n - 1) * without);
  }
  return results;
}

class Judge {
 public:
  Judge(const Claim& claim, const Plan& plan, const std::vector<const RunRecord*>& runs)
      : claim_(claim), plan_(plan), runs_(runs) {}

  [[nodiscard]] Outcome measure(const Selection::Selected& at) const {
    Outcome missing = missing_runs(at);
    if (!missing.reason.empty()) return missing;
    std::size_t seeds = SIZE_MAX;
    for (const std::size_t point : at.points) {
      seeds = std::min(seeds, plan_.points()[point].runs.size());
    }
    Outcome out;
    out.draws = seeds;
    Draws draws;
    for (std::size_t k = 0; k < seeds; ++k) {
      std::vector<Reading> readings;
      for (std::size_t v = 0; v < at.points.size(); ++v) {
        readings.push_back(read(at.reading->values[v], run_of(at.points[v], k)));
        if (!readings.back().problem.empty()) return failure(readings.back().problem);
      }
      draws.push_back(values_of(readings));
      if (seeds == 1) out.half_width = propagated(*claim_.measure, readings);
    }
    return over(draws, std::move(out));
  }

 private:
  [[nodiscard]] Outcome over(const Draws& draws, Outcome out) const {
    using Over = Claim::OverSeeds;
    const std::vector<double> results = results_of(claim_, draws);
    if (!std::all_of(results.begin(), results.end(), [](double x) { return std::isfinite(x); })) {
      return failure(fmt::format("'{}' has no result", claim_.measure->text()));
    }
    if (claim_.over_seeds == Over::min || claim_.over_seeds == Over::max) {
      const auto [least, most] = std::minmax_element(results.begin(), results.end());
      out.mean = claim_.over_seeds == Over::min ? *least : *most;
      if (draws.size() > 1) out.half_width = kNothing;
      return out;
    }
    const metrics::MeanInterval interval = metrics::mean_interval(results);
    out.mean = claim_.over_seeds == Over::of_means
                   ? claim_.measure->evaluate(means_without(draws, draws.size()))
                   : interval.mean;
    if (draws.size() == 1) return out;
    out.half_width = interval.half_width;
    const auto n = static_cast<double>(draws.size());
    out.deviation = interval.half_width * std::sqrt(n) / metrics::student_t(0.95, n - 1);
    return out;
  }

  [[nodiscard]] const RunRecord& run_of(std::size_t point, std::size_t seed) const {
    return *runs_[plan_.points()[point].runs[seed]];
  }

  [[nodiscard]] Outcome missing_runs(const Selection::Selected& at) const {
    std::size_t missing = 0;
    for (const std::size_t point : at.points) {
      for (const std::size_t run : plan_.points()[point].runs) {
        if (runs_[run] == nullptr) {
          ++missing;
        } else if (runs_[run]->status != "done") {
          return failure(fmt::format("a run failed: {}", runs_[run]->error));
        }
      }
    }
    if (missing == 0) return {};
    return {Verdict::not_run, missing == 1 ? "a run is missing" : "runs are missing"};
  }

  const Claim& claim_;
  const Plan& plan_;
  const std::vector<const RunRecord*>& runs_;
};

/// How many draws make the half width smaller than the distance to the limit, when their spread and
/// mean stay what they are.
std::size_t draws_needed(const Range& accepted, double mean, double deviation) {
  constexpr std::size_t kMost = 100'000;
  const double distance = accepted.distance(mean);
  if (!(distance > 0) || !(deviation > 0)) return 0;
  const auto is_enough = [&](std::size_t draws) {
    const auto n = static_cast<double>(draws);
    return metrics::student_t(0.95, n - 1) * deviation / std::sqrt(n) < distance;
  };
  std::size_t enough = kLeastDraws;
  while (enough < kMost && !is_enough(enough)) enough *= 2;
  std::size_t too_few = std::max(kLeastDraws - 1, enough / 2);
  while (enough - too_few > 1) {
    const std::size_t middle = (enough + too_few) / 2;
    (is_enough(middle) ? enough : too_few) = middle;
  }
  return enough;
}

/// Runs that draw nothing are all alike: one is enough.
bool has_enough_draws(const Claim& claim, const Plan& plan, const Outcome& one) {
  return one.draws >= kLeastDraws || !claim.one_draw.empty() || !plan.is_drawn();
}

PointJudgement judged(const Claim& claim, const Plan& plan, const Selection::Selected& at,
                      const Outcome& one) {
  PointJudgement out;
  out.at = at.at;
  out.measured = one.mean;
  out.half_width = one.half_width;
  out.draws = one.draws;
  const Range accepted = at.reading->expected.accepted();
  const double half = std::isfinite(one.half_width) ? one.half_width : 0;
  out.verdict = Verdict::undecided;
  if (has_enough_draws(claim, plan, one)) {
    if (accepted.contains(one.mean - half) && accepted.contains(one.mean + half)) {
      out.verdict = Verdict::holds;
    } else if (accepted.is_apart_from(one.mean - half, one.mean + half)) {
      out.verdict = Verdict::differs;
    }
  }
  if (out.verdict == Verdict::undecided) {
    out.draws_needed = draws_needed(accepted, one.mean, one.deviation);
    if (out.draws_needed == 0 && one.draws < kLeastDraws) out.draws_needed = kLeastDraws;
  }
  return out;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::differs:
      return "differs";
    case Verdict::depends:
      return "depends";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_run:
      return "not run";
    case Verdict::failed:
      return "failed";
    case Verdict::noted:
      return "noted";
  }
  throw std::logic_error("no such verdict");
}

Verdict parse_verdict(std::string_view text, const SourcePosition& position, std::string_view key) {
  std::vector<std::string> names;
  for (const Verdict verdict : kVerdicts) {
    if (text == to_string(verdict)) return verdict;
    names.emplace_back(to_string(verdict));
  }
  throw InputError(position, key,
                   fmt::format("'{}' is no verdict{}", text, suggestion(text, names)));
}

Judgement Judgement::deciding() const {
  Judgement out = *this;
  std::erase_if(out.points, [](const PointJudgement& point) { return !point.decides; });
  return out;
}

Judgement Judgement::others() const {
  Judgement out = *this;
  std::erase_if(out.points, [](const PointJudgement& point) { return point.decides; });
  return out;
}

std::size_t Judgement::count(Verdict which) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [&](const PointJudgement& point) { return point.verdict == which; }));
}

double Judgement::lowest() const {
  double out = kNothing;
  for (const PointJudgement& point : points) out = std::fmin(out, point.measured);
  return out;
}

double Judgement::highest() const {
  double out = kNothing;
  for (const PointJudgement& point : points) out = std::fmax(out, point.measured);
  return out;
}

Verdict verdict_of(const std::vector<PointJudgement>& points, const Combination& chosen) {
  const auto any = [&](Verdict which) {
    return std::any_of(points.begin(), points.end(), [&](const PointJudgement& point) {
      return point.verdict == which && agrees(point.at, chosen);
    });
  };
  if (any(Verdict::holds) && any(Verdict::differs)) return Verdict::depends;
  if (any(Verdict::undecided)) return Verdict::undecided;
  if (any(Verdict::holds)) return Verdict::holds;
  return any(Verdict::differs) ? Verdict::differs : Verdict::not_run;
}

void settle(Judgement& judgement, const Claim& claim) {
  if (judgement.points.empty()) return;
  judgement.reason.clear();  // one of an earlier choice of values
  for (PointJudgement& point : judgement.points) point.decides = agrees(point.at, claim.adopted);
  if (!claim.counts()) {
    judgement.verdict = Verdict::noted;
    return;
  }
  judgement.verdict = verdict_of(judgement.points, claim.adopted);
  if (judgement.verdict != Verdict::not_run) return;
  judgement.verdict = Verdict::undecided;
  judgement.reason = "it was not run with the adopted values of what the document leaves open";
}

Judgement judge(const Claim& claim, const Plan& plan, const Selection& selection,
                const std::vector<const RunRecord*>& runs) {
  const Judge judge(claim, plan, runs);
  Judgement out;
  for (const Selection::Selected& at : selection.combinations) {
    const Outcome one = judge.measure(at);
    if (!one.reason.empty()) {
      const std::string place = at.at.empty() ? "" : to_string(at.at) + ": ";
      return {one.trouble, {}, place + one.reason};
    }
    out.points.push_back(judged(claim, plan, at, one));
  }
  settle(out, claim);
  return out;
}

}  // namespace weir::experiment::claims
