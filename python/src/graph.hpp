#pragma once

#include <pybind11/pybind11.h>

#include "weir/topology/graph.hpp"

namespace weir::python {

/// Nodes and directed links of a graph, as columns.
pybind11::dict describe(const topology::Graph& graph);

}  // namespace weir::python
