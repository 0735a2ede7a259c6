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

/// Whether packets from one host to another may take one of some links. Where routes do not depend
/// on the source, what is found for a channel and a destination is kept, as many pairs ask for it:
/// two bits each, up to a bound on the whole.
class Encounter {
 public:
  /// `links`, by transmitting port, are these links. All three outlive it.
  Encounter(const topology::Graph& graph, const RoutingFunction& routing,
            const std::vector<bool>& links);

  [[nodiscard]] bool is_possible(HostId source, HostId destination);

 private:
  /// Per channel: two bits, that it is known, and that it leads to such a link.
  using Known = std::vector<std::uint8_t>;

  [[nodiscard]] bool leads(const Channel& channel, HostId source, HostId destination);
  Known& known_of(HostId destination);

  const topology::Graph& graph_;
  const RoutingFunction& routing_;
  const std::vector<bool>& links_;
  std::size_t lanes_;
  bool keeps_;
  std::size_t bytes_ = 0;     ///< of all that is kept
  std::vector<Known> known_;  ///< by destination; of routes that depend on the source only one
  Known* now_ = nullptr;
};

}  // namespace weir::routing
