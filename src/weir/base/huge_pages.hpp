#pragma once

#include <sys/mman.h>

#include <cstddef>
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
    void* memory = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    // Advice for the whole huge pages inside: nothing is lost when it is not taken.
    if (bytes >= kHugePage) (void)::madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = 2U << 20;
  static constexpr std::size_t kAlignment = alignof(T) > 64 ? alignof(T) : 64;
  static constexpr std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t(bytes < kHugePage ? kAlignment : kHugePage);
  }
};

/// A vector for the large arrays of a simulation.
template <class T>
using HugeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace weir
