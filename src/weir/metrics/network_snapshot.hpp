#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// Counters of one transmitter since the start of the run.
struct PortCounters {
  std::int64_t busy = 0;  ///< ps the link was sending
  std::int64_t wait = 0;  ///< ps it had packets and no credit, and was not sending (XmitWait)
  std::int64_t bytes = 0;
  std::int64_t packets = 0;
};

/// Counters of a network at one instant, by PortId.
struct NetworkCounters {
  Time at;
  std::vector<PortCounters> ports;

  void checkpoint(StateArchive& state);
};

/// What a port holds at one instant.
struct PortBuffers {
  std::int64_t queued = 0;   ///< bytes that wait for this output (at a host: not counted)
  std::int64_t ingress = 0;  ///< bytes stored in the ingress buffer behind its receiver
  std::int64_t egress = 0;   ///< bytes that wait in the egress buffer before its transmitter
};

/// Queues in use at the two sides of a port.
struct SetAsideQueues {
  std::uint32_t ingress = 0;
  std::uint32_t egress = 0;
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

/// A network at one instant; ports by PortId.
struct NetworkSnapshot {
  NetworkCounters counters;
  std::vector<PortBuffers> buffers;
  std::int64_t ingress_capacity = 0;      ///< bytes of every ingress buffer; 0: without bound
  std::int64_t egress_capacity = 0;       ///< the same of egress buffers; 0: none, too
  std::vector<SetAsideQueues> set_aside;  ///< by PortId; empty: no queue is ever set aside
};

}  // namespace weir::metrics
