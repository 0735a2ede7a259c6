#pragma once

#include <optional>
#include <vector>

#include "weir/analysis/credit_tandem.hpp"
#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {

/// Simulates a CreditTandem packet by packet with a credit counter. With `credit_delay`, a time, a
/// credit that the second station gives back is of use that much later. RunError should credits,
/// packets and free places ever fail to add up. Nothing: plan.go_on said no.
/// Source: yan2012, sections 4.2 and 4.3.
[[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(const CreditTandem& tandem,
                                                                    double credit_delay,
                                                                    const SimulationPlan& plan);

}  // namespace weir::analysis
