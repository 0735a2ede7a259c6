#pragma once

#include "weir/experiment/claims/claim.hpp"

namespace weir::experiment::claims {

/// Reads one entry of the `values` of the claim `where`. Throws InputError.
ClaimValue read_value(const ConfigEntry& entry, const std::string& where);

/// Refuses a unit of the claim that its measure cannot have, as far as the arithmetic tells.
void check_unit(const Claim& claim, const std::vector<ClaimValue>& values,
                const Settings& settings);

}  // namespace weir::experiment::claims
