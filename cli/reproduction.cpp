#include "reproduction.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "revision.hpp"
#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/fingerprint.hpp"
#include "weir/report/table/claims_text.hpp"

namespace weir::cli {

namespace fs = std::filesystem;
namespace claims = experiment::claims;
using experiment::RunRecord;

namespace {

constexpr const char* kFingerprintFile = "fingerprint";

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The day of an instant as utc_now() writes it.
std::string day_of(const std::string& instant) { return instant.substr(0, instant.find('T')); }

}  // namespace

std::string recorded_figure(const claims::DocumentExperiment& experiment, const std::string& name,
                            claims::Scale scale) {
  return fmt::format("figures/{}-{}.{}.svg", experiment.name, name, to_string(scale));
}

Reproduction::Reproduction(claims::Document document, const ReproduceOptions& options)
    : document_(std::move(document)),
      options_(options),
      scale_(options.scale == "quick" ? claims::Scale::quick : claims::Scale::full),
      choice_(claims::read_choice(document_, options.with)),
      recorded_(claims::read_findings(document_, choice_)),
      findings_(recorded_) {}

void Reproduction::prepare(const std::string& name) {
  const claims::Claim* claim = document_.find_claim(name);
  const auto& all = document_.experiments;
  const bool is_experiment =
      std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (claim != nullptr && !is_experiment) {
    if (options_.is_recorded) {
      throw InputError(fmt::format("--record needs whole experiments: {}/{}", document_.name,
                                   claim->experiment));
    }
    if (!concerns(document_, choice_, claim->experiment)) refuse_choice(claim->experiment);
    prepare(document_.experiment(claim->experiment), claim);
    return;
  }
  if (!name.empty()) (void)document_.experiment(name);
  for (const claims::DocumentExperiment& one : all) {
    if (!name.empty() && one.name != name) continue;
    if (concerns(document_, choice_, one.name)) {
      prepare(one, nullptr);
    } else if (name.empty()) {
      not_concerned_.push_back(one.name);
    } else {
      refuse_choice(one.name);
    }
  }
}

void Reproduction::prepare(const claims::DocumentExperiment& one, const claims::Claim* only) {
  if (!one.scales.has(scale_)) {
    left_out_.push_back(&one);
    return;
  }
  Prepared made{&one, claims::Plan(one, scale_, changes_of(document_, choice_)), {}, {}};
  std::vector<std::string> plots;
  for (const auto& plot : read_figures(made.plan.first(), made.plan.variants().front())) {
    plots.push_back(plot.figure);
  }
  for (const std::string& name : one.figures) {
    if (std::find(plots.begin(), plots.end(), name) != plots.end()) continue;
    throw InputError(one.position, fmt::format("experiment[{}].figures", one.name),
                     fmt::format("the file has no plot '{}'{}", name, suggestion(name, plots)));
  }
  (void)read_columns(made.plan.first());
  for (const claims::Claim* claim : document_.claims_of(one.name)) {
    if (only != nullptr && claim != only) continue;
    if (claim->scales.has(scale_)) {
      made.claims.emplace_back(claim, select(*claim, made.plan));
    } else {
      not_judged_.push_back(claim->id);
    }
  }
  if (only != nullptr && !made.claims.empty()) {
    made.runs = made.claims.front().second.runs(made.plan);
  } else if (only == nullptr) {
    for (std::size_t i = 0; i < made.plan.variants().size(); ++i) made.runs.push_back(i);
  }
  prepared_.push_back(std::move(made));
}

int Reproduction::check() const {
  double seconds = 0;
  std::vector<std::vector<std::string>> rows;
  for (const Prepared& one : prepared_) {
    std::vector<experiment::Variant> variants;
    for (const std::size_t i : one.runs) variants.push_back(one.plan.variants()[i]);
    if (variants.empty()) continue;
    const experiment::Estimate needs = experiment::estimate(variants, {1e6, 1});
    seconds += needs.seconds;
    rows.push_back({one.experiment->name, fmt::format("{} claims", one.claims.size()),
                    fmt::format("{} runs", variants.size()),
                    one.plan.is_drawn() ? fmt::format("{} draws", one.plan.draws()) : "exact",
                    duration_text(needs.seconds)});
  }
  print_columns(rows);
  say("\nroughly {} on one core\n", duration_text(seconds));
  tell_left_out();
  return kDone;
}

int Reproduction::probe() {
  for (const Prepared& one : prepared_) {
    std::optional<claims::Provenance>& run = findings_.runs[one.experiment->name].at(scale_);
    if (!run) continue;
    const std::string now = claims::fingerprint(one.plan);
    run->is_stale = run->fingerprint != now;
    if (options_.is_table()) {
      say("{}/{} ({}){}: {}\n", document_.name, one.experiment->name, to_string(scale_),
          options_.with.empty() ? "" : fmt::format(" with {}", fmt::join(options_.with, ", ")),
          run->is_stale ? "stale" : "as recorded");
      std::fflush(stdout);
    }
  }
  write_findings();
  return kDone;
}

int Reproduction::run() {
  const std::atomic<bool>& interrupted = watch_interrupts();
  for (const Prepared& one : prepared_) {
    if (interrupted) return kRunFailed;
    run_one(one);
    if (options_.is_recorded) write_findings();
  }
  tell_left_out();
  if (!options_.is_table()) {
    say(std::string_view(report::claims_json(document_, scale_, rows_)));
  }
  finish_output();
  return options_.is_strict ? std::max(status_, strict_status()) : status_;
}

bool Reproduction::is_older(const std::string& folder, const std::string& fingerprint) const {
  std::error_code ignored;
  if (!fs::exists(fs::path(folder) / "results.sqlite", ignored)) return false;
  return first_line((fs::path(folder) / kFingerprintFile).string()) != fingerprint;
}

void Reproduction::refuse_choice(const std::string& experiment) const {
  throw InputError(fmt::format("--with does not concern {}/{}", document_.name, experiment));
}

std::string Reproduction::results_folder(const std::string& experiment) const {
  fs::path folder = fs::path(options_.folder) / document_.name;
  if (!choice_.empty()) folder /= fs::path(claims::findings_file(choice_)).stem();
  return (folder / experiment / std::string(to_string(scale_))).string();
}

void Reproduction::run_one(const Prepared& one) {
  std::vector<experiment::Variant> variants;
  for (const std::size_t i : one.runs) variants.push_back(one.plan.variants()[i]);
  if (variants.empty()) return;
  const std::string folder = results_folder(one.experiment->name);
  if (options_.is_table()) {
    say("{}/{} ({}): {}\n\n", document_.name, one.experiment->name, to_string(scale_),
        one.experiment->purpose);
    std::fflush(stdout);
  }
  const std::string fingerprint = claims::fingerprint(one.plan);
  if (is_older(folder, fingerprint)) {
    fmt::print(stderr, "weir: results in {} are older than a change that affects them: again\n",
               folder);
    // Kept, they would pass for new ones when this is interrupted and goes on later.
    for (const char* end : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(fs::path(folder) / (std::string("results.sqlite") + end));
    }
  }
  const ResultsWriter writer(one.plan.first(), variants.front(), folder,
                             ResultsWriter::Exports::only_given);
  write_file((fs::path(folder) / kFingerprintFile).string(), fingerprint + "\n");
  experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                 experiment::ResultsStore::Mode::create);
  experiment::CampaignResult result = run_plan(variants, store, options_.campaign);
  const std::string failures = failures_text(result, options_.campaign);
  note_status(result);
  std::vector<const RunRecord*> runs(one.plan.variants().size(), nullptr);
  for (std::size_t i = 0; i < one.runs.size(); ++i) {
    if (result.runs[i].record) runs[one.runs[i]] = &*result.runs[i].record;
  }
  const std::vector<report::ClaimRow> rows = judge_all(one, runs);
  const bool is_whole = one.runs.size() == one.plan.variants().size();
  if (is_whole && result.unfinished() == 0) note_provenance(one, fingerprint, runs);
  if (options_.is_table()) {
    say(std::string_view(report::claims_table(rows, line_width(), has_color())));
  }
  finish_output();
  fmt::print(stderr, "{}", failures);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  const std::vector<RunRecord> records = result.take_records();
  if (records.empty()) return;
  write_files(writer, records, store, !options_.is_without_report, folder, options_.is_table());
  if (options_.is_recorded && choice_.empty()) keep_figures(one, folder);
  if (options_.is_table()) say("\n");
}

void Reproduction::keep_figures(const Prepared& one, const std::string& folder) const {
  for (const std::string& name : one.experiment->figures) {
    const fs::path to = fs::path(document_.folder) / recorded_figure(*one.experiment, name, scale_);
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    fs::copy_file(fs::path(folder) / (name + ".svg"), to, fs::copy_options::overwrite_existing,
                  error);
    if (error) throw InputError(fmt::format("cannot keep '{}': {}", to.string(), error.message()));
  }
}

/// A run that fails is a verdict; one whose configuration cannot work is a wrong input.
void Reproduction::note_status(const experiment::CampaignResult& result) {
  if (result.unfinished() > 0) status_ = std::max(status_, kRunFailed);
  for (const experiment::CampaignRun& run : result.runs) {
    if (run.is_input_error) status_ = std::max(status_, kWrongInput);
  }
}

std::vector<report::ClaimRow> Reproduction::judge_all(const Prepared& one,
                                                      const std::vector<const RunRecord*>& runs) {
  std::vector<report::ClaimRow> rows;
  for (const auto& [claim, selection] : one.claims) {
    report::ClaimRow row{claim, judge(*claim, one.plan, selection, runs), {}};
    if (const claims::Judgement* before = recorded_.find(*claim, scale_)) row.recorded = *before;
    record(findings_, *claim, scale_, row.judgement);
    rows.push_back(std::move(row));
  }
  return rows;
}

void Reproduction::note_provenance(const Prepared& one, const std::string& fingerprint,
                                   const std::vector<const RunRecord*>& runs) {
  claims::Provenance out;
  out.commit = WEIR_REVISION;
  out.draws = one.plan.is_drawn() ? one.plan.draws() : 1;
  out.fingerprint = fingerprint;
  for (const RunRecord* run : runs) {
    if (run == nullptr) continue;
    out.version = run->version;
    out.cpu_seconds += run->result.cpu_seconds;
    const std::string day = day_of(run->finished);
    if (out.date.empty() || day < out.date) out.date = day;
  }
  findings_.runs[one.experiment->name].at(scale_) = out;
}

void Reproduction::tell_left_out() const {
  if (!options_.is_table()) return;
  for (const claims::DocumentExperiment* one : left_out_) {
    say("{}/{} is not run at scale {}\n", document_.name, one->name, to_string(scale_));
  }
  if (!not_concerned_.empty()) {
    say("As with the adopted values: {}\n", fmt::join(not_concerned_, ", "));
  }
  if (!not_judged_.empty()) {
    say("Not judged at scale {}: {}\n", to_string(scale_), fmt::join(not_judged_, ", "));
  }
}

void Reproduction::write_findings() const {
  write_file((fs::path(document_.folder) / claims::findings_file(choice_)).string(),
             to_toml(findings_, document_));
}

int Reproduction::strict_status() const {
  int status = kDone;
  for (const report::ClaimRow& row : rows_) {
    if (!is_lost(recorded_, *row.claim, scale_, row.judgement)) continue;
    const claims::Provenance* before = recorded_.find_run(row.claim->experiment, scale_);
    const claims::Provenance* now = findings_.find_run(row.claim->experiment, scale_);
    const bool is_stale =
        before == nullptr || now == nullptr || before->fingerprint != now->fingerprint;
    fmt::print(stderr, "weir: {} held and does not any longer: {} ({})\n", row.claim->id,
               to_string(row.judgement.verdict),
               is_stale ? "its record is older than a change of weir or of the experiment"
                        : "nothing that its runs do has changed: the record is wrong");
    status = kRunFailed;
  }
  return status;
}

}  // namespace weir::cli
