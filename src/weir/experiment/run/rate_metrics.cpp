#include "weir/experiment/run/rate_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weir::experiment {

void add_rates(metrics::RunResult& out, const std::string& metric, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  out.add_scalar(metric + "_mean", "", sum / static_cast<double>(values.size()));
  out.add_scalar(metric + "_min", "", values.front());
  out.add_scalar(metric + "_max", "", values.back());
  for (std::size_t tenth = 0; tenth <= 10; ++tenth) {
    out.add_scalar(metric + "_sorted", fmt::format("{:.1f}", static_cast<double>(tenth) / 10),
                   values[(tenth * (values.size() - 1) + 5) / 10]);
  }
}

void append(RateValues& values, const rates::FlowSet& set, const rates::Assignment& assignment) {
  for (std::size_t f = 0; f < set.flow_count(); ++f)
    values.flows.push_back(assignment.rate(set, rates::FlowId(f)).value());
  for (const rates::Fraction& rate : rates::application_rates(set, assignment))
    values.applications.push_back(rate.value());
}

void add_assigned_rates(metrics::RunResult& out, RateValues values) {
  add_rates(out, "assigned_rate", std::move(values.flows));
  add_rates(out, "application_rate", std::move(values.applications));
}

void add_assigned_rates(metrics::RunResult& out, const rates::FlowSet& set,
                        const rates::Assignment& assignment) {
  RateValues values;
  append(values, set, assignment);
  add_assigned_rates(out, std::move(values));
}

}  // namespace weir::experiment
