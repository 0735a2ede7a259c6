#include <filesystem>

#include "commands.hpp"
#include "counters.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/report/page/page.hpp"
#include "weir/report/results/together.hpp"
#include "weir/report/table/export.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> results;
  std::string output;
  report::PageOptions page;
  CounterChoices counters;
};

int write_report(ReportOptions options) {
  const report::ResultsTogether results(options.results);
  options.page.results = fmt::format("{}", fmt::join(options.results, ", "));
  options.page.notes = results.differences();
  options.page.counters = options.counters.files();
  const std::string page = report::make_page(results.page_runs(), options.page);
  if (options.output == "-") {
    say(std::string_view(page));
    return kDone;
  }
  const std::string path = options.output.empty()
                               ? (fs::path(results.folder()) / "report.html").string()
                               : options.output;
  report::write_file(path, page);
  say("{} ({})\n", path, memory_text(static_cast<double>(page.size())));
  return kDone;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "report", "One HTML file with everything about the runs, for any web browser");
  auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("RESULTS", options->results,
                   "results folder, or its results.sqlite; of several the runs stand beside each "
                   "other, and the page says how their settings differ")
      ->required();
  command->add_option("-o,--output", options->output,
                      "file (default: report.html in the results folder, of several in this one); "
                      "- is standard output");
  command->add_option("--title", options->page.title, "of the page (default: the experiment's)");
  command
      ->add_option("--runs", options->page.runs,
                   "only these, as \"a,b\": names of cases, labels as in the table, or ids")
      ->take_all()
      ->expected(1);
  command->add_flag("--full", options->page.is_full,
                    "leave nothing out, however large the page becomes (default: below 10 MB)");
  auto* counters =
      command->add_option("--counters", options->counters.after,
                          "port counters of the real subnet, as weir counters reads them: the page "
                          "sets them beside what links did in the runs");
  add_counter_options(*command, options->counters, counters);
  command->callback([options, &action] { action = [options] { return write_report(*options); }; });
}

}  // namespace weir::cli
