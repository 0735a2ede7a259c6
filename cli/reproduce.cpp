#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "campaign.hpp"
#include "commands.hpp"
#include "experiments_folder.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/claims/findings.hpp"
#include "weir/report/claims_table.hpp"
#include "weir/report/reproduction_page.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
namespace claims = experiment::claims;
using experiment::RunRecord;

struct ReproduceOptions {
  std::string what;  ///< DOCUMENT or DOCUMENT/EXPERIMENT; empty: list
  std::string scale = "quick";
  std::string folder = "results";
  std::string format = "table";
  std::string page;  ///< file for the page about all documents
  CampaignChoices campaign;
  bool is_strict = false;
  bool is_recorded = false;
  bool is_without_report = false;

  [[nodiscard]] bool is_table() const { return format == "table"; }
};

claims::Document document_called(const std::string& name) {
  const std::string root = experiments_folder();
  const std::vector<std::string> names = claims::document_names(root);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(
        fmt::format("no document is called '{}'{}", name,
                    names.empty() ? ": there are none in " + root : suggestion(name, names)));
  }
  return claims::read_document((fs::path(root) / name).string());
}

std::vector<report::ReproducedDocument> all_documents() {
  const std::string root = experiments_folder();
  std::vector<report::ReproducedDocument> all;
  for (const std::string& name : claims::document_names(root)) {
    claims::Document document = claims::read_document((fs::path(root) / name).string());
    claims::Findings findings = claims::read_findings(document);
    all.push_back({std::move(document), std::move(findings)});
  }
  return all;
}

std::vector<claims::Verdict> recorded_verdicts(const report::ReproducedDocument& one,
                                               const std::vector<const claims::Claim*>& list,
                                               claims::Scale scale) {
  std::vector<claims::Verdict> verdicts;
  for (const claims::Claim* claim : list) {
    const auto it = one.findings.find(claim->id);
    if (it == one.findings.end() || !it->second.at(scale)) continue;
    if (it->second.at(scale)->verdict == claims::Verdict::noted) continue;
    verdicts.push_back(it->second.at(scale)->verdict);
  }
  return verdicts;
}

std::string count_text(std::size_t count) {
  return count == 1 ? "1 claim" : fmt::format("{} claims", count);
}

void print_list(const std::vector<report::ReproducedDocument>& documents) {
  if (documents.empty()) {
    say("No documents in {}\n", experiments_folder());
    return;
  }
  for (const report::ReproducedDocument& one : documents) {
    say("{}: {}\n", one.document.name, one.document.title);
    std::vector<std::vector<std::string>> rows;
    for (const auto& experiment : one.document.experiments) {
      const auto list = one.document.claims_of(experiment.name);
      std::string last;
      for (const claims::Scale scale : claims::kScales) {
        const auto verdicts = recorded_verdicts(one, list, scale);
        if (verdicts.empty()) continue;
        last += fmt::format("{}{}: {}", last.empty() ? "" : "; ", to_string(scale),
                            report::verdict_counts(verdicts));
      }
      rows.push_back({"  " + experiment.name, count_text(list.size()),
                      experiment.purpose + (last.empty() ? "" : " (" + last + ")")});
    }
    print_columns(rows);
    say("\n");
  }
  say("weir reproduce {} runs them.\n", documents.front().document.name);
}

void print_list_json(const std::vector<report::ReproducedDocument>& documents) {
  nlohmann::json list = nlohmann::json::array();
  for (const report::ReproducedDocument& one : documents) {
    nlohmann::json experiments = nlohmann::json::array();
    for (const auto& experiment : one.document.experiments) {
      const auto claims_there = one.document.claims_of(experiment.name);
      nlohmann::json entry{{"name", experiment.name},
                           {"purpose", experiment.purpose},
                           {"claims", claims_there.size()}};
      for (const claims::Scale scale : claims::kScales) {
        std::map<std::string, int> counts;
        for (const auto verdict : recorded_verdicts(one, claims_there, scale)) {
          ++counts[std::string(to_string(verdict))];
        }
        if (!counts.empty()) entry["recorded"][std::string(to_string(scale))] = counts;
      }
      experiments.push_back(std::move(entry));
    }
    list.push_back({{"document", one.document.name},
                    {"title", one.document.title},
                    {"experiments", std::move(experiments)}});
  }
  say("{}\n", list.dump(2));
}

/// An experiment that is about to run, with everything about it checked.
struct Prepared {
  const claims::DocumentExperiment* experiment;
  claims::Plan plan;
  std::vector<std::pair<const claims::Claim*, claims::Selection>> claims;
};

/// Runs experiments of a document and judges their claims.
class Reproduction {
 public:
  Reproduction(claims::Document document, const ReproduceOptions& options)
      : document_(std::move(document)),
        options_(options),
        scale_(options.scale == "quick" ? claims::Scale::quick : claims::Scale::full),
        recorded_(claims::read_findings(document_)),
        findings_(recorded_) {}

  /// Checks the experiments called `name`, or all, before any of them runs.
  void prepare(const std::string& name) {
    if (!name.empty()) (void)document_.experiment(name);
    for (const claims::DocumentExperiment& one : document_.experiments) {
      if (!name.empty() && one.name != name) continue;
      if (!one.scales.has(scale_)) {
        left_out_.push_back(&one);
        continue;
      }
      Prepared made{&one, claims::Plan(one, scale_), {}};
      (void)read_figures(made.plan.first(), made.plan.variants().front());
      (void)read_columns(made.plan.first());
      for (const claims::Claim* claim : document_.claims_of(one.name)) {
        if (!claim->scales.has(scale_)) continue;
        made.claims.emplace_back(claim, select(*claim, made.plan));
      }
      prepared_.push_back(std::move(made));
    }
  }

  int run() {
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
    if (options_.is_recorded) {
      write_file((fs::path(document_.folder) / "findings.toml").string(),
                 to_toml(findings_, document_));
    }
    return options_.is_strict ? std::max(status_, strict_status()) : status_;
  }

  [[nodiscard]] const claims::Document& document() const { return document_; }
  [[nodiscard]] const claims::Findings& findings() const { return findings_; }

 private:
  void run_one(const Prepared& one) {
    const auto& variants = one.plan.variants();
    const std::string folder = (fs::path(options_.folder) / document_.name / one.experiment->name /
                                std::string(to_string(scale_)))
                                   .string();
    const ResultsWriter writer(one.plan.first(), variants.front(), folder);
    experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                   experiment::ResultsStore::Mode::create);
    if (options_.is_table()) {
      say("{}/{} ({}): {}\n\n", document_.name, one.experiment->name, to_string(scale_),
          one.experiment->purpose);
      std::fflush(stdout);
    }
    experiment::CampaignResult result = run_plan(variants, store, options_.campaign);
    const std::string failures = failures_text(result, options_.campaign);
    note_status(result);
    const std::vector<report::ClaimRow> rows = judge_all(one, result);
    if (options_.is_table()) {
      say(std::string_view(report::claims_table(rows, line_width(), has_color())));
    }
    finish_output();
    fmt::print(stderr, "{}", failures);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    const std::vector<RunRecord> records = result.take_records();
    if (records.empty()) return;
    write_files(writer, records, store, !options_.is_without_report, folder, options_.is_table());
    if (options_.is_table()) say("\n");
  }

  /// A run that fails is a verdict; one whose configuration cannot work is a wrong input.
  void note_status(const experiment::CampaignResult& result) {
    if (result.unfinished() > 0) status_ = std::max(status_, kRunFailed);
    for (const experiment::CampaignRun& run : result.runs) {
      if (run.is_input_error) status_ = std::max(status_, kWrongInput);
    }
  }

  std::vector<report::ClaimRow> judge_all(const Prepared& one,
                                          const experiment::CampaignResult& result) {
    std::vector<const RunRecord*> runs;
    for (const experiment::CampaignRun& run : result.runs) {
      runs.push_back(run.record ? &*run.record : nullptr);
    }
    std::vector<report::ClaimRow> rows;
    for (const auto& [claim, selection] : one.claims) {
      report::ClaimRow row{claim, judge(*claim, one.plan, selection, runs), {}, {}};
      if (const auto it = recorded_.find(claim->id); it != recorded_.end()) {
        row.explanation = it->second.explanation;
        row.recorded = it->second.at(scale_);
      }
      record(findings_, *claim, scale_, row.judgement);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  void tell_left_out() const {
    if (!options_.is_table()) return;
    for (const claims::DocumentExperiment* one : left_out_) {
      say("{}/{} is not run at scale {}\n", document_.name, one->name, to_string(scale_));
    }
    std::vector<std::string> ids;
    for (const Prepared& one : prepared_) {
      for (const claims::Claim* claim : document_.claims_of(one.experiment->name)) {
        if (!claim->scales.has(scale_)) ids.push_back(claim->id);
      }
    }
    if (!ids.empty()) say("Not judged at scale {}: {}\n", to_string(scale_), fmt::join(ids, ", "));
  }

  [[nodiscard]] int strict_status() const {
    int status = kDone;
    for (const report::ClaimRow& row : rows_) {
      const auto it = recorded_.find(row.claim->id);
      if (it == recorded_.end() || !is_lost(it->second, scale_, row.judgement)) continue;
      fmt::print(stderr, "weir: {} held and does not any longer: {}\n", row.claim->id,
                 to_string(row.judgement.verdict));
      status = kRunFailed;
    }
    return status;
  }

  claims::Document document_;
  const ReproduceOptions& options_;
  claims::Scale scale_;
  claims::Findings recorded_;  ///< as committed
  claims::Findings findings_;  ///< with what is measured now
  std::vector<Prepared> prepared_;
  std::vector<const claims::DocumentExperiment*> left_out_;
  std::vector<report::ClaimRow> rows_;
  int status_ = kDone;
};

/// The page about all documents; of the one that was just run with what was measured.
void write_page(const std::string& path, const Reproduction* now) {
  std::vector<report::ReproducedDocument> documents = all_documents();
  for (report::ReproducedDocument& one : documents) {
    if (now != nullptr && one.document.name == now->document().name) {
      one.findings = now->findings();
    }
  }
  write_file(path, report::reproduction_page(documents));
}

int without_document(const ReproduceOptions& options) {
  if (options.is_strict || options.is_recorded) {
    throw InputError("--strict and --record need a DOCUMENT (weir reproduce lists them)");
  }
  if (!options.page.empty()) {
    write_page(options.page, nullptr);
  } else if (options.is_table()) {
    print_list(all_documents());
  } else {
    print_list_json(all_documents());
  }
  return kDone;
}

int reproduce(const ReproduceOptions& options) {
  if (options.what.empty()) return without_document(options);
  const std::size_t slash = options.what.find('/');
  Reproduction work(document_called(options.what.substr(0, slash)), options);
  const std::string experiment = slash == std::string::npos ? "" : options.what.substr(slash + 1);
  if (slash != std::string::npos && experiment.empty()) {
    throw InputError("an experiment is missing after '/'");
  }
  work.prepare(experiment);
  const int status = work.run();
  if (!options.page.empty()) write_page(options.page, &work);
  return status;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "reproduce", "Check the published claims of a document: claim, published, measured, verdict");
  auto options = std::make_shared<ReproduceOptions>();
  command->add_option("DOCUMENT", options->what,
                      "DOCUMENT or DOCUMENT/EXPERIMENT (default: list them)");
  command->add_option("--scale", options->scale, "quick: a short look; full: as published")
      ->check(CLI::IsMember({"quick", "full"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->folder, "folder for results")->capture_default_str();
  command->add_option("--jobs,-j", options->campaign.jobs, "runs at a time (default: one a core)")
      ->check(CLI::Range(1, 4096));
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--strict", options->is_strict,
                    "exit status 1 when a claim that is recorded as holding does not any longer");
  command->add_flag("--record", options->is_recorded,
                    "write the verdicts into the document's findings.toml");
  command->add_option("--document-to", options->page,
                      "write the page about all documents: docs/reproduction.md");
  command->add_flag("--no-report", options->is_without_report, "no report.html beside the results");
  command->add_flag("--quiet,-q", options->campaign.is_quiet, "no progress on standard error");
  command->add_flag("--again", options->campaign.again,
                    "run also what is done (default: only what is missing or failed)");
  command->callback([options, &action] { action = [options] { return reproduce(*options); }; });
}

}  // namespace weir::cli
