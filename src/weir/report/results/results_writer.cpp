#include "weir/report/results/results_writer.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/page/page.hpp"
#include "weir/report/results/check.hpp"
#include "weir/report/table/export.hpp"
#include "weir/report/table/replications.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {
namespace {

namespace fs = std::filesystem;
using experiment::RunRecord;
using Write = void (*)(std::ostream&, const std::vector<RunRecord>&);

void write_csv(const fs::path& path, Write write, const std::vector<RunRecord>& records) {
  write_file(path.string(), [&](std::ostream& out) { write(out, records); });
}

std::size_t first_line_width(const std::string& table) {
  return display_width(std::string_view(table).substr(0, table.find('\n')));
}

/// "Columns that do not fit: tree size." in lines of at most `width` (0: no limit).
std::string left_out_text(const std::vector<std::string>& titles, std::size_t width) {
  if (titles.empty()) return "";
  std::string out;
  const std::string text = fmt::format("Columns that do not fit: {}.", fmt::join(titles, ", "));
  for (const std::string& line : wrapped_lines(text, width == 0 ? text.size() : width)) {
    out += line + "\n";
  }
  return out;
}

void prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError(
        fmt::format("cannot make the results folder '{}': {}", folder, error.message()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(
        fmt::format("cannot write into the results folder '{}': {}", folder, std::strerror(errno)));
  }
}

}  // namespace

std::string results_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? (fs::path(path) / "results.sqlite").string() : path;
}

ResultsWriter::ResultsWriter(const experiment::Configuration& configuration,
                             const experiment::Variant& first, std::string folder, Exports exports)
    : exports_(exports == Exports::also_default ||
                       configuration.results.is_given(&experiment::ResultsKeys::exports)
                   ? configuration.results->exports
                   : std::vector<std::string>{}),
      figures_(read_figures(configuration, first)),
      columns_(read_columns(configuration)),
      folder_(std::move(folder)),
      wants_report_(configuration.results->wants_report) {
  prepare_folder(folder_);
}

experiment::ResultParts ResultsWriter::parts() const {
  experiment::ResultParts parts{true, true, true, false};
  if (!exports_.empty()) return parts;
  parts.series_of.emplace();
  for (const PlotSpec& figure : figures_) {
    for (const MetricName& name : figure.metrics) parts.series_of->insert(name);
  }
  return parts;
}

std::vector<std::string> ResultsWriter::write(const std::vector<RunRecord>& records) const {
  std::vector<std::string> written{"results.sqlite"};
  const fs::path folder(folder_);
  if (exports("csv")) {
    write_csv(folder / "scalars.csv", write_scalars_csv, records);
    write_csv(folder / "series.csv", write_series_csv, records);
    written.insert(written.end(), {"scalars.csv", "series.csv"});
  }
  if (exports("json")) {
    write_file((folder / "results.json").string(), to_json(records, {}));
    written.emplace_back("results.json");
  }
  return written;
}

std::vector<std::string> ResultsWriter::draw(const std::vector<RunRecord>& records) const {
  std::vector<std::string> drawn;
  for (const PlotSpec& spec : figures_) {
    const Figure figure = make_figure(spec, records);
    for (std::string& path : report::draw(figure, spec.formats, folder_)) {
      drawn.push_back(std::move(path));
    }
  }
  return drawn;
}

bool ResultsWriter::write_report(const experiment::ResultsStore& store,
                                 const std::vector<RunRecord>& records) const {
  if (page_template().empty()) return false;
  const auto key = [](const RunRecord& run) {
    return std::tie(run.experiment, run.case_name, run.configuration_hash, run.seed, run.version);
  };
  PageRuns runs = page_runs(store);
  std::erase_if(runs.list, [&](const RunRecord& stored) {
    return std::none_of(records.begin(), records.end(),
                        [&](const RunRecord& run) { return key(run) == key(stored); });
  });
  PageOptions options;
  options.results = store.path();
  write_file((fs::path(folder_) / "report.html").string(), make_page(runs, options));
  return true;
}

std::string ResultsWriter::table(const std::vector<RunRecord>& records,
                                 const TableSpace& space) const {
  if (!columns_.empty()) {
    return summary_table(records, columns_, space.has_color, space.width);
  }
  // Of the usual columns as many as fit, but a few in any case, in blocks where it is too narrow.
  constexpr std::size_t kFewest = 3;
  std::vector<MetricName> columns = default_columns(records);
  std::vector<std::string> left_out;
  while (columns.size() > kFewest &&
         first_line_width(summary_table(records, columns)) > space.usual_width) {
    left_out.insert(left_out.begin(), title_of(columns.back()));
    columns.pop_back();
  }
  return summary_table(records, columns, space.has_color, space.width) +
         left_out_text(left_out, space.width);
}

std::string ResultsWriter::table_across_seeds(const std::vector<RunRecord>& records,
                                              const TableSpace& space) const {
  return table(across_seeds(records), space) + replications_text(records) +
         " --each shows the runs.\n";
}

std::string ResultsWriter::json(const std::vector<RunRecord>& records) const {
  JsonParts parts;
  parts.series = parts.histograms = parts.links = false;
  return to_json(records, parts);
}

WrittenFiles ResultsWriter::write_all(const experiment::ResultsStore& store,
                                      const std::vector<RunRecord>& records,
                                      bool has_report) const {
  WrittenFiles written;
  written.names = write(records);
  const bool some_done = std::any_of(records.begin(), records.end(), [](const RunRecord& record) {
    return record.status == "done";
  });
  try {
    if (some_done) written.figures = draw(records);
  } catch (const InputError& error) {
    written.undrawn = error;
  }
  const bool wants = has_report && wants_report();
  written.lacks_report = wants && !write_report(store, records);
  if (wants && !written.lacks_report) written.names.emplace_back("report.html");
  return written;
}

}  // namespace weir::report
