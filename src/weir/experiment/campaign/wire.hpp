#pragma once

#include <cstdint>
#include <vector>

#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/variants.hpp"

namespace weir::experiment {

/// What goes between processes that share the runs of a plan: CBOR, in which numbers keep their
/// bits. Only programs of one build understand each other.
using WireBytes = std::vector<std::uint8_t>;

/// A run to be carried out, with the places of its keys in the user's files.
WireBytes pack(const Variant& variant);
Variant unpack_variant(const WireBytes& bytes);

/// What became of it.
WireBytes pack(const RunOutcome& outcome);
RunOutcome unpack_outcome(const WireBytes& bytes);

}  // namespace weir::experiment
