#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "experiments_folder.hpp"
#include "output.hpp"
#include "reproduction.hpp"
#include "weir/experiment/claims/run_length.hpp"
#include "weir/report/page/reproduction_page.hpp"
#include "weir/report/table/claims_text.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
namespace claims = experiment::claims;

/// Pictures that were recorded, of each the one of the longest runs.
std::vector<report::ReproducedFigure> figures_of(const claims::Document& document) {
  std::vector<report::ReproducedFigure> found;
  for (const claims::DocumentExperiment& one : document.experiments) {
    for (const std::string& name : one.figures) {
      for (const claims::Scale scale : {claims::Scale::full, claims::Scale::quick}) {
        const std::string file = recorded_figure(one, name, scale);
        if (!fs::exists(fs::path(document.folder) / file)) continue;
        found.push_back({fmt::format("../../../experiments/{}/{}", document.name, file),
                         fmt::format("{} ({}, {})", one.purpose, one.name, to_string(scale))});
        break;
      }
    }
  }
  return found;
}

std::vector<report::ReproducedDocument> all_documents() {
  const std::string root = experiments_folder();
  std::vector<report::ReproducedDocument> all;
  for (const std::string& name : claims::document_names(root)) {
    claims::Document document = claims::read_document((fs::path(root) / name).string());
    claims::Findings findings = claims::read_findings(document);
    std::vector<report::ReproducedFigure> figures = figures_of(document);
    all.push_back({std::move(document), std::move(findings), std::move(figures)});
  }
  return all;
}

std::vector<claims::Verdict> recorded_verdicts(const report::ReproducedDocument& one,
                                               const std::vector<const claims::Claim*>& list,
                                               claims::Scale scale) {
  std::vector<claims::Verdict> verdicts;
  for (const claims::Claim* claim : list) {
    const claims::Judgement* judgement = one.findings.find(*claim, scale);
    if (judgement == nullptr || !claim->counts()) continue;
    verdicts.push_back(judgement->verdict);
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
    say("{}\n",
        wrapped(fmt::format("{}: {}", one.document.name, one.document.title), line_width(), 2));
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

/// The pages about all documents; of the one that was just run with what was measured.
void write_pages(const std::string& folder, const Reproduction* now) {
  std::vector<report::ReproducedDocument> documents = all_documents();
  for (report::ReproducedDocument& one : documents) {
    if (now == nullptr || one.document.name != now->document().name) continue;
    if (!now->findings().values.empty()) continue;  // recorded beside
    std::vector<claims::Findings> alternatives = std::move(one.findings.alternatives);
    one.findings = now->findings();
    one.findings.alternatives = std::move(alternatives);
  }
  for (report::ReproducedDocument& one : documents) {
    claims::add_run_lengths(one.findings, one.document);
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(fmt::format("cannot make '{}': {}", folder, error.message()));
  for (const auto& [name, text] : report::reproduction_pages(documents)) {
    write_file((fs::path(folder) / name).string(), text);
  }
}

/// Marks what is stale in the record with these values of unknowns.
void probe(const std::string& folder, const claims::Combination& values) {
  for (const claims::Scale scale : claims::kScales) {
    ReproduceOptions options;
    options.scale = to_string(scale);
    for (const auto& [name, value] : values) options.with.push_back(name + "=" + value);
    Reproduction work(claims::read_document(folder), options);
    work.prepare("");
    (void)work.probe();
  }
}

void probe_all() {
  for (const report::ReproducedDocument& one : all_documents()) {
    probe(one.document.folder, {});
    for (const claims::Findings& other : one.findings.alternatives) {
      probe(one.document.folder, other.values);
    }
  }
}

int without_document(const ReproduceOptions& options) {
  if (options.is_strict || options.is_recorded || options.is_check || !options.with.empty()) {
    throw InputError(
        "--check, --strict, --record and --with need a DOCUMENT (weir reproduce lists them)");
  }
  if (options.is_probe) probe_all();
  if (!options.pages.empty()) {
    write_pages(options.pages, nullptr);
  } else if (options.is_probe) {
    return kDone;
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
  const std::string part = slash == std::string::npos ? "" : options.what.substr(slash + 1);
  if (slash != std::string::npos && part.empty()) {
    throw InputError("an experiment or a claim is missing after '/'");
  }
  work.prepare(part);
  if (options.is_check) return work.check();
  const int status = options.is_probe ? work.probe() : work.run();
  if (!options.pages.empty()) write_pages(options.pages, &work);
  return status;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "reproduce", "Check the published claims of a document: claim, published, measured, verdict");
  auto options = std::make_shared<ReproduceOptions>();
  command->add_option("DOCUMENT", options->what,
                      "DOCUMENT, DOCUMENT/EXPERIMENT or DOCUMENT/CLAIM (default: list them)");
  command->add_option("--scale", options->scale, "quick: a short look; full: as published")
      ->check(CLI::IsMember({"quick", "full"}))
      ->capture_default_str();
  command->add_option("--with", options->with,
                      "UNKNOWN=VALUE: with another value than the adopted one of an unknown that "
                      "changes runs; recorded beside the findings");
  command->add_option("-o,--output", options->folder, "folder for results")->capture_default_str();
  add_campaign_options(*command, options->campaign);
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--strict", options->is_strict,
                    "exit status 1 when a claim that is recorded as holding does not any longer");
  command->add_flag("--record", options->is_recorded,
                    "write the verdicts into the document's findings.toml");
  command->add_flag("--check", options->is_check,
                    "read and check everything, and tell what it would take; run nothing");
  command->add_flag("--probe", options->is_probe,
                    "mark records that are older than a change that affects them");
  command->add_option(
      "--document-to", options->pages,
      "write the pages about all documents into a folder: docs/results/reproduction");
  command->add_flag("--no-report", options->is_without_report, "no report.html beside the results");
  command->callback([options, &action] { action = [options] { return reproduce(*options); }; });
}

}  // namespace weir::cli
