#pragma once

#include <cstdint>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

/// What a host adapter needs to store packets in its source queues
/// (ferrer2012, sections 6.4, 8.6.1 and 8.6.2).
struct SourceStorage {
  /// Bytes of payload. A queue of a flow holds a window of packets, each until its ACK has come;
  /// one of other organizations a single packet; a shared memory has the size that it was given.
  double memory = 0;
  /// Bits of the counters of packets without ACK, one a destination, where packets are not kept.
  double counters = 0;
  /// mm^2 in 45 nm CMOS, by fits to the published synthesis; NaN where there is none.
  double area = 0;
};

SourceStorage source_storage(const Configuration& configuration, const Network& network);

/// Writes it as scalars: `source_memory`, `source_counters`, `source_area`.
void add_source_storage(metrics::RunResult& out, const SourceStorage& storage);

}  // namespace weir::experiment
