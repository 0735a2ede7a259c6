#include <filesystem>

#include "commands.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/page/page.hpp"
#include "weir/report/table/export.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string results;
  std::string output;
  report::PageOptions page;
};

int write_report(ReportOptions options) {
  const experiment::ResultsStore store(results_file(options.results),
                                       experiment::ResultsStore::Mode::existing);
  options.page.results = options.results;
  const std::string page = report::make_page(report::page_runs(store), options.page);
  if (options.output == "-") {
    say(std::string_view(page));
    return kDone;
  }
  const fs::path folder = fs::path(store.path()).parent_path();
  const std::string path =
      options.output.empty() ? (folder / "report.html").string() : options.output;
  report::write_file(path, page);
  say("{} ({})\n", path, memory_text(static_cast<double>(page.size())));
  return kDone;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "report", "One HTML file with everything about the runs, for any web browser");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("RESULTS", options->results, "results folder, or its results.sqlite")
      ->required();
  command->add_option("-o,--output", options->output,
                      "file (default: report.html in the results folder); - is standard output");
  command->add_option("--title", options->page.title, "of the page (default: the experiment's)");
  command
      ->add_option("--runs", options->page.runs,
                   "only these, as \"a,b\": names of cases, labels as in the table, or ids")
      ->take_all()
      ->expected(1);
  command->add_flag("--full", options->page.is_full,
                    "leave nothing out, however large the page becomes (default: below 10 MB)");
  command->callback([options, &action] { action = [options] { return write_report(*options); }; });
}

}  // namespace weir::cli
