#include <algorithm>

#include "campaign.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/campaign/estimate.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::cli {
namespace {

struct CheckOptions {
  std::string file;
  std::vector<std::string> set;
};

std::string deadlock_text(const experiment::Network& network) {
  const routing::DependencyReport& report = network.dependencies;
  if (report.is_proven) return "no cycle, and every host is reached, by the shape of the routing";
  const std::string seen = fmt::format("{} channels, {} dependencies", with_commas(report.channels),
                                       with_commas(report.dependencies));
  const std::string part = report.complete()
                               ? "routes to all destinations"
                               : fmt::format("routes to {} of {} destinations",
                                             with_commas(report.destinations_examined),
                                             with_commas(report.destinations));
  if (!report.cycle.empty()) {
    return fmt::format("a cycle of {} channels, allowed by allow_cycles ({})", report.cycle.size(),
                       seen);
  }
  return fmt::format("no cycle in {} ({})", seen, part);
}

std::string hops_text(double hops) {
  if (hops >= 1e6) return fmt::format("{:.3g} million", hops * 1e-6);
  return with_commas(static_cast<std::uint64_t>(hops));
}

using Rows = std::vector<std::vector<std::string>>;

void add_network(const experiment::Configuration& configuration, const experiment::Network& network,
                 Rows& rows) {
  const topology::Graph& graph = *network.graph;
  rows.push_back({"topology",
                  fmt::format("{}: {} hosts, {} switches", configuration.topology.name,
                              with_commas(graph.host_count()), with_commas(graph.switch_count()))});
  rows.push_back({"routing", fmt::format("{}, selection {}", configuration.routing.name,
                                         configuration.selection.name)});
  rows.push_back({"deadlock", deadlock_text(network)});
}

int check(const CheckOptions& options) {
  std::vector<ConfigTable> overrides;
  for (const std::string& one : options.set) overrides.push_back(experiment::parse_override(one));
  const experiment::ExperimentFile file =
      report::checked_experiment(experiment::read_experiment(options.file), overrides);
  const std::vector<experiment::Variant> variants = file.variants();
  const experiment::Estimate estimate = experiment::estimate(variants);
  const experiment::Configuration& first = estimate.first;
  Rows rows;
  rows.push_back(
      {"experiment", first.title.empty() ? first.name : first.name + ": " + first.title});
  if (estimate.network) {
    add_network(first, *estimate.network, rows);
  } else {
    rows.push_back({"queue", first.queue.name});
  }
  if (estimate.networks > 1) {
    rows.push_back({"", fmt::format("(first of {} networks; all are fine)", estimate.networks)});
  }
  for (const std::string& note : estimate.notes) rows.push_back({"note", note});
  rows.push_back({"runs", with_commas(variants.size())});
  rows.push_back(
      {"memory", fmt::format("about {} a run with all buffers full, and what waits at hosts",
                             memory_text(estimate.memory))});
  if (estimate.packet_hops > 0) {
    const std::size_t cores = std::min<std::size_t>(experiment::thread_count(0), variants.size());
    rows.push_back({"time", fmt::format("{}, {} {} in all", time_text(estimate.seconds, cores),
                                        hops_text(estimate.packet_hops), first.kind->work)});
  }
  print_columns(rows);
  return kDone;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "check", "Check an experiment and estimate what it needs, without running it");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->file, "experiment file (-: standard input)")->required();
  command->add_option("--set", options->set, "key=value, over the file")->take_all()->expected(1);
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace weir::cli
