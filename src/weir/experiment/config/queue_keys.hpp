#pragma once

#include "weir/analysis/queue_model.hpp"
#include "weir/experiment/config/configuration.hpp"

namespace weir::experiment {

/// The section `[queue]` of an experiment; puts it with all defaults into `resolved`. Throws
/// InputError.
Chosen<analysis::QueueModelFactory> read_queue(const ConfigTable& table, ConfigTable& resolved);
[[nodiscard]] Chosen<analysis::QueueModelFactory> read_queue(const Configuration& configuration);

}  // namespace weir::experiment
