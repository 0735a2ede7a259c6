#include "weir/report/table/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "weir/base/error.hpp"
#include "weir/metrics/student_t.hpp"
#include "weir/report/table/replications.hpp"
#include "weir/report/table/summary.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {

using experiment::RunRecord;
using metrics::MeanInterval;

namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// Draws of one choice by their seeds.
using Draws = std::map<std::uint64_t, double>;

const metrics::Scalar* measured(const RunRecord& run, const MetricName& name) {
  const auto& all = run.result.scalars;
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == name; });
  return it == all.end() || std::isnan(it->value) ? nullptr : &*it;
}

Parameters others_of(const RunRecord& run, const std::string& choice) {
  Parameters others;
  for (const auto& one : run.parameters) {
    if (one.first != choice) others.push_back(one);
  }
  return others;
}

/// Paired by seed; positive: `a` is larger. Logarithms where they exist, so that ratios count.
MeanInterval difference(const Draws& a, const Draws& b, bool is_ratio) {
  std::vector<double> all;
  for (const auto& [seed, value] : a) {
    const auto other = b.find(seed);
    if (other == b.end()) continue;
    all.push_back(is_ratio ? std::log(value / other->second) : value - other->second);
  }
  return metrics::mean_interval(all);
}

bool has_ratio(const Draws& draws) {
  return std::all_of(draws.begin(), draws.end(), [](const auto& one) { return one.second > 0; });
}

struct Contender {
  RankedChoice out;
  Draws draws;
};

Contender contender_of(const std::vector<const RunRecord*>& runs, const RankingSpec& spec,
                       const std::string& name) {
  Contender made;
  made.out.name = name;
  std::vector<RunRecord> copies;
  for (const RunRecord* run : runs) {
    copies.push_back(*run);
    const metrics::Scalar* scalar = run->status == "done" ? measured(*run, spec.measure) : nullptr;
    if (scalar != nullptr) made.draws[run->seed] = scalar->value;
  }
  // A draw without the measure would make the others look better or worse than they are.
  if (made.draws.size() < runs.size()) made.draws.clear();
  made.out.means = across_seeds(copies).front();
  return made;
}

std::optional<Gain> gain_of(const Draws& draws, const Draws& base, bool lower_is_better) {
  if (!has_ratio(draws) || !has_ratio(base)) return std::nullopt;
  const MeanInterval log =
      difference(lower_is_better ? base : draws, lower_is_better ? draws : base, true);
  if (log.count < 2) return std::nullopt;
  return Gain{std::exp(log.mean), std::exp(log.mean - log.half_width),
              std::exp(log.mean + log.half_width)};
}

double mean_of(const Contender& one) {
  std::vector<double> values;
  for (const auto& [seed, value] : one.draws) values.push_back(value);
  return metrics::mean_interval(values).mean;
}

/// Best first; equal ranks for what the draws cannot tell apart from the first of a rank.
void put_in_order(std::vector<Contender>& all, bool lower_is_better) {
  std::stable_sort(all.begin(), all.end(), [&](const Contender& a, const Contender& b) {
    if (a.draws.empty() || b.draws.empty()) return !a.draws.empty() && b.draws.empty();
    return lower_is_better ? mean_of(a) < mean_of(b) : mean_of(a) > mean_of(b);
  });
  std::size_t first = 0;
  for (std::size_t i = 0; i < all.size() && !all[i].draws.empty(); ++i) {
    const bool is_ratio = has_ratio(all[i].draws) && has_ratio(all[first].draws);
    const MeanInterval behind = difference(all[i].draws, all[first].draws, is_ratio);
    const bool is_apart = behind.count > 1 && std::abs(behind.mean) > behind.half_width;
    if (is_apart) first = i;
    all[i].out.rank = first + 1;
  }
}

/// What all draws have alike needs no interval.
std::string text_of(const RunRecord& means, const MetricName& column) {
  const metrics::Scalar* scalar = measured(means, column);
  if (scalar == nullptr || scalar->half_width != 0) return cell_text(means, column);
  return format_quantity(scalar->value, metric_kind(column.metric).unit);
}

std::string gain_text(const RankedChoice& choice, const RankingSpec& spec) {
  if (choice.name == spec.baseline) return "1";
  if (!choice.gain) return "-";
  const Gain& gain = *choice.gain;
  return fmt::format("{} ({} to {})", format_number(gain.mean), format_number(gain.low),
                     format_number(gain.high));
}

bool is_anywhere(const Ranking& ranking, const MetricName& column) {
  return std::any_of(ranking.choices.begin(), ranking.choices.end(),
                     [&](const auto& choice) { return measured(choice.means, column) != nullptr; });
}

}  // namespace

std::string choice_of(const RunRecord& run, const std::string& choice) {
  for (const auto& [name, value] : run.parameters) {
    if (name == choice) return value;
  }
  return run.case_name;
}

std::optional<Better> better_of(const MetricName& metric) {
  const std::string& meaning = metric_registry().find(metric.metric, {}, "metric").info.purpose;
  if (meaning.find("Lower is") != std::string::npos) return Better::lower;
  if (meaning.find("Higher is") != std::string::npos) return Better::higher;
  return std::nullopt;
}

bool is_lower_better(const MetricName& metric) {
  if (const auto better = better_of(metric)) return *better == Better::lower;
  throw InputError(fmt::format("'{}' has no better direction: nothing can be put into its order",
                               to_string(metric)));
}

std::vector<Ranking> rankings(const std::vector<RunRecord>& runs, const RankingSpec& spec) {
  std::vector<Ranking> out;
  std::vector<std::vector<std::pair<std::string, std::vector<const RunRecord*>>>> members;
  for (const RunRecord& run : runs) {
    const Parameters at = others_of(run, spec.choice);
    auto place =
        std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.at == at; });
    if (place == out.end()) {
      place = out.insert(place, Ranking{at, 0, {}});
      members.emplace_back();
    }
    auto& choices = members[static_cast<std::size_t>(place - out.begin())];
    const std::string name = choice_of(run, spec.choice);
    auto known = std::find_if(choices.begin(), choices.end(),
                              [&](const auto& one) { return one.first == name; });
    if (known == choices.end()) known = choices.insert(known, {name, {}});
    known->second.push_back(&run);
  }
  const bool lower_is_better = spec.baseline.empty() ? better_of(spec.measure) == Better::lower
                                                     : is_lower_better(spec.measure);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::vector<Contender> all;
    for (const auto& [name, its] : members[i]) all.push_back(contender_of(its, spec, name));
    Draws base;
    for (const Contender& one : all) {
      if (one.out.name == spec.baseline) base = one.draws;
      out[i].draws = std::max(out[i].draws, one.draws.size());
    }
    put_in_order(all, lower_is_better);
    for (Contender& one : all) {
      const bool is_compared = one.out.name != spec.baseline && !one.draws.empty() && !base.empty();
      if (is_compared) one.out.gain = gain_of(one.draws, base, lower_is_better);
      out[i].choices.push_back(std::move(one.out));
    }
  }
  return out;
}

std::string ranking_table(const Ranking& ranking, const RankingSpec& spec,
                          const std::vector<MetricName>& columns, bool color, std::size_t width) {
  std::vector<MetricName> shown{spec.measure};
  for (const MetricName& column : columns) {
    if (column != spec.measure && is_anywhere(ranking, column)) shown.push_back(column);
  }
  TextTable table;
  table.add_column("rank", Align::right);
  table.add_column(spec.choice, Align::left);
  table.add_column(fmt::format("times better than {}", spec.baseline), Align::right);
  for (const MetricName& column : shown) table.add_column(title_of(column), Align::right);
  for (const RankedChoice& choice : ranking.choices) {
    std::vector<std::string> cells{choice.rank == 0 ? "-" : std::to_string(choice.rank),
                                   choice.name, gain_text(choice, spec)};
    for (const MetricName& column : shown) cells.push_back(text_of(choice.means, column));
    table.add_row(std::move(cells));
  }
  return table.render({color, width, 2});
}

std::string bill_table(const Ranking& ranking, const RankingSpec& spec,
                       const std::vector<MetricName>& columns, bool color, std::size_t width) {
  std::vector<MetricName> shown;
  for (const MetricName& column : columns) {
    if (is_anywhere(ranking, column)) shown.push_back(column);
  }
  TextTable table;
  table.add_column(spec.choice, Align::left);
  for (const MetricName& column : shown) table.add_column(title_of(column), Align::right);
  for (const RankedChoice& choice : ranking.choices) {
    std::vector<std::string> cells{choice.name};
    for (const MetricName& column : shown) cells.push_back(text_of(choice.means, column));
    table.add_row(std::move(cells));
  }
  return table.render({color, width, 1});
}

}  // namespace weir::report
