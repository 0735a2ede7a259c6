#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>

#include "campaign.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/table/replications.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using experiment::RunRecord;

struct RunOptionsOfUser {
  std::vector<std::string> files;
  std::string folder;
  std::vector<std::string> set;
  std::string seed;
  std::string threads;
  CampaignChoices campaign;
  std::string format = "table";
  std::string shard;
  bool is_dump = false;
  bool is_each = false;
  bool is_without_report = false;
};

std::vector<ConfigTable> overrides(const RunOptionsOfUser& options) {
  std::vector<ConfigTable> tables;
  for (const std::string& one : options.set) tables.push_back(experiment::parse_override(one));
  if (!options.seed.empty()) {
    tables.push_back(experiment::parse_override(fmt::format("experiment.seed={}", options.seed)));
  }
  if (!options.threads.empty()) {
    tables.push_back(experiment::parse_override(
        fmt::format("experiment.threads={}", options.threads == "auto" ? "0" : options.threads)));
  }
  return tables;
}

std::string results_folder(const RunOptionsOfUser& options, const std::string& name) {
  if (options.folder.empty()) return "results/" + name;
  return options.files.size() == 1 ? options.folder : (fs::path(options.folder) / name).string();
}

std::string title_line(const experiment::Configuration& configuration) {
  return configuration.title.empty() ? configuration.name
                                     : configuration.name + ": " + configuration.title;
}

std::string table_of(const ResultsWriter& writer, const std::vector<RunRecord>& records,
                     bool is_each) {
  return is_each || !report::has_replications(records)
             ? writer.table(records, table_space())
             : writer.table_across_seeds(records, table_space());
}

/// A part of the runs: every n-th, from the i-th on.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool is_all() const { return of == 1; }
};

Shard read_shard(const std::string& text) {
  if (text.empty()) return {};
  Shard shard;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = number.ec == std::errc{} && number.ptr != end && *number.ptr == '/';
  const auto of = std::from_chars(has_slash ? number.ptr + 1 : end, end, shard.of);
  if (!has_slash || of.ec != std::errc{} || of.ptr != end || shard.number < 1 ||
      shard.number > shard.of) {
    throw InputError("--shard: must be I/N, with I from 1 to N, as in 2/8, not '" + text + "'");
  }
  return shard;
}

/// Each keeps its place in the plan of all.
std::vector<experiment::Variant> part_of(const std::vector<experiment::Variant>& all,
                                         const Shard& shard) {
  std::vector<experiment::Variant> part;
  for (std::size_t i = shard.number - 1; i < all.size(); i += shard.of) part.push_back(all[i]);
  return part;
}

int run_file(const std::string& path, const RunOptionsOfUser& options) {
  const experiment::ExperimentFile file =
      report::checked_experiment(experiment::read_experiment(path), overrides(options));
  if (options.is_dump) {
    say(std::string_view(to_toml(resolved_experiment(file))));
    return kDone;
  }
  const Shard shard = read_shard(options.shard);
  const std::vector<experiment::Variant> all = file.variants();
  const std::vector<experiment::Variant> variants = part_of(all, shard);
  if (variants.empty()) {
    fmt::print(stderr, "weir: part {} of {} is empty: there are {} runs\n", shard.number, shard.of,
               all.size());
    return kDone;
  }
  const experiment::Configuration first = experiment::resolve(variants.front().table);
  const std::string folder = results_folder(options, first.name);
  const bool is_table = options.format == "table";
  const ResultsWriter writer(first, all.front(), folder);
  experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                 experiment::ResultsStore::Mode::create);
  CampaignChoices campaign = options.campaign;
  // Together the runs have as many threads as there are cores.
  if (campaign.jobs == 0 && first.threads > 1)
    campaign.jobs = std::max(1U, experiment::thread_count(0) / first.threads);
  experiment::CampaignResult result = run_plan(variants, store, campaign);
  const std::string failures = failures_text(result, options.campaign);
  const int status = status_of(result);
  // One mistake that all runs share is told once.
  const bool none_works = std::all_of(result.runs.begin(), result.runs.end(),
                                      [](const auto& run) { return run.is_input_error; });
  const std::vector<RunRecord> records = result.take_records();
  if (none_works) throw InputError(records.front().error);
  if (records.empty()) {
    fmt::print(stderr, "{}", failures);
    return status;
  }
  if (is_table) {
    say("{}\n\n", title_line(first));
    say(std::string_view(table_of(writer, records, options.is_each)));
  } else {
    say(std::string_view(writer.json(records)));
  }
  finish_output();
  fmt::print(stderr, "{}", failures);
  // Of a part there is the database alone: files beside it are about all runs.
  if (shard.is_all())
    write_files(writer, records, store, !options.is_without_report, folder, is_table);
  return status;
}

int run(const RunOptionsOfUser& options) {
  if (std::count_if(options.files.begin(), options.files.end(), experiment::is_standard_input) >
      1) {
    throw InputError("standard input can be one of the experiments, not several");
  }
  const std::atomic<bool>& interrupted = watch_interrupts();
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
  command->add_option("FILE", options->files, "experiment files (-: standard input)")->required();
  command->add_option("-o,--output", options->folder, "folder for results (default: results/NAME)");
  command->add_option("--set", options->set, "key=value, over the file: host.mtu=\"2 KiB\"")
      ->take_all()
      ->expected(1);
  command->add_option("--seed", options->seed, "same as --set experiment.seed=N");
  command->add_option("--shard", options->shard,
                      "I/N: only the I-th of N parts of the runs, into the database alone; weir "
                      "merge unites them");
  add_campaign_options(*command, options->campaign);
  command->add_option("--threads", options->threads,
                      "same as --set experiment.threads=N: threads that simulate one run together; "
                      "auto: one a core");
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--dump", options->is_dump,
                    "print the experiment with all defaults filled in, and do not run it");
  command->add_flag("--no-report", options->is_without_report, "no report.html beside the results");
  command->add_flag("--each", options->is_each,
                    "a line for every seed, not their mean with its interval");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace weir::cli
