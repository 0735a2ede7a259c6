#include <memory>

#include "commands.hpp"
#include "experiments_folder.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/report/table/calibration_text.hpp"

namespace weir::cli {
namespace {

namespace claims = experiment::claims;

struct CalibrateOptions {
  std::string document;  ///< empty: all
  std::string format = "table";
};

/// A line for each document.
int calibrate_all() {
  std::vector<report::CalibratedDocument> all;
  for (const std::string& name : claims::document_names(experiments_folder())) {
    claims::Document document = document_called(name);
    claims::Calibration result = claims::calibrate(document, claims::read_findings(document));
    all.push_back({std::move(document), std::move(result)});
  }
  say(std::string_view(report::calibration_overview(all, has_color(), table_width())));
  finish_output();
  return kDone;
}

int calibrate(const CalibrateOptions& options) {
  if (options.document.empty()) {
    if (options.format == "json") throw InputError("--format json needs a DOCUMENT");
    return calibrate_all();
  }
  const claims::Document document = document_called(options.document);
  const claims::Calibration result = claims::calibrate(document, claims::read_findings(document));
  say(std::string_view(
      options.format == "json"
          ? report::calibration_json(document, result)
          : report::calibration_table(document, result, has_color(), table_width())));
  finish_output();
  return kDone;
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "calibrate",
      "Score what a document leaves open: how many of its claims hold with each value");
  auto options = std::make_shared<CalibrateOptions>();
  command->add_option("DOCUMENT", options->document,
                      "document whose recorded claims are scored (default: a line for each)");
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->callback([options, &action] { action = [options] { return calibrate(*options); }; });
}

}  // namespace weir::cli
