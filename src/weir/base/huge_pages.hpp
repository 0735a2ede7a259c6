#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace weir {

/// Allocates large arrays on 2 MiB boundaries and asks the system for huge pages there: random
/// accesses to them then miss the TLB less. A plain allocation where the system does not know huge
/// pages or the array is small.
template <class T>
class HugePageAllocator {
 public:
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  explicit(false) HugePageAllocator(const HugePageAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = bytes < kHugePage ? std::aligned_alloc(kAlignment, rounded(bytes, kAlignment))
                                     : std::aligned_alloc(kHugePage, rounded(bytes, kHugePage));
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // Advice: nothing is lost when it is not taken.
    if (bytes >= kHugePage) (void)::madvise(memory, rounded(bytes, kHugePage), MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = 2U << 20;
  static constexpr std::size_t kAlignment = alignof(T) > 64 ? alignof(T) : 64;
  static constexpr std::size_t rounded(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
  }
};

/// A vector for the large arrays of a simulation.
template <class T>
using HugeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace weir
