#pragma once

#include "weir/experiment/protocol_keys.hpp"
#include "weir/experiment/rate_calculation.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/rates/protocol_run.hpp"

namespace weir::experiment {

/// What a protocol found for a configuration's flows, beside what a centralized calculation says.
struct ProtocolCalculation {
  std::string protocol;
  std::string algorithm;             ///< of the centralized calculation
  rates::ProtocolOutcome outcome;    ///< of all flows
  std::vector<std::size_t> present;  ///< flows that were there at the end
  rates::FlowSet set;                ///< these
  rates::Assignment expected;        ///< their centralized rates
  rates::Assignment found;           ///< rates of the protocol to 12 decimals; no bottlenecks
  /// Largest difference between found and expected, as a share of the expected rate.
  double largest_deviation = 0;
  double expected_mean = 0;  ///< of the expected rates
};

/// Timing of `protocol`, and of the network's switches.
[[nodiscard]] rates::ControlTiming control_timing(const Configuration& configuration,
                                                  const Chosen<rates::ProtocolModel>& protocol);

/// Runs the protocol of `[protocol]`, which must not be "none", on the flows. Throws InputError
/// where it cannot work with them.
[[nodiscard]] ProtocolCalculation run_protocol(const Configuration& configuration,
                                               const Network& network, const RoutedFlows& flows);

/// Times, packets, differences and oversubscription.
void add_protocol_metrics(const ProtocolCalculation& calculation, metrics::RunResult& result);

}  // namespace weir::experiment
