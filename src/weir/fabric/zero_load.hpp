#pragma once

#include "weir/fabric/settings.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// Time from the start of a packet's transmission at its source to the arrival of its tail at its
/// destination when nothing else is in the network. `size` is that on the wire. Each switch adds
/// routing and crossbar delay; with cut-through the packet time counts once and a faster link waits
/// until it cannot run dry, with store-and-forward it counts once a link. Source: ferrer2012,
/// equation 5.2, for links of any rates.
[[nodiscard]] Time zero_load_latency(const topology::Graph& graph, const routing::Route& route,
                                     const FabricSettings& settings, Bytes size);

}  // namespace weir::fabric
