#include "weir/experiment/config/until.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/metrics/steady_state.hpp"

namespace weir::experiment {
namespace {

constexpr double kEarliestLook = 1e-3;  ///< of the time that may be measured
constexpr int kContentInARow = 2;

/// Labels that the numbers of this traffic have.
std::vector<std::string> labels_of(const Configuration& configuration) {
  std::vector<std::string> labels;
  const std::vector<FlowClass>& flows = configuration.rates->classes;
  const auto has = [&](traffic::Role role) {
    const auto is_of_it = [role](const auto& one) { return one.role == role; };
    return std::any_of(configuration.traffic.begin(), configuration.traffic.end(), is_of_it) ||
           std::any_of(flows.begin(), flows.end(), is_of_it);
  };
  if (has(traffic::Role::hot)) {
    labels.emplace_back("hot");
    labels.emplace_back("victim");
  }
  if (has(traffic::Role::cold)) labels.emplace_back("cold");
  if (configuration.traffic.size() + configuration.workloads.size() + flows.size() > 1) {
    for (const auto& entry : configuration.traffic) labels.push_back(entry.name);
    for (const auto& entry : configuration.workloads) labels.push_back(entry.name);
    for (const FlowClass& one : flows) labels.push_back(one.name);
  }
  return labels;
}

}  // namespace

double Precision::relative(const std::optional<metrics::BatchMeans>& estimate) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!estimate || estimate->verdict != metrics::Verdict::estimated) return kInfinite;
  return estimate->mean == 0 ? kInfinite : estimate->half_width / std::abs(estimate->mean);
}

Checked<UntilKeys> read_delivered(const ConfigTable& table) {
  Checked<UntilKeys> until = until_keys().check(table, "experiment.until");
  const auto refuse = [&](auto member) {
    if (until.is_given(member)) throw until.error(member, "means nothing with `delivered`");
  };
  refuse(&UntilKeys::metric);
  refuse(&UntilKeys::relative_half_width);
  refuse(&UntilKeys::confidence);
  return until;
}

std::size_t delivered_class(const Checked<UntilKeys>& until, const Configuration& configuration) {
  const std::string& name = *until->delivered;
  const std::vector<traffic::TrafficEntry>& traffic = configuration.traffic;
  const RateInput& flows = *configuration.rates;
  std::vector<std::string> names;
  for (const traffic::TrafficEntry& entry : traffic) names.push_back(entry.name);
  for (const FlowClass& one : flows.classes) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw until.error(&UntilKeys::delivered,
                      fmt::format("no traffic is called '{}'{}", name, suggestion(name, names)));
  }
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (index >= traffic.size()) {
    const std::size_t of_flows = index - traffic.size();
    for (const FlowEntry& entry : flows.flows) {
      if (entry.number_of_class != of_flows || entry.keys->has_size()) continue;
      throw until.error(&UntilKeys::delivered,
                        fmt::format("[[flow]]s '{}' need `size`: without it they never end", name));
    }
    return index + configuration.workloads.size();
  }
  const traffic::TrafficEntry& entry = traffic[index];
  if (!entry.keys.is_given(&traffic::TrafficKeys::messages) || entry.is_recorded()) {
    throw until.error(&UntilKeys::delivered,
                      fmt::format("traffic '{}' needs `messages`, the number that each of its "
                                  "sources sends: without it nobody knows which is the last",
                                  name));
  }
  return index;
}

Precision read_precision(const ConfigTable& table) {
  Precision out;
  out.keys = until_keys().check(table, "experiment.until");
  if (!out.keys->metric) {
    throw out.keys.error(&UntilKeys::metric,
                         "is missing: say which mean, or `delivered`, which traffic");
  }
  out.metric = parse_metric_name(*out.keys->metric, table.find("metric")->position,
                                 "experiment.until.metric");
  if (!metrics::is_estimated(out.metric.metric)) {
    throw out.keys.error(
        &UntilKeys::metric,
        fmt::format("'{}' has no confidence interval; these have: {}", out.metric.metric,
                    fmt::join(metrics::estimated_metrics(), ", ")));
  }
  return out;
}

void check_label(const Precision& precision, const Configuration& configuration) {
  const std::vector<std::string> labels = labels_of(configuration);
  const std::string& label = precision.metric.label;
  if (label.empty() || std::find(labels.begin(), labels.end(), label) != labels.end()) return;
  const std::string hint = labels.empty() ? fmt::format("; write {}", precision.metric.metric)
                                          : suggestion(label, labels);
  throw precision.keys.error(&UntilKeys::metric,
                             fmt::format("no traffic has the label '{}'{}", label, hint));
}

LookPlan::LookPlan(Time warmup, Time duration) {
  const std::int64_t whole = (duration - warmup).count;
  const auto least = static_cast<std::int64_t>(static_cast<double>(whole) * kEarliestLook);
  for (std::int64_t length = whole; length > least; length -= (length + 2) / 3) {
    times_.push_back(warmup + Time(length));
  }
  std::reverse(times_.begin(), times_.end());
}

bool LookPlan::look(bool is_content) {
  content_in_a_row_ = is_content ? content_in_a_row_ + 1 : 0;
  ++next_;
  return content_in_a_row_ >= kContentInARow;
}

void LastMessage::checkpoint(StateArchive& state) { state(left_); }

void LookPlan::checkpoint(StateArchive& state) { state(next_, content_in_a_row_); }

}  // namespace weir::experiment
