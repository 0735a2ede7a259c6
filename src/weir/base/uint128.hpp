#pragma once

namespace weir {

/// 128-bit unsigned integer of GCC and Clang, for exact products and single-step comparisons.
__extension__ typedef unsigned __int128 Uint128;

}  // namespace weir
