#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "weir/base/ids.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// A VL of a port in labels: "h0 VL 0" at a host, "s0[1] VL 0" at port 1 of a switch.
inline std::string vl_label(const topology::Graph& graph, PortId port, unsigned vl) {
  const NodeId node = graph.port(port).node;
  return fmt::format("{} VL {}", graph.is_host(node) ? graph.name(node) : graph.name(port), vl);
}

}  // namespace weir::fabric
