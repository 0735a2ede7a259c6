#pragma once

#include <string>
#include <utility>
#include <vector>

#include "campaign.hpp"
#include "weir/experiment/claims/findings.hpp"
#include "weir/experiment/claims/reproduction.hpp"
#include "weir/report/table/claims_table.hpp"

namespace weir::cli {

struct ReproduceOptions {
  std::string what;  ///< DOCUMENT, DOCUMENT/EXPERIMENT or DOCUMENT/CLAIM; empty: list
  std::string scale = "quick";
  std::string folder = "results";
  std::string format = "table";
  std::string pages;              ///< folder for the pages about all documents
  std::vector<std::string> with;  ///< "unknown=value", other values than the adopted ones
  CampaignChoices campaign;
  bool is_check = false;
  bool is_probe = false;
  bool is_strict = false;
  bool is_recorded = false;
  bool is_without_report = false;

  [[nodiscard]] bool is_table() const { return format == "table"; }
};

/// Where a plot of an experiment is kept beside the findings: "figures/load-curves.quick.svg".
std::string recorded_figure(const experiment::claims::DocumentExperiment& experiment,
                            const std::string& name, experiment::claims::Scale scale);

/// Runs experiments of a document and judges their claims.
class Reproduction {
 public:
  Reproduction(experiment::claims::Document document, const ReproduceOptions& options);

  /// Checks everything called `name`, an experiment or a claim, or all, before any of it runs.
  void prepare(const std::string& name);
  /// Tells what would be run.
  int check() const;
  /// Compares the fingerprints of recorded runs, and marks those that are older than a change.
  int probe();
  int run();

  [[nodiscard]] const experiment::claims::Document& document() const { return document_; }
  [[nodiscard]] const experiment::claims::Findings& findings() const { return findings_; }

 private:
  using Prepared = experiment::claims::PreparedExperiment;

  /// Its figures and columns, before anything runs.
  static void check_figures(const Prepared& made);
  void run_one(const Prepared& one);
  void note_status(const experiment::CampaignResult& result);
  std::vector<report::ClaimRow> rows_of(const Prepared& one,
                                        const experiment::CampaignResult& result);
  void note_provenance(const Prepared& one, const std::string& fingerprint,
                       const experiment::CampaignResult& result);
  void keep_figures(const Prepared& one, const std::string& folder) const;
  [[nodiscard]] std::string results_folder(const std::string& experiment) const;
  void tell_left_out() const;
  void write_findings() const;
  [[nodiscard]] int strict_status() const;

  experiment::claims::Document document_;
  const ReproduceOptions& options_;
  experiment::claims::Scale scale_;
  experiment::claims::Combination choice_;  ///< values of unknowns that are not the adopted ones
  experiment::claims::Findings recorded_;   ///< as committed, with these values
  experiment::claims::Findings findings_;   ///< with what is measured now
  std::vector<Prepared> prepared_;
  std::vector<const experiment::claims::DocumentExperiment*> left_out_;
  std::vector<std::string> not_concerned_;  ///< experiments that the choice does not change
  std::vector<std::string> not_judged_;     ///< claims of other scales
  std::vector<report::ClaimRow> rows_;
  int status_ = 0;
};

}  // namespace weir::cli
