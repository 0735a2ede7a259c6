#pragma once

#include <string>
#include <vector>

#include "weir/experiment/configuration.hpp"
#include "weir/experiment/results_record.hpp"
#include "weir/experiment/variants.hpp"
#include "weir/report/figure.hpp"
#include "weir/report/summary.hpp"

namespace weir::cli {

/// Makes tables, files and plots of finished runs, as the experiment wants them.
class ResultsWriter {
 public:
  /// Checks figures and columns, and makes the folder. Throws InputError when one of them is wrong
  /// or nothing can be written into the folder.
  ResultsWriter(const experiment::Configuration& configuration, const experiment::Variant& first,
                std::string folder);

  /// Writes the files beside the database. Returns the names of all files in the folder.
  [[nodiscard]] std::vector<std::string> write(
      const std::vector<experiment::RunRecord>& records) const;
  /// Draws the figures. Returns the paths of the files.
  [[nodiscard]] std::vector<std::string> draw(
      const std::vector<experiment::RunRecord>& records) const;
  [[nodiscard]] std::string table(const std::vector<experiment::RunRecord>& records,
                                  bool has_color) const;
  [[nodiscard]] std::string json(const std::vector<experiment::RunRecord>& records) const;

 private:
  std::vector<std::string> exports_;
  std::vector<report::PlotSpec> figures_;
  std::vector<metrics::MetricName> columns_;
  std::string folder_;
};

/// The [[plot]] tables of an experiment. Throws InputError, also for an x that is not swept.
std::vector<report::PlotSpec> read_figures(const experiment::Configuration& configuration,
                                           const experiment::Variant& first);

/// The database of a results folder, or the file itself.
std::string results_file(const std::string& path);

/// The columns that [results] names.
std::vector<metrics::MetricName> read_columns(const experiment::Configuration& configuration);

}  // namespace weir::cli
