#include "weir/experiment/config/flow_path.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weir::experiment {

PortId PathReader::find(const Checked<FlowKeys>& flow, const std::string& name) {
  const std::size_t unknown = ports_.empty() ? graph_.port_count() : 0;
  for (std::size_t p = 0; p < unknown; ++p) {
    if (graph_.port(PortId(p)).to.valid()) ports_.emplace(graph_.name(PortId(p)), PortId(p));
  }
  const auto found = ports_.find(name);
  if (found != ports_.end()) return found->second;
  throw flow.error(&FlowKeys::path, fmt::format("no port with a cable is called '{}'", name));
}

std::vector<PortId> PathReader::read(const Checked<FlowKeys>& flow, HostId source,
                                     HostId destination) {
  const ConfigValue& value = *flow->path;
  if (!value.is_array()) {
    throw flow.error(&FlowKeys::path,
                     "must be a list of ports of switches, as in [\"s0[4]\", \"s4[1]\"]");
  }
  std::vector<PortId> path{graph_.host_port(source)};
  for (const ConfigValue& item : value.array()) {
    if (!item.is_text())
      throw flow.error(&FlowKeys::path, "must be names of ports, as in \"s0[4]\"");
    const PortId port = find(flow, item.text());
    const NodeId here = graph_.port(graph_.port(path.back()).to).node;
    if (graph_.port(port).node != here) {
      throw flow.error(&FlowKeys::path,
                       fmt::format("{} comes after {}, which leads to {}", item.text(),
                                   graph_.name(path.back()), graph_.name(here)));
    }
    if (std::find(path.begin(), path.end(), port) != path.end()) {
      throw flow.error(&FlowKeys::path, fmt::format("comes to {} twice", item.text()));
    }
    path.push_back(port);
  }
  const NodeId end = graph_.port(graph_.port(path.back()).to).node;
  if (end == graph_.node(destination)) return path;
  throw flow.error(&FlowKeys::path, fmt::format("ends at {}, not at {}", graph_.name(end),
                                                graph_.name(graph_.node(destination))));
}

}  // namespace weir::experiment
