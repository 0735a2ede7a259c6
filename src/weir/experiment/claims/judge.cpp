#include "weir/experiment/claims/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "weir/experiment/claims/reading.hpp"
#include "weir/metrics/student_t.hpp"

namespace weir::experiment::claims {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

constexpr std::array kVerdicts{Verdict::holds,   Verdict::differs, Verdict::depends,
                               Verdict::not_run, Verdict::failed,  Verdict::noted};

/// A measure at one point of the grid, or why there is none.
struct Outcome {
  Verdict trouble = Verdict::noted;  ///< not_run or failed
  std::string reason;
  double mean = kNothing;
  double half_width = kNothing;
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

class Judge {
 public:
  Judge(const Claim& claim, const Plan& plan, const std::vector<const RunRecord*>& runs)
      : claim_(claim), plan_(plan), runs_(runs) {}

  [[nodiscard]] Outcome measure(const Selection::Combination& at) const {
    Outcome missing = missing_runs(at);
    if (!missing.reason.empty()) return missing;
    std::size_t seeds = SIZE_MAX;
    for (const std::size_t point : at.points) {
      seeds = std::min(seeds, plan_.points()[point].runs.size());
    }
    std::vector<double> results;
    Outcome out;
    for (std::size_t k = 0; k < seeds; ++k) {
      std::vector<Reading> readings;
      for (std::size_t v = 0; v < claim_.values.size(); ++v) {
        readings.push_back(read(claim_.values[v], run_of(at.points[v], k)));
        if (!readings.back().problem.empty()) return failure(readings.back().problem);
      }
      results.push_back(claim_.measure->evaluate(values_of(readings)));
      if (!std::isfinite(results.back())) {
        return failure(fmt::format("'{}' has no result", claim_.measure->text()));
      }
      if (seeds == 1) out.half_width = propagated(*claim_.measure, readings);
    }
    if (claim_.over_seeds != Claim::OverSeeds::mean) {
      const auto [least, most] = std::minmax_element(results.begin(), results.end());
      out.mean = claim_.over_seeds == Claim::OverSeeds::min ? *least : *most;
      if (seeds > 1) out.half_width = kNothing;
      return out;
    }
    const metrics::MeanInterval interval = metrics::mean_interval(results);
    out.mean = interval.mean;
    if (seeds > 1) out.half_width = interval.half_width;
    return out;
  }

 private:
  [[nodiscard]] const RunRecord& run_of(std::size_t point, std::size_t seed) const {
    return *runs_[plan_.points()[point].runs[seed]];
  }

  [[nodiscard]] Outcome missing_runs(const Selection::Combination& at) const {
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

Verdict verdict_of(const Claim& claim, const Judgement& judgement) {
  if (claim.kind != ClaimKind::published) return Verdict::noted;
  if (judgement.meeting == judgement.points) return Verdict::holds;
  return judgement.meeting == 0 ? Verdict::differs : Verdict::depends;
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

Judgement judge(const Claim& claim, const Plan& plan, const Selection& selection,
                const std::vector<const RunRecord*>& runs) {
  const Judge judge(claim, plan, runs);
  Judgement out;
  out.points = selection.combinations.size();
  std::vector<double> means;
  for (const Selection::Combination& at : selection.combinations) {
    const Outcome one = judge.measure(at);
    if (!one.reason.empty()) {
      Judgement without;
      without.points = out.points;
      without.verdict = one.trouble;
      without.reason = one.reason;
      return without;
    }
    means.push_back(one.mean);
    out.half_width = one.half_width;
    if (claim.expected.is_met_by(one.mean)) ++out.meeting;
  }
  out.measured = metrics::mean_interval(means).mean;
  if (means.size() > 1) out.half_width = kNothing;
  out.lowest = *std::min_element(means.begin(), means.end());
  out.highest = *std::max_element(means.begin(), means.end());
  out.verdict = verdict_of(claim, out);
  return out;
}

}  // namespace weir::experiment::claims
