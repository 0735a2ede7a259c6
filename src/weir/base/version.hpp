#pragma once

namespace weir {

/// Version of the library, as in "0.1.0".
const char* version();

}  // namespace weir
