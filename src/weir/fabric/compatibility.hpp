#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

/// The models, if they go together with each other and with the settings. Throws InputError that
/// names the keys where not, std::logic_error where one is missing.
const Models& checked(const Models& models, const Mechanisms& mechanisms,
                      const FabricSettings& settings);

/// Throws InputError, which names the keys, where a mechanism cannot work with the others or with
/// the settings.
void check_mechanisms(const Core& core);

/// The first VL whose only entries in arbitration tables are those that connections fill; nothing:
/// all have others.
std::optional<std::uint16_t> vl_without_entry(const Core& core);

/// The key by which a mechanism was chosen.
std::string key_of(const Core& core, const Mechanism* mechanism);

}  // namespace weir::fabric
