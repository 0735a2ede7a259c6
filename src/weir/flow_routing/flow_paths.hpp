#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/flow_routing/flow_tables.hpp"

namespace weir::flow_routing {

/// Finds paths of flows that are set up one after another, each at once and with unlimited route
/// caches: what static studies of flow routing do (zdornov2009, section 6.2). Deterministic for
/// a seed and an order.
class FlowPathFinder {
 public:
  /// `tables` must outlive the finder.
  FlowPathFinder(const FlowTables& tables, std::uint64_t seed);

  /// Writes the transmitting ports from the source's own to the last into the destination, and adds
  /// `weight` to the load of each. Throws RunError when the path is longer than the network has
  /// links, which would be a defect.
  void set_up(HostId source, HostId destination, std::uint64_t weight, std::vector<PortId>& path);
  /// Takes the weight off the path again.
  void tear_down(std::span<const PortId> path, std::uint64_t weight);

  /// Of a transmitting port: the weights of the flows set up over it.
  [[nodiscard]] std::uint64_t load(PortId port) const { return load_[port.index()]; }

 private:
  const FlowTables& tables_;
  RandomStream random_;
  std::vector<std::uint64_t> load_;
};

}  // namespace weir::flow_routing
