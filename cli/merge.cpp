#include "weir/experiment/store/merge.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "results.hpp"

namespace weir::cli {
namespace {

struct MergeOptions {
  std::string out;
  std::vector<std::string> from;
};

std::string count_of_runs(std::size_t count) {
  return count == 1 ? "1 run" : with_commas(count) + " runs";
}

int merge(const MergeOptions& options) {
  std::vector<std::string> from;
  for (const std::string& one : options.from) from.push_back(results_file(one));
  // Whatever is wrong with them shows before a folder is made.
  for (const std::string& one : from)
    (void)experiment::ResultsStore(one, experiment::ResultsStore::Mode::existing);
  const std::string path =
      options.out.ends_with(".sqlite") ? options.out : options.out + "/results.sqlite";
  experiment::ResultsStore out(path, experiment::ResultsStore::Mode::create);
  const experiment::MergeReport report = experiment::merge_results(out, from);
  say("{}: {} added", path, count_of_runs(report.added));
  if (report.completed > 0) say(", {} that had failed", count_of_runs(report.completed));
  if (report.same > 0) say(", {} there already", count_of_runs(report.same));
  say("\n");
  return kDone;
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "merge", "Unite results folders of one experiment that ran in parts, on many machines");
  auto options = std::make_shared<MergeOptions>();
  command
      ->add_option("OUT", options->out,
                   "results folder for all runs; what is there stays, as far as it is the same")
      ->required();
  command->add_option("RESULTS", options->from, "results folders, or their results.sqlite")
      ->required();
  command->callback([options, &action] { action = [options] { return merge(*options); }; });
}

}  // namespace weir::cli
