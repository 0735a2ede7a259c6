#include "results.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <tuple>

#include "output.hpp"
#include "ranks.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/page/page.hpp"
#include "weir/report/table/export.hpp"
#include "weir/report/table/replications.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using experiment::RunRecord;
using Write = void (*)(std::ostream&, const std::vector<RunRecord>&);

void write_csv(const fs::path& path, Write write, const std::vector<RunRecord>& records) {
  report::write_file(path.string(), [&](std::ostream& out) { write(out, records); });
}

std::size_t first_line_width(const std::string& table) {
  return report::display_width(std::string_view(table).substr(0, table.find('\n')));
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

/// How long the runs took, whenever that was: CPU time, and wall time beside it.
std::string time_line(const std::vector<RunRecord>& records) {
  double seconds = 0;
  double wall = 0;
  double hops = 0;
  for (const RunRecord& record : records) {
    const double* all = record.result.scalar("packet_hops");
    if (all == nullptr) continue;
    const metrics::RunResult& result = record.result;
    // Runs that an older version recorded have wall time alone.
    seconds += result.cpu_seconds > 0 ? result.cpu_seconds : result.wall_seconds;
    wall += result.wall_seconds;
    hops += *all;
  }
  if (seconds <= 0) return "";
  return fmt::format("Time:    {} on one core ({} by the clock), {:.1f} million packet-hops/s\n",
                     duration_text(seconds), duration_text(wall), hops / seconds * 1e-6);
}

}  // namespace

bool has_color() {
  // mpirun gives its ranks a terminal, wherever its own output goes.
  return isatty(STDOUT_FILENO) != 0 && launched_processes() == 1;
}

std::size_t table_width() { return has_color() ? line_width() : 0; }

std::string results_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? (fs::path(path) / "results.sqlite").string() : path;
}

std::vector<report::PlotSpec> read_figures(const experiment::Configuration& configuration,
                                           const experiment::Variant& first) {
  std::vector<std::string> swept;
  for (const auto& [key, value] : first.settings) swept.push_back(key);
  std::vector<report::PlotSpec> figures;
  for (const ConfigTable& table : configuration.plots) {
    const std::string where = fmt::format("plot[{}]", figures.size());
    figures.push_back(report::PlotSpec::read(table, where));
    const report::PlotSpec& spec = figures.back();
    const auto check = [&](const char* key, const std::string& value,
                           std::vector<std::string> also_known) {
      also_known.insert(also_known.end(), swept.begin(), swept.end());
      const bool is_known =
          std::find(also_known.begin(), also_known.end(), value) != also_known.end();
      if (value.empty() || is_known) return;
      throw InputError(table.find(key)->position, where + "." + key,
                       "'" + value + "' is not swept" + suggestion(value, also_known));
    };
    if (!spec.x_metric) check("x", spec.x, {"time", "case"});
    check("along", spec.along, {});
    check("panel", spec.panel, {"case", "metric"});
  }
  return figures;
}

ConfigTable resolved_experiment(const experiment::ExperimentFile& file) {
  ConfigTable table = file.resolved();
  ConfigValue* plots = table.find("plot");
  if (plots == nullptr) return table;
  ConfigArray resolved;
  for (const ConfigValue& plot : plots->array()) {
    const std::string where = fmt::format("plot[{}]", resolved.size());
    resolved.emplace_back(report::PlotSpec::resolved(plot.table(), where), plot.position);
  }
  plots->data = std::move(resolved);
  return table;
}

std::vector<MetricName> read_columns(const experiment::Configuration& configuration) {
  std::vector<MetricName> columns;
  if (!configuration.results->columns) return columns;
  const ConfigValue* list = experiment::find_value(configuration.source, "results.columns");
  for (const ConfigValue& name : list->array()) {
    columns.push_back(parse_metric_name(name.text(), name.position, "results.columns"));
    const MetricKind& kind = metric_kind(columns.back().metric);
    if ((kind.forms & metric_form::kScalar) != 0) continue;
    throw InputError(name.position, "results.columns",
                     "'" + columns.back().metric + "' is no single number of a run");
  }
  return columns;
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

std::vector<std::string> ResultsWriter::write(const std::vector<RunRecord>& records) const {
  std::vector<std::string> written{"results.sqlite"};
  const fs::path folder(folder_);
  if (exports("csv")) {
    write_csv(folder / "scalars.csv", report::write_scalars_csv, records);
    write_csv(folder / "series.csv", report::write_series_csv, records);
    written.insert(written.end(), {"scalars.csv", "series.csv"});
  }
  if (exports("json")) {
    report::write_file((folder / "results.json").string(), report::to_json(records, {}));
    written.emplace_back("results.json");
  }
  return written;
}

std::vector<std::string> ResultsWriter::draw(const std::vector<RunRecord>& records) const {
  std::vector<std::string> drawn;
  for (const report::PlotSpec& spec : figures_) {
    const report::Figure figure = report::make_figure(spec, records);
    for (std::string& path : report::draw(figure, spec.formats, folder_)) {
      drawn.push_back(std::move(path));
    }
  }
  return drawn;
}

bool ResultsWriter::write_report(const experiment::ResultsStore& store,
                                 const std::vector<RunRecord>& records) const {
  if (report::page_template().empty()) return false;
  const auto key = [](const RunRecord& run) {
    return std::tie(run.experiment, run.case_name, run.configuration_hash, run.seed, run.version);
  };
  report::PageRuns runs = report::page_runs(store);
  std::erase_if(runs.list, [&](const RunRecord& stored) {
    return std::none_of(records.begin(), records.end(),
                        [&](const RunRecord& run) { return key(run) == key(stored); });
  });
  report::PageOptions options;
  options.results = store.path();
  report::write_file((fs::path(folder_) / "report.html").string(),
                     report::make_page(runs, options));
  return true;
}

std::string ResultsWriter::table(const std::vector<RunRecord>& records, bool has_color) const {
  if (!columns_.empty()) {
    return report::summary_table(records, columns_, has_color, table_width());
  }
  // Of the usual columns as many as fit.
  constexpr std::size_t kFewest = 3;
  std::vector<MetricName> columns = report::default_columns(records);
  while (columns.size() > kFewest &&
         first_line_width(report::summary_table(records, columns)) > line_width()) {
    columns.pop_back();
  }
  return report::summary_table(records, columns, has_color);
}

std::string ResultsWriter::table_across_seeds(const std::vector<RunRecord>& records,
                                              bool has_color) const {
  return table(report::across_seeds(records), has_color) + report::replications_text(records) +
         " --each shows the runs.\n";
}

std::string ResultsWriter::json(const std::vector<RunRecord>& records) const {
  report::JsonParts parts;
  parts.series = parts.histograms = parts.links = false;
  return report::to_json(records, parts);
}

void write_files(const ResultsWriter& writer, const std::vector<RunRecord>& records,
                 const experiment::ResultsStore& store, bool has_report, const std::string& folder,
                 bool is_told) {
  std::vector<std::string> written = writer.write(records);
  const bool some_done = std::any_of(records.begin(), records.end(), [](const RunRecord& record) {
    return record.status == "done";
  });
  std::vector<std::string> figures;
  std::optional<InputError> undrawn;  // no gnuplot: all else is written all the same
  try {
    if (some_done) figures = writer.draw(records);
  } catch (const InputError& error) {
    undrawn = error;
  }
  const bool wants_report = has_report && writer.wants_report();
  const bool lacks_report = wants_report && !writer.write_report(store, records);
  if (wants_report && !lacks_report) written.emplace_back("report.html");
  if (is_told) {
    say("\n");
    if (!figures.empty()) say("Plots:   {}\n", fmt::join(figures, " "));
    say("Results: {}/{{{}}}\n", folder, fmt::join(written, ","));
    if (lacks_report) {
      say("No report.html: this program was built without it (see weir report).\n");
    }
    say(std::string_view(time_line(records)));
  }
  if (undrawn) throw *undrawn;
}

}  // namespace weir::cli
