#pragma once

#include <string_view>

namespace weir::topology {

/// Order of names in which runs of digits compare as numbers: node2 before node10.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace weir::topology
