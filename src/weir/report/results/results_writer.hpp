#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

/// What a table of runs may take.
struct TableSpace {
  bool has_color = false;
  std::size_t width = 0;  ///< columns go on in blocks beyond it; 0: no limit
  /// Of the columns that nobody chose as many as fit into this.
  std::size_t usual_width = 100;
};

/// What stands in a results folder.
struct WrittenFiles {
  std::vector<std::string> names;    ///< in the folder
  std::vector<std::string> figures;  ///< paths
  bool lacks_report = false;         ///< wanted, but this program was built without it
  /// Why there are no figures, as without gnuplot: all else is written all the same.
  std::optional<InputError> undrawn;
};

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
  /// What of the records write() and draw() need: with files of all series all of it.
  [[nodiscard]] experiment::ResultParts parts() const;
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
                                  const TableSpace& space) const;
  /// Of runs that differ only in the seed one line, with intervals across the seeds.
  [[nodiscard]] std::string table_across_seeds(const std::vector<experiment::RunRecord>& records,
                                               const TableSpace& space) const;
  /// All of these files, report.html where `has_report` and where the experiment wants it.
  [[nodiscard]] WrittenFiles write_all(const experiment::ResultsStore& store,
                                       const std::vector<experiment::RunRecord>& records,
                                       bool has_report) const;
  [[nodiscard]] std::string json(const std::vector<experiment::RunRecord>& records) const;

 private:
  [[nodiscard]] bool exports(std::string_view kind) const {
    return std::find(exports_.begin(), exports_.end(), kind) != exports_.end();
  }

  std::vector<std::string> exports_;
  std::vector<PlotSpec> figures_;
  std::vector<MetricName> columns_;
  std::string folder_;
  bool wants_report_;
};

/// The database of a results folder, or the file itself.
std::string results_file(const std::string& path);

}  // namespace weir::report
