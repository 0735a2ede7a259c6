#include "weir/report/table/claims_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/report/table/text_table.hpp"

namespace weir::report {

using experiment::claims::Claim;
using experiment::claims::ClaimReading;
using experiment::claims::Expectation;
using experiment::claims::Judgement;
using experiment::claims::PointJudgement;
using experiment::claims::Verdict;

namespace {

using Form = Expectation::Form;

std::string with_unit_of_claim(const std::string& number, const Claim& claim) {
  const std::string& unit = claim.unit.name;
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

/// A number as someone wrote it: no digits that were not given.
std::string as_written(double value) {
  const bool is_whole = value == std::floor(value) && std::fabs(value) < 1e15;
  return is_whole ? format_number(value) : fmt::format("{}", value);
}

/// "4", "1.4, 1.27, 1.2" where readings have numbers of their own.
std::string stated_numbers(const Claim& claim) {
  std::vector<std::string> numbers;
  for (const ClaimReading& reading : claim.readings) {
    const std::string number = as_written(reading.expected.value);
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) {
      numbers.push_back(number);
    }
  }
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string stated(const Claim& claim) {
  const std::string value = stated_numbers(claim);
  switch (claim.expected().form) {
    case Form::is:
      return value;
    case Form::at_least:
      return "≥ " + value;
    case Form::at_most:
      return "≤ " + value;
    case Form::above:
      return "> " + value;
    case Form::below:
      return "< " + value;
    case Form::between:
      break;
  }
  return value + " to " + as_written(claim.expected().upper);
}

/// The number with its tolerance.
std::string widened(const Claim& claim) {
  const Expectation& expected = claim.expected();
  // A percentage of the value stands behind the unit, an amount before it.
  if (expected.relative) {
    return fmt::format("{} ± {:g} %", with_unit_of_claim(stated(claim), claim),
                       *expected.relative * 100);
  }
  if (expected.absolute) {
    return with_unit_of_claim(fmt::format("{} ± {}", stated(claim), as_written(*expected.absolute)),
                              claim);
  }
  if (expected.factor) {
    return fmt::format("{} within a factor of {:g}", with_unit_of_claim(stated(claim), claim),
                       *expected.factor);
  }
  return with_unit_of_claim(stated(claim), claim);
}

std::string count_of(std::size_t count, const char* one, const char* more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

/// "holds at a; b. differs at c".
std::string listed(const Judgement& judgement) {
  std::vector<std::string> parts;
  for (const Verdict which : {Verdict::holds, Verdict::differs, Verdict::undecided}) {
    std::vector<std::string> names;
    for (const PointJudgement& point : judgement.points) {
      if (point.verdict == which) names.push_back(experiment::claims::to_string(point.at));
    }
    if (names.empty()) continue;
    parts.push_back(fmt::format("{} at {}", to_string(which), fmt::join(names, "; ")));
  }
  return fmt::format("{}", fmt::join(parts, ". "));
}

struct Share {
  std::string value;
  std::size_t holding = 0;
  std::size_t all = 0;
};

/// Of each value of `key`, in how many of the combinations that have it the claim holds.
std::vector<Share> shares_of(const Judgement& judgement, const std::string& key) {
  std::vector<Share> found;
  for (const PointJudgement& point : judgement.points) {
    const auto own = std::find_if(point.at.begin(), point.at.end(),
                                  [&](const auto& one) { return one.first == key; });
    if (own == point.at.end()) continue;
    const std::string& value = own->second;
    auto at = std::find_if(found.begin(), found.end(),
                           [&](const Share& share) { return share.value == value; });
    if (at == found.end()) at = found.insert(at, {value});
    ++at->all;
    if (point.verdict == Verdict::holds) ++at->holding;
  }
  return found;
}

/// "holds by unit: 1 40 of 48, MB/s 8 of 48"; of what makes no difference nothing.
std::string shares(const Judgement& judgement) {
  std::vector<std::string> parts;
  // Recorded with different unknowns, combinations may have different keys.
  std::vector<std::string> keys;
  for (const PointJudgement& point : judgement.points) {
    for (const auto& one : point.at) {
      if (std::find(keys.begin(), keys.end(), one.first) == keys.end()) keys.push_back(one.first);
    }
  }
  for (const std::string& key : keys) {
    const std::vector<Share> found = shares_of(judgement, key);
    const bool is_alike = std::all_of(found.begin(), found.end(), [&](const Share& share) {
      return share.holding * found.front().all == found.front().holding * share.all;
    });
    if (is_alike) continue;
    std::vector<std::string> values;
    for (const Share& share : found) {
      values.push_back(fmt::format("{} {} of {}", share.value, share.holding, share.all));
    }
    parts.push_back(fmt::format("holds by {}: {}", key, fmt::join(values, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string published_text(const Claim& claim) {
  return claim.published.empty() ? with_unit_of_claim(stated(claim), claim) : claim.published;
}

std::string accepted_text(const Claim& claim) {
  const Expectation& expected = claim.expected();
  if (!expected.has_tolerance() && claim.published.empty()) return "";
  if (expected.because.empty()) return widened(claim);
  return fmt::format("{} ({})", widened(claim), expected.because);
}

std::string measured_text(const Claim& claim, const Judgement& all) {
  const Judgement judgement = all.deciding();
  if (judgement.points.empty()) return "-";
  if (judgement.points.size() > 1) {
    const std::string lowest = format_number(judgement.lowest());
    const std::string highest = format_number(judgement.highest());
    return with_unit_of_claim(lowest == highest ? lowest : lowest + " to " + highest, claim);
  }
  const PointJudgement& only = judgement.points.front();
  return with_unit_of_claim(format_interval(only.measured, only.half_width, ""), claim);
}

std::string verdict_text(const Judgement& all) {
  const Judgement judgement = all.deciding();
  if (judgement.verdict == Verdict::noted) return "";
  const std::string name(to_string(judgement.verdict));
  const bool is_mixed =
      judgement.verdict == Verdict::depends || judgement.verdict == Verdict::undecided;
  if (!is_mixed || judgement.points.size() < 2) return name;
  return fmt::format("{} ({} of {} hold)", name, judgement.count(Verdict::holds),
                     judgement.points.size());
}

std::string met_text(const Judgement& all) {
  const Judgement judgement = all.deciding();
  if (judgement.points.empty()) return std::string(to_string(judgement.verdict));
  const std::size_t met = judgement.count(Verdict::holds);
  if (met == judgement.points.size()) return "met";
  if (judgement.count(Verdict::differs) == judgement.points.size()) return "not met";
  if (judgement.points.size() == 1) return "undecided";
  return fmt::format("met at {} of {}", met, judgement.points.size());
}

std::string verdict_counts(const std::vector<Verdict>& verdicts) {
  constexpr std::pair<Verdict, std::pair<const char*, const char*>> kWords[] = {
      {Verdict::holds, {"holds", "hold"}},       {Verdict::differs, {"differs", "differ"}},
      {Verdict::depends, {"depends", "depend"}}, {Verdict::undecided, {"undecided", "undecided"}},
      {Verdict::failed, {"failed", "failed"}},   {Verdict::not_run, {"not run", "not run"}}};
  std::string text;
  for (const auto& [verdict, words] : kWords) {
    const auto count =
        static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), verdict));
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + count_of(count, words.first, words.second);
  }
  return text.empty() ? "none" : text;
}

namespace {

std::string places_text(const Judgement& judgement) {
  constexpr std::size_t kFew = 8;
  return judgement.points.size() <= kFew ? listed(judgement) : shares(judgement);
}

bool is_mixed(const Judgement& judgement) {
  return judgement.count(Verdict::holds) < judgement.points.size() &&
         judgement.count(Verdict::differs) < judgement.points.size();
}

}  // namespace

std::string combinations_text(const Judgement& all) {
  const Judgement judgement = all.deciding();
  return judgement.points.size() > 1 && is_mixed(judgement) ? places_text(judgement) : "";
}

std::string others_text(const Judgement& all) {
  const Judgement judgement = all.others();
  if (judgement.points.empty()) return "";
  const std::size_t holding = judgement.count(Verdict::holds);
  const std::string head = fmt::format("with values that are not adopted {} of {} hold", holding,
                                       judgement.points.size());
  return is_mixed(judgement) ? fmt::format("{} ({})", head, places_text(judgement)) : head;
}

std::string draws_text(const Judgement& all) {
  const Judgement judgement = all.deciding();
  std::size_t most = 0;
  bool is_known = true;
  for (const PointJudgement& point : judgement.points) {
    if (point.verdict != Verdict::undecided) continue;
    is_known = is_known && point.draws_needed > 0;
    most = std::max(most, point.draws_needed);
  }
  constexpr std::size_t kTooMany = 10'000;
  if (most == 0 || !is_known) return "";
  if (most > kTooMany) return "it lies on the limit: no number of draws that can be run decides";
  return fmt::format("about {} draws would decide", most);
}

}  // namespace weir::report
