#pragma once

#include <string>
#include <vector>

#include "weir/metrics/run_result.hpp"
#include "weir/rates/assignment.hpp"

namespace weir::experiment {

/// Adds `metric`_mean, _min, _max and, at places from 0.0 to 1.0, _sorted. At least one value.
void add_rates(metrics::RunResult& out, const std::string& metric, std::vector<double> values);

/// Rates of flows and of their applications.
struct RateValues {
  std::vector<double> flows;
  std::vector<double> applications;
};
void append(RateValues& values, const rates::FlowSet& set, const rates::Assignment& assignment);

/// Adds the rates of all flows (`assigned_rate_..`) and of all applications
/// (`application_rate_..`).
void add_assigned_rates(metrics::RunResult& out, RateValues values);
void add_assigned_rates(metrics::RunResult& out, const rates::FlowSet& set,
                        const rates::Assignment& assignment);

}  // namespace weir::experiment
