#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "weir/experiment/store/results_record.hpp"

namespace weir::report {

/// Tidy tables: a row a run and metric. Values in full precision; empty: nothing to measure. RFC
/// 4180 quoting. They hold nothing in which two runs of the same thing differ, but for
/// write_runs_csv().

/// experiment, case, one column per swept key, seed, version, status, metric, label, value,
/// half_width (of the 95 % interval), unit, quality
void write_scalars_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);
/// The same with time_ns and bin_ns before the value, a row a bin.
void write_series_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);
/// Provenance, a row a run: hash of the configuration, fingerprint, host, started, finished,
/// wall_seconds, hops_per_second.
void write_runs_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);
/// A row per link of every run.
void write_links_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);

/// Trees of set-aside queues: a row each; sides and leaves are separated by "; ". Runs without
/// isolation have none.
void write_set_aside_trees_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);
/// What happened to set-aside queues: a row each.
void write_set_aside_events_csv(std::ostream& out, const std::vector<experiment::RunRecord>& runs);

struct JsonParts {
  bool configuration = true;
  bool series = true;
  bool histograms = true;
  bool links = true;
  bool trees = false;       ///< with those of set-aside queues
  bool events = false;      ///< of set-aside queues
  bool provenance = false;  ///< host, times, speed: no two runs have the same
};
/// {"runs": [{"experiment", "case", "parameters", "seed", .., "scalars": [{"metric", "label",
/// "value", "half_width", "quality", "unit"}], "series": [..], ..}]}; NaN is null.
std::string to_json(const std::vector<experiment::RunRecord>& runs, const JsonParts& parts,
                    int indent = 2);

/// Writes `text` to a file: the old one stays whole until the new one is. InputError with the path
/// when that fails, also on a full disk.
void write_file(const std::string& path, const std::string& text);
/// The same for a text that is written piece by piece: the series of a campaign may be larger than
/// the memory.
using WriteText = std::function<void(std::ostream&)>;
void write_file(const std::string& path, const WriteText& write);

}  // namespace weir::report
