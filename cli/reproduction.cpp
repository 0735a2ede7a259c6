#include "reproduction.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

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

/// The day of an instant as utc_now() writes it.
std::string day_of(const std::string& instant) { return instant.substr(0, instant.find('T')); }

/// What claims, figures and files read of the runs; the report reads the store.
experiment::ResultParts parts_for(const claims::PreparedExperiment& one,
                                  const ResultsWriter& writer) {
  experiment::ResultParts parts = writer.parts();
  if (!parts.series_of) return parts;
  for (const auto& [claim, selection] : one.claims) {
    for (const claims::ClaimReading& reading : claim->readings) {
      for (const claims::ClaimValue& value : reading.values) {
        if (value.is_series) parts.series_of->insert(value.metric);
      }
    }
  }
  return parts;
}

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
  claims::PreparedDocument made = claims::prepare(document_, name, scale_, choice_);
  if (options_.is_recorded && claim != nullptr && !is_experiment) {
    throw InputError(
        fmt::format("--record needs whole experiments: {}/{}", document_.name, claim->experiment));
  }
  for (claims::PreparedExperiment& one : made.experiments) {
    check_figures(one);
    for (const claims::Claim* other : one.not_judged) not_judged_.push_back(other->id);
    prepared_.push_back(std::move(one));
  }
  left_out_.insert(left_out_.end(), made.left_out.begin(), made.left_out.end());
  not_concerned_.insert(not_concerned_.end(), made.not_concerned.begin(), made.not_concerned.end());
}

void Reproduction::check_figures(const Prepared& made) {
  const claims::DocumentExperiment& one = *made.experiment;
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
}

int Reproduction::check() const {
  double seconds = 0;
  std::vector<std::vector<std::string>> rows;
  for (const Prepared& one : prepared_) {
    const std::vector<experiment::Variant> variants = one.variants();
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
  }
  tell_left_out();
  if (!options_.is_table()) {
    say(std::string_view(report::claims_json(document_, scale_, rows_)));
  }
  finish_output();
  return options_.is_strict ? std::max(status_, strict_status()) : status_;
}

std::string Reproduction::results_folder(const std::string& experiment) const {
  fs::path folder = fs::path(options_.folder) / document_.name;
  if (!choice_.empty()) folder /= fs::path(claims::findings_file(choice_)).stem();
  return (folder / experiment / std::string(to_string(scale_))).string();
}

void Reproduction::run_one(const Prepared& one) {
  const std::vector<experiment::Variant> variants = one.variants();
  if (variants.empty()) return;
  const std::string folder = results_folder(one.experiment->name);
  if (options_.is_table()) {
    say("{}/{} ({}): {}\n\n", document_.name, one.experiment->name, to_string(scale_),
        one.experiment->purpose);
    std::fflush(stdout);
  }
  const std::string fingerprint = claims::fingerprint(one.plan);
  const ResultsWriter writer(one.plan.first(), variants.front(), folder,
                             ResultsWriter::Exports::only_given);
  if (claims::renew_folder(folder, fingerprint)) {
    fmt::print(stderr, "weir: results in {} are older than a change that affects them: again\n",
               folder);
  }
  experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                 experiment::ResultsStore::Mode::create);
  CampaignChoices choices = options_.campaign;
  choices.parts = parts_for(one, writer);
  experiment::CampaignResult result = run_plan(variants, store, choices);
  const std::string failures = failures_text(result, choices);
  note_status(result);
  // Another process may have recorded other experiments since this one began.
  if (options_.is_recorded) findings_ = claims::read_findings(document_, choice_);
  const std::vector<report::ClaimRow> rows = rows_of(one, result);
  const bool is_whole = one.runs.size() == one.plan.variants().size();
  if (is_whole && result.unfinished() == 0) note_provenance(one, fingerprint, result);
  // Figures come after it: one that cannot be drawn takes no verdict away.
  if (options_.is_recorded) write_findings();
  if (options_.is_table()) {
    say(std::string_view(report::claims_table(rows, line_width(), has_color())));
  }
  finish_output();
  fmt::print(stderr, "{}", failures);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  const std::vector<RunRecord> records = result.take_records();
  if (records.empty()) return;
  try {
    write_files(writer, records, store, !options_.is_without_report, folder, options_.is_table());
  } catch (const InputError&) {
    if (is_whole) throw;  // a claim alone has not the runs of all figures
  }
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

std::vector<report::ClaimRow> Reproduction::rows_of(const Prepared& one,
                                                    const experiment::CampaignResult& result) {
  std::vector<claims::Judgement> judgements = claims::judge_all(one, result);
  std::vector<report::ClaimRow> rows;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    const claims::Claim* claim = one.claims[i].first;
    report::ClaimRow row{claim, std::move(judgements[i]), {}};
    if (const claims::Judgement* before = recorded_.find(*claim, scale_)) row.recorded = *before;
    record(findings_, *claim, scale_, row.judgement);
    rows.push_back(std::move(row));
  }
  return rows;
}

void Reproduction::note_provenance(const Prepared& one, const std::string& fingerprint,
                                   const experiment::CampaignResult& result) {
  claims::Provenance out;
  out.commit = WEIR_REVISION;
  out.draws = one.plan.is_drawn() ? one.plan.draws() : 1;
  out.fingerprint = fingerprint;
  for (const experiment::CampaignRun& one_run : result.runs) {
    if (!one_run.record) continue;
    const RunRecord* run = &*one_run.record;
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
