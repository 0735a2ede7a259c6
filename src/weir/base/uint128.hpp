#pragma once

namespace weir {

/// 128-bit unsigned integer of GCC and Clang, for exact products and single-step comparisons.
__extension__ using Uint128 = unsigned __int128;

}  // namespace weir
