#include <algorithm>

#include "commands.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/results/together.hpp"

namespace weir::cli {
namespace {

using experiment::RunRecord;

struct PlotOptions {
  std::vector<std::string> results;
  std::string figure;
  std::vector<std::string> formats;
  std::string folder;
};

/// Figures of the experiment that the runs belong to, as it was when the last of them was written.
std::vector<report::PlotSpec> figures_of(const std::vector<RunRecord>& runs,
                                         const PlotOptions& options) {
  const RunRecord& last = *std::max_element(
      runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  const auto configuration =
      experiment::resolve(experiment::parse_stored_experiment(last.configuration, "the results"));
  experiment::Variant variant;
  variant.settings = last.parameters;
  std::vector<report::PlotSpec> figures = read_figures(configuration, variant);
  std::vector<std::string> names;
  for (report::PlotSpec& figure : figures) {
    names.push_back(figure.figure);
    if (!options.formats.empty()) figure.formats = options.formats;
  }
  if (options.figure.empty()) return figures;
  std::erase_if(figures, [&](const auto& figure) { return figure.figure != options.figure; });
  if (figures.empty()) {
    throw InputError(fmt::format("no figure is called '{}'{}", options.figure,
                                 suggestion(options.figure, names)));
  }
  return figures;
}

int plot(const PlotOptions& options) {
  const report::ResultsTogether results(options.results);
  const std::vector<RunRecord> all = results.read_all({true, true, false, false});
  if (all.empty())
    throw InputError(fmt::format("{} hold no runs", fmt::join(options.results, " and ")));
  for (const std::string& difference : results.differences())
    fmt::print(stderr, "weir: {}\n", difference);
  const std::vector<RunRecord> runs = report::latest_runs(all);
  if (runs.size() < all.size()) {
    fmt::print(stderr, "weir: {} older runs of other settings are left out\n",
               all.size() - runs.size());
  }
  const std::string folder = options.folder.empty() ? results.folder() : options.folder;
  const auto figures = figures_of(runs, options);
  if (figures.empty()) say("The experiment has no [[plot]].\n");
  for (const report::PlotSpec& spec : figures) {
    const report::Figure figure = report::make_figure(spec, runs);
    for (const std::string& path : report::draw(figure, spec.formats, folder)) {
      say("{}\n", path);
    }
  }
  return kDone;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("plot", "Draw the figures of an experiment from its results");
  auto options = std::make_shared<PlotOptions>();
  command
      ->add_option("RESULTS", options->results,
                   "results folder, or its results.sqlite; of several the figures are those of the "
                   "newest runs, with lines for each")
      ->required();
  command->add_option("--figure", options->figure, "only this one");
  command->add_option("--format", options->formats, "svg, png, pdf, gp (default: the experiment's)")
      ->check(CLI::IsMember({"svg", "png", "pdf", "gp"}));
  command->add_option("-o,--output", options->folder,
                      "folder to draw into (default: RESULTS, of several this one)");
  command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace weir::cli
