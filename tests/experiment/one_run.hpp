#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

/// Scalars of the first run of an experiment, which has to succeed.
inline metrics::RunResult result_of(const std::string& text) {
  const std::vector<Variant> variants = ExperimentFile(table_of(text), {}).variants();
  const std::vector<RunOutcome> outcomes = run_all(variants, {}, {});
  EXPECT_EQ(outcomes.at(0).record->status, "done") << outcomes[0].record->error;
  return outcomes[0].record->result;
}

/// Of a simulation, whose errors reach the caller.
inline metrics::RunResult simulated(const std::string& text) {
  const Configuration configuration = resolve(table_of(text));
  Simulation simulation(configuration, make_network(configuration));
  while (simulation.advance()) {
  }
  return simulation.finish(1);
}

/// Why a simulation is refused, when it is read or made; "accepted" where it is not.
inline std::string refusal_of_run(const std::string& text) {
  try {
    const Configuration configuration = resolve(table_of(text));
    const Simulation simulation(configuration, make_network(configuration));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Fails, and is -1, where there is no such scalar.
inline double number(const metrics::RunResult& result, const std::string& metric,
                     const std::string& label = "") {
  const double* value = result.scalar(metric, label);
  EXPECT_NE(value, nullptr) << metric << "[" << label << "]";
  return value == nullptr ? -1 : *value;
}

}  // namespace weir::experiment
