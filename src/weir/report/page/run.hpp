#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/store/results_record.hpp"
#include "weir/report/page/network.hpp"

namespace weir::report {

/// A finite number with six significant digits, counts exactly; else null.
nlohmann::json page_number(double value);

/// What identifies a run and its scalars: a `Run` of viewer/src/data.ts without the members that
/// the two functions below and congestion_of() give.
nlohmann::json run_to_json(const experiment::RunRecord& run,
                           const experiment::Configuration* configuration);

/// "series" and "histograms" of a `Run`; at most `most_points` a line.
nlohmann::json lines_of(const experiment::RunRecord& run, std::size_t most_points);

/// "marks": times at which traffic is on that is not on all the time.
nlohmann::json marks_of(const experiment::Configuration& configuration, Time end);

/// "hosts": who sends hot traffic and who gets it; null where nobody does.
nlohmann::json hosts_of(const experiment::Configuration& configuration,
                        const topology::Graph& graph);

/// Adds the metrics of the run's numbers, which `metrics_to_json` then describes.
void collect_metrics(const metrics::RunResult& result, std::set<std::string>& names);
nlohmann::json metrics_to_json(const std::set<std::string>& names);

/// End of the run in simulated time; 0: not known.
Time end_of(const experiment::RunRecord& run, const experiment::Configuration* configuration);

}  // namespace weir::report
