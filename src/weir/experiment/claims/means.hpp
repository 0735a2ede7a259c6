#pragma once

#include "weir/base/config.hpp"

namespace weir::experiment::claims {

/// A value as a user writes it means the one of a resolved configuration: numbers by value,
/// quantities whatever their units, `routing = "x"` for `routing.model = "x"`.
[[nodiscard]] bool means(const ConfigValue& written, const ConfigValue& resolved);

}  // namespace weir::experiment::claims
