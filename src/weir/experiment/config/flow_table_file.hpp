#pragma once

#include <string>
#include <vector>

#include "weir/flow_routing/flow_tables.hpp"
#include "weir/topology/graph.hpp"

namespace weir::experiment {

/// Reads tables for adaptive flow routing (zdornov2009, section 3.1): per switch of the graph what
/// the file says of it. Throws InputError with line and key of the file, for switches, ports and
/// hosts that do not exist with what is nearest.
std::vector<flow_routing::FlowTableEntries> read_flow_table_file(const std::string& path,
                                                                 const topology::Graph& graph);

/// The tables as text of such a file. Read back, flows find the same paths.
std::string to_flow_table_file(const flow_routing::FlowTables& tables);

}  // namespace weir::experiment
