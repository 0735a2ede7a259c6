#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/base/metric_registry.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::report {

/// Columns of a summary when the experiment names none: efficiency, throughput, latencies, for hot,
/// cold and victim traffic where the runs have them, trees; the completion time where all that was
/// generated arrived.
std::vector<MetricName> default_columns(const std::vector<experiment::RunRecord>& runs);

/// A line a run: case, what the sweep set, seed (when they differ), the metrics; failed runs say
/// why. In blocks where it is wider than `width` (0: no limit). Notes of the runs follow below the
/// table.
std::string summary_table(const std::vector<experiment::RunRecord>& runs,
                          const std::vector<MetricName>& columns, bool color = false,
                          std::size_t width = 0);

/// Column title: "latency p99 [cold]".
std::string title_of(const MetricName& name);

/// A scalar of a run with its interval and unit; "-" where there is none.
std::string cell_text(const experiment::RunRecord& run, const MetricName& name);

/// Name of a run in tables and plots: its case; else what the sweep set; else the experiment.
std::string label_of(const experiment::RunRecord& run);

/// Name of a run among all others: case, what the sweep set, seed.
std::string name_of(const experiment::RunRecord& run);

}  // namespace weir::report
