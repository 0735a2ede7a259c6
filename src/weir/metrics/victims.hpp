#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weir/base/ids.hpp"

namespace weir::metrics {

/// The transmitting ports of a flow's route, or of all routes that it may take, added to `links`.
using RouteLinks =
    std::function<void(HostId source, HostId destination, std::vector<PortId>& links)>;

/// Whether a flow may take one of these links, by transmitting port: the same ones whenever it is
/// asked.
using MayTake =
    std::function<bool(HostId source, HostId destination, const std::vector<bool>& links)>;

/// Ground truth about victims: a cold flow is one when its route shares a link, and so the buffer
/// behind it, with the route of a hot flow, and it does not itself go to a hot destination
/// (ferrer2012, section 4.2 for hot and cold by traffic). Where packets choose their routes, it is
/// one that may meet hot packets on links that both may take: whatever route it takes, it does not
/// pass the root, the link into the hot destination.
class VictimTruth {
 public:
  /// Without `may_take`, `route_links` says it.
  VictimTruth(std::size_t port_count, RouteLinks route_links, MayTake may_take = nullptr);

  /// Before the first is_victim().
  void add_hot_flow(HostId source, HostId destination);
  /// Several threads may ask at once, if they may ask what it asks.
  [[nodiscard]] bool is_victim(HostId source, HostId destination) const;

 private:
  RouteLinks route_links_;
  MayTake may_take_;
  std::vector<bool> is_hot_link_;
  std::vector<HostId> hot_destinations_;  ///< sorted
  std::vector<PortId> route_;             ///< scratch
};

}  // namespace weir::metrics
