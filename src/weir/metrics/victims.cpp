#include "weir/metrics/victims.hpp"

#include <algorithm>
#include <utility>

namespace weir::metrics {

VictimTruth::VictimTruth(std::size_t port_count, RouteLinks route_links, MayTake may_take)
    : route_links_(std::move(route_links)),
      may_take_(std::move(may_take)),
      is_hot_link_(port_count, false) {}

void VictimTruth::add_hot_flow(HostId source, HostId destination) {
  route_.clear();
  route_links_(source, destination, route_);
  for (const PortId link : route_) is_hot_link_[link.index()] = true;
  const auto at = std::lower_bound(hot_destinations_.begin(), hot_destinations_.end(), destination);
  if (at == hot_destinations_.end() || *at != destination)
    hot_destinations_.insert(at, destination);
}

bool VictimTruth::is_victim(HostId source, HostId destination) const {
  if (std::binary_search(hot_destinations_.begin(), hot_destinations_.end(), destination)) {
    return false;
  }
  if (may_take_) return may_take_(source, destination, is_hot_link_);
  thread_local std::vector<PortId> route;
  route.clear();
  route_links_(source, destination, route);
  return std::any_of(route.begin(), route.end(),
                     [this](PortId link) { return is_hot_link_[link.index()]; });
}

}  // namespace weir::metrics
