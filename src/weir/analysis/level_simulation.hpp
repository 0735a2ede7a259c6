#pragma once

#include <optional>
#include <vector>

#include "weir/analysis/level_queue.hpp"
#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {

/// Simulates a LevelQueue event by event: batches of packets, packets of no service time that leave
/// in the same instant, rates that follow the number in the system. Response times are measured per
/// packet, so that Little's law is not put in. Nothing: plan.go_on said no.
/// Source: yan2012, section 4.3.
[[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(const LevelQueue& queue,
                                                                    const SimulationPlan& plan);

}  // namespace weir::analysis
