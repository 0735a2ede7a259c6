#pragma once

#include <memory>
#include <optional>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/checkpoints.hpp"

namespace weir::experiment {

/// Simulates a configuration from the last checkpoint, or its beginning, to its end, keeping
/// checkpoints on the way, and one more when it is stopped. Nothing: `go_on` said no. Throws
/// RunError, and InputError for what does not fit together. Several processes make the same call.
std::optional<metrics::RunResult> simulate(const Configuration& configuration,
                                           const std::shared_ptr<const Network>& network,
                                           Checkpoints& checkpoints, const GoOn& go_on,
                                           RunKind::Clock::time_point start);

}  // namespace weir::experiment
