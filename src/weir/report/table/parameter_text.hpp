#pragma once

#include <string>

#include "weir/base/catalog.hpp"

namespace weir::report {

/// What the user calls the type of a parameter: "string", "number", "time".
std::string type_text(const Parameter& parameter);

/// Choices, limits and default in brackets, " (a | b; default a)"; empty: there are none.
std::string limits_text(const Parameter& parameter);

}  // namespace weir::report
