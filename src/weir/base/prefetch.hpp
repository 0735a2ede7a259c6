#pragma once

namespace weir {

/// Fetches the cache line at `address` ahead of its use; any address will do.
///
/// `__builtin_prefetch` has no result and no side effect, so GCC 12 takes a function that does
/// nothing else for one that does nothing, and deletes the calls. Where an instruction is known it
/// is written down; scripts/check-prefetches looks for it in the library.
inline void prefetch(const void* address) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
  asm volatile("prefetcht0 %0" : : "m"(*static_cast<const char*>(address)));
#elif defined(__GNUC__) && defined(__aarch64__)
  asm volatile("prfm pldl1keep, %0" : : "Q"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address);
#endif
}

}  // namespace weir
