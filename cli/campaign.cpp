#include "campaign.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::cli {

namespace fs = std::filesystem;
using experiment::CampaignResult;
using experiment::CampaignRun;
using experiment::CampaignStart;

namespace {

/// A single short run needs no announcement.
constexpr double kWorthTelling = 5;

std::string runs_text(std::size_t count) {
  return count == 1 ? "1 run" : with_commas(count) + " runs";
}

/// Runs that were stopped on the way, and left their state here.
std::size_t kept_in(const experiment::CheckpointPlan& plan) {
  std::error_code error;
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(plan.folder, error))
    count += file.path().extension() == ".state" ? 1 : 0;
  return count;
}

void announce_checkpoints(const CampaignStart& start, const experiment::CheckpointPlan& plan) {
  if (!plan.is_on() || start.runs == start.there) return;
  if (const std::size_t kept = kept_in(plan); kept > 0)
    fmt::print(stderr, "weir: {} {} on from the last checkpoint\n", runs_text(kept),
               kept == 1 ? "goes" : "go");
  const double each = start.needs.seconds / static_cast<double>(start.runs - start.there);
  if (each < plan.seconds || start.needs.no_checkpoints.empty()) return;
  fmt::print(stderr, "weir: no checkpoints of simulations with {}: what is stopped begins anew\n",
             start.needs.no_checkpoints);
}

void announce(const CampaignStart& start) {
  const std::size_t rest = start.runs - start.there;
  if (start.there > 0) {
    fmt::print(stderr, "weir: {} of {} there already (--again repeats {})\n",
               start.there == start.runs ? "all" : with_commas(start.there), runs_text(start.runs),
               start.there == 1 ? "it" : "them");
  }
  if (rest == 0 || start.needs.memory == 0) return;  // nothing is known: runs will say why
  if (rest == 1 && other_ranks() != nullptr)
    fmt::print(stderr, "weir: 1 run: {} processes simulate it together\n", launched_processes());
  if (start.runs == 1 && start.needs.seconds < kWorthTelling) return;
  fmt::print(stderr, "weir: {}, {}, {} of memory or more\n", runs_text(rest),
             time_text(start.needs.seconds, start.cores),
             memory_text(start.needs.memory * static_cast<double>(start.at_a_time)));
}

}  // namespace

CampaignResult run_plan(const std::vector<experiment::Variant>& plan,
                        experiment::ResultsStore& store, const CampaignChoices& choices) {
  std::vector<experiment::Variant> runs = plan;
  experiment::CheckpointPlan checkpoints;
  checkpoints.seconds = 60 * choices.checkpoint_minutes;
  if (choices.checkpoint_minutes > 0)
    checkpoints.folder = (fs::path(store.path()).parent_path() / "checkpoints").string();
  std::vector<std::string> names;
  names.reserve(runs.size());
  for (experiment::Variant& variant : runs) {
    names.push_back(variant.name);
    variant.checkpoints = checkpoints;
  }
  Progress progress(std::move(names), choices.is_quiet);
  experiment::CampaignListener listener;
  listener.on_plan = [&](const CampaignStart& start) {
    if (!choices.is_quiet) {
      announce(start);
      announce_checkpoints(start, checkpoints);
    }
    progress.begin(start);
  };
  listener.runs.on_start = [&](std::size_t run) { progress.start(run); };
  listener.runs.on_progress = [&](const auto& how_far) { progress.update(how_far); };
  listener.runs.on_end = [&](std::size_t run, const auto& record) { progress.end(run, record); };
  listener.runs.on_skip = [&](std::size_t run) { progress.skip(run); };
  experiment::CampaignOptions options;
  options.jobs = choices.jobs;
  options.again = choices.again;
  options.parts = choices.parts;
  options.interrupt = &watch_interrupts();
  options.helper = other_ranks();
  if (options.helper != nullptr && options.jobs == 0) options.jobs = 1;
  set_jobs_of_ranks(options.jobs);
  return run_campaign(runs, store, options, listener);
}

void add_campaign_options(CLI::App& command, CampaignChoices& choices) {
  command.add_option("--jobs,-j", choices.jobs, "runs at a time (default: one a core)")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--checkpoints", choices.checkpoint_minutes,
                  "minutes between two checkpoints of a run, from the last of which the same "
                  "command goes on (default: 10; 0: none)")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--quiet,-q", choices.is_quiet, "no progress on standard error");
  command.add_flag("--again", choices.again,
                   "run also what is done (default: only what is missing or failed)");
}

std::string failures_text(const CampaignResult& result, const CampaignChoices& choices) {
  const std::size_t all = result.runs.size();
  std::set<std::uint64_t> seeds;
  for (const CampaignRun& run : result.runs) {
    if (run.record) seeds.insert(run.record->seed);
  }
  // A mistake that many share is told once.
  std::map<std::string, std::size_t> shared;
  for (const CampaignRun& run : result.runs) {
    if (run.record && run.record->status != "done") ++shared[run.record->error];
  }
  std::string text;
  for (const CampaignRun& run : result.runs) {
    if (!run.record || run.record->status == "done") continue;
    const auto& record = *run.record;
    const auto first = shared.extract(record.error);
    if (first.empty()) continue;
    const std::size_t more = first.mapped() - 1;
    text += fmt::format("weir: {}{} failed: {}\n",
                        seeds.size() > 1 ? report::name_of(record) : report::label_of(record),
                        more == 0 ? "" : fmt::format(" and {} more", more), record.error);
  }
  if (result.failed() > 0 && all > 1) {
    text += fmt::format("weir: {} of {} failed\n", result.failed(), runs_text(all));
  }
  if (result.unfinished() > 0) {
    text += fmt::format(
        "weir: interrupted; {} of {} not finished. The same command{} goes on from here.\n",
        with_commas(result.unfinished()), runs_text(all), choices.again ? " without --again" : "");
  }
  return text;
}

int status_of(const CampaignResult& result) {
  int status = result.unfinished() > 0 ? kRunFailed : kDone;
  for (const CampaignRun& run : result.runs) {
    if (!run.record || run.record->status == "done") continue;
    status = std::max(status, run.is_input_error ? kWrongInput : kRunFailed);
  }
  return status;
}

std::string time_text(double seconds_on_one_core, std::size_t cores) {
  const double seconds = seconds_on_one_core / static_cast<double>(cores);
  return fmt::format("roughly {} on {}", seconds < 1 ? "a second" : duration_text(seconds),
                     cores == 1 ? "one core" : fmt::format("{} cores", cores));
}

}  // namespace weir::cli
