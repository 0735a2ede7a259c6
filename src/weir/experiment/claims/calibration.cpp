#include "weir/experiment/claims/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment::claims {
namespace {

constexpr std::size_t kMostPoints = 100'000;

std::vector<std::vector<std::size_t>> grid_of(const Document& document) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (const Unknown& unknown : document.unknowns) {
    if (all.size() > kMostPoints / unknown.values.size()) {
      throw InputError(fmt::format("the unknowns of {} have more than {} combinations",
                                   document.name, kMostPoints));
    }
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& one : all) {
      for (std::size_t i = 0; i < unknown.values.size(); ++i) {
        longer.push_back(one);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Axes of a claim with the values that a point of the grid gives them.
Combination chosen(const Document& document, const Claim& claim,
                   const std::vector<std::size_t>& values) {
  Combination out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Unknown& unknown = document.unknowns[i];
    if (!unknown.concerns(claim.experiment)) continue;
    const Combination& at = unknown.values[values[i]].at;
    out.insert(out.end(), at.begin(), at.end());
  }
  return out;
}

/// A published claim with what was measured.
struct Measured {
  const Claim* claim;
  Judgement judgement;                ///< without points: nothing
  std::vector<std::size_t> unknowns;  ///< numbers of those that are axes of it
  std::size_t half;                   ///< of the claims
  /// By the values of these unknowns: most points of the grid differ in others.
  std::map<std::vector<std::size_t>, Verdict> verdicts = {};
};

/// A claim of this experiment with a point there was measured along an axis of the unknown.
bool is_axis(const Unknown& unknown, const std::string& experiment, const Combination& at) {
  if (!unknown.concerns(experiment)) return false;
  return std::any_of(unknown.values.begin(), unknown.values.end(), [&](const UnknownValue& value) {
    return std::any_of(value.at.begin(), value.at.end(), [&](const auto& axis) {
      return std::any_of(at.begin(), at.end(),
                         [&](const auto& own) { return own.first == axis.first; });
    });
  });
}

/// Numbers of the unknowns along whose axes it was measured.
std::vector<std::size_t> unknowns_of(const Document& document, const Claim& claim,
                                     const Judgement& judgement) {
  std::vector<std::size_t> out;
  if (judgement.points.empty()) return out;
  for (std::size_t i = 0; i < document.unknowns.size(); ++i) {
    if (is_axis(document.unknowns[i], claim.experiment, judgement.points.front().at)) {
      out.push_back(i);
    }
  }
  return out;
}

/// With some values of the unknowns from the `next`-th on it holds; `chosen` has earlier ones.
bool holds_somewhere(const Document& document, const Claim& claim, const Judgement& judgement,
                     Combination chosen, std::size_t next) {
  if (next == document.unknowns.size()) {
    return verdict_of(judgement.points, chosen) == Verdict::holds;
  }
  const Unknown& unknown = document.unknowns[next];
  if (!is_axis(unknown, claim.experiment, judgement.points.front().at)) {
    return holds_somewhere(document, claim, judgement, std::move(chosen), next + 1);
  }
  return std::any_of(unknown.values.begin(), unknown.values.end(), [&](const UnknownValue& value) {
    Combination longer = chosen;
    longer.insert(longer.end(), value.at.begin(), value.at.end());
    return holds_somewhere(document, claim, judgement, std::move(longer), next + 1);
  });
}

std::vector<Measured> measured(const Document& document, const Findings& findings) {
  std::vector<Measured> out;
  for (const Claim& claim : document.claims) {
    if (!claim.counts()) continue;
    Judgement judgement = with_alternatives(document, findings, claim);
    const std::string hash = configuration_hash(std::string_view(claim.id));
    std::vector<std::size_t> unknowns = unknowns_of(document, claim, judgement);
    out.push_back({&claim, std::move(judgement), std::move(unknowns),
                   static_cast<std::size_t>(hash.back()) % 2});
  }
  return out;
}

void add(Score& score, Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      ++score.holds;
      return;
    case Verdict::differs:
      ++score.differs;
      return;
    case Verdict::depends:
      ++score.depends;
      return;
    case Verdict::undecided:
      ++score.undecided;
      return;
    case Verdict::not_run:
    case Verdict::failed:
    case Verdict::noted:
      ++score.missing;
      return;
  }
}

Verdict verdict_at(const Document& document, Measured& one,
                   const std::vector<std::size_t>& values) {
  std::vector<std::size_t> own;
  for (const std::size_t unknown : one.unknowns) own.push_back(values[unknown]);
  const auto known = one.verdicts.find(own);
  if (known != one.verdicts.end()) return known->second;
  const Verdict verdict = verdict_of(one.judgement.points, chosen(document, *one.claim, values));
  one.verdicts.emplace(std::move(own), verdict);
  return verdict;
}

bool is_decided(Verdict verdict) {
  return verdict == Verdict::holds || verdict == Verdict::differs || verdict == Verdict::depends;
}

bool is_missing(Verdict verdict) {
  return verdict == Verdict::not_run || verdict == Verdict::failed || verdict == Verdict::noted;
}

/// One of the values that differ concerns it.
bool is_about(const Document& document, const Measured& one, const std::vector<std::size_t>& values,
              const std::vector<std::size_t>& adopted) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == adopted[i]) continue;
    const Unknown& unknown = document.unknowns[i];
    if (unknown.is_laid_over && unknown.concerns(one.claim->experiment)) return true;
    if (std::find(one.unknowns.begin(), one.unknowns.end(), i) != one.unknowns.end()) return true;
  }
  return false;
}

void compare(Comparison& out, Verdict here, Verdict adopted) {
  ++out.about;
  if (!is_missing(here)) ++out.measured;
  if (!is_decided(here) || !is_decided(adopted)) return;
  ++out.claims;
  if (here == Verdict::holds) ++out.holds;
  if (adopted == Verdict::holds) ++out.adopted_holds;
}

CalibrationPoint scored(const Document& document, std::vector<Measured>& claims,
                        const std::vector<std::size_t>& adopted, std::vector<std::size_t> values) {
  CalibrationPoint out;
  for (Measured& one : claims) {
    const Verdict verdict = verdict_at(document, one, values);
    if (is_about(document, one, values, adopted))
      compare(out.to_adopted, verdict, verdict_at(document, one, adopted));
    add(out.all, verdict);
    if (!one.unknowns.empty()) add(out.touched, verdict);
    add(out.halves.at(one.half), verdict);
  }
  out.values = std::move(values);
  return out;
}

}  // namespace

double Score::share() const {
  return decided() == 0 ? 0 : static_cast<double>(holds) / static_cast<double>(decided());
}

const CalibrationPoint& Calibration::best(Score (*score)(const CalibrationPoint&)) const {
  const CalibrationPoint* found = &adopted_point();
  for (const CalibrationPoint& point : points) {
    if (point.all.missing > adopted_point().all.missing) continue;
    if (score(point).share() > score(*found).share()) found = &point;
  }
  return *found;
}

const CalibrationPoint& Calibration::with(std::size_t unknown, std::size_t value) const {
  std::vector<std::size_t> wanted = adopted_point().values;
  wanted[unknown] = value;
  return *std::find_if(points.begin(), points.end(),
                       [&](const CalibrationPoint& point) { return point.values == wanted; });
}

Calibration calibrate(const Document& document, const Findings& findings) {
  std::vector<Measured> claims = measured(document, findings);
  std::vector<std::size_t> adopted;
  for (const Unknown& unknown : document.unknowns) adopted.push_back(unknown.adopted);
  Calibration out;
  for (std::vector<std::size_t>& values : grid_of(document)) {
    if (values == adopted) out.adopted = out.points.size();
    out.points.push_back(scored(document, claims, adopted, std::move(values)));
  }
  return out;
}

OwnChoice own_choice(const Document& document, const Findings& findings, const Claim& claim) {
  const Judgement all = with_alternatives(document, findings, claim);
  if (all.points.empty()) return {};
  return {holds_somewhere(document, claim, all, {}, 0), all.count(Verdict::holds) > 0};
}

}  // namespace weir::experiment::claims
