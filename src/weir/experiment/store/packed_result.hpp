#pragma once

#include <cstdint>
#include <vector>

#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

/// All of a result as CBOR, in which numbers keep their bits: what goes between processes, and into
/// checkpoints. Only programs of one build understand each other.
std::vector<std::uint8_t> packed(const metrics::RunResult& result);
metrics::RunResult unpacked_result(const std::vector<std::uint8_t>& bytes);

}  // namespace weir::experiment
