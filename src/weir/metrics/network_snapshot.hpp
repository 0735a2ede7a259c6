#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// Counters of one transmitter since the start of the run, and its state now. All but occupancy and
/// capacity are about the link that leaves the port and the egress buffer before it; those two are
/// about the ingress buffer behind its receiver.
struct PortCounters {
  std::int64_t busy = 0;  ///< ps the link was sending
  std::int64_t wait = 0;  ///< ps it had packets and no credit, and was not sending (XmitWait)
  std::int64_t bytes = 0;
  std::int64_t packets = 0;
  std::int64_t queued = 0;     ///< bytes that wait for this output now (at a host: not counted)
  std::int64_t occupancy = 0;  ///< bytes stored in the port's own ingress buffer now
  std::int64_t capacity = 0;   ///< of that buffer; 0: none
  std::int64_t egress = 0;     ///< bytes that wait in the port's egress buffer now
  std::int64_t egress_capacity = 0;     ///< of that buffer; 0: none, or without bound
  std::uint32_t set_aside_ingress = 0;  ///< queues in use at the port's ingress side now
  std::uint32_t set_aside_egress = 0;   ///< and at its egress side
};

/// Bytes in the ingress buffer at the far end of `blocked` that want to leave through `wanted`: the
/// packets that `blocked` would send wait for those that `wanted` has not sent.
struct Waiting {
  PortId blocked;
  PortId wanted;
  std::int64_t bytes = 0;
};

/// An order of pairs: by the port that is wanted.
[[nodiscard]] inline bool is_wanted_before(const Waiting& a, const Waiting& b) {
  return a.wanted != b.wanted ? a.wanted < b.wanted : a.blocked < b.blocked;
}

/// A network at one instant; ports indexed by PortId.
struct NetworkSnapshot {
  Time at;
  bool has_isolation = false;  ///< else no queue is ever set aside
  std::vector<PortCounters> ports;
  std::vector<Waiting> waiting;

  void checkpoint(StateArchive& state);
};

}  // namespace weir::metrics
