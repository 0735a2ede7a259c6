#include "commands.hpp"
#include "output.hpp"
#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/flow_table_file.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/topology/export.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::cli {
namespace {

struct TopologyOptions {
  std::string file;
  std::string format;
  std::string output = "-";
  std::vector<std::string> set;
};

std::string paths_text(const topology::HopClass& hops) {
  return hops.fewest_paths == hops.most_paths
             ? with_commas(hops.fewest_paths)
             : fmt::format("{} to {}, mean {:.4g}", with_commas(hops.fewest_paths),
                           with_commas(hops.most_paths), hops.mean_paths);
}

std::size_t ports_without_cable(const topology::Graph& graph) {
  std::size_t count = 0;
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    for (const topology::Port& port : graph.ports(graph.node(SwitchId(s)))) {
      if (!port.to.valid() && !port.from.valid()) ++count;
    }
  }
  return count;
}

void print_statistics(const topology::Graph& graph) {
  const topology::TopologyStatistics s = topology::statistics(graph);
  const std::string ports = s.fewest_ports == s.most_ports
                                ? fmt::format("{}", s.most_ports)
                                : fmt::format("{} to {}", s.fewest_ports, s.most_ports);
  std::vector<std::vector<std::string>> rows{
      {"family", graph.family()},
      {"hosts", with_commas(s.hosts)},
      {"switches", with_commas(s.switches)},
      {"links", with_commas(s.links)},
      {"cabled ports a switch", ports},
      {"ports without cable", with_commas(ports_without_cable(graph))},
      {"diameter", fmt::format("{} switches", s.diameter)},
      {"mean distance", fmt::format("{:.4g} switches", s.mean_hops)}};
  const topology::DelayRange delays = topology::delay_range(graph);
  rows.push_back(
      {"cable delay", delays.shortest == delays.longest
                          ? to_string(delays.longest)
                          : fmt::format("{} to {}, mean {:.4g} ns", to_string(delays.shortest),
                                        to_string(delays.longest), delays.mean * 1e-3)});
  if (s.bisection) rows.push_back({"bisection", with_commas(*s.bisection) + " links"});
  if (s.unreachable_pairs > 0) {
    rows.push_back({"unreachable pairs", with_commas(s.unreachable_pairs)});
  }
  print_columns(rows);
  say("\n");
  std::vector<std::vector<std::string>> table{{"switches", "host pairs", "shortest paths"}};
  for (std::size_t hops = 0; hops < s.by_hops.size(); ++hops) {
    if (s.by_hops[hops].pairs == 0) continue;
    table.push_back(
        {std::to_string(hops), with_commas(s.by_hops[hops].pairs), paths_text(s.by_hops[hops])});
  }
  print_columns(table);
  if (s.is_sampled()) {
    say("Paths counted from {} of {} switches with hosts.\n", s.sampled_sources, s.source_switches);
  }
}

std::string exported(const topology::Graph& graph, const std::string& format) {
  if (format == "dot") return topology::to_dot(graph);
  if (format == "graphml") return topology::to_graphml(graph);
  if (format == "edge-list") return topology::to_edge_list(graph);
  return topology::to_ibnetdiscover(graph);
}

/// Tables that flow routing computes for the network, as an example of a file with such tables.
std::string flow_tables(ConfigTable table) {
  experiment::lay_over(
      table, experiment::nested("experiment.kind", ConfigValue(std::string("network"), {})));
  const experiment::Configuration configuration = experiment::resolve(table);
  const auto network = experiment::make_network(configuration);
  const experiment::FlowRoutingInput& input = configuration.flow_routing;
  constexpr const char* kPolicy = "flow_routing.policy";
  if (!input.is_adaptive) {
    throw InputError(experiment::position_of(table, kPolicy), kPolicy,
                     "is \"static\", which has no tables; take another policy");
  }
  std::string text;
  experiment::at_place(table, kPolicy, [&] {
    text = experiment::to_flow_table_file(
        *experiment::make_flow_tables(input, *network->graph, *network->routing));
  });
  return "# Alternate ports of flows for flow_routing.policy = \"tables\".\n\n" + text;
}

int show(const TopologyOptions& options) {
  ConfigTable table = experiment::read_experiment(options.file);
  experiment::check_section_names(table);
  for (const std::string& one : options.set) {
    experiment::lay_over(table, experiment::parse_override(one));
  }
  if (options.format == "flow-tables") {
    write_file(options.output, flow_tables(std::move(table)));
    return kDone;
  }
  topology::LinkSpec link;
  topology::CableDelays cables;
  const auto chosen = experiment::resolve_topology(table, link, cables);
  const topology::Graph graph = experiment::make_graph(table, chosen, link, cables);
  if (options.format.empty()) {
    print_statistics(graph);
  } else {
    write_file(options.output, exported(graph, options.format));
  }
  return kDone;
}

}  // namespace

void add_topology(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("topology", "Numbers of a topology; export to other formats");
  auto options = std::make_shared<TopologyOptions>();
  command
      ->add_option("FILE", options->file, "experiment file with a [topology] (-: standard input)")
      ->required();
  command
      ->add_option(
          "--export", options->format,
          "dot, graphml, edge-list or ibnetdiscover; flow-tables: what [flow_routing] computes")
      ->check(CLI::IsMember({"dot", "graphml", "edge-list", "ibnetdiscover", "flow-tables"}));
  command->add_option("-o,--output", options->output, "file to write (default: standard output)");
  command->add_option("--set", options->set, "key=value, over the file")->take_all();
  command->callback([options, &action] { action = [options] { return show(*options); }; });
}

}  // namespace weir::cli
