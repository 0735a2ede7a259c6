#pragma once

#include <string>
#include <string_view>

#include "weir/topology/graph.hpp"

namespace weir::topology {

/// Reads a network written as a list of nodes and cables, one a line:
///
///     # comment, also after a statement
///     host NAME
///     switch NAME PORTS
///     link NAME[:PORT] NAME[:PORT] [rate=100Gbps] [delay=30ns] [oneway]
///
/// A node is declared before or after the links that use it, hosts and switches are numbered in the
/// order of their lines. NAME is a word without blanks, '"', ':' and '#', or any text in double
/// quotes with \" and \\ for those two characters. The ports of a switch count
/// from 0; a host has port 0 only. A link without a port takes the lowest one that no link of the
/// file names or took before it. `oneway` joins the transmitter of the first port to the receiver
/// of the second; other links are full duplex. `link` holds the rate and delay of links that do not
/// say. Values with blanks are quoted: rate="100 Gbps".
///
/// Throws InputError "file:line:column: ...".
Graph parse_edge_list(std::string_view text, const std::string& file, const LinkSpec& link);

}  // namespace weir::topology
