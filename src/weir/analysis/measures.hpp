#pragma once

#include <vector>

namespace weir::analysis {

/// What a single queue does in steady state. Rates and times are in the units of the question.
struct QueueMeasures {
  /// P(n packets in the system), the one in service included, n = 0 .. capacity. Probabilities
  /// below the smallest double are 0. Queues without bound: as far as it matters.
  std::vector<double> distribution;
  std::vector<double> level_mass;  ///< P(the server works at the rate of level k)
  double mean_length = 0;          ///< L, packets in the system
  double blocking = 0;             ///< probability that an arriving packet is lost
  double throughput = 0;           ///< T, packets that leave in a unit of time
  double response_time = 0;        ///< R = L / T, of packets that are let in
  double busy_probability = 0;     ///< 1 - P(0)
  double offered_load = 0;         ///< arrival rate over the rate of the first level
  double carried_load = 0;         ///< throughput over the rate of the first level
};

/// Document's error measure: |simulation - model| / simulation (equations 5.23, 5.46).
[[nodiscard]] double error_measure(double simulation, double model);

}  // namespace weir::analysis
