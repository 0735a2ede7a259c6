#pragma once

#include <string>
#include <vector>

#include "weir/base/metric_registry.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/report/figure/plot_spec.hpp"

namespace weir::report {

/// Checks all of an experiment that can be without building a network: every section of all runs,
/// figures, columns. Throws an InputError of all that is wrong.
void check_experiment(const std::vector<experiment::Variant>& variants);

/// The experiment that `file` is with the overrides of the command line, checked like that. Throws
/// an InputError of all that is wrong, with its cases and sweep, too.
experiment::ExperimentFile checked_experiment(const ConfigTable& file,
                                              const std::vector<ConfigTable>& overrides);

/// The [[plot]] tables of an experiment. Throws InputError, also for an x that is not swept.
std::vector<PlotSpec> read_figures(const experiment::Configuration& configuration,
                                   const experiment::Variant& first);

/// The columns that [results] names.
std::vector<MetricName> read_columns(const experiment::Configuration& configuration);

/// The experiment with all defaults filled in, those of its plots too: reads back to itself.
ConfigTable resolved_experiment(const experiment::ExperimentFile& file);

}  // namespace weir::report
