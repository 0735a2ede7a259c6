#pragma once

// Replaces operator new and delete of the program and counts what they do. Include it in one source
// file of a program.

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace weir::bench {

struct HeapCount {
  std::uint64_t allocations = 0;  ///< so far
  std::size_t live = 0;           ///< bytes in use
  std::size_t peak = 0;           ///< largest `live` since the last reset
};
inline HeapCount heap;

inline void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  ++heap.allocations;
  heap.live += malloc_usable_size(memory);
  heap.peak = std::max(heap.peak, heap.live);
  return memory;
}
// Not inlined: the compiler would take malloc() and free() here for those of a mistaken caller.
[[gnu::noinline]] inline void uncounted(void* memory) {
  if (memory == nullptr) return;
  heap.live -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace weir::bench

void* operator new(std::size_t size) {
  return weir::bench::counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return weir::bench::counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void operator delete(void* memory) noexcept { weir::bench::uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { weir::bench::uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { weir::bench::uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  weir::bench::uncounted(memory);
}
