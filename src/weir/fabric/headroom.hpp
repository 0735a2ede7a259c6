#pragma once

#include <cstdint>

#include "weir/fabric/settings.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// Time from the arrival of a header at a switch to its place in the buffer, in ps.
[[nodiscard]] std::int64_t arrival_delay(const FabricSettings& settings);

/// Bytes of the largest packet on a link, data or ACK.
[[nodiscard]] std::int64_t largest_packet(const FabricSettings& settings);

/// Bytes that a class has to keep free for what comes over `link` after its sender has been told to
/// stop, with FlowControl::pfc by a frame at `back`; see StopAndGo.
[[nodiscard]] std::int64_t needed_headroom(const FabricSettings& settings,
                                           const topology::LinkSpec& link, Rate back);

/// What a class of a switch keeps for it, given or needed: the most of all cables.
[[nodiscard]] Bytes largest_headroom(const FabricSettings& settings, const topology::Graph& graph);

}  // namespace weir::fabric
