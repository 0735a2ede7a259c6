#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>

#include <unistd.h>

#include "commands.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "weir/experiment/keys.hpp"
#include "weir/experiment/read_file.hpp"
#include "weir/experiment/results_store.hpp"
#include "weir/experiment/runner.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using experiment::RunRecord;

struct RunOptionsOfUser {
  std::vector<std::string> files;
  std::string folder;
  std::vector<std::string> set;
  std::string seed;
  unsigned jobs = 0;
  std::string format = "table";
  bool is_dump = false;
  bool is_quiet = false;
};

std::atomic<bool> interrupted{false};

/// The first Ctrl-C ends the runs soon, the second one the program.
void on_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

std::vector<ConfigTable> overrides(const RunOptionsOfUser& options) {
  std::vector<ConfigTable> tables;
  for (const std::string& one : options.set) tables.push_back(experiment::parse_override(one));
  if (!options.seed.empty()) {
    tables.push_back(experiment::parse_override(fmt::format("experiment.seed={}", options.seed)));
  }
  return tables;
}

std::string results_folder(const RunOptionsOfUser& options, const std::string& name) {
  if (options.folder.empty()) return "results/" + name;
  return options.files.size() == 1 ? options.folder : (fs::path(options.folder) / name).string();
}

struct Finished {
  std::vector<RunRecord> records;
  std::size_t unfinished = 0;
  std::size_t unbuilt = 0;  ///< failed because their configuration cannot work
  int status = kDone;
};

/// Runs everything; each run is in the store as soon as it has ended.
Finished run_variants(const std::vector<experiment::Variant>& variants,
                      const RunOptionsOfUser& options, experiment::ResultsStore& store) {
  std::vector<std::string> names;
  names.reserve(variants.size());
  for (const experiment::Variant& variant : variants) names.push_back(variant.name);
  ProgressBars bars(names, options.is_quiet);
  experiment::RunListener listener;
  listener.on_start = [&](std::size_t run) { bars.start(run); };
  listener.on_progress = [&](const experiment::RunProgress& progress) { bars.update(progress); };
  listener.on_end = [&](std::size_t run, const RunRecord& record) {
    store.write(record);
    bars.end(run);
  };
  experiment::RunOptions run_options;
  run_options.jobs = options.jobs;
  run_options.interrupt = &interrupted;
  Finished finished;
  for (experiment::RunOutcome& outcome : experiment::run_all(variants, run_options, listener)) {
    if (!outcome.record) {
      ++finished.unfinished;
      continue;
    }
    const bool is_failed = outcome.record->status != "done";
    const int status = is_failed ? (outcome.is_input_error ? kWrongInput : kRunFailed) : kDone;
    finished.status = std::max(finished.status, status);
    finished.unbuilt += outcome.is_input_error ? 1 : 0;
    finished.records.push_back(std::move(*outcome.record));
  }
  return finished;
}

void report_failures(const Finished& finished) {
  std::size_t failed = 0;
  for (const RunRecord& record : finished.records) {
    if (record.status == "done") continue;
    fmt::print(stderr, "weir: {} failed: {}\n", report::label_of(record), record.error);
    ++failed;
  }
  const std::size_t all = finished.records.size() + finished.unfinished;
  if (failed > 0 && all > 1) fmt::print(stderr, "weir: {} of {} runs failed\n", failed, all);
  if (finished.unfinished > 0) {
    fmt::print(stderr, "weir: interrupted; {} of {} runs were not finished\n", finished.unfinished,
               all);
  }
}

std::string title_line(const experiment::Configuration& configuration) {
  return configuration.title.empty() ? configuration.name
                                     : configuration.name + ": " + configuration.title;
}

void write_files(const ResultsWriter& writer, const std::vector<RunRecord>& records,
                 const std::string& folder, bool is_told) {
  const std::vector<std::string> written = writer.write(records);
  const bool some_done = std::any_of(records.begin(), records.end(), [](const RunRecord& record) {
    return record.status == "done";
  });
  std::vector<std::string> figures;
  if (some_done) figures = writer.draw(records);
  if (!is_told) return;
  say("\n");
  if (!figures.empty()) say("Plots:   {}\n", fmt::join(figures, " "));
  say("Results: {}/{{{}}}\n", folder, fmt::join(written, ","));
}

int run_file(const std::string& path, const RunOptionsOfUser& options) {
  const experiment::ExperimentFile file(experiment::read_experiment(path), overrides(options));
  if (options.is_dump) {
    say(std::string_view(to_toml(file.resolved())));
    return kDone;
  }
  const std::vector<experiment::Variant> variants = file.variants();
  const experiment::Configuration first = experiment::resolve(variants.front().table);
  const std::string folder = results_folder(options, first.name);
  const bool is_table = options.format == "table";
  const ResultsWriter writer(first, variants.front(), folder);
  experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                 experiment::ResultsStore::Mode::create);
  const Finished finished = run_variants(variants, options, store);
  if (finished.records.empty()) {
    report_failures(finished);
    return kRunFailed;
  }
  // One mistake that all runs share is told once.
  if (finished.unbuilt == variants.size()) throw InputError(finished.records.front().error);
  if (is_table) {
    say("{}\n\n", title_line(first));
    say(std::string_view(writer.table(finished.records, isatty(STDOUT_FILENO) != 0)));
  } else {
    say(std::string_view(writer.json(finished.records)));
  }
  finish_output();
  report_failures(finished);
  write_files(writer, finished.records, folder, is_table);
  return finished.unfinished > 0 ? std::max(finished.status, kRunFailed) : finished.status;
}

int run(const RunOptionsOfUser& options) {
  std::signal(SIGINT, on_interrupt);
  int status = kDone;
  for (const std::string& path : options.files) {
    if (interrupted) break;
    status = std::max(status, run_file(path, options));
  }
  return status;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("run", "Run experiments: summary table, results, plots");
  auto options = std::make_shared<RunOptionsOfUser>();
  command->add_option("FILE", options->files, "experiment files")->required();
  command->add_option("-o,--output", options->folder, "folder for results (default: results/NAME)");
  command->add_option("--set", options->set, "key=value, over the file: host.mtu=\"2 KiB\"")
      ->take_all()
      ->expected(1);
  command->add_option("--seed", options->seed, "same as --set experiment.seed=N");
  command->add_option("--jobs,-j", options->jobs, "runs at a time (default: one a core)")
      ->check(CLI::Range(1, 4096));
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--dump", options->is_dump,
                    "print the experiment with all defaults filled in, and do not run it");
  command->add_flag("--quiet,-q", options->is_quiet, "no progress on standard error");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace weir::cli
