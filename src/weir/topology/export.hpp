#pragma once

#include <string>

#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Text formats of a graph. In all of them every node has a name of its own: nodes that share a
/// name are told apart by "#2", "#3", ... in order of their ids.

/// Graphviz: hosts as ellipses, switches as boxes in one rank a stage, port labels at cable ends.
std::string to_dot(const Graph& graph);

/// GraphML with the node's kind, stage and ports and the cable's ports, rate (bit/s) and delay
/// (ps). A graph with one-way links is written as directed.
std::string to_graphml(const Graph& graph);

/// Edge list, which reads back to the same nodes, ports and links (roles, stages and shape are
/// lost):
///
///     host NAME
///     switch NAME PORTS
///     link NAME[:PORT] NAME[:PORT] rate=100Gbps delay=30ns [oneway]
///
/// Ports count from 0; a host's only port is left out. A name with other characters than letters,
/// digits and _ - . + / is in double quotes, with \" and \\ inside. A cable whose directions differ
/// is two one-way lines. Lines that start with # are comments.
std::string to_edge_list(const Graph& graph);

/// What `ibnetdiscover` prints for such a fabric: GUIDs and LIDs are made up (LIDs: switches first,
/// from 1), ports count from 1, link width and speed are those nearest to each rate. Delays are
/// lost. Throws InputError for one-way links and for more nodes than a subnet has LIDs.
std::string to_ibnetdiscover(const Graph& graph);

}  // namespace weir::topology
