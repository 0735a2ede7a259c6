#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "bench/cpu_clock.hpp"
#include "weir/base/random.hpp"

namespace weir::bench {

/// The machine's floor: reads that depend on each other, one per cache line of a region, in the
/// order of one random cycle through all of it.
class PointerChase {
 public:
  explicit PointerChase(std::size_t bytes) : count_(bytes / sizeof(Line)) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    lines_ = new (memory) Line[count_];
    link();
  }
  PointerChase(const PointerChase&) = delete;
  PointerChase& operator=(const PointerChase&) = delete;
  ~PointerChase() { munmap(lines_, count_ * sizeof(Line)); }

  /// ns per read over `reads` reads, after a lap to bring back what others have evicted.
  double measure(std::size_t reads) {
    chase(count_);
    const double start = cpu_seconds();
    chase(reads);
    return (cpu_seconds() - start) * 1e9 / static_cast<double>(reads);
  }

 private:
  struct alignas(64) Line {
    std::uint32_t next = 0;
  };

  void link() {
    std::vector<std::uint32_t> order(count_);
    std::iota(order.begin(), order.end(), 0U);
    RandomStream random(1, 0, StreamPurpose::test);
    for (std::size_t i = count_ - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (std::size_t i = 0; i < count_; ++i) lines_[order[i]].next = order[(i + 1) % count_];
  }
  void chase(std::size_t reads) {
    std::uint32_t at = at_;
    for (std::size_t i = 0; i < reads; ++i) at = lines_[at].next;
    at_ = at;
    keep(at_);
  }

  std::size_t count_;
  Line* lines_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace weir::bench
