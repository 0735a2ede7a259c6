#pragma once

#include "weir/experiment/claims/claim_keys.hpp"

namespace weir::experiment::claims {

/// Reads one entry of the table of values that is called `key`. Throws InputError.
ClaimValue read_value(const ConfigEntry& entry, const std::string& key);

/// Refuses a unit of the claim that its measure cannot have, as far as the arithmetic tells.
void check_unit(const Claim& claim, const std::vector<ClaimValue>& values,
                const Checked<ClaimKeys>& file);

}  // namespace weir::experiment::claims
