#pragma once

#include <string>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/rates/algorithm.hpp"
#include "weir/rates/flow_set.hpp"

namespace weir::experiment {

/// The flows of a configuration on their routes.
struct RoutedFlows {
  FlowList list;
  rates::FlowSet set;
  std::string algorithm;     ///< `rates.algorithm`
  std::string flow_routing;  ///< `flow_routing.policy`
};

/// Draws and routes the flows. Throws InputError with a place in the file.
[[nodiscard]] RoutedFlows route_flows(const Configuration& configuration, const Network& network);
/// `input` is what the file says of them.
[[nodiscard]] RoutedFlows route_flows(const Configuration& configuration, const Network& network,
                                      const RateInput& input);

/// Calculates rates and checks them against what the algorithm promises. Throws RunError when that
/// is not kept.
[[nodiscard]] rates::Assignment calculate_rates(const rates::FlowSet& set,
                                                const std::string& algorithm, std::uint64_t seed);

}  // namespace weir::experiment
