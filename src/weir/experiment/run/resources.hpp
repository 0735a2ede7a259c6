#pragma once

#include <cstdint>
#include <limits>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

/// What one side of a port, or a sum of sides, is built of.
struct SideCost {
  std::int64_t queues = 0;     ///< FIFOs
  std::int64_t cam_lines = 0;  ///< of dynamically allocated queues
  double memory = 0;           ///< bytes; infinite in the ideal output-queued switch
};
struct PortCost {
  SideCost ingress;
  SideCost egress;
};

/// What the queues of a network cost (lippens2010, section 5).
struct ResourceReport {
  PortCost port;     ///< of the cabled switch port with the most queues
  PortCost network;  ///< of all cabled switch ports together
  /// Bytes that a buffer class has for itself; NaN where classes share.
  double ingress_class = std::numeric_limits<double>::quiet_NaN();
  double egress_class = std::numeric_limits<double>::quiet_NaN();
  /// Source queues of a host, the one with the most, and the queues of its injection buffer.
  std::int64_t host_queues = 0;
  SideCost hosts;  ///< of all; memory: of source queues, infinite without a bound
};

/// Counts the queues of a configuration's scheme on its network. Memory is what the configuration
/// says; where classes have parts of their own that do not hold a packet (which a simulation
/// refuses), as much as it takes for one packet each. Throws InputError as the scheme would.
ResourceReport resource_report(const Configuration& configuration, const Network& network);

/// Writes it as scalars: `queues_per_port` and others; what is infinite is left out.
void add_resources(metrics::RunResult& out, const ResourceReport& report);

}  // namespace weir::experiment
