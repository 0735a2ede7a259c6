#pragma once

#include "weir/experiment/claims/document.hpp"

namespace weir::experiment::claims {

/// Reads one [[claim]] table, the `index`-th. Throws InputError.
Claim read_claim(const ConfigTable& table, std::size_t index);

/// Reads the setting `scales`: ["quick", "full"].
Scales read_scales(const Settings& settings);

}  // namespace weir::experiment::claims
