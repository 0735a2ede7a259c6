#pragma once

#include <cstdint>
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

/// Whether the pairs of [[traffic]] with `rate` are flows beside those of the [[flow]] tables.
enum class FlowsOfTraffic : std::uint8_t { counted, left_out };

/// Draws the flows. Throws InputError with a place in the file.
[[nodiscard]] FlowList list_flows(const Configuration& configuration, const topology::Graph& graph,
                                  FlowsOfTraffic of_traffic = FlowsOfTraffic::counted);
/// Draws and routes the flows. Throws InputError with a place in the file.
[[nodiscard]] RoutedFlows route_flows(const Configuration& configuration, const Network& network,
                                      FlowsOfTraffic of_traffic = FlowsOfTraffic::counted);

/// Calculates rates and checks them against what the algorithm promises. Throws RunError when that
/// is not kept.
[[nodiscard]] rates::Assignment calculate_rates(const rates::FlowSet& set,
                                                const std::string& algorithm, std::uint64_t seed);

}  // namespace weir::experiment
