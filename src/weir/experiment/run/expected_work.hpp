#pragma once

#include <vector>

#include "weir/experiment/run/network.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// What traffic will put on each link, by its first messages: packets a second of each port, on
/// default routes and without congestion, but that no destination gets more than its link carries.
/// For dividing a network into parts with as much to do; no number of a run depends on it. Takes
/// the messages out of their sources. Empty: nothing is known, since there is no traffic of
/// classes, or some of it goes where no route leads.
[[nodiscard]] std::vector<double> expected_packets(traffic::Traffic traffic, const Network& network,
                                                   const fabric::FabricSettings& settings);

}  // namespace weir::experiment
