#include "weir/experiment/config/until.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "weir/metrics/steady_state.hpp"

namespace weir::experiment {
namespace {

constexpr double kEarliestLook = 1e-3;  ///< of the time that may be measured
constexpr int kContentInARow = 2;

/// Labels that the numbers of this traffic have.
std::vector<std::string> labels_of(const std::vector<traffic::TrafficEntry>& entries,
                                   const std::vector<workload::WorkloadEntry>& workloads) {
  std::vector<std::string> labels;
  const auto has = [&](traffic::Role role) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const traffic::TrafficEntry& entry) { return entry.role == role; });
  };
  if (has(traffic::Role::hot)) {
    labels.emplace_back("hot");
    labels.emplace_back("victim");
  }
  if (has(traffic::Role::cold)) labels.emplace_back("cold");
  if (entries.size() + workloads.size() > 1) {
    for (const traffic::TrafficEntry& entry : entries) labels.push_back(entry.name);
    for (const workload::WorkloadEntry& entry : workloads) labels.push_back(entry.name);
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

std::size_t delivered_entry(const Checked<UntilKeys>& until,
                            const std::vector<traffic::TrafficEntry>& entries) {
  const std::string& name = *until->delivered;
  std::vector<std::string> names;
  for (const traffic::TrafficEntry& entry : entries) names.push_back(entry.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw until.error(&UntilKeys::delivered,
                      fmt::format("no traffic is called '{}'{}", name, suggestion(name, names)));
  }
  const auto index = static_cast<std::size_t>(found - names.begin());
  const traffic::TrafficEntry& entry = entries[index];
  if (!entry.keys.is_given(&traffic::TrafficKeys::messages) || entry.is_recorded()) {
    throw until.error(&UntilKeys::delivered,
                      fmt::format("traffic '{}' needs `messages`, the number that each of its "
                                  "sources sends: without it nobody knows which is the last",
                                  name));
  }
  return index;
}

LastMessage::LastMessage(const Checked<UntilKeys>& until,
                         const std::vector<traffic::TrafficEntry>& entries,
                         const traffic::Traffic& traffic)
    : class_(static_cast<std::uint8_t>(delivered_entry(until, entries))),
      left_(entries[class_].messages * traffic.classes[class_].sources.size()) {}

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

void check_label(const Precision& precision, const std::vector<traffic::TrafficEntry>& traffic,
                 const std::vector<workload::WorkloadEntry>& workloads) {
  const std::vector<std::string> labels = labels_of(traffic, workloads);
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

}  // namespace weir::experiment
