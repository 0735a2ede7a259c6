#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/fabric/message_timing.hpp"
#include "weir/fabric/waiting_watch.hpp"
#include "weir/metrics/recorder.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// What a run measures, of which traffic.
[[nodiscard]] metrics::RecorderSettings recorder_settings(
    const Configuration& configuration, const std::shared_ptr<const Network>& network,
    const traffic::Traffic& traffic, const FlowTraffic& flows);

/// Sources of hot traffic by the switches that the default route to the nearest of their possible
/// destinations crosses.
[[nodiscard]] std::map<std::size_t, std::size_t> hot_sources(const Network& network,
                                                             const traffic::Traffic& traffic);

/// Of messages alone on their default routes.
[[nodiscard]] std::function<fabric::MessageTiming(HostId, HostId)> message_timing(
    const std::shared_ptr<const Network>& network, const fabric::FabricSettings& settings);

/// Who measures waiting behind hot traffic; null where nobody asks.
[[nodiscard]] std::shared_ptr<fabric::WaitingWatch> make_waiting_watch(
    const Configuration& configuration, const traffic::Traffic& traffic);

}  // namespace weir::experiment
