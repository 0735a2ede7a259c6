#include "weir/report/page/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/topology/dragonfly.hpp"
#include "weir/topology/grid.hpp"

namespace weir::report {

using nlohmann::json;
using topology::Graph;

namespace {

/// Where the family places a switch; nothing where it has no places.
json place_of(const Graph& graph, SwitchId s) {
  if (const auto* grid = graph.shape<topology::GridShape>()) {
    json place = json::array();
    for (std::size_t d = 0; d < grid->dimensions(); ++d) place.push_back(grid->coordinate(s, d));
    return place;
  }
  if (const auto* dragonfly = graph.shape<topology::DragonflyShape>()) {
    return {dragonfly->group(s), dragonfly->router(s)};
  }
  return nullptr;
}

json node_to_json(const Graph& graph, NodeId node) {
  const bool is_host = graph.is_host(node);
  json out{{"name", graph.name(node)},
           {"kind", is_host ? "host" : "switch"},
           {"stage", is_host ? 0 : graph.stage(node)}};
  if (is_host) return out;
  json place = place_of(graph, graph.switch_of(node));
  if (!place.is_null()) out["place"] = std::move(place);
  return out;
}

std::string counted(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string summary_of(const Graph& graph) {
  std::string text = counted(graph.host_count(), "host", "hosts") + ", " +
                     counted(graph.switch_count(), "switch", "switches");
  std::set<int> stages;
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    stages.insert(graph.stage(NodeId(n)));
  }
  if (!stages.empty() && *stages.begin() >= 0) {
    text += ", " + counted(stages.size(), "stage", "stages");
  }
  return text;
}

}  // namespace

PageNetwork::PageNetwork(Graph graph) : graph_(std::move(graph)) {
  for (std::size_t i = 0; i < graph_.port_count(); ++i) {
    const PortId port(i);
    if (!graph_.port(port).to.valid()) continue;
    index_.emplace(graph_.name(port), ports_.size());
    ports_.push_back(port);
  }
}

std::optional<std::size_t> PageNetwork::index_of(const std::string& port) const {
  const auto it = index_.find(port);
  return it == index_.end() ? std::nullopt : std::optional(it->second);
}

json PageNetwork::to_json() const {
  json nodes = json::array();
  for (std::size_t n = 0; n < graph_.node_count(); ++n) {
    nodes.push_back(node_to_json(graph_, NodeId(n)));
  }
  json ports = json::array();
  for (const PortId port : ports_) {
    const topology::Port& p = graph_.port(port);
    ports.push_back({{"name", graph_.name(port)},
                     {"from", p.node.index()},
                     {"to", graph_.port(p.to).node.index()},
                     {"group", metrics::link_group(graph_, port)}});
  }
  return {{"family", graph_.family()},
          {"summary", summary_of(graph_)},
          {"nodes", std::move(nodes)},
          {"ports", std::move(ports)}};
}

std::shared_ptr<const PageNetwork> PageNetworks::get(
    const experiment::Configuration& configuration) {
  ConfigTable section;
  section.set("topology", *configuration.resolved.find("topology"));
  std::shared_ptr<const PageNetwork>& made = made_[to_toml(section)];
  if (!made) {
    made = std::make_shared<const PageNetwork>(
        experiment::make_graph(configuration.source, configuration.topology, configuration.link));
  }
  return made;
}

metrics::LinkComparison MeasuredFabrics::compare(const experiment::Configuration& configuration,
                                                 const metrics::RunResult& result) {
  const auto network = networks_.get(configuration);
  auto at = counters_.find(network.get());
  if (at == counters_.end()) {
    at = counters_.emplace(network.get(), topology::read_counters(network->graph(), files_)).first;
  }
  return metrics::compare_links(network->graph(), at->second, files_, result);
}

}  // namespace weir::report
