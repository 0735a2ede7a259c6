#pragma once

#include <cstdint>
#include <memory>

#include "weir/analysis/queue_model.hpp"
#include "weir/experiment/configuration.hpp"

namespace weir::experiment {

/// Parts of a simulation beside a model, for intervals.
inline constexpr std::int64_t kQueueSlices = 1000;

/// The section `[queue]` of an experiment; puts it with all defaults into `resolved`. Throws
/// InputError.
Chosen<analysis::QueueModelFactory> read_queue(const ConfigTable& table, ConfigTable& resolved);
[[nodiscard]] Chosen<analysis::QueueModelFactory> read_queue(const Configuration& configuration);

/// The model of `[queue]`. Throws InputError at the place of the key.
std::unique_ptr<analysis::QueueModel> make_queue(const Configuration& configuration);

}  // namespace weir::experiment
