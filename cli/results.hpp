#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::cli {

/// Makes tables, files and plots of finished runs, as the experiment wants them.
class ResultsWriter {
 public:
  /// Files beside the database: those of `results.export` with its default, or only where an
  /// experiment says so itself.
  enum class Exports : std::uint8_t { also_default, only_given };

  /// Checks figures and columns, and makes the folder. Throws InputError when one of them is wrong
  /// or nothing can be written into the folder.
  ResultsWriter(const experiment::Configuration& configuration, const experiment::Variant& first,
                std::string folder, Exports exports = Exports::also_default);

  /// Writes the files beside the database. Returns the names of all files in the folder.
  [[nodiscard]] std::vector<std::string> write(
      const std::vector<experiment::RunRecord>& records) const;
  /// Draws the figures. Returns the paths of the files.
  [[nodiscard]] std::vector<std::string> draw(
      const std::vector<experiment::RunRecord>& records) const;
  /// Writes report.html about those runs of the store. False: this program was built without it.
  [[nodiscard]] bool write_report(const experiment::ResultsStore& store,
                                  const std::vector<experiment::RunRecord>& records) const;
  /// The experiment wants report.html.
  [[nodiscard]] bool wants_report() const { return wants_report_; }
  /// A line a run.
  [[nodiscard]] std::string table(const std::vector<experiment::RunRecord>& records,
                                  bool has_color) const;
  /// Of runs that differ only in the seed one line, with intervals across the seeds.
  [[nodiscard]] std::string table_across_seeds(const std::vector<experiment::RunRecord>& records,
                                               bool has_color) const;
  [[nodiscard]] std::string json(const std::vector<experiment::RunRecord>& records) const;

 private:
  [[nodiscard]] bool exports(std::string_view kind) const {
    return std::find(exports_.begin(), exports_.end(), kind) != exports_.end();
  }

  std::vector<std::string> exports_;
  std::vector<report::PlotSpec> figures_;
  std::vector<MetricName> columns_;
  std::string folder_;
  bool wants_report_;
};

/// Writes everything that belongs to finished runs: files, figures, the report page (`has_report`
/// and where the experiment wants it). `is_told`: says on standard output what and where.
void write_files(const ResultsWriter& writer, const std::vector<experiment::RunRecord>& records,
                 const experiment::ResultsStore& store, bool has_report, const std::string& folder,
                 bool is_told);

/// The [[plot]] tables of an experiment. Throws InputError, also for an x that is not swept.
std::vector<report::PlotSpec> read_figures(const experiment::Configuration& configuration,
                                           const experiment::Variant& first);

/// The experiment with all defaults filled in, those of its plots too: reads back to itself.
ConfigTable resolved_experiment(const experiment::ExperimentFile& file);

/// Tables may have color: standard output is a terminal.
bool has_color();
/// Columns that a table may take: those of the terminal, or 0, no limit, elsewhere.
std::size_t table_width();

/// The database of a results folder, or the file itself.
std::string results_file(const std::string& path);

/// The columns that [results] names.
std::vector<MetricName> read_columns(const experiment::Configuration& configuration);

}  // namespace weir::cli
