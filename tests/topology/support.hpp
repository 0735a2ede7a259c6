#pragma once

#include <string>

#include "weir/topology/topology.hpp"

namespace weir::topology {

/// The graph of a registered model with the settings `toml`, as an experiment file would make it.
inline Graph make(const std::string& model, const std::string& toml, const LinkSpec& link = {}) {
  const auto& found = topology_registry().find(model, {}, "topology.model");
  const ConfigTable table = parse_toml(toml, "test.toml");
  return found.make(Settings::check(table, found.info.parameters, "topology"), link);
}

/// Message of the InputError that making the model throws; empty if it throws none.
inline std::string refusal(const std::string& model, const std::string& toml) {
  try {
    (void)make(model, toml);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Name of what a switch port leads to: "h3" or "s2[5]"; "-" when it is not cabled.
inline std::string leads_to(const Graph& graph, SwitchId s, std::size_t port) {
  const Port& end = graph.port(graph.port(graph.node(s), port));
  return end.to.valid() ? graph.name(end.to) : "-";
}

}  // namespace weir::topology
