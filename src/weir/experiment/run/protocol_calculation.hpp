#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/experiment/config/protocol_keys.hpp"
#include "weir/experiment/run/rate_calculation.hpp"
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
                                                  const ProtocolInput& protocol);

/// Packets that set paths up can announce flows where there are such packets, and a flow is a
/// party. Throws InputError.
void check_announcement(const ProtocolInput& protocol, bool has_set_ups);

/// Answers take the default routes, whatever way their flows go.
[[nodiscard]] rates::FlowSet ways_back(const Network& network, const RoutedFlows& flows);

/// The protocol on a medium.
[[nodiscard]] std::unique_ptr<rates::RateProtocol> make_protocol(const Configuration& configuration,
                                                                 const ProtocolInput& protocol,
                                                                 const topology::Graph& graph,
                                                                 const rates::ControlPlane& plane,
                                                                 rates::ControlMedium& medium);

/// When its parties start and end, as `[protocol]` and `flow.start` say. Throws InputError.
[[nodiscard]] rates::ProtocolRun plan_protocol(const Configuration& configuration,
                                               const ProtocolInput& protocol,
                                               const rates::RateProtocol& model,
                                               const FlowList& flows);

/// Only the flows of `present`; an application without any is left out.
[[nodiscard]] rates::FlowSet subset(const rates::FlowSet& all,
                                    const std::vector<std::size_t>& present);

/// Runs the protocol of `[protocol]`, which must not be "none", on the flows. Throws InputError
/// where it cannot work with them.
[[nodiscard]] ProtocolCalculation run_protocol(const Configuration& configuration,
                                               const Network& network, const RoutedFlows& flows);

/// Times and packets.
void add_protocol_metrics(const rates::ProtocolOutcome& outcome, metrics::RunResult& result);
/// Differences and oversubscription besides.
void add_protocol_metrics(const ProtocolCalculation& calculation, metrics::RunResult& result);

}  // namespace weir::experiment
