#pragma once

#include <cstdint>
#include <vector>

#include "weir/routing/trace.hpp"

namespace weir::routing {

/// The links that packets from one host to another may take, whatever a selection function chooses
/// of the allowed outputs. Both references must outlive it. Time and memory: links of the routes,
/// after memory for all links once.
class Reach {
 public:
  Reach(const topology::Graph& graph, const RoutingFunction& routing);

  /// Adds their transmitting ports to `links`, each once, that of the source's own link first.
  void add(HostId source, HostId destination, std::vector<PortId>& links);

 private:
  const topology::Graph& graph_;
  const RoutingFunction& routing_;
  std::size_t lanes_;
  std::uint32_t call_ = 0;
  std::vector<std::uint32_t> seen_;  ///< per channel: the call that met it last
  std::vector<std::uint32_t> met_;   ///< likewise per port
  std::vector<Channel> open_;
};

}  // namespace weir::routing
