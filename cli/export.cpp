#include <sstream>

#include "commands.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/table/export.hpp"

namespace weir::cli {
namespace {

struct ExportOptions {
  std::string results;
  bool is_csv = false;
  bool is_json = false;
  bool has_provenance = false;
  std::string table = "scalars";
  std::string output = "-";
};

std::string csv(const std::vector<experiment::RunRecord>& runs, const std::string& table) {
  std::ostringstream text;
  if (table == "series") {
    report::write_series_csv(text, runs);
  } else if (table == "runs") {
    report::write_runs_csv(text, runs);
  } else if (table == "links") {
    report::write_links_csv(text, runs);
  } else if (table == "set-aside-trees") {
    report::write_set_aside_trees_csv(text, runs);
  } else if (table == "set-aside-events") {
    report::write_set_aside_events_csv(text, runs);
  } else {
    report::write_scalars_csv(text, runs);
  }
  return text.str();
}

int export_results(const ExportOptions& options) {
  const experiment::ResultsStore store(results_file(options.results),
                                       experiment::ResultsStore::Mode::existing);
  experiment::ResultParts parts;
  parts.series = options.is_json || options.table == "series";
  parts.links = options.is_json || options.table == "links";
  parts.histograms = options.is_json;
  parts.trees = options.is_json || options.table == "set-aside-trees";
  parts.events = options.is_json || options.table == "set-aside-events";
  const std::vector<experiment::RunRecord> runs = store.read_all(parts);
  report::JsonParts json_parts;
  json_parts.trees = json_parts.events = true;
  json_parts.provenance = options.has_provenance;
  const std::string table = options.has_provenance ? "runs" : options.table;
  write_file(options.output,
             options.is_json ? report::to_json(runs, json_parts) : csv(runs, table));
  return kDone;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("export", "Results as CSV (a row a run and metric) or JSON");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("RESULTS", options->results, "results folder, or its results.sqlite")
      ->required();
  auto* csv_flag = command->add_flag("--csv", options->is_csv, "CSV (default)");
  command->add_flag("--json", options->is_json, "JSON, with everything")->excludes(csv_flag);
  auto* table = command
                    ->add_option("--table", options->table,
                                 "of CSV: scalars, series, links, set-aside-trees, "
                                 "set-aside-events or runs")
                    ->check(CLI::IsMember({"scalars", "series", "links", "set-aside-trees",
                                           "set-aside-events", "runs"}));
  command
      ->add_flag("--provenance", options->has_provenance,
                 "where, when and how fast each run ran: in the JSON, or as CSV (--table runs)")
      ->excludes(table);
  command->add_option("-o,--output", options->output, "file (default: standard output)");
  command->callback(
      [options, &action] { action = [options] { return export_results(*options); }; });
}

}  // namespace weir::cli
