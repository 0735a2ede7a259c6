#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/metric_registry.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::report {

/// Which way a metric is better, as its description says: "Lower is better".
enum class Better : std::uint8_t { lower, higher };
/// Nothing where it says neither.
std::optional<Better> better_of(const MetricName& metric);
/// Throws InputError where it says neither.
bool is_lower_better(const MetricName& metric);

/// Runs that differ in one choice, put into an order.
struct RankingSpec {
  std::string choice;    ///< group of cases, as in "mechanism"; alone in its file: the cases
  std::string baseline;  ///< the one of them that others are compared with; empty: none is
  MetricName measure;
};

/// How many times better than the baseline, drawing by drawing: geometric mean and 95 % interval.
struct Gain {
  double mean = 1;
  double low = 1;
  double high = 1;
};

struct RankedChoice {
  std::string name;
  /// From 1. Who cannot be told from the first of a rank, in 95 of 100 cases, shares it. 0: the
  /// measure says nothing, or the runs failed.
  std::size_t rank = 0;
  std::optional<Gain> gain;     ///< not of the baseline, nor with zeros or fewer than two draws
  experiment::RunRecord means;  ///< as across_seeds() makes them
};

/// An order for each combination of whatever else the runs differ in.
struct Ranking {
  std::vector<std::pair<std::string, std::string>> at;
  std::size_t draws = 0;
  std::vector<RankedChoice> choices;  ///< best first, then those without rank
};

/// The name of a run's choice.
std::string choice_of(const experiment::RunRecord& run, const std::string& choice);

/// Draws are paired by their seeds, so that what all choices have in common does not count.
std::vector<Ranking> rankings(const std::vector<experiment::RunRecord>& runs,
                              const RankingSpec& spec);

/// A line a choice: rank, name, gain and measure, then `columns`, without those that no run has.
std::string ranking_table(const Ranking& ranking, const RankingSpec& spec,
                          const std::vector<MetricName>& columns, bool color = false,
                          std::size_t width = 0);

/// A line a choice: name and `columns`, without those that no run has; what a choice does not have
/// is "-".
std::string bill_table(const Ranking& ranking, const RankingSpec& spec,
                       const std::vector<MetricName>& columns, bool color = false,
                       std::size_t width = 0);

}  // namespace weir::report
