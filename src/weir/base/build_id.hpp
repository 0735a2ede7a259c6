#pragma once

#include <string>

namespace weir {

/// Tells builds of the library apart, in hexadecimal digits: the linker's build ID. Empty where it
/// has written none.
std::string build_id();

}  // namespace weir
