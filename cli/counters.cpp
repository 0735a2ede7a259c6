#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands.hpp"
#include "counters.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/page/builder.hpp"
#include "weir/report/table/counters_text.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::cli {
namespace {

using experiment::RunRecord;
using metrics::LinkComparison;
using report::LinkOrder;

constexpr std::size_t kRows = 20;

struct CountersOptions {
  std::string results;
  CounterChoices counters;
  std::vector<std::string> runs;
  std::string sort = "disagreement";
  std::optional<std::size_t> rows;
  std::string format = "table";
  std::string output = "-";
};

LinkOrder order_of(const CountersOptions& options) {
  return options.sort == "measured"    ? LinkOrder::measured
         : options.sort == "simulated" ? LinkOrder::simulated
         : options.sort == "name"      ? LinkOrder::name
                                       : LinkOrder::disagreement;
}

struct ComparedRun {
  std::string name;
  LinkComparison comparison;
};

std::vector<ComparedRun> compare_runs(const CountersOptions& options) {
  const experiment::ResultsStore store(results_file(options.results),
                                       experiment::ResultsStore::Mode::existing);
  report::MeasuredFabrics fabrics(options.counters.files());
  std::vector<ComparedRun> compared;
  for (RunRecord& run : report::selected(store.list(), options.runs)) {
    if (run.status != "done") continue;
    store.read_result(run, {false, false, true, false});
    const auto configuration = report::configuration_of(run);
    if (!configuration) throw InputError("this version of weir cannot read its configuration");
    compared.push_back({report::name_of(run), fabrics.compare(*configuration, run.result)});
  }
  if (compared.empty()) throw InputError(options.results + ": no run has been done");
  return compared;
}

std::string coefficient_text(double coefficient) {
  return std::isnan(coefficient) ? "-" : fmt::format("{:.3f}", coefficient);
}

/// A line a run, for more than one.
std::string overview(const std::vector<ComparedRun>& runs) {
  report::TextTable table;
  table.add_column("run", report::Align::left);
  table.add_column("waiting", report::Align::right);
  table.add_column("links", report::Align::right);
  table.add_column("data sent", report::Align::right);
  table.add_column("links", report::Align::right);
  for (const ComparedRun& run : runs) {
    table.add_row({run.name, coefficient_text(run.comparison.wait.coefficient),
                   std::to_string(run.comparison.wait.links),
                   coefficient_text(run.comparison.sent.coefficient),
                   std::to_string(run.comparison.sent.links)});
  }
  return "Rank correlations (Spearman) of measured and simulated links:\n\n" +
         table.render({has_color(), table_width(), 1}) + "\n--runs NAME shows the links of one.\n";
}

std::string notes_text(const LinkComparison& comparison) {
  std::string text;
  for (const std::string& note : comparison.notes) text += wrapped(note, line_width(), 2) + '\n';
  return text.empty() ? "" : '\n' + text;
}

std::string table_text(const std::vector<ComparedRun>& runs, const CountersOptions& options) {
  if (runs.size() > 1) return overview(runs) + notes_text(runs.front().comparison);
  const LinkComparison& comparison = runs.front().comparison;
  return report::agreement_text(comparison) + '\n' +
         report::counters_table(comparison, order_of(options), options.rows.value_or(kRows),
                                {has_color(), table_width(), 1}) +
         notes_text(comparison);
}

std::string json_text(const std::vector<ComparedRun>& runs, const CountersOptions& options) {
  nlohmann::json out = nlohmann::json::array();
  for (const ComparedRun& run : runs) {
    nlohmann::json one =
        report::counters_json(run.comparison, order_of(options), options.rows.value_or(0));
    one["run"] = run.name;
    out.push_back(std::move(one));
  }
  return nlohmann::json{{"runs", std::move(out)}}.dump(2) + '\n';
}

int show_counters(const CountersOptions& options) {
  const std::vector<ComparedRun> runs = compare_runs(options);
  std::string text;
  if (options.format == "json") {
    text = json_text(runs, options);
  } else if (options.format == "csv") {
    if (runs.size() > 1) throw InputError("CSV is of one run: choose it with --runs");
    text =
        report::counters_csv(runs.front().comparison, order_of(options), options.rows.value_or(0));
  } else {
    text = table_text(runs, options);
  }
  write_file(options.output, text);
  return kDone;
}

std::optional<Time> duration(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  try {
    const Time time = parse_time(text);
    if (time.count > 0) return time;
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
  throw InputError(fmt::format("{}: '{}' is no time that can pass", option, text));
}

}  // namespace

topology::CounterFiles CounterChoices::files() const {
  return {after, before, duration(interval, "--interval"), duration(tick, "--tick")};
}

void add_counter_options(CLI::App& command, CounterChoices& choices, CLI::Option* after) {
  command
      .add_option("--before", choices.before,
                  "the same counters at an earlier time: the difference counts (default: all "
                  "since they were reset)")
      ->needs(after);
  auto* interval =
      command
          .add_option("--interval", choices.interval,
                      "time between the two, as \"10 s\": shares of time instead of shares of all "
                      "links")
          ->needs(after);
  command
      .add_option("--tick", choices.tick,
                  "length of a tick of PortXmitWait, which is the device's, as \"22 ns\"; with "
                  "--interval")
      ->needs(interval);
}

void add_counters(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "counters", "Set port counters of a real subnet beside what its links did in a run");
  auto options = std::make_shared<CountersOptions>();
  command->add_option("RESULTS", options->results, "results folder, or its results.sqlite")
      ->required();
  auto* after = command
                    ->add_option("COUNTERS", options->counters.after,
                                 "what perfquery and perfquery -x, or ibqueryerrors, print of all "
                                 "ports, in one file")
                    ->required();
  add_counter_options(*command, options->counters, after);
  command
      ->add_option("--runs", options->runs,
                   "only these, as \"a,b\": names of cases, labels as in the table, or ids")
      ->take_all()
      ->expected(1);
  command
      ->add_option("--sort", options->sort,
                   "what comes first: disagreement (of ranks of waiting; default), measured or "
                   "simulated (waiting), or name")
      ->check(CLI::IsMember({"disagreement", "measured", "simulated", "name"}));
  command->add_option("--rows", options->rows,
                      "links to show (default: 20 in a table, else all); 0: all");
  command->add_option("--format", options->format, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}));
  command->add_option("-o,--output", options->output, "file (default: standard output)");
  command->callback([options, &action] { action = [options] { return show_counters(*options); }; });
}

}  // namespace weir::cli
