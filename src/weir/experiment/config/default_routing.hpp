#pragma once

#include <string>

#include "weir/base/config.hpp"

namespace weir::experiment {

/// `keys` with a `routing.model`: where the file names none, the one that `topology` has of itself.
/// Throws InputError where it has none.
ConfigTable with_routing(const ConfigTable& keys, const std::string& topology);

/// What a topology has of itself, for people: "d-mod-k".
std::string natural_routing_text(const std::string& topology);

}  // namespace weir::experiment
